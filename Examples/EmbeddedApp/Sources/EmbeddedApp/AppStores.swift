import Carryover
import CarryoverEncryption
import CarryoverUserDefaults
import Crypto
import Foundation

/// The user's token: in UserDefaults in version 1, in an encrypted file since.
struct TokenKey: StorageKey {
  let name = "token"
  let domain = StorageDomain.encryptedFiles(folder: "Secrets")
  let serializer = StorageSerializer.text
  var migration: AnyStorageMigration? { moved(from: "auth_token", in: .userDefaults(suite: nil)) }
}

/// Every key of the app.
struct AppKeys: StorageCatalog {
  var keys: [any StorageKey] { [TokenKey()] }
}

/// The stores behind the app's domains.
struct AppStores {
  let home: String

  func router() -> StorageRouter {
    let folder = home + "/Library"
    // On a device the folder is there.
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let key = StoredKey(store: Self.keyStore(folder))
    return StorageRouter { domain in
      switch domain {
      case .userDefaults(let suite): try? DefaultsDataStore(suite: suite)
      case .encryptedFiles(let name): EncryptedFileStore(folder: "\(folder)/\(name)", keys: key)
      case .files(let name): FileDataStore(folder: "\(folder)/\(name)")
      case .keychain, .custom: nil
      }
    }
  }

  static func defaults() throws -> DefaultsDataStore { try DefaultsDataStore(suite: nil) }

  /// Where the key is kept: the keychain, or where there is none a file that only its owner can read.
  private static func keyStore(_ folder: String) -> any DataStore {
    #if canImport(Security)
      KeychainDataStore(service: "com.acme.shop.EmbeddedApp")
    #else
      FileDataStore(folder: folder + "/Keys")
    #endif
  }
}

/// A key that is made once and kept.
struct StoredKey: KeyProvider {
  let store: any DataStore

  func key() throws -> SymmetricKey {
    if let bytes = try store.data(for: "secrets") { return SymmetricKey(data: bytes) }
    let key = SymmetricKey(size: .bits256)
    try store.set(key.withUnsafeBytes { Array($0) }, for: "secrets")
    return key
  }
}
