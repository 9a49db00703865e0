enum MigrationKind: CaseIterable {
  case simple, transforming, aggregating, own
}

struct AnyKindKey: StorageKey {
  let name = "value"
  let domain = StorageDomain.keychain(service: "com.acme.shop")
  var kind: MigrationKind
  var policy: StorageConflictPolicy
  var made = Noted<Int>()
  var serializer: StorageSerializer<String> { .text }

  static let sources = ["a", "b"].map { LegacyKey(name: $0, domain: .userDefaults(suite: nil)) }

  var migration: AnyStorageMigration? {
    let source = Self.sources[0]
    switch kind {
    case .simple:
      return AnyStorageMigration(
        SimpleLegacyMigration(destinationKey: self, sourceKey: .key(source), conflictPolicy: policy))
    case .transforming:
      return AnyStorageMigration(
        TransformingMigration(destinationKey: self, sourceKey: source, conflictPolicy: policy) { [made] bytes in
          made.add(0)
          return String(decoding: bytes, as: UTF8.self) + "!"
        })
    case .aggregating:
      return AnyStorageMigration(
        AggregatingMigration(
          destinationKey: self, sourceKeys: Self.sources.map { .key($0) }, conflictPolicy: policy
        ) { [made] parts in
          made.add(0)
          return try Self.sources.compactMap { try parts[$0] }.map { String(decoding: $0, as: UTF8.self) }.joined()
        })
    case .own: return AnyStorageMigration(Own(destinationKey: self))
    }
  }

  var migrated: String {
    switch kind {
    case .simple, .own: "LEGACY"
    case .transforming: "LEGACY!"
    case .aggregating: "LEGACYmore"
    }
  }

  static let legacy = ["a": "LEGACY", "b": "more"]

  /// A migration of the app's own, with the document's `migrate` and the `shouldMigrate` it has by default.
  struct Own: StorageMigration {
    let destinationKey: AnyKindKey
    var sources: [StoragePlace] { [AnyKindKey.sources[0].place] }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
      guard let bytes = try await router.bytes(at: sources[0]) else { return .nothingToMigrate }
      destinationKey.made.add(0)
      try await router.set(String(decoding: bytes, as: UTF8.self), for: destinationKey)
      try await router.delete(AnyKindKey.sources[0])
      return .migrated
    }
  }
}

@Suite("A value that is where it belongs") struct StandingValueTests {
  private static let policies: [StorageConflictPolicy] = [.keepDestination, .keepDestinationAndRemoveSources, .replace]

