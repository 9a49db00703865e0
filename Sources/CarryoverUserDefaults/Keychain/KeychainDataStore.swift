#if canImport(Security)
  public import CarryoverStorage
  import Foundation
  public import PropertyLists
  import Security

  /// A store of the generic passwords of a service in the keychain. A name is an account. Unless you choose another
  /// protection, the items are readable after the first unlock and never leave the device.
  ///
  /// On macOS, it uses the data protection keychain, because the file-based one supports neither this protection nor
  /// access groups. The system then requires a signed app with an application identifier or a keychain group among its
  /// entitlements; other programs get `errSecMissingEntitlement`.
  ///
  /// On a system without a keychain, use `EncryptedFileStore` of CarryoverEncryption.
  public struct KeychainDataStore: ByteStore, ForwardingStore {
    package let base: any ByteStore

    /// A store of the items of a service.
    /// - Parameters:
    ///   - accessGroup: the keychain access group of apps that share the items; nil for the app's own.
    ///   - protection: when the items can be read. A write also gives it to an item that has another one.
    public init(
      service: String, accessGroup: String? = nil, protection: KeychainProtection = .afterFirstUnlockThisDeviceOnly
    ) {
      base = KeychainItems(service: service, accessGroup: accessGroup, protection: protection, calls: SystemKeychain())
    }
  }

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
    var dictionary: [CFString: Any] {
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
    var dictionary: [CFString: Any] { [kSecValueData: Data(data), kSecAttrAccessible: protection.attribute] }
  }

  extension KeychainProtection {
    fileprivate var attribute: CFString {
      switch self {
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
      case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
      case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      }
    }
  }

  /// An error of the keychain.
  public struct KeychainStatus: Error, Hashable, Sendable, CustomStringConvertible, Described {
    /// The system's `OSStatus`.
    public var code: Int32

    package var words: String {
      let words = SecCopyErrorMessageString(code, nil) as String?
      return "\(words ?? "an error of the keychain") (\(code))"
    }
  }
#endif
