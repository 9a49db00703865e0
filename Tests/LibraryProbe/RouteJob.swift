import Carryover
import CarryoverEncryption
import CarryoverUserDefaults
import Foundation

/// Values of the app's defaults to encrypted files: one when it is asked for, the others by a sweep.
struct RouteJob: Job {
  private static let suite = "com.acme.legacy"
  private static let names = ["token", "refresh", "pin"]

  func prepare(_ folder: String) throws {
    guard let defaults = UserDefaults(suiteName: Self.suite) else { throw Refused(what: "no suite") }
    for name in Self.names { defaults.set("\(name)'s value", forKey: "old_\(name)") }
    defaults.set("41", forKey: "old_count")
    defaults.set("Ada", forKey: "first")
    defaults.set("Lovelace", forKey: "last")
    defaults.set("the app's own", forKey: "other")
    guard defaults.synchronize() else { throw Refused(what: "the defaults were not written") }
  }

  func run(_ folder: String) async throws -> String {
    let router = try router(folder)
    let token = try await router.get(VaultKey(name: "token"))
    guard token == "token's value" else { throw Refused(what: "the token is \(token ?? "missing")") }
    let sweep = try await router.registerCatalog(VaultCatalog(), migrateImmediately: true)
    guard sweep.failures.isEmpty else { throw Refused(what: "\(sweep.failures)") }
    return "\(sweep.count(.migrated)) migrated, \(sweep.count(.finished)) finished"
  }

  func check(_ folder: String) async throws -> [String] {
    guard let defaults = UserDefaults(suiteName: Self.suite) else { return ["no suite"] }
    let vault = EncryptedFileStore(folder: folder + "/vault", keys: FileKey(folder + "/key"))
    func text(_ name: String) throws -> String? {
      try vault.data(for: name).map { String(decoding: $0, as: UTF8.self) }
    }
    var pairs: [(String, String?, String?)] = []
    for name in Self.names {
      pairs.append((name, try text(name), "\(name)'s value"))
      pairs.append(("old_\(name)", defaults.string(forKey: "old_\(name)"), nil))
    }
    pairs += [
      ("count", try text("count"), "42"), ("old_count", defaults.string(forKey: "old_count"), nil),
      ("name", try text("name"), "Ada Lovelace"), ("first", defaults.string(forKey: "first"), nil),
      ("last", defaults.string(forKey: "last"), nil), ("other", defaults.string(forKey: "other"), "the app's own"),
      ("the vault's names", try vault.names().joined(separator: " "), "count name pin refresh token"),
    ]
    return differences(pairs)
  }

  private func router(_ folder: String) throws -> StorageRouter {
    let defaults = try DefaultsDataStore(suite: Self.suite)
    let vault = EncryptedFileStore(folder: folder + "/vault", keys: FileKey(folder + "/key", making: true))
    return StorageRouter { domain in
      switch domain {
      case .userDefaults: defaults
      case .encryptedFiles: vault
      case .keychain, .files: nil
      }
    }
  }
}

private struct VaultCatalog: StorageCatalog {
  var keys: [any StorageKey] { ["token", "refresh", "pin", "count", "name"].map { VaultKey(name: $0) } }
}

private struct VaultKey: StorageKey {
  var name: String
  let domain = StorageDomain.encryptedFiles(folder: "vault")
  var serializer: StorageSerializer<String> { .text }

  var migration: AnyStorageMigration? {
    let suite = StorageDomain.userDefaults(suite: "com.acme.legacy")
    switch name {
    case "count":
      return AnyStorageMigration(
        TransformingMigration(destinationKey: self, sourceKey: OldText(name: "old_count", domain: suite)) { text in
          Int(text).map { "\($0 + 1)" }
        })
    case "name":
      let parts = ["first", "last"].map { LegacyKey(name: $0, domain: suite) }
      return AnyStorageMigration(
        AggregatingMigration(destinationKey: self, sourceKeys: parts.map { .key($0) }) { found in
          parts.compactMap { found[$0.place] }.map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: " ")
        })
    default:
      return AnyStorageMigration(
        SimpleLegacyMigration(
          destinationKey: self, sourceKey: .key(LegacyKey(name: "old_\(name)", domain: suite))))
    }
  }
}

private struct OldText: StorageKey {
  var name: String
  var domain: StorageDomain
  var serializer: StorageSerializer<String> { .text }
}
