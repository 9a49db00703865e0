@Suite("Catalogs of keys") struct CatalogTests {
  @Test func `catalogs are checked together, and one can be registered again (E8)`() async throws {
    let router = RouterBench().router()
    let first = Catalog(keys: [TextKey.moved("a", from: "old")])
    try await router.registerCatalog(first)
    try await router.registerCatalog(first)
    let place = await #expect(throws: StorageCatalogError.self) {
      try await router.registerCatalog(Catalog(keys: [TextKey.moved("a", from: "older")]))
    }
    #expect(place?.problems == [.duplicate(TextKey(name: "a").place)])
    let source = await #expect(throws: StorageCatalogError.self) {
      try await router.registerCatalog(Catalog(keys: [TextKey.moved("b", from: "old")]))
    }
    #expect(source?.problems.count == 1)
    #expect(source?.description.hasSuffix("Nothing was migrated.") == true)
    let domain = TextKey(name: "").domain
    let x = TextKey(name: "x", source: LegacyKey(name: "y", domain: domain))
    let y = TextKey(name: "y", source: LegacyKey(name: "x", domain: domain))
    try await router.registerCatalog(Catalog(keys: [x]))
    let cycle = await #expect(throws: StorageCatalogError.self) {
      try await router.registerCatalog(Catalog(keys: [y]))
    }
    #expect(cycle?.description.contains("go round") == true)
    // What was refused is as good as never said.
    try await router.registerCatalog(Catalog(keys: [TextKey(name: "y")]))
  }

  @Test func `a key without a store fails in a sweep by its own name (E2)`() async throws {
    struct Bare: StorageKey {
      let name = "bare"
      let domain = StorageDomain.custom("none")
      let serializer = StorageSerializer.text
      var migration: AnyStorageMigration? { moved(from: "old", in: .userDefaults(suite: nil)) }
    }
    let bench = RouterBench(defaults: ["old": "x"])
    let sweep = try await bench.router().registerCatalog(Catalog(keys: [Bare()]), migrateImmediately: true)
    #expect(sweep.failures.map(\.place) == [Bare().place] && sweep.failures.first?.reason == .noStore)
    #expect(sweep.failures.allSatisfy { !$0.description.contains("carryover-removal") })
    for act in [{ try await $0.get(Bare()) != nil }, { try await $0.forceMigration(for: Bare()) == .migrated }]
      as [(StorageRouter) async throws -> Bool]
    {
      let error = await #expect(throws: StorageRouterError.self) { try await act(bench.router()) }
      #expect(error?.place == Bare().place)
    }
    #expect(try bench.defaults.data(for: "old") == Array("x".utf8))
  }

  @Test func `a duplicate is refused, and named once in the sentence, however many keys are one (E8)`() async throws {
    let same = (0..<3).map { _ in TextKey(name: "a") }
    let others = [TextKey.moved("b", from: "old"), .moved("c", from: "old"), .moved("b", from: "old")]
    for (keys, places) in [(same, [same[0].place]), (others, [others[0].place, others[0].source?.place])] {
      let error = await #expect(throws: StorageCatalogError.self) {
        try await RouterBench().router().registerCatalog(Catalog(keys: keys))
      }
      #expect(error?.problems.count == places.count)
      for place in places.compactMap(\.self) {
        #expect(error?.description.components(separatedBy: "\(place)").count == 2)
      }
    }
  }

  @Test func `a key that would take another's source is refused, and deleting it deletes nothing (E8)`() async throws {
    let bench = RouterBench(defaults: ["old": "value"])
    let router = bench.router()
    try await router.registerCatalog(Catalog(keys: [TextKey.moved("a", from: "old")]))
    let stranger = TextKey.moved("b", from: "old")
    let read = await #expect(throws: StorageRouterError.self) { try await router.get(stranger) }
    let deleted = await #expect(throws: StorageRouterError.self) { try await router.delete(stranger) }
    for error in [read, deleted] {
      guard case .sharedSource(_, let other)? = error?.reason else { return #expect(Bool(false), "\(error as Any)") }
      #expect(other.name == "a")
      #expect(error?.description.contains("Make one value of them first") == true)
    }
    #expect(try await router.get(TextKey.moved("a", from: "old")) == "value")
  }

  @Test(arguments: [false, true])
  func `a chain of thousands of keys is checked, and goes from place to place, in any order (E8)`(
    reversed: Bool
  ) async throws {
    let domain = TextKey(name: "").domain
    let length = Extent.isFull ? 10_000 : 2_000
    let keys = reversed ? Self.chain(length).reversed() : Self.chain(length)
    let bench = RouterBench(keychain: ["k\(length)": "value"])
    let sweep = try await bench.router().registerCatalog(Catalog(keys: keys), migrateImmediately: true)
    #expect(sweep.count(.migrated) == length)
    #expect(try bench.keychain.names() == ["k0"])
    #expect(try bench.keychain.data(for: "k0") == Array("value".utf8))
    let round = Catalog(keys: keys + [TextKey(name: "k\(length)", source: LegacyKey(name: "k0", domain: domain))])
    let error = await #expect(throws: StorageCatalogError.self) {
      try await RouterBench().router().registerCatalog(round)
    }
    let problem = try #require(error?.problems.first)
    if case .cycle(let places) = problem { #expect(places.count == length + 1) } else { Issue.record("\(problem)") }
  }

  @Test func `a value goes down a chain of keys on demand, as apps that skip versions need (E8)`() async throws {
    let bench = RouterBench(keychain: ["k3": "value"])
    let router = bench.router()
    try await router.registerCatalog(Catalog(keys: Self.chain(3)))
    #expect(try await router.get(Self.chain(3)[0]) == "value")
    #expect(try bench.keychain.names() == ["k0"])
    try bench.keychain.set(Array("later".utf8), for: "k3")
    try await router.delete(Self.chain(3)[0])
    #expect(try await bench.router().get(Self.chain(3)[0]) == nil)
    #expect(try bench.keychain.names().isEmpty)
  }

  private static func chain(_ count: Int) -> [TextKey] {
    (0..<count).map {
      TextKey(name: "k\($0)", source: LegacyKey(name: "k\($0 + 1)", domain: TextKey(name: "").domain))
    }
  }

  @Test func `why a store could not be made is the cause, and it is asked for again (E6)`() async throws {
    let (isLocked, store) = (Noted<Int>(), MemoryDataStore(["token": Array("here".utf8)]))
    let router = StorageRouter { _ in
      isLocked.add(0)
      if isLocked.all.count < 3 { throw DefaultsDomainError.notRestored("group.com.acme.shop") }
      return store
    }
    let key = TextKey(name: "token")
    for _ in 0..<2 {
      let error = await #expect(throws: StorageRouterError.self) { try await router.get(key) }
      #expect(error?.reason == .noStore && error?.cause as? DefaultsDomainError == .notRestored("group.com.acme.shop"))
      #expect(error?.description.contains("carryover-copy") == true)
    }
    #expect(try await router.get(key) == "here")
  }

  @Test func `a domain without a store and a policy without a protection are named (E6)`() async throws {
    let bench = RouterBench()
    let encrypted = TextKey(name: "a", domain: .encryptedFiles(folder: "vault"))
    let store = await #expect(throws: StorageRouterError.self) { try await bench.router().get(encrypted) }
    #expect(store?.reason == .noStore)
    #expect(store?.description.contains("the encrypted files of") == true)
    let unknown = TextKey(name: "a", security: .protected(by: "moon"))
    let protection = await #expect(throws: StorageRouterError.self) { try await bench.router().set("x", for: unknown) }
    #expect(protection?.reason == .noProtection("moon"))
    #expect(protection?.description.contains("moon") == true)
  }
}

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

