import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import PropertyLists
import Testing

private struct MovedKey: StorageKey {
  let name = "new_key_name"
  let domain = StorageDomain.keychain(service: "com.acme.shop")
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      SimpleLegacyMigration(
        destinationKey: self,
        sourceKey: .key(LegacyKey(name: "old_key_name", domain: .userDefaults(suite: nil)))
      )
    )
  }
}

private struct MyKey: StorageKey {
  let name = "mine"
  let domain = StorageDomain.keychain(service: "com.acme.shop")
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? { AnyStorageMigration(AppendingMigration()) }
}

private struct AppendingMigration: StorageMigration {
  typealias DestinationKey = MyKey

  let destinationKey = MyKey()
  let sources = [StoragePlace(name: "old", domain: .userDefaults(suite: nil))]

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await !router.exists(destinationKey)
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let bytes = try await router.bytes(at: sources[0]) else { return .nothingToMigrate }
    // A migration may ask for its own key: what is there, and no other migration.
    let present = try await router.get(destinationKey)
    try await router.set((present ?? "") + String(decoding: bytes, as: UTF8.self) + "!", for: destinationKey)
    try await router.delete(LegacyKey(name: "old", domain: .userDefaults(suite: nil)))
    return .migrated
  }
}

extension StorageRouter {
  fileprivate static let declared = RouterBench(defaults: ["old_key_name": "value"]).router()
}

@Suite("Migrations as the document writes them")
struct CustomMigrationTests {
  private struct MyCatalog: StorageCatalog {
    var keys: [any StorageKey] { [MovedKey(), MyKey()] }
  }

  @Test("the document's catalog, with a router an app declares as shared, sweeps its keys (E2, E3)")
  func shared() async throws {
    let sweep = try await StorageRouter.declared.registerCatalog(MyCatalog(), migrateImmediately: true)
    #expect(sweep.failures.isEmpty && sweep.untried.isEmpty)
    #expect(sweep.count(.migrated) == 1 && sweep.count(.nothingToMigrate) == 1)
    #expect(try await StorageRouter.declared.get(MovedKey()) == "value")
    try await StorageRouter.declared.registerCatalog(MyCatalog())
  }

  @Test("one source and one destination are declared in one expression, as the document has it (E3)")
  func oneToOne() async throws {
    let bench = RouterBench(defaults: ["old_key_name": "value"])
    #expect(try await bench.router().get(MovedKey()) == "value")
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["new_key_name"])
  }

  @Test("migrations of different kinds fit into one list, and each says what it reads and writes (E5)")
  func oneList() async throws {
    let suite = StorageDomain.userDefaults(suite: nil)
    let migrations = [
      AnyStorageMigration(AppendingMigration()),
      AnyStorageMigration(
        SimpleLegacyMigration(
          destinationKey: TextKey(name: "a"), sourceKey: .key(LegacyKey(name: "old_a", domain: suite)),
          conflictPolicy: .replace)),
      AnyStorageMigration(
        AggregatingMigration(
          destinationKey: TextKey(name: "b"), sourceKeys: ["x", "y"].map { .key(LegacyKey(name: $0, domain: suite)) }
        ) { _ in nil }),
    ]
    #expect(migrations.map(\.destination.name) == ["mine", "a", "b"])
    #expect(migrations.map { $0.sources.map(\.name) } == [["old"], ["old_a"], ["x", "y"]])
    #expect(migrations.map(\.conflictPolicy) == [nil, .replace, .keepDestination])
  }

  @Test("a migration of the app's own decides whether it runs, does its work and says how it ended (E4, E5)")
  func ownMigration() async throws {
    let bench = RouterBench(defaults: ["old": "value"])
    let router = bench.router()
    #expect(try await router.get(MyKey()) == "value!")
    #expect(try bench.defaults.names().isEmpty)
    #expect(try await router.forceMigration(for: MyKey()) == .nothingToMigrate)
    #expect(try await bench.router().get(MyKey()) == "value!")
  }

  @Test(
    "a migration whose key has a value already does not run, which the document's sample has the wrong way round (E4)")
  func notInverted() async throws {
    let bench = RouterBench(defaults: ["old": "value"], keychain: ["mine": "here"])
    #expect(try await bench.router().get(MyKey()) == "here")
    #expect(try await bench.router().forceMigration(for: MyKey()) == .nothingToMigrate)
    #expect(try bench.defaults.data(for: "old") == Array("value".utf8))
    let empty = RouterBench(defaults: ["old_key_name": "value"])
    #expect(try await empty.router().forceMigration(for: MovedKey()) == .migrated)
  }

  @Test("success is not believed where nothing was written, and the sources stay (E4)")
  func falseSuccess() async throws {
    let bench = RouterBench(defaults: ["old": "value"])
    let key = GivenKey { _, _ in .migrated }
    let error = await #expect(throws: StorageRouterError.self) { try await bench.router().get(key) }
    #expect(error?.reason == .verification)
    #expect(error?.description.contains("\"given\"") == true || error?.description.contains("given") == true)
    #expect(try bench.defaults.data(for: "old") == Array("value".utf8))
  }

  @Test("a migration that names no sources and asks nothing runs once, for a destination without a value (E4, E11)")
  func withoutSources() async throws {
    let bench = RouterBench()
    let key = FlagKey()
    #expect(try await bench.router().get(key) == "made")
    try await bench.router().set("own", for: key)
    #expect(try await bench.router().get(key) == "own")
  }

  @Test("what a migration throws is the cause of the error, and the next call tries again (E4)")
  func thrown() async throws {
    let bench = RouterBench(defaults: ["old": "value"])
    let tries = Noted<Int>()
    let key = GivenKey { router, key in
      tries.add(0)
      guard tries.all.count > 1 else { throw CocoaError(.coderInvalidValue) }
      try await router.set("done", for: key)
      return .migrated
    }
    let router = bench.router()
    let error = await #expect(throws: StorageRouterError.self) { try await router.get(key) }
    #expect(error?.reason == .migration && error?.cause is CocoaError)
    #expect(error?.description.contains("its sources were kept") == true)
    #expect(try await router.get(key) == "done")
  }
}

private struct FlagKey: StorageKey {
  let name = "flag"
  let domain = StorageDomain.keychain(service: "com.acme.shop")
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? { AnyStorageMigration(Making(destinationKey: self)) }

  struct Making: StorageMigration {
    let destinationKey: FlagKey
    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
      try await router.set("made", for: destinationKey)
      return MigrationResult(success: true)
    }
  }
}

struct GivenKey: StorageKey {
  var name = "given"
  let domain = StorageDomain.keychain(service: "com.acme.shop")
  let body: @Sendable (StorageRouter, GivenKey) async throws -> MigrationResult
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? { AnyStorageMigration(Given(destinationKey: self)) }

  struct Given: StorageMigration {
    let destinationKey: GivenKey
    var sources: [StoragePlace] { [StoragePlace(name: "old", domain: .userDefaults(suite: nil))] }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
      try await destinationKey.body(router, destinationKey)
    }
  }
}
