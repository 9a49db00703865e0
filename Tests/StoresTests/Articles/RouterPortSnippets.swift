import CarryoverRouter
import CarryoverStorage
import Foundation
import Testing

// An app with a shared router of keys, ported.

/// The stores of the app.
private nonisolated enum Stores {
  static let defaults = MemoryDataStore(["old_key_name": Array("legacy".utf8), "flag": Array("1".utf8)])
  static let files = MemoryDataStore()
}

// snippet: port-router
extension StorageRouter {
  static let shared = StorageRouter { domain in
    switch domain {
    case .userDefaults(nil): Stores.defaults
    case .files: Stores.files
    default: nil
    }
  }
}

struct MyNewKey: StorageKey {
  let name = "new_key_name"
  let domain = StorageDomain.files(folder: "Settings")
  let serializer = StorageSerializer.text
  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      SimpleLegacyMigration(
        destinationKey: self,
        sourceKey: .key(LegacyKey(name: "old_key_name", domain: .userDefaults(suite: nil)))
      )
    )
  }
}
// end snippet

struct MyFlagKey: StorageKey {
  let name = "new_flag"
  let domain = StorageDomain.files(folder: "Settings")
  let serializer = StorageSerializer.boolean
}

// snippet: port-migration
struct MyMigration: StorageMigration {
  typealias DestinationKey = MyFlagKey

  let destinationKey = MyFlagKey()

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await !router.exists(destinationKey)  // changed: the condition is negated
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    try await router.set(true, for: destinationKey)  // the migration's own work
    return MigrationResult(success: true)
  }
}

extension MyFlagKey {
  var migration: AnyStorageMigration? {
    AnyStorageMigration(MyMigration())
  }
}
// end snippet

struct MyCatalog: StorageCatalog {
  var keys: [any StorageKey] { [MyNewKey(), MyFlagKey()] }
}

@Suite("A router of keys, ported")
struct RouterPortSnippetTests {
  @Test func `the shared router sweeps its catalog: a move, an own migration without sources (E11, E2)`() async throws {
    // snippet: port-sweep
    let sweep = try await StorageRouter.shared.registerCatalog(MyCatalog(), migrateImmediately: true)
    // end snippet
    #expect(sweep.failures.isEmpty && sweep.results.count == 2)
    #expect(try await StorageRouter.shared.get(MyNewKey()) == "legacy")
    #expect(try await StorageRouter.shared.get(MyFlagKey()) == true)
    #expect(try Stores.defaults.data(for: "old_key_name") == nil)
    // Without sources nothing is taken away from where it was.
    #expect(try Stores.defaults.data(for: "flag") != nil)
  }
}
