#if canImport(Security)
  public import CarryoverStorage
  import Foundation
  import Security

  /// The generic passwords of one service in the keychain, an account for each name. They can be read after the first
  /// unlock and never leave the device.
  ///
  /// On a Mac it is the keychain that iOS has, not the older one of files, which knows neither that protection nor groups.
  /// There the system lets only a signed app at it, one with an entitlement for its application identifier or a keychain
  /// group; a program without gets `errSecMissingEntitlement`.
  ///
  /// Where there is no keychain, an encrypted file does the same: `EncryptedFileStore` of CarryoverEncryption.
  public struct KeychainDataStore: ByteStore {
    /// The service.
    public let service: String
    /// The group of apps that share the items; nil for the app's own.
    package let accessGroup: String?
    private var items: KeychainItems {
      KeychainItems(service: service, accessGroup: accessGroup, calls: SystemKeychain())
    }

    /// The items of a service.
    public init(service: String, accessGroup: String? = nil) {
      self.service = service
      self.accessGroup = accessGroup
    }

    /// The service's name.
    public var label: String { items.label }

    /// The service and the group.
    public var identity: DataStoreIdentity? { items.identity }

    /// The data of an account.
    public func data(for name: String) throws(DataStoreError) -> [UInt8]? { try items.data(for: name) }

    /// Updates an account's data, or adds it; both are one call that is done or not.
    public func set(_ data: [UInt8], for name: String) throws(DataStoreError) { try items.set(data, for: name) }

    /// Adds an account; one call, which fails where there is one.
    package func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
      try items.setIfAbsent(data, for: name)
    }

    /// Deletes an account.
    public func remove(_ name: String) throws(DataStoreError) { try items.remove(name) }

    /// The accounts there are.
    public func names() throws(DataStoreError) -> [String] { try items.names() }
  }

  /// The system's keychain.
  struct SystemKeychain: KeychainCalls {
    func data(_ query: KeychainQuery) -> (status: Int32, data: [UInt8]?) {
      var dictionary = query.dictionary
      dictionary[kSecReturnData] = true
      dictionary[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(dictionary as CFDictionary, &result)
      return (status, (result as? Data).map { Array($0) })
    }

    func update(_ query: KeychainQuery, _ attributes: KeychainAttributes) -> Int32 {
      SecItemUpdate(query.dictionary as CFDictionary, attributes.dictionary as CFDictionary)
    }

    func add(_ query: KeychainQuery, _ attributes: KeychainAttributes) -> Int32 {
      SecItemAdd(query.dictionary.merging(attributes.dictionary) { $1 } as CFDictionary, nil)
    }

    func delete(_ query: KeychainQuery) -> Int32 { SecItemDelete(query.dictionary as CFDictionary) }

    func accounts(_ query: KeychainQuery) -> (status: Int32, accounts: [String]) {
      var dictionary = query.dictionary
      dictionary[kSecReturnAttributes] = true
      dictionary[kSecMatchLimit] = kSecMatchLimitAll
      var result: CFTypeRef?
      let status = SecItemCopyMatching(dictionary as CFDictionary, &result)
      let items = result as? [[String: Any]] ?? []
      return (status, items.compactMap { $0[kSecAttrAccount as String] as? String })
    }

    func cause(_ status: Int32) -> any Error { KeychainStatus(code: status) }
  }

  extension KeychainQuery {
    package var dictionary: [CFString: Any] {
      var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
      #if os(macOS)
        query[kSecUseDataProtectionKeychain] = true
      #endif
      if let account { query[kSecAttrAccount] = account }
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      return query
    }
  }

  extension KeychainAttributes {
    package var dictionary: [CFString: Any] {
      [kSecValueData: Data(data), kSecAttrAccessible: protection.attribute]
    }
  }

  extension KeychainProtection {
    fileprivate var attribute: CFString {
      switch self {
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      }
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
