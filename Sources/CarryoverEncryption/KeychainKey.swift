#if canImport(Security)
  import Foundation
  public import PropertyLists
  import Security
  package import Crypto

  /// A key in the keychain: a generic password of 32 bytes that can be had after the first unlock and never leaves the
  /// device. On macOS it is in the data protection keychain, which the app's signature must let it use.
  /// Its errors are ``KeychainKeyError``.
  public struct KeychainKey: KeyProvider, KeptKey {
    private let service: String
    private let account: String
    /// The group of apps that share the item; nil for the app's own.
    private let accessGroup: String?
    package let isMade: Bool

    /// A key of a service.
    /// - Parameter isMade: whether to make a random key where there is none. Those that do so at once get the same one. An
    ///   app that has stored something should not: a key that is gone must be noticed.
    public init(service: String, account: String = "key", accessGroup: String? = nil, making isMade: Bool = false) {
      self.service = service
      self.account = account
      self.accessGroup = accessGroup
      self.isMade = isMade
    }

    package var missing: any Error { KeychainKeyError.status(errSecItemNotFound) }

    package func make() throws {
      var attributes = item
      attributes[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      attributes[kSecValueData] = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
      let status = SecItemAdd(attributes as CFDictionary, nil)
      // Somebody else may have been quicker; theirs is the key then.
      guard status == errSecSuccess || status == errSecDuplicateItem else { throw KeychainKeyError.status(status) }
    }

    private var item: [CFString: Any] {
      var item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
        // The old keychain of macOS knows no accessibility, and may be copied to another Mac.
        kSecUseDataProtectionKeychain: true,
      ]
      if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
      return item
    }

    package func read() throws(KeychainKeyError) -> SymmetricKey? {
      var query = item
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw .status(status) }
      guard let data = result as? Data, data.count == 32 else { throw .wrongSize((result as? Data)?.count ?? 0) }
      return SymmetricKey(data: data)
    }
  }

  /// Why the keychain gives no key.
  public enum KeychainKeyError: Error, Hashable, Sendable, CustomStringConvertible, Described {
    /// A status of the keychain's, by the system's number.
    case status(Int32)
    /// The item is not of 32 bytes.
    case wrongSize(Int)

    /// What is wrong.
    package var words: String {
      switch self {
      case .status(let code): "\(SecCopyErrorMessageString(code, nil) as String? ?? "the keychain failed") (\(code))"
      case .wrongSize(let count): "the key in the keychain has \(count) bytes instead of 32; put the right one back"
      }
    }
  }
#endif