@Suite("Migrations as the document writes them") struct CustomMigrationTests {
  private struct MyCatalog: StorageCatalog {
    var keys: [any StorageKey] { [MovedKey(), MyKey()] }
  }

  @Test func `the document's catalog, with a router declared as shared, sweeps its keys (E2, E3)`() async throws {
    let sweep = try await StorageRouter.declared.registerCatalog(MyCatalog(), migrateImmediately: true)
    #expect(sweep.failures.isEmpty && sweep.untried.isEmpty)
    #expect(sweep.count(.migrated) == 1 && sweep.count(.nothingToMigrate) == 1)
    #expect(try await StorageRouter.declared.get(MovedKey()) == "value")
    try await StorageRouter.declared.registerCatalog(MyCatalog())
  }

  @Test func `migrations of different kinds fit into one list; each says its places (E5)`() async throws {
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

  @Test func `an app's own migration decides whether it runs, works and says how it ended (E4, E5)`() async throws {
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

  @Test func `success is not believed where nothing was written, and the sources stay (E4)`() async throws {
    let bench = RouterBench(defaults: ["old": "value"])
    let key = GivenKey { _, _ in .migrated }
    let error = await #expect(throws: StorageRouterError.self) { try await bench.router().get(key) }
    #expect(error?.reason == .verification)
    #expect(error?.description.contains("\"given\"") == true || error?.description.contains("given") == true)
    #expect(try bench.defaults.data(for: "old") == Array("value".utf8))
  }

  @Test func `a migration without sources and question runs once, for an empty destination (E4, E11)`() async throws {
    let bench = RouterBench()
    let key = FlagKey()
    #expect(try await bench.router().get(key) == "made")
    try await bench.router().set("own", for: key)
    #expect(try await bench.router().get(key) == "own")
    #expect(MigrationResult(success: true) == .migrated && MigrationResult(success: false) == .nothingToMigrate)
  }

  @Test func `what a migration throws is the cause of the error, and the next call tries again (E4)`() async throws {
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
