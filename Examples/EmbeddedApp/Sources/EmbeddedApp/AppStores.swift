import CarryoverEncryption
import CarryoverRouter
import CarryoverStorage
import CarryoverUserDefaults
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
    let key = Self.key(of: folder + "/Secrets", in: folder)
    return StorageRouter { domain in
      switch domain {
      case .userDefaults(let suite): try DefaultsDataStore(suite: suite)
      case .encryptedFiles(let name): EncryptedFileStore(folder: "\(folder)/\(name)", keys: key)
      case .files(let name): FileDataStore(folder: "\(folder)/\(name)")
      case .keychain, .custom: nil
      }
    }
  }

  static func defaults() throws -> DefaultsDataStore { try DefaultsDataStore(suite: nil) }

  /// The key of a folder. It is made as long as nothing was encrypted; gone later, it is missed.
  private static func key(of secrets: String, in folder: String) -> any KeyProvider {
    let isNew = !FileManager.default.fileExists(atPath: secrets)
    #if canImport(Security)
      return KeychainKey(service: "com.acme.shop.EmbeddedApp", making: isNew)
    #else
      return FileKey(folder + "/Keys/secrets.data", making: isNew)
    #endif
  }
}
