import Carryover
import CarryoverEncryption
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("What earlier versions of the library have written")
struct UpgradeTests {
  @Test("the mark of an earlier version is honoured: nothing is restored again (A13, A19)", arguments: AppHome.versions)
  func mark(version: String) throws {
    let home = try AppHome(version, "restored")
    let values = try home.defaults("com.acme.shop.analytics.wk")
    #expect(values["anonymous_id"] == "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b" && values["user_id"] == "u-42")
    // The user has logged out since.
    let target = MemoryDomain("suite", values.filter { !["user_id", "traits"].contains($0.key) })
    let places = LegacyPersistence(
      standard: MemoryDomain("standard", try home.defaults("LibraryProbe")), target: target,
      library: home.url.appending(path: "Library"), bundleIdentifier: "com.acme.shop")
    let migrator = PersistentMigrator(writeKey: "wk", places: places, now: PersistenceApp.now)
    let report = migrator.restorePersistence()
    #expect(report.status == .doneBefore && report.markDefect == nil)
    #expect(target.writes == 0 && target.value(for: "user_id") == nil)
    // Without the mark everything would be restored.
    let unmarked = MemoryDomain("suite", values.filter { $0.key == "session_id" })
    var others = places
    others.target = unmarked
    #expect(
      PersistentMigrator(writeKey: "wk", places: others, now: PersistenceApp.now).restorePersistence().status == .done)
    #expect(unmarked.value(for: "user_id") == "u-42")
  }

  @Test(
    "a value that was carried over before a kill is not made again, by the note that stands (E1)",
    arguments: AppHome.versions)
  func carriedOver(version: String) async throws {
    let home = try AppHome(version, "routed-stamp")
    #expect(try home.vault.names().contains { $0.hasSuffix(".carryover-removal") })
    let stands = try #require(try home.vault.data(for: "stamp"))
    let old = try home.suite()
    #expect(old.value(for: "old_stamp") == "made")
    let key = MovedKey(name: "stamp", source: "old_stamp", policy: .replace) { _ in "made again" }
    #expect(try await home.router(old).get(key) == String(decoding: stands, as: UTF8.self))
    // The note has no more than a sum of the value, by which nothing is deleted.
    #expect(old.value(for: "old_stamp") == "made")
    #expect(try await home.router(old).get(key) == String(decoding: stands, as: UTF8.self))
  }

  @Test(
    "a value that the app has set is not replaced by the one from before, by the note that stands (E1)",
    arguments: AppHome.versions)
  func superseded(version: String) async throws {
    let home = try AppHome(version, "routed-theme")
    #expect(try home.vault.names().contains { $0.hasSuffix(".carryover-removal") })
    let old = try home.suite()
    #expect(old.value(for: "old_theme") == "dark")
    let key = MovedKey(name: "theme", source: "old_theme", policy: .replace) { $0 }
    #expect(try await home.router(old).get(key) == "light")
    #expect(old.value(for: "old_theme") == "dark")
    #expect(try await home.router(old).get(key) == "light")
  }
}

/// A copy of the home of an app that an earlier version was built into.
private final class AppHome {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/Upgrade")
  /// The versions that fixtures are kept of.
  static let versions =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.first?.isNumber == true }.sorted() ?? []

  let url = FileManager.default.temporaryDirectory.appending(path: "carryover-\(UUID().uuidString)")

  init(_ version: String, _ name: String) throws {
    try FileManager.default.copyItem(at: Self.folder.appending(path: "\(version)/\(name)"), to: url)
    // git keeps no modes, and a key that others may read is refused.
    let key = url.appending(path: "key").path
    if FileManager.default.fileExists(atPath: key) {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The values of a suite.
  func defaults(_ suite: String) throws -> [String: PropertyListValue] {
    let bytes = try Data(contentsOf: url.appending(path: ".config/\(suite).plist"))
    let entries = try PropertyListDocument(bytes: Array(bytes)).dictionary?.entries ?? []
    return Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The suite the values come from.
  func suite() throws -> MemoryDomain { MemoryDomain("com.acme.legacy", try defaults("com.acme.legacy")) }

  var vault: EncryptedFileStore {
    EncryptedFileStore(folder: url.appending(path: "vault").path, keys: FileKey(url.appending(path: "key").path))
  }

  func router(_ old: MemoryDomain) -> StorageRouter {
    let source = DefaultsDataStore(old).readingEveryType()
    return StorageRouter { [vault] domain in
      switch domain {
      case .userDefaults: source
      case .encryptedFiles: vault
      case .keychain, .files, .custom: nil
      }
    }
  }
}

/// Text of the vault that is made of the suite's.
private struct MovedKey: StorageKey {
  let name: String
  let source: String
  let policy: StorageConflictPolicy
  let transform: @Sendable (String) throws -> String
  let domain = StorageDomain.encryptedFiles(folder: "vault")
  var serializer: StorageSerializer<String> { .text }

  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      TransformingMigration(
        destinationKey: self, sourceKey: TextKey(name: source, domain: .userDefaults(suite: "com.acme.legacy")),
        conflictPolicy: policy, transform: transform))
  }
}
