import Carryover
import CarryoverEncryption
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Crypto
import Foundation
import Testing

// snippet: router-key
/// The user's token: in an encrypted file, formerly in the app's own defaults.
struct TokenKey: StorageKey {
  let name = "token"
  let domain = StorageDomain.encryptedFiles(folder: "Secrets")
  let serializer = StorageSerializer.text
  var migration: AnyStorageMigration? { moved(from: "auth_token", in: .userDefaults(suite: nil)) }
}
// end snippet

// snippet: router-transform
/// The theme's name, formerly a switch that was on for the dark theme.
struct ThemeKey: StorageKey {
  let name = "theme"
  let domain = StorageDomain.files(folder: "Settings")
  let serializer = StorageSerializer.text
  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      TransformingMigration(
        destinationKey: self, sourceKey: LegacyKey(name: "dark_mode", domain: .userDefaults(suite: nil))
      ) { bytes in
        try StorageSerializer.boolean.decode(bytes) ? "dark" : "light"
      })
  }
}
// end snippet

// snippet: router-make
func makeRouter(
  defaults: DefaultsDataStore, folder: String, keys: any KeyProvider
) -> StorageRouter {
  StorageRouter { domain in
    switch domain {
    case .userDefaults(nil): defaults.readingEveryType()
    case .userDefaults(let suite): try DefaultsDataStore(suite: suite).readingEveryType()
    case .files(let name): FileDataStore(folder: "\(folder)/\(name)")
    case .encryptedFiles(let name): EncryptedFileStore(folder: "\(folder)/\(name)", keys: keys)
    case .keychain, .custom: nil
    }
  }
}
// end snippet

/// The app's folder, which is Application Support on a device.
private nonisolated let support =
  FileManager.default.temporaryDirectory.appending(path: "carryover-support-\(UUID().uuidString)").path

// snippet: router-shared
extension StorageRouter {
  static let app = StorageRouter { domain in
    switch domain {
    case .files(let folder): FileDataStore(folder: support + "/" + folder)
    default: nil
    }
  }
}
// end snippet

// snippet: router-catalog
struct AppKeys: StorageCatalog {
  var keys: [any StorageKey] { [TokenKey(), ThemeKey()] }
}
// end snippet

private func use(_ router: StorageRouter) async throws -> String? {
  // snippet: router-use
  let token = try await router.get(TokenKey())
  try await router.set("light", for: ThemeKey())
  // end snippet
  return token
}

private func sweep(_ router: StorageRouter) async throws -> StorageSweep {
  // snippet: router-sweep
  let sweep = try await router.registerCatalog(AppKeys(), migrateImmediately: true)
  for failure in sweep.failures { print(failure) }
  // end snippet
  return sweep
}

// snippet: secrets-key
/// The key for a folder: in the keychain or, on a system without one, in a file beside the folder that only its owner
/// can read. It is created only while the folder does not exist. A key that is lost later is an error: a new one could
/// not decrypt anything.
func secretsKey(_ folder: String) -> any KeyProvider {
  let isNew = !FileManager.default.fileExists(atPath: folder)
  #if canImport(Security)
    return KeychainKey(service: "com.acme.shop.secrets", making: isNew)
  #else
    return FileKey(folder + ".key", making: isNew)
  #endif
}
// end snippet

private func encrypted(_ folder: String) throws -> EncryptedFileStore {
  // snippet: encrypted-store
  let store = EncryptedFileStore(folder: folder, keys: secretsKey(folder))
  try store.set(Array("secret".utf8), for: "token")
  // end snippet
  return store
}

private func setAside(_ store: EncryptedFileStore) throws -> String? {
  // snippet: encrypted-set-aside
  if let aside = try store.setAside("token") {
    try store.set(Array("a new one".utf8), for: "token")
    print("kept as \(aside)")
  }
  // end snippet
  return try store.setAsideNames().first
}

private func putBack(_ store: EncryptedFileStore) throws -> String? {
  // snippet: encrypted-put-back
  var restored: String?
  for aside in try store.setAsideNames() { restored = try store.putBack(aside) }
  // end snippet
  return restored
}

private func rekey(_ folder: String, from former: any KeyProvider, to new: any KeyProvider) throws -> Bool {
  // snippet: encrypted-rekey
  let store = EncryptedFileStore(folder: folder, keys: new)
  let failures = try store.rekey(from: former)
  let isDone = try failures.isEmpty && store.setAsideNames().isEmpty
  if isDone { print("you can delete the former key") }
  // end snippet
  return isDone
}

// snippet: encrypted-values
/// A note in the app's own defaults, where it is the only encrypted value.
struct NoteKey: StorageKey {
  let name = "note"
  let domain = StorageDomain.userDefaults(suite: nil)
  let security = SecurityPolicy.protected(by: "secrets")
  let serializer = StorageSerializer.text
}