  @Test(
    "get checks the primary location and evaluates the migration only if nothing is found (E9, E1, E4)",
    arguments: MigrationKind.allCases, policies)
  func readOnly(kind: MigrationKind, policy: StorageConflictPolicy) async throws {
    let bench = RouterBench(defaults: AnyKindKey.legacy, keychain: ["value": "SET BY THE USER"])
    let key = AnyKindKey(kind: kind, policy: policy)
    for _ in 0..<3 {
      let router = bench.router()
      for _ in 0..<2 { #expect(try await router.get(key) == "SET BY THE USER") }
    }
    #expect(key.made.all.isEmpty && bench.keychain.writes == 0 && bench.defaults.writes == 0)
    let missing = RouterBench(defaults: AnyKindKey.legacy)
    #expect(try await missing.router().get(key) == key.migrated)
  }

  @Test(
    "get after set gives what was set, whichever operation of the set or of the reads after it is the last (E1, E4, E9)",
    arguments: MigrationKind.allCases, policies)
  func everyCrash(kind: MigrationKind, policy: StorageConflictPolicy) async throws {
    let key = AnyKindKey(kind: kind, policy: policy)
    for last in LastOperation.allCases {
      var isWhole = false
      for number in 1..<60 where !isWhole {
        let bench = RouterBench(defaults: AnyKindKey.legacy)
        let stores = StoppingStores([bench.defaults, bench.keychain])
        stores.stop(at: number, last)
        let router = bench.router()
        let isSet = (try? await router.set("SET", for: key)) != nil
        let isSetUnharmed = stores.count < number
        _ = try? await router.get(key)
        _ = try? await bench.router().forceMigration(for: key)
        isWhole = stores.count < number
        stores.goOn()
        let found = try await bench.router().get(key)
        #expect(found == "SET" || !isSet && found == key.migrated, "operation \(number)")
        if isSetUnharmed { #expect(found == "SET", "operation \(number)") }
        _ = try await bench.router().forceMigration(for: key)
        #expect(try await bench.router().get(key) == found, "operation \(number)")
        #expect(try bench.keychain.names() == ["value"], "operation \(number)")
      }
      #expect(isWhole)
    }
  }

  @Test(
    "a migration that wrote the value and was killed before it removed the source is finished by the next read (E1, E4)",
    arguments: MigrationKind.allCases, LastOperation.allCases)
  func finished(kind: MigrationKind, last: LastOperation) async throws {
    for policy in Self.policies {
      let key = AnyKindKey(kind: kind, policy: policy)
      var isWhole = false
      for number in 1..<60 where !isWhole {
        let bench = RouterBench(defaults: AnyKindKey.legacy)
        let stores = StoppingStores([bench.defaults, bench.keychain])
        stores.stop(at: number, last)
        _ = try? await bench.router().get(key)
        isWhole = stores.count < number
        stores.goOn()
        #expect(try await bench.router().get(key) == key.migrated, "operation \(number)")
        let left = kind == .aggregating ? [] : ["b"]
        #expect(try bench.defaults.names() == left && bench.keychain.names() == ["value"], "operation \(number)")
      }
      #expect(isWhole)
    }
  }

  @Test(
    "whatever an app does, and wherever it is killed, get after set gives what was set (E1, E4, E9)",
    arguments: MigrationKind.allCases, policies)
  func random(kind: MigrationKind, policy: StorageConflictPolicy) async throws {
    var random = SeededGenerator(seed: 14)
    for round in 0..<(Extent.isFull ? 150 : 40) {
      let key = AnyKindKey(kind: kind, policy: policy)
      let bench = RouterBench(defaults: AnyKindKey.legacy)
      let stores = StoppingStores([bench.defaults, bench.keychain])
      var possible: Set<String> = [key.migrated]
      var router = bench.router()
      var story: [String] = []
      for step in 0..<12 {
        let isKilled = random.roll(3) == 0
        if isKilled { stores.stop(at: 1 + random.roll(8), random.roll(2) == 0 ? .before : .after) }
        switch random.roll(4) {
        case 0:
          let value = "SET \(round) \(step)"
          let isSet = (try? await router.set(value, for: key)) != nil
          possible = isSet ? [value] : possible.union([value])
          story.append("set \(step)")
        case 1:
          _ = try? await router.forceMigration(for: key)
          story.append("force")
        case 2:
          _ = try? await router.registerCatalog(Catalog(keys: [key]), migrateImmediately: true)
          story.append("sweep")
        default:
          if let found = try? await router.get(key) { possible.formIntersection([found]) }
          story.append("get")
        }
        if isKilled { story.append("killed") }
        stores.goOn()
        if isKilled || random.roll(4) == 0 { router = bench.router() }
        guard !possible.isEmpty else { break }
      }
      let found = try await bench.router().get(key)
      #expect(found.map { possible.contains($0) } == true, "\(round): \(story)")
    }
  }

  @Test(arguments: [true, false])
  func `a value that the app sets or deletes during its own migration stays so (E4)`(isSet: Bool) async throws {
    let bench = RouterBench(defaults: ["old": "LEGACY"])
    let told = Noted<String>()
    let key = GivenKey { router, key in
      // Somebody else's task: it is no part of the migration.
      try await Task.detached {
        if isSet { try await router.set("SET", for: key) } else { try await router.delete(key) }
      }.value
      do {
        try await router.set("LEGACY", for: key)
      } catch {
        told.add("\(error)")
        throw error
      }
      return .migrated
    }
    #expect(try await bench.router().forceMigration(for: key) == (isSet ? .conflict : .deleted))
    #expect(try await bench.router().get(TextKey(name: "given")) == (isSet ? "SET" : nil))
    #expect(told.all.count == 1 && told.all.first?.contains("The app's change was kept") == true)
  }
}

@Suite("What a router carries over as it is") struct VerbatimTests {
  private struct Profile: Codable, Equatable, Sendable {
    var name: String
  }

  private struct ProfileKey: StorageKey {
    let name = "profile"
    let domain = StorageDomain.keychain(service: "com.acme.shop")
    var security = SecurityPolicy.none
    var policy = StorageConflictPolicy.keepDestination
    let serializer = StorageSerializer.codable(Profile.self)
    var migration: AnyStorageMigration? { moved(from: "old", in: .userDefaults(suite: nil), onConflict: policy) }
  }

  @Test(arguments: [false, true])
  func `a value that is moved keeps what the type in use does not know (E3)`(isProtected: Bool) async throws {
    let text = #"{"name":"Jo","loyalty":{"points":4.10}}"#
    let bench = RouterBench(defaults: ["old": text])
    let key = ProfileKey(security: isProtected ? .protected(by: "vault") : .none)
    #expect(try await bench.router().get(key) == Profile(name: "Jo"))
    #expect(try await bench.router().bytes(at: key.place) == Array(text.utf8))
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["profile"])
  }

  @Test func `the same value in other bytes is no conflict (E3)`() async throws {
    let bench = RouterBench(defaults: ["old": #"{"name" : "Jo"}"#], keychain: ["profile": #"{"name":"Jo"}"#])
    #expect(try await bench.router().forceMigration(for: ProfileKey()) == .finished)
    #expect(try bench.defaults.names().isEmpty)
  }

  @Test func `a value that is to replace the same one brings what the type in use does not know (E3)`() async throws {
    let text = #"{"name":"Jo","loyalty":{"points":4.10}}"#
    let bench = RouterBench(defaults: ["old": text], keychain: ["profile": #"{"name":"Jo"}"#])
    #expect(try await bench.router().forceMigration(for: ProfileKey(policy: .replace)) == .migrated)
    #expect(try bench.keychain.data(for: "profile") == Array(text.utf8) && bench.defaults.names().isEmpty)
  }

  @Test(arguments: [false, true])
  func `a note from before a change of protection does not lock its value in (E6)`(isTaken: Bool) async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    let (former, new) = (SecurityPolicy.none, SecurityPolicy.protected(by: "vault"))
    let loud = DerivedKey(name: "loud", security: former) { $0 + "!" }
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(loud)
    bench.defaults.fail(nil)
    #expect(try bench.keychain.names().count == 2)
    let key = TextKey(
      name: loud.name, security: new, source: LegacyKey(name: loud.name, domain: loud.domain, security: former))
    #expect(try await bench.router().get(key) == "before!")
    if isTaken { try await bench.router().set("newer", for: key) }
    #expect(try await bench.router().get(key) == (isTaken ? "newer" : "before!"))
  }
}
