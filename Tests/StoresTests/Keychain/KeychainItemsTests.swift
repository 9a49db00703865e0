@testable import CarryoverUserDefaults

#if canImport(Security)
  import Security
#endif

private final class NotedKeychain: KeychainCalls, @unchecked Sendable {
  struct Denied: Error {}
  private let lock = NSLock()
  private var items: [KeychainQuery: KeychainAttributes] = [:]
  private var denied: Int32?
  let written = Noted<(query: KeychainQuery, attributes: KeychainAttributes)>()

  func deny(_ status: Int32?) { lock.withLock { denied = status } }

  func data(_ query: KeychainQuery) -> (status: Int32, data: [UInt8]?) {
    lock.withLock {
      if let denied { return (denied, nil) }
      return items[query].map { (KeychainItems.success, $0.data) } ?? (KeychainItems.itemNotFound, nil)
    }
  }

  func update(_ query: KeychainQuery, _ attributes: KeychainAttributes) -> Int32 {
    change(query, attributes, whereThere: true, KeychainItems.itemNotFound)
  }

  func add(_ query: KeychainQuery, _ attributes: KeychainAttributes) -> Int32 {
    change(query, attributes, whereThere: false, KeychainItems.duplicateItem)
  }

  private func change(
    _ query: KeychainQuery, _ attributes: KeychainAttributes, whereThere: Bool, _ refusal: Int32
  ) -> Int32 {
    lock.withLock {
      if let denied { return denied }
      guard (items[query] != nil) == whereThere else { return refusal }
      items[query] = attributes
      written.add((query, attributes))
      return KeychainItems.success
    }
  }

  func delete(_ query: KeychainQuery) -> Int32 {
    lock.withLock {
      if let denied { return denied }
      return items.removeValue(forKey: query) == nil ? KeychainItems.itemNotFound : KeychainItems.success
    }
  }

  func accounts(_ query: KeychainQuery) -> (status: Int32, accounts: [String]) {
    lock.withLock {
      if let denied { return (denied, []) }
      let accounts = items.keys.filter { $0.service == query.service }.compactMap(\.account)
      return (accounts.isEmpty ? KeychainItems.itemNotFound : KeychainItems.success, accounts)
    }
  }

  func cause(_ status: Int32) -> any Error { Denied() }
}

@Suite("The keychain as a store") struct KeychainItemsTests {
  @Test func `each item that is written can be read after the first unlock, on this device only (C2)`() throws {
    let keychain = NotedKeychain()
    let store = KeychainItems(service: ConvertNames.keychainService, accessGroup: nil, calls: keychain)
    // Added, updated, and added where there is none.
    try store.set([1], for: ConvertNames.visitorAccount)
    try store.set([2], for: ConvertNames.visitorAccount)
    #expect(try store.setIfAbsent([3], for: "other"))
    #expect(keychain.written.all.map(\.attributes.data) == [[1], [2], [3]])
    for (query, attributes) in keychain.written.all {
      #expect(attributes.protection == .afterFirstUnlockThisDeviceOnly)
      #expect(query.service == "com.convert.sdk")
      #if canImport(Security)
        let accessible = attributes.dictionary[kSecAttrAccessible] as? String
        #expect(accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
        #expect(query.dictionary[kSecClass] as? String == kSecClassGenericPassword as String)
        #expect(query.dictionary[kSecAttrSynchronizable] == nil)
      #endif
    }
    #expect(keychain.written.all.first?.query.account == "com.convert.sdk.visitorId")
  }

  @Test func `an app chooses when the items can be read, and a write gives that to older ones (E6)`() throws {
    let keychain = NotedKeychain()
    let former = KeychainItems(service: "s", accessGroup: nil, calls: keychain)
    let store = KeychainItems(service: "s", accessGroup: nil, protection: .whenUnlocked, calls: keychain)
    try former.set([1], for: "a")
    try store.set([2], for: "a")
    #expect(try store.setIfAbsent([3], for: "b"))
    #expect(
      keychain.written.all.map(\.attributes.protection)
        == [.afterFirstUnlockThisDeviceOnly, .whenUnlocked, .whenUnlocked])
    #if canImport(Security)
      for (protection, accessible) in [
        (KeychainProtection.afterFirstUnlock, kSecAttrAccessibleAfterFirstUnlock),
        (.whenUnlockedThisDeviceOnly, kSecAttrAccessibleWhenUnlockedThisDeviceOnly),
        (.whenUnlocked, kSecAttrAccessibleWhenUnlocked),
        (.whenPasscodeSetThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly),
      ] {
        let attributes = KeychainAttributes(data: [], protection: protection)
        #expect(attributes.dictionary[kSecAttrAccessible] as? String == accessible as String)
      }
    #endif
  }

  @Test func `it keeps what is put into it, says when it is locked, and takes no empty name (C2, B7)`() throws {
    let keychain = NotedKeychain()
    let store = KeychainItems(service: "s", accessGroup: "g", calls: keychain)
    #expect(try store.names().isEmpty && store.data(for: "a") == nil)
    try store.remove("a")
    try store.set([1], for: "b")
    #expect(try store.setIfAbsent([2], for: "b") == false)
    try store.set([3], for: "a")
    #expect(try store.names() == ["a", "b"] && store.data(for: "b") == [1])
    try store.remove("b")
    #expect(try store.data(for: "b") == nil)
    #expect(throws: DataStoreError.self) { try store.set([1], for: "") }
    keychain.deny(KeychainItems.interactionNotAllowed)
    let error = #expect(throws: DataStoreError.self) { try store.data(for: "a") }
    #expect(error?.reason == .locked && error?.cause is NotedKeychain.Denied)
    keychain.deny(-50)
    #expect(throws: DataStoreError.self) { try store.set([1], for: "a") }
    #expect(throws: DataStoreError.self) { try store.remove("a") }
    #expect(throws: DataStoreError.self) { try store.setIfAbsent([1], for: "c") }
    #expect(#expect(throws: DataStoreError.self) { try store.names() }?.reason == .failed)
  }
}