func makeProtectingRouter(defaults: any ByteStore, keys: any KeyProvider) -> StorageRouter {
  StorageRouter(protections: ["secrets": EncryptedValues(keys: keys)]) { _ in defaults }
}
// end snippet

private func open(_ store: EncryptedFileStore) throws -> String {
  // snippet: encrypted-errors
  do throws(DataStoreError) {
    let bytes = try store.data(for: "token")
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "none"
  } catch {
    switch error.reason {
    case .wrongKey, .keyUnavailable: return "ask for the right key: \(error)"
    case .tampered, .cutOff, .unrecognised: return "set the file aside: \(error)"
    default: throw error
    }
  }
  // end snippet
}

private struct SizeKey: StorageKey {
  let name = "size"
  let domain = StorageDomain.files(folder: "Settings")
  let serializer = StorageSerializer.text
}

@Suite("The articles about the router and secrets")
struct RouterSnippetTests {
  private func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "carryover-articles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
  }

  @Test("keys come from where they were, one by one or in a sweep")
  func routed() async throws {
    try await withFolder { folder in
      let keys = secretsKey(folder + "/Secrets")
      for isSwept in [false, true] {
        let suite = "carryover-tests-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { Self.forget(suite) }
        defaults.set("secret", forKey: "auth_token")
        defaults.set(true, forKey: "dark_mode")
        let own = "\(folder)/\(isSwept)"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        let store = DefaultsDataStore(UserDefaultsDomain(defaults, label: suite))
        let router = makeRouter(defaults: store, folder: own, keys: keys)
        if isSwept {
          let result = try await sweep(router)
          #expect(result.results.count == 2 && result.failures.isEmpty)
          #expect(defaults.object(forKey: "auth_token") == nil && defaults.object(forKey: "dark_mode") == nil)
          #expect(try await router.get(ThemeKey()) == "dark")
        } else {
          #expect(try await use(router) == "secret")
          #expect(defaults.object(forKey: "auth_token") == nil && defaults.bool(forKey: "dark_mode"))
        }
      }
    }
  }

  private static func forget(_ suite: String) {
    UserDefaults.standard.removePersistentDomain(forName: suite)
    #if os(Linux)
      // Foundation may leave the file of a domain that several have opened.
      let environment = ProcessInfo.processInfo.environment
      let configuration = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
      try? FileManager.default.removeItem(atPath: "\(configuration)/\(suite).plist")
    #endif
  }

  @Test("the router that is shared has the stores it declares, and no others")
  func shared() async throws {
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: support) }
    try await StorageRouter.app.set("large", for: SizeKey())
    #expect(try FileDataStore(folder: support + "/Settings").data(for: "size") == Array("large".utf8))
    await #expect(throws: StorageRouterError.self) { try await StorageRouter.app.get(TokenKey()) }
  }

  @Test("a secret is encrypted, and a wrong key and changed bytes are told apart")
  func secrets() async throws {
    try await withFolder { folder in
      let store = try encrypted(folder + "/Secrets")
      #expect(try open(store) == "secret")
      let files = FileDataStore(folder: folder + "/Secrets")
      var bytes = try #require(try files.data(for: "token"))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
      let other = EncryptedFileStore(folder: folder + "/Secrets", keys: SymmetricKey(size: .bits256))
      #expect(try open(other).hasPrefix("ask for the right key"))
      bytes[bytes.count - 1] ^= 1
      try files.set(bytes, for: "token")
      #expect(try open(store).hasPrefix("set the file aside"))
      let aside = try #require(try setAside(store))
      #expect(try aside.hasPrefix("token") && open(store) == "a new one")
      try store.remove("token")
      #expect(try putBack(store) == "token")
    }
  }

  #if !canImport(Security)
    @Test("a key that is gone is missed, and not made again")
    func missingKey() async throws {
      try await withFolder { folder in
        let secrets = folder + "/Secrets"
        _ = try encrypted(secrets)
        try FileManager.default.removeItem(atPath: secrets + ".key")
        let store = EncryptedFileStore(folder: secrets, keys: secretsKey(secrets))
        #expect(try open(store).hasPrefix("ask for the right key"))
        #expect(!FileManager.default.fileExists(atPath: secrets + ".key"))
      }
    }
  #endif

  @Test("all is brought to a new key, and single values are encrypted wherever they are kept")
  func newKeyAndValues() async throws {
    try await withFolder { folder in
      let (old, new) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
      try EncryptedFileStore(folder: folder, keys: old).set([1], for: "token")
      #expect(try rekey(folder, from: old, to: new))
      #expect(try EncryptedFileStore(folder: folder, keys: new).data(for: "token") == [1])
      let defaults = MemoryDataStore()
      try await makeProtectingRouter(defaults: defaults, keys: new).set("private", for: NoteKey())
      let bytes = try #require(try defaults.data(for: "note"))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("private"))
      #expect(try await makeProtectingRouter(defaults: defaults, keys: new).get(NoteKey()) == "private")
    }
  }
}
