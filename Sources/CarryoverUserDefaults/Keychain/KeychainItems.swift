package import CarryoverStorage

/// A selection of keychain items: the generic passwords of a service, or of one account.
package struct KeychainQuery: Hashable, Sendable {
  package var service: String
  package var account: String?
  package var accessGroup: String?
}

package struct KeychainAttributes: Hashable, Sendable {
  package var data: [UInt8]
  package var protection: KeychainProtection
}

/// When the items of a keychain can be read, and on which devices.
public enum KeychainProtection: Hashable, Sendable {
  /// After the first unlock of the device, and only on this device.
  case afterFirstUnlockThisDeviceOnly
  /// After the first unlock; encrypted backups move the items to other devices.
  case afterFirstUnlock
  /// While the device is unlocked, and only on this device.
  case whenUnlockedThisDeviceOnly
  /// While the device is unlocked; encrypted backups move the items to other devices.
  case whenUnlocked
  /// While the device is unlocked, and only while it has a passcode. The system deletes the items if the passcode is
  /// removed.
  case whenPasscodeSetThisDeviceOnly
}

/// The calls to a keychain. A status is the system's `OSStatus`.
package protocol KeychainCalls: Sendable {
  func data(_ query: KeychainQuery) -> (status: Int32, data: [UInt8]?)
  func update(_ query: KeychainQuery, _ attributes: KeychainAttributes) -> Int32
  func add(_ query: KeychainQuery, _ attributes: KeychainAttributes) -> Int32
  func delete(_ query: KeychainQuery) -> Int32
  func accounts(_ query: KeychainQuery) -> (status: Int32, accounts: [String])
  func cause(_ status: Int32) -> any Error
}

/// The items of a service as a store. It does not depend on the system's keychain, so tests run without one.
package struct KeychainItems: ByteStore {
  package let service: String
  package let accessGroup: String?
  var protection = KeychainProtection.afterFirstUnlockThisDeviceOnly
  let calls: any KeychainCalls

  package var label: String { "keychain \(service)" }

  package var identity: DataStoreIdentity? {
    DataStoreIdentity("keychain", accessGroup.map { "\(service)\0\($0)" } ?? service)
  }

  package func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    let (status, data) = calls.data(try item(name, .read))
    if status == Self.itemNotFound { return nil }
    guard status == Self.success else { throw failure(.read, name, status) }
    guard let data else { throw DataStoreError(.read, name, in: label, .wrongType("value")) }
    return data
  }

  /// Tries again if another process adds or deletes the account between the two calls.
  package func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    let query = try item(name, .write)
    let attributes = attributes(of: data)
    var status = calls.update(query, attributes)
    for _ in 0..<Self.attempts where status == Self.itemNotFound {
      status = calls.add(query, attributes)
      if status == Self.duplicateItem { status = calls.update(query, attributes) }
    }
    guard status == Self.success else { throw failure(.write, name, status) }
  }

  package func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    let status = calls.add(try item(name, .write), attributes(of: data))
    guard status == Self.success || status == Self.duplicateItem else { throw failure(.write, name, status) }
    return status == Self.success
  }

  package func remove(_ name: String) throws(DataStoreError) {
    let status = calls.delete(try item(name, .remove))
    guard status == Self.success || status == Self.itemNotFound else { throw failure(.remove, name, status) }
  }

  package func names() throws(DataStoreError) -> [String] {
    let (status, accounts) = calls.accounts(KeychainQuery(service: service, accessGroup: accessGroup))
    if status == Self.itemNotFound { return [] }
    guard status == Self.success else { throw failure(.list, nil, status) }
    return accounts.sortedByBytes()
  }

  private func attributes(of data: [UInt8]) -> KeychainAttributes {
    KeychainAttributes(data: data, protection: protection)
  }

  private func item(_ name: String, _ operation: DataStoreError.Operation) throws(DataStoreError) -> KeychainQuery {
    guard !name.isEmpty else { throw DataStoreError(operation, name, in: label, .badName(.empty)) }
    return KeychainQuery(service: service, account: name, accessGroup: accessGroup)
  }

  private func failure(_ operation: DataStoreError.Operation, _ name: String?, _ status: Int32) -> DataStoreError {
    let reason: DataStoreError.Reason = status == Self.interactionNotAllowed ? .locked : .failed
    return DataStoreError(operation, name, in: label, reason, cause: calls.cause(status))
  }

  private static let attempts = 3
  // The values in SecBase.h.
  package static let success: Int32 = 0
  package static let duplicateItem: Int32 = -25299
  package static let itemNotFound: Int32 = -25300
  package static let interactionNotAllowed: Int32 = -25308
}
