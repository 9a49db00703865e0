#if canImport(Security)
  public import Carryover
  import Foundation
  import PropertyLists
  import Security

  /// The generic passwords of one service in the keychain, an account for each name. They can be read after the first
  /// unlock and never leave the device.
  ///
  /// On a Mac it is the keychain that iOS has, not the older one of files, which knows neither that protection nor groups.
  /// There the system lets only a signed app at it, one with an entitlement for its application identifier or a keychain
  /// group; a program without gets `errSecMissingEntitlement`.
  ///
  /// Where there is no keychain, an encrypted file does the same: `EncryptedFileStore` of CarryoverEncryption.
  public struct KeychainDataStore: DataStore {
    /// The service.
    public let service: String
    /// The group of apps that share the items; nil for the app's own.
    public let accessGroup: String?

    /// The items of a service.
    public init(service: String, accessGroup: String? = nil) {
      self.service = service
      self.accessGroup = accessGroup
    }

    /// The service's name.
    public var label: String { "keychain \(service)" }

    /// The data of an account.
    public func data(for name: String) throws(DataStoreError) -> [UInt8]? {
      var query = try item(name, .read)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw failure(.read, name, status) }
      guard let data = result as? Data else { throw DataStoreError(.read, name, in: label, .wrongType("value")) }
      return Array(data)
    }

    /// Updates an account's data, or adds it; both are one call that is done or not. Where another process adds or deletes
    /// the account between the two, they are made again.
    public func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
      let query = try item(name, .write)
      let attributes: [CFString: Any] = [
        kSecValueData: Data(data), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(query as CFDictionary, attributes as CFDictionary)
      for _ in 0..<Self.attempts where status == errSecItemNotFound {
        status = SecItemAdd(query.merging(attributes) { $1 } as CFDictionary, nil)
        if status == errSecDuplicateItem {
          status = SecItemUpdate(query as CFDictionary, attributes as CFDictionary)
        }
      }
      guard status == errSecSuccess else { throw failure(.write, name, status) }
    }

    /// Attempts before what others do to the account meanwhile is reported.
    private static let attempts = 3

    /// Deletes an account.
    public func remove(_ name: String) throws(DataStoreError) {
      let status = SecItemDelete(try item(name, .remove) as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw failure(.remove, name, status) }
    }

    /// The accounts there are.
    public func names() throws(DataStoreError) -> [String] {
      var query = service(of: .list)
      query[kSecReturnAttributes] = true
      query[kSecMatchLimit] = kSecMatchLimitAll
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return [] }
      guard status == errSecSuccess else { throw failure(.list, nil, status) }
      let items = result as? [[String: Any]] ?? []
      return items.compactMap { $0[kSecAttrAccount as String] as? String }
        .sortedByBytes()
    }

    private func item(_ name: String, _ operation: DataStoreError.Operation) throws(DataStoreError) -> [CFString: Any] {
      guard !name.isEmpty else { throw DataStoreError(operation, name, in: label, .badName(.empty)) }
      var query = service(of: operation)
      query[kSecAttrAccount] = name
      return query
    }

    private func service(of operation: DataStoreError.Operation) -> [CFString: Any] {
      var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
      #if os(macOS)
        query[kSecUseDataProtectionKeychain] = true
      #endif
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      return query
    }

    private func failure(
      _ operation: DataStoreError.Operation, _ name: String?, _ status: OSStatus
    ) -> DataStoreError {
      let reason: DataStoreError.Reason = status == errSecInteractionNotAllowed ? .locked : .failed
      return DataStoreError(operation, name, in: label, reason, cause: KeychainStatus(code: status))
    }
  }

  /// A status of the keychain.
  public struct KeychainStatus: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's number.
    public var code: Int32

    /// The system's words, and the number.
    public var description: String {
      let words = SecCopyErrorMessageString(code, nil) as String?
      return "\(words ?? "an error of the keychain") (\(code))"
    }
  }
#endif
