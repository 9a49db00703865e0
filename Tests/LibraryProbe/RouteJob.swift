import CarryoverEncryption
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverUserDefaults
import Foundation

/// Values of the app's defaults to encrypted files: some when they are asked for, the others by a sweep; and one that the
/// app sets before it has asked for the old one.
struct RouteJob: Job {
  private static let suite = "com.acme.legacy"
  private static let names = ["token", "refresh"]

  func prepare(_ folder: String) throws {
    guard let defaults = UserDefaults(suiteName: Self.suite) else { throw Refused(what: "no suite") }
    for name in Self.names { defaults.set("\(name)'s value", forKey: "old_\(name)") }
    defaults.set(41, forKey: "old_count")
    defaults.set("dark", forKey: "old_theme")
    defaults.set("en", forKey: "old_locale")
    defaults.set("made", forKey: "old_stamp")
    defaults.set("moved by the app", forKey: "old_own")
    defaults.set("Ada", forKey: "first")
    defaults.set("Lovelace", forKey: "last")
    defaults.set("the app's own", forKey: "other")
    guard defaults.synchronize() else { throw Refused(what: "the defaults were not written") }
  }

  func run(_ folder: String) async throws -> String {
    let router = try router(folder)
    let token = try await router.get(VaultKey(name: "token"))
    guard token == "token's value" else { throw Refused(what: "the token is \(token ?? "missing")") }
    // The app of today sets its theme at its first start, whatever the old one was.
    let theme = VaultKey(name: "theme")
    if try await !router.exists(theme) { try await router.set("light", for: theme) }
    let sweep = try await router.registerCatalog(VaultCatalog(), migrateImmediately: true)
    guard sweep.failures.isEmpty else { throw Refused(what: "\(sweep.failures)") }
    return "\(sweep.count(.migrated)) migrated, \(sweep.count(.finished)) finished"
  }

  func check(_ folder: String) async throws -> [String] {
    guard let defaults = UserDefaults(suiteName: Self.suite) else { return ["no suite"] }
    let vault = Self.vault(folder)
    func text(_ name: String) throws -> String? {
      try vault.data(for: name).map { String(decoding: $0, as: UTF8.self) }
    }
    var pairs: [(String, String?, String?)] = []
    for name in Self.names {
      pairs.append((name, try text(name), "\(name)'s value"))
    }
    for name in Self.names + ["count", "theme", "locale", "stamp", "own"] {
      pairs.append(("old_\(name)", defaults.string(forKey: "old_\(name)"), nil))
    }
    pairs += [
      ("count", try text("count"), "42"), ("theme", try text("theme"), "light"), ("locale", try text("locale"), "en"),
      ("own", try text("own"), "moved by the app"),
      ("stamp", try text("stamp").map { String($0.prefix(5)) }, "made "),
      ("name", try text("name"), "Ada Lovelace"), ("first", defaults.string(forKey: "first"), nil),
      ("last", defaults.string(forKey: "last"), nil), ("other", defaults.string(forKey: "other"), "the app's own"),
      (
        "the vault's names", try vault.names().joined(separator: " "), "count locale name own refresh stamp theme token"
      ),
    ]
    return differences(pairs)
  }

  func values(_ folder: String) throws -> [String: String] {
    guard FileManager.default.fileExists(atPath: folder + "/key") else { return [:] }
    let vault = Self.vault(folder)
    var values: [String: String] = [:]
    for key in VaultCatalog().keys where key.name != "locale1" {
      values[key.name] = try vault.data(for: key.name).map { String(decoding: $0, as: UTF8.self) }
    }
    return values
  }

  private static func vault(_ folder: String) -> EncryptedFileStore {
    EncryptedFileStore(folder: folder + "/vault", keys: FileKey(folder + "/key"))
  }

  private func router(_ folder: String) throws -> StorageRouter {
    let defaults = try DefaultsDataStore(suite: Self.suite)
    let vault = EncryptedFileStore(folder: folder + "/vault", keys: FileKey(folder + "/key", making: true))
    return StorageRouter { domain in
      switch domain {
      case .userDefaults: defaults.readingEveryType()
      case .encryptedFiles: vault
      case .keychain, .files, .custom: nil
      }
    }
  }
}

private struct VaultCatalog: StorageCatalog {
  /// The key that takes its value from another one comes first, as a catalog has no order.
  var keys: [any StorageKey] {
    ["token", "refresh", "count", "name", "theme", "stamp", "own", "locale", "locale1"].map { VaultKey(name: $0) }
  }
}

private struct VaultKey: StorageKey {
  var name: String
  let domain = StorageDomain.encryptedFiles(folder: "vault")
  let serializer = StorageSerializer.text

  var migration: AnyStorageMigration? {
    let suite = StorageDomain.userDefaults(suite: "com.acme.legacy")
    switch name {
    case "count":
      return AnyStorageMigration(
        TransformingMigration(
          destinationKey: self, sourceKey: OldNumber(name: "old_count", domain: suite), conflictPolicy: .replace
        ) { "\($0 + 1)" })
    case "stamp":
      // Made anew, it would be another value.
      return AnyStorageMigration(
        TransformingMigration(
          destinationKey: self, sourceKey: OldText(name: "old_stamp", domain: suite), conflictPolicy: .replace
        ) { "\($0) \(UUID().uuidString)" })
    case "name":
      let parts = ["first", "last"].map { OldText(name: $0, domain: suite) }
      return AnyStorageMigration(
        AggregatingMigration(destinationKey: self, sourceKeys: parts.map { .key($0) }) { found in
          try parts.compactMap { try found[$0] }.joined(separator: " ")
        })
    case "own": return AnyStorageMigration(OwnMigration(destinationKey: self))
    case "theme": return moved(from: "old_theme", in: suite, onConflict: .replace)
    case "locale": return moved(from: "locale1", in: domain)
    case "locale1": return moved(from: "old_locale", in: suite)
    default: return moved(from: "old_\(name)", in: suite)
    }
  }
}

private struct OwnMigration: StorageMigration {
  let destinationKey: VaultKey
  private let source = OldText(name: "old_own", domain: .userDefaults(suite: "com.acme.legacy"))
  var sources: [StoragePlace] { [source.place] }

  init(destinationKey: VaultKey) { self.destinationKey = destinationKey }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let text = try await router.get(source) else { return .nothingToMigrate }
    try await router.set(text, for: destinationKey)
    try await router.delete(source)
    return .migrated
  }
}

private struct OldText: StorageKey {
  var name: String
  var domain: StorageDomain
  let serializer = StorageSerializer.text
}

private struct OldNumber: StorageKey {
  var name: String
  var domain: StorageDomain
  let serializer = StorageSerializer.integer
}
