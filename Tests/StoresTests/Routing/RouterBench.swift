import Carryover
import CarryoverEncryption
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Crypto
import Foundation

/// An app's stores for a router: counting ones, so that what is read and written can be told.
struct RouterBench {
  let defaults: CountingStore
  let keychain: CountingStore
  let files: CountingStore
  let protection: any DataProtection

  init(defaults: [String: String] = [:], keychain: [String: String] = [:]) {
    self.defaults = CountingStore(defaults.mapValues { Array($0.utf8) })
    self.keychain = CountingStore(keychain.mapValues { Array($0.utf8) })
    files = CountingStore()
    protection = EncryptedValues(keys: SymmetricKey(data: Array(repeating: 7, count: 32)))
  }

  func router() -> StorageRouter {
    StorageRouter(protections: ["vault": protection]) { [defaults, keychain, files] domain in
      switch domain {
      case .userDefaults: defaults
      case .keychain: keychain
      case .files: files
      case .encryptedFiles, .custom: nil
      }
    }
  }
}

/// Text under a name, from where it was before.
struct TextKey: StorageKey {
  var name: String
  var domain = StorageDomain.keychain(service: "com.acme.shop")
  var security = SecurityPolicy.none
  var source: LegacyKey?
  var policy = StorageConflictPolicy.keepDestination
  var serializer: StorageSerializer<String> { .text }

  var migration: AnyStorageMigration? {
    source.map { moved(from: $0.name, in: $0.domain, security: $0.security, onConflict: policy) }
  }

  static func moved(_ name: String, from old: String, security: SecurityPolicy = .none) -> TextKey {
    TextKey(name: name, security: security, source: LegacyKey(name: old, domain: .userDefaults(suite: nil)))
  }
}

struct Catalog: StorageCatalog {
  var keys: [any StorageKey]
}
