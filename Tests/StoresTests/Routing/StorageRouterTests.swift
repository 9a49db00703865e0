@Suite("Values from where they were before") struct StorageRouterTests {
  @Test func `a value is taken over, protected as its key says, and removed where it was (E1, E3)`() async throws {
    let bench = RouterBench(defaults: ["auth_token": "secret"])
    let key = TextKey.moved("token", from: "auth_token", security: .protected(by: "vault"))
    #expect(try await bench.router().get(key) == "secret")
    #expect(try bench.defaults.data(for: "auth_token") == nil)
    let stored = try #require(try bench.keychain.data(for: "token"))
    #expect(stored != Array("secret".utf8))
    #expect(try bench.protection.unprotect(stored, name: "token") == Array("secret".utf8))
    #expect(try await bench.router().get(key) == "secret")
  }

  @Test("whichever operation fails, no value is lost, and the next start finishes it (E1)", arguments: [false, true])
  func everyFailure(protected: Bool) async throws {
    let key = TextKey.moved("token", from: "auth_token", security: protected ? .protected(by: "vault") : .none)
    var ended = false
    for number in 1..<40 where !ended {
      let bench = RouterBench(defaults: ["auth_token": "secret"])
      let count = Noted<Int>()
      let fails: @Sendable (DataStoreError.Operation, String?) -> Bool = { _, _ in
        count.add(0)
        return count.all.count == number
      }
      bench.defaults.fail(fails)
      bench.keychain.fail(fails)
      do {
        _ = try await bench.router().get(key)
        ended = count.all.count < number
      } catch {
        #expect(!error.description.isEmpty)
      }
      bench.defaults.fail(nil)
      bench.keychain.fail(nil)
      #expect(try await bench.router().get(key) == "secret")
      #expect(try bench.defaults.data(for: "auth_token") == nil)
    }
    #expect(ended)
  }

  @Test(
    "a value that stands there already wins unless the policy says otherwise (E1)",
    arguments: [
      (StorageConflictPolicy.keepDestination, MigrationResult.conflict, "here", true),
      (.keepDestinationAndRemoveSources, .superseded, "here", false), (.replace, .migrated, "before", false),
    ])
  func conflict(policy: StorageConflictPolicy, result: MigrationResult, value: String, sourceStays: Bool) async throws {
    let bench = RouterBench(defaults: ["old": "before"], keychain: ["token": "here"])
    var key = TextKey.moved("token", from: "old")
    key.policy = policy
    let router = bench.router()
    #expect(try await router.forceMigration(for: key) == result)
    #expect(try await router.get(key) == value)
    #expect(try (bench.defaults.data(for: "old") != nil) == sourceStays)
  }

  @Test func `1,000 readers at once migrate a key once (E1)`() async throws {
    let bench = RouterBench(defaults: ["auth_token": "secret"])
    let router = bench.router()
    let key = TextKey.moved("token", from: "auth_token")
    let values = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<1000 { group.addTask { try await router.get(key) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values.count == 1000 && values.allSatisfy { $0 == "secret" })
    #expect(bench.keychain.writes == 1 && bench.defaults.writes == 1)
  }

  @Test func `a sweep of thousands of keys goes on past three that fail and names them (E2)`() async throws {
    let count = Extent.isFull ? 10_000 : 2_000
    let old = Dictionary(uniqueKeysWithValues: (0..<count).map { ("old\($0)", "value \($0)") })
    let bench = RouterBench(defaults: old)
    let broken: Set = ["new17", "new1471", "new1999"]
    bench.keychain.fail { operation, name in operation == .write && broken.contains(name ?? "") }
    let catalog = Catalog(keys: (0..<count).map { TextKey.moved("new\($0)", from: "old\($0)") })
    let router = bench.router()
    let events = router.events()
    let sweep = try await router.registerCatalog(catalog, migrateImmediately: true)
    #expect(Set(sweep.failures.map(\.place.name)) == broken)
    #expect(sweep.count(.migrated) == count - 3)
    #expect(try bench.defaults.data(for: "old17") == Array("value 17".utf8))
    #expect(try bench.keychain.data(for: "new18") == Array("value 18".utf8))
    for await event in events {
      guard case .swept(let told) = event else { continue }
      #expect(told.results.count == count && told.failures.count == 3)
      break
    }
  }

  @Test func `one value is made of another, and one of many (E4, E5, E7)`() async throws {
    let bench = RouterBench(defaults: ["first": "Ada", "last": "Lovelace", "age": "36"])
    let suite = StorageDomain.userDefaults(suite: nil)
    let router = bench.router()
    let age = ComputedKey(name: "age") { key in
      AnyStorageMigration(
        TransformingMigration(destinationKey: key, sourceKey: TextKey(name: "age", domain: suite)) { text in
          Int(text).map { JSONValue($0) }
        })
    }
    #expect(try await router.get(age) == 36)
    let name = ComputedKey(name: "name") { key in
      AnyStorageMigration(
        AggregatingMigration(
          destinationKey: key,
          sourceKeys: [.key(LegacyKey(name: "first", domain: suite)), .key(LegacyKey(name: "last", domain: suite))]
        ) { parts in
          let names = try ["first", "last"].compactMap { try parts[TextKey(name: $0, domain: suite)] }
          return .string(names.joined(separator: " "))
        })
    }
    #expect(try await router.get(name) == "Ada Lovelace")
    #expect(try bench.defaults.names().isEmpty)
  }

  @Test func `a source that was written while a cut-off removal waited to be finished is kept (E7)`() async throws {
    let bench = RouterBench(defaults: ["a": "1", "b": "2"])
    let suite = StorageDomain.userDefaults(suite: nil)
    let key = ComputedKey(name: "sum") { key in
      AnyStorageMigration(
        AggregatingMigration(
          destinationKey: key, sourceKeys: ["a", "b"].map { .key(LegacyKey(name: $0, domain: suite)) }
        ) { found in .string(try ["a", "b", "c"].compactMap { try found[TextKey(name: $0, domain: suite)] }.joined()) })
    }
    bench.defaults.fail { operation, name in operation == .remove && name == "b" }
    _ = try? await bench.router().get(key)
    bench.defaults.fail(nil)
    try bench.defaults.set(Array("new".utf8), for: "b")
    #expect(try await bench.router().get(key) == "12")
    #expect(try bench.defaults.data(for: "b") == Array("new".utf8))
    try await bench.router().delete(key)
    #expect(try bench.defaults.names().isEmpty && bench.files.names().isEmpty)
  }

  @Test func `migrations that wait for each other end, both ways at once (E7)`() async throws {
    for _ in 0..<50 {
      let bench = RouterBench(defaults: ["a": "1", "b": "2"])
      let router = bench.router()
      let (one, two) = (CrossKey(name: "a", other: "b"), CrossKey(name: "b", other: "a"))
      async let first = router.get(one)
      async let second = router.get(two)
      let values = try await [first, second]
      // One waits for the other, which makes do with what is there.
      #expect([["12", "2"], ["1", "21"]].contains(values), "\(values)")
      #expect(try await [bench.router().get(one), bench.router().get(two)] == values)
      #expect(try bench.defaults.names().isEmpty)
    }
  }
}

private struct ComputedKey: StorageKey {
  var name: String
  let domain = StorageDomain.files(folder: "values")
  let make: @Sendable (ComputedKey) -> AnyStorageMigration
  var serializer: StorageSerializer<JSONValue> { .json }
  var migration: AnyStorageMigration? { make(self) }
}

private struct CrossKey: StorageKey {
  var name: String
  var other: String
  let domain = StorageDomain.keychain(service: "cross")
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? { AnyStorageMigration(Asking(destinationKey: self)) }

  struct Asking: ValueMigration {
    var destinationKey: CrossKey
    var sources: [StoragePlace] { [StoragePlace(name: destinationKey.name, domain: .userDefaults(suite: nil))] }

    func value(using router: StorageRouter, context: MigrationContext) async throws -> String? {
      await Task.yield()
      let other = try await router.get(CrossKey(name: destinationKey.other, other: destinationKey.name))
      let own = try await router.bytes(at: sources[0]).map { String(decoding: $0, as: UTF8.self) }
      return own.map { $0 + (other ?? "") }
    }
  }
}

@Suite("Migrations of several routers that wait for each other") struct TwoRoutersTests {
  private actor Meeting {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) { missing = count }

    func arrive() async {
      missing -= 1
      if missing > 0 { return await withCheckedContinuation { waiting.append($0) } }
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private func key(_ name: String, _ body: @escaping @Sendable () async throws -> String?) -> GivenKey {
    GivenKey(name: name) { router, key in
      let value = try await body()
      try await router.set("\(name) of \(value ?? "nothing")", for: key)
      return .migrated
    }
  }

  @Test(arguments: [2, 3])
  func `routers that wait for each other in a circle end with an error that names it (E7)`(count: Int) async throws {
    let meeting = Meeting(of: count)
    let benches = (0..<count).map { _ in RouterBench(defaults: ["old": "before"]) }
    let routers = benches.map { $0.router() }
    let plain = (0..<count).map { GivenKey(name: "k\($0)") { _, _ in .nothingToMigrate } }
    let keys = (0..<count).map { index in
      let next = (index + 1) % count
      return key("k\(index)") {
        await meeting.arrive()
        return try await routers[next].get(plain[next])
      }
    }
    let errors = await withTaskGroup(of: StorageRouterError?.self) { group in
      for (router, key) in zip(routers, keys) {
        group.addTask {
          do throws(StorageRouterError) {
            _ = try await router.get(key)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }
    #expect(!errors.isEmpty)
    for error in errors {
      guard case .circle(let places) = error.reason else { return #expect(Bool(false), "\(error)") }
      #expect(Set(places) == Set(plain.map(\.place)) && places.count == count)
      for key in plain { #expect(error.description.contains("“\(key.name)”")) }
    }
    for bench in benches { #expect(try bench.defaults.names() == ["old"]) }
  }

  @Test func `a migration that another router's asks for may ask for the first one's key (E7)`() async throws {
    let benches = (0..<2).map { _ in RouterBench(defaults: ["old": "before"]) }
    let routers = benches.map { $0.router() }
    let plain = GivenKey(name: "a") { _, _ in .nothingToMigrate }
    let inner = key("b") {
      #expect(try await routers[0].forceMigration(for: plain) == .nothingToMigrate)
      return try await routers[0].get(plain)
    }
    let outer = key("a") { try await routers[1].get(inner) }
    #expect(try await routers[0].get(outer) == "a of b of nothing")
  }

  @Test func `what a migration has begun and left behind is in no circle with it (E7)`() async throws {
    let benches = (0..<2).map { _ in RouterBench(defaults: ["old": "before"]) }
    let routers = benches.map { $0.router() }
    let left = Noted<Task<String?, any Error>>()
    let (ended, begun) = (Meeting(of: 2), Meeting(of: 2))
    let plain = GivenKey(name: "a") { _, _ in .nothingToMigrate }
    let waiting = key("b") {
      await begun.arrive()
      return try await routers[0].get(plain)
    }
    let first = key("a") {
      left.add(
        Task {
          await ended.arrive()
          return try await routers[1].get(waiting)
        })
      return "first"
    }
    #expect(try await routers[0].get(first) == "a of first")
    await ended.arrive()
    await begun.arrive()
    #expect(try await left.all.first?.value == "b of a of first")
  }
}
