#if canImport(Security)
  public import CarryoverStorage
  import Foundation
  public import PropertyLists
  import Security

  /// The generic passwords of one service in the keychain, an account for each name. They can be read after the first
  /// unlock and never leave the device.
  ///
  /// On a Mac it is the keychain that iOS has, not the older one of files, which knows neither that protection nor groups.
  /// There the system lets only a signed app at it, one with an entitlement for its application identifier or a keychain
  /// group; a program without gets `errSecMissingEntitlement`.
  ///
  /// Where there is no keychain, an encrypted file does the same: `EncryptedFileStore` of CarryoverEncryption.
  public struct KeychainDataStore: ByteStore, ForwardingStore {
    package let base: any ByteStore

    /// The items of a service.
    /// - Parameter accessGroup: the group of apps that share the items; nil for the app's own.
    public init(service: String, accessGroup: String? = nil) {
      base = KeychainItems(service: service, accessGroup: accessGroup, calls: SystemKeychain())
    }
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
  public struct KeychainStatus: Error, Hashable, Sendable, CustomStringConvertible, Described {
    /// The system's number.
    public var code: Int32

    /// The system's words, and the number.
    package var words: String {
      let words = SecCopyErrorMessageString(code, nil) as String?
      return "\(words ?? "an error of the keychain") (\(code))"
    }
  }
#endif
