import CarryoverEncryption
import Crypto

private actor Door {
  private var isOpen = false
  private var arrived = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var watching: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  func pass() async {
    arrived += 1
    for watcher in watching where watcher.count <= arrived { watcher.continuation.resume() }
    watching.removeAll { $0.count <= arrived }
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func until(_ count: Int) async {
    if arrived < count { await withCheckedContinuation { watching.append((count, $0)) } }
  }
}

@Suite("Values that change while they are migrated") struct RouterRaceTests {
  private static let suite = StorageDomain.userDefaults(suite: nil)

  private func slow(_ door: Door, _ policy: StorageConflictPolicy = .keepDestination) -> DerivedKey {
    DerivedKey(policy: policy) { text in
      await door.pass()
      return text + "!"
    }
  }

  @Test(
    "a value the app sets while another is migrated stays, whatever the policy (E1)",
    arguments: [StorageConflictPolicy.keepDestination, .replace, .keepDestinationAndRemoveSources])
  func setMeanwhile(policy: StorageConflictPolicy) async throws {
    let (bench, door) = (RouterBench(defaults: ["old": "before"]), Door())
    let (router, key) = (bench.router(), slow(door, policy))
    async let value = router.get(key)
    await door.until(1)
    try await router.set("set", for: key)
    await door.open()
    #expect(try await value == "set")
    #expect(try await bench.router().get(key) == "set")
  }

  @Test func `a value the app deletes while it is migrated does not come back (E1)`() async throws {
    let (bench, door) = (RouterBench(defaults: ["old": "before"]), Door())
    let (router, key) = (bench.router(), slow(door))
    async let result = router.forceMigration(for: key)
    async let value = router.get(key)
    await door.until(1)
    try await router.delete(key)
    await door.open()
    #expect(try await result == .deleted)
    #expect(try await value == nil)
    #expect(try await bench.router().get(key) == nil)
    #expect(try bench.keychain.names().isEmpty && bench.defaults.names().isEmpty)
  }

  @Test func `a source that changes while a value is made of it is taken over as it is then (E1)`() async throws {
    let (bench, door) = (RouterBench(defaults: ["old": "before"]), Door())
    let (router, key) = (bench.router(), slow(door))
    async let value = router.get(key)
    await door.until(1)
    try bench.defaults.set(Array("newer".utf8), for: "old")
    await door.open()
    #expect(try await value == "newer!")
    #expect(try bench.defaults.names().isEmpty)
  }

  @Test func `a source that changes again and again is an error, no missing value, and kept (E1)`() async throws {
    let bench = RouterBench(defaults: ["old": "0"])
    let count = Noted<Int>()
    let key = DerivedKey { text in
      count.add(0)
      try bench.defaults.set(Array("\(count.all.count)".utf8), for: "old")
      return text
    }
    let error = await #expect(throws: StorageRouterError.self) { try await bench.router().get(key) }
    #expect(error?.reason == .changed)
    #expect(error?.description.contains("they were kept") == true)
    #expect(try bench.defaults.data(for: "old") != nil && bench.keychain.names().isEmpty)
  }

  @Test func `a migration of one router is none of another's, nor of a task that it leaves behind (E1)`() async throws {
    let (one, two) = (RouterBench(defaults: ["old": "one"]), RouterBench(defaults: ["old": "two"]))
    let (first, second) = (one.router(), two.router())
    let seen = Noted<String?>()
    let left = Noted<Task<String?, any Error>>()
    let door = Door()
    let plain = TextKey.moved("slow", from: "old")
    let key = DerivedKey { text in
      seen.add(try await second.get(plain))
      left.add(
        Task {
          await door.pass()
          try one.defaults.set(Array("late".utf8), for: "old")
          try one.keychain.remove("slow")
          return try await first.get(plain)
        })
      return text
    }
    #expect(try await first.get(key) == "one")
    #expect(seen.all == ["two"])
    await door.open()
    #expect(try await left.all.first?.value == "late")
  }

  @Test func `a value that turns up in the place of before later is taken over then (E1)`() async throws {
    let bench = RouterBench()
    let router = bench.router()
    let key = TextKey.moved("token", from: "old")
    #expect(try await router.get(key) == nil)
    try bench.defaults.set(Array("late".utf8), for: "old")
    #expect(try await router.get(key) == "late")
    #expect(try bench.defaults.names().isEmpty)
  }

  @Test func `a caller that is cancelled does not stop the migration that others wait for (E1)`() async throws {
    let (bench, door) = (RouterBench(defaults: ["old": "before"]), Door())
    let (router, key) = (bench.router(), slow(door))
    let first = Task { try await router.get(key) }
    await door.until(1)
    let others = (0..<10).map { _ in Task { try await router.get(key) } }
    first.cancel()
    others[3].cancel()
    await door.open()
    for task in [first] + others { #expect(try await task.value == "before!") }
    #expect(bench.keychain.writes == 3 && bench.defaults.writes == 1)
  }

  @Test func `a migration that waits for two others is not forgotten by the one that waits for it (E1)`() async throws {
    for _ in 0..<50 {
      let bench = RouterBench(defaults: ["a": "1", "b": "2", "c": "3"])
      let router = bench.router()
      let keys = ["a", "b", "c"].map { KnotKey(name: $0) }
      await withTaskGroup(of: Void.self) { group in for key in keys { group.addTask { _ = try? await router.get(key) } }
      }
      for key in keys { #expect(try await bench.router().get(key) != nil) }
    }
  }

  @Test func `a cancelled sweep ends behind the key it is at and names those it did not try (E2)`() async throws {
    let bench = RouterBench(defaults: ["old": "before", "other": "x"])
    let door = Door()
    let (router, key) = (bench.router(), slow(door))
    let catalog = Catalog(keys: [key, TextKey.moved("token", from: "other")])
    let sweep = Task { try await router.registerCatalog(catalog, migrateImmediately: true) }
    await door.until(1)
    sweep.cancel()
    await door.open()
    let ended = try await sweep.value
    #expect(ended.count(.migrated) == 1 && ended.untried.map(\.name) == ["token"])
    #expect(try bench.defaults.names() == ["other"])
  }

  @Test func `an idle observer keeps the last 1,000 events, and one that is gone costs nothing (E2)`() async throws {
    let bench = RouterBench()
    let router = bench.router()
    let idle = router.events()
    for _ in 0..<1000 { _ = router.events() }
    let key = TextKey(name: "token")
    for number in 0..<1500 { try await router.set("\(number)", for: key) }
    let last = Task {
      var seen = 0
      for await event in idle {
        if case .deleted = event { return seen }
        seen += 1
      }
      return seen
    }
    try await router.delete(key)
    #expect(await last.value == 999)
    let observers = Observers<Int>(keeping: 1)
    let held = observers.stream()
    for _ in 0..<1000 { _ = observers.stream() }
    #expect(observers.count == 1)
    observers.finish()
    for await _ in held {}
    #expect(observers.count == 0)
  }
}

/// Text that is made of the text under another name.
struct DerivedKey: StorageKey {
  var name = "slow"
  var domain = StorageDomain.keychain(service: "com.acme.shop")
  var security = SecurityPolicy.none
  var source = "old"
  var policy = StorageConflictPolicy.keepDestination
  let transform: @Sendable (String) async throws -> String?
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      TransformingMigration(
        destinationKey: self, sourceKey: TextKey(name: source, domain: .userDefaults(suite: nil)),
        conflictPolicy: policy, transform: transform))
  }
}

private struct KnotKey: StorageKey {
  var name: String
  let domain = StorageDomain.keychain(service: "knot")
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? { AnyStorageMigration(Asking(destinationKey: self)) }

  struct Asking: ValueMigration {
    var destinationKey: KnotKey
    var sources: [StoragePlace] { [StoragePlace(name: destinationKey.name, domain: .userDefaults(suite: nil))] }

    func value(using router: StorageRouter, context: MigrationContext) async throws -> String? {
      let others = ["a", "b", "c"].filter { $0 != destinationKey.name }.map { KnotKey(name: $0) }
      async let one = router.get(others[0])
      async let two = router.get(others[1])
      _ = try await (one, two)
      return try await router.bytes(at: sources[0]).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

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

@Suite("An app and its extension on the same files") struct TwoProcessesTests {
  /// Another process sets a value when this one has seen that there is none, and is about to write.
  @Test(
    "what another process sets meanwhile is not replaced by the value of before (E1)",
    arguments: [StorageConflictPolicy.keepDestination, .keepDestinationAndRemoveSources, .replace], [false, true])
  func set(policy: StorageConflictPolicy, isMade: Bool) async throws {
    let place = StorePlace(.files)
    let files = try place.open()
    let interruptions = Noted<String>()
    let others = FailingFileSystem(before: { operation, path in
      guard operation == .rename, path.hasSuffix("/token.data"), interruptions.all.isEmpty else { return }
      interruptions.add(path)
      try? files.set(Array("of the app".utf8), for: "token")
    })
    let store = FileDataStore(folder: place.folder.appending(path: "files").path, fileSystem: others)
    let old = MemoryDataStore(["old": Array("legacy".utf8)])
    let router = StorageRouter { if case .files = $0 { store } else { old } }
    let domain = StorageDomain.files(folder: "files")
    var plain = TextKey.moved("token", from: "old")
    (plain.domain, plain.policy) = (domain, policy)
    let made = DerivedKey(name: "token", domain: domain, policy: policy) { $0 + ", made" }
    let key: any StorageKey = isMade ? made : plain
    let result = try await router.forceMigration(for: key)
    #expect(interruptions.all.count == 1)
    #expect(try files.data(for: "token") == Array("of the app".utf8))
    let isRemoved = policy == .keepDestinationAndRemoveSources
    #expect(result == (isRemoved ? .superseded : .conflict))
    #expect(try old.names().isEmpty == isRemoved)
  }

  @Test(arguments: StoreKind.allCases)
  func `a store puts bytes only where there are none, if it is asked to (E1)`(kind: StoreKind) throws {
    let place = StorePlace(kind)
    let store = try place.open()
    #expect(try store.setIfAbsent([1], for: "name"))
    #expect(try !store.setIfAbsent([2], for: "name"))
    #expect(try place.open().data(for: "name") == [1] && store.names() == ["name"])
    #expect(try place.leftovers().isEmpty)
    #expect(throws: DataStoreError.self) { try store.setIfAbsent([1], for: "") }
  }

  @Test(arguments: [StoreKind.memory, .files, .encryptedFiles])
  func `of a hundred that put bytes where there are none, one does (E1)`(kind: StoreKind) async throws {
    let place = StorePlace(kind)
    let stores = try (0..<100).map { _ in try place.open() }
    let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask { try store.setIfAbsent([UInt8(number)], for: "name") ? UInt8(number) : nil }
      }
      return try await group.reduce(into: [UInt8]()) { all, one in if let one { all.append(one) } }
    }
    #expect(winners.count == 1)
    #expect(try stores[0].data(for: "name") == winners)
    #expect(try place.leftovers().isEmpty)
  }
}
