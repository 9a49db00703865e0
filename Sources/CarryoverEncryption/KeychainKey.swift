#if canImport(Security)
  import Foundation
  public import PropertyLists
  import Security
  package import Crypto

  /// A key in the keychain: a generic password of 32 bytes. It is available after the first unlock and never leaves the
  /// device. On macOS, it is in the data protection keychain, which requires a signed app. Its errors are
  /// ``KeychainKeyError``.
  public struct KeychainKey: KeyProvider, KeptKey {
    private let service: String
    private let account: String
    /// The keychain access group of apps that share the item; nil for the app's own.
    private let accessGroup: String?
    package let isMade: Bool

    /// A key under a service and an account.
    /// - Parameter isMade: whether to create a missing key, at random. If several processes do so at the same time, all
    ///   get the same key. Pass false once the app has stored a value, so that a lost key is an error.
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
      // If another process was faster, its key is the one.
      guard status == errSecSuccess || status == errSecDuplicateItem else { throw KeychainKeyError.status(status) }
    }

    private var item: [CFString: Any] {
      var item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
        // The file-based keychain of macOS has no accessibility classes, and can be copied to another Mac.
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

  /// An error in reading or creating a key in the keychain.
  public enum KeychainKeyError: Error, Hashable, Sendable, CustomStringConvertible, Described {
    /// The keychain returned this `OSStatus`.
    case status(Int32)
    /// The item has this number of bytes instead of 32.
    case wrongSize(Int)

    package var words: String {
      switch self {
      case .status(let code): "\(SecCopyErrorMessageString(code, nil) as String? ?? "the keychain failed") (\(code))"
      case .wrongSize(let count): "the key in the keychain has \(count) bytes instead of 32; restore the right one"
      }
    }
  }
#endif
