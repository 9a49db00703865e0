@Suite("What a router's keys are made of") struct RouterFormsTests {
  private static let suite = StorageDomain.userDefaults(suite: nil)

  private struct Theme: Codable, Equatable, Sendable {
    var name: String
    var accent: String
    var size: Int
  }

  private struct ThemeKey: StorageKey {
    let name = "theme"
    let domain = StorageDomain.custom("settings")
    let serializer = StorageSerializer.codable(Theme.self)
    var migration: AnyStorageMigration? { moved(from: "old", in: RouterFormsTests.suite, onConflict: .replace) }
  }

  @Test func `a Codable value is moved from one place to another in a line, to an app's store (E3)`() async throws {
    let old = MemoryDataStore(["old": Array(#"{"size":12,"name":"dark","accent":"red"}"#.utf8)])
    let own = MemoryDataStore()
    let router = StorageRouter { domain in
      switch domain {
      case .custom("settings"): own
      case .userDefaults: old
      default: nil
      }
    }
    #expect(try await router.get(ThemeKey()) == Theme(name: "dark", accent: "red", size: 12))
    #expect(try own.data(for: "theme") == Array(#"{"size":12,"name":"dark","accent":"red"}"#.utf8))
    #expect(try old.names().isEmpty && own.names() == ["theme"])
    #expect(ThemeKey().migration?.conflictPolicy == .replace)
    #expect("\(ThemeKey().place)".contains("the store"))
  }

  @Test func `booleans and whole numbers are read as written, and nothing else is taken for one (E3)`() throws {
    for value in [true, false] {
      #expect(try StorageSerializer.boolean.decode(StorageSerializer.boolean.encode(value)) == value)
    }
    #expect(try StorageSerializer.boolean.decode(Array("1".utf8)))
    for number in [0, -1, Int.max, Int.min] {
      #expect(try StorageSerializer.integer.decode(StorageSerializer.integer.encode(number)) == number)
    }
    for text in ["", "yes", "TRUE", "2"] {
      #expect(throws: StorageProblem("the text is neither true nor false")) {
        try StorageSerializer.boolean.decode(Array(text.utf8))
      }
    }
    for text in ["", "1.5", " 1", "9223372036854775808"] {
      #expect(throws: StorageProblem("the text is not a whole number that fits")) {
        try StorageSerializer.integer.decode(Array(text.utf8))
      }
    }
  }

  @Test func `the parts of a value are given by their keys, each with its own type (E5)`() throws {
    let count = NumberKey(name: "count")
    let parts = StorageParts([count.place: Array("3".utf8)])
    #expect(try parts[count] == 3)
    #expect(try parts[NumberKey(name: "other")] == nil)
    let damaged = StorageParts([count.place: Array("x".utf8)])
    #expect(throws: StorageProblem("the text is not a whole number that fits")) { try damaged[count] }
  }

  private struct NumberKey: StorageKey {
    var name: String
    let domain = RouterFormsTests.suite
    let serializer = StorageSerializer.integer
  }

  @Test func `a key with the migration of another is refused, by itself and in a catalog (E5)`() async throws {
    let bench = RouterBench(defaults: ["old": "value"])
    let key = BorrowingKey(lender: TextKey.moved("lender", from: "old"))
    let router = bench.router()
    let read = await #expect(throws: StorageRouterError.self) { try await router.get(key) }
    let deleted = await #expect(throws: StorageRouterError.self) { try await router.delete(key) }
    for error in [read, deleted] {
      #expect(error?.reason == .otherDestination(key.lender.place))
      #expect(error?.description.contains("lender") == true)
    }
    let catalog = await #expect(throws: StorageCatalogError.self) {
      try await router.registerCatalog(Catalog(keys: [key]))
    }
    #expect(catalog?.problems == [.otherDestination(key.place, key.lender.place)])
    #expect(catalog?.description.contains("writes its value to") == true)
    #expect(try bench.defaults.data(for: "old") == Array("value".utf8) && bench.keychain.names().isEmpty)
  }

  private struct BorrowingKey: StorageKey {
    let name = "borrower"
    let domain = StorageDomain.keychain(service: "com.acme.shop")
    var lender: TextKey
    let serializer = StorageSerializer.text
    var migration: AnyStorageMigration? { lender.migration }
  }

  @Test func `names that look the same and are spelt differently are two keys (E8)`() async throws {
    let names = ["caf\u{e9}", "cafe\u{301}"]
    let bench = RouterBench()
    let router = bench.router()
    try await router.registerCatalog(Catalog(keys: names.map { TextKey(name: $0) }))
    for (index, name) in names.enumerated() { try await router.set("\(index)", for: TextKey(name: name)) }
    for (index, name) in names.enumerated() { #expect(try await bench.router().get(TextKey(name: name)) == "\(index)") }
    #expect(Set(names.map { StoragePlace(name: $0, domain: Self.suite) }).count == 2)
    #expect(Set(names.map { StorageDomain.custom($0) }).count == 2)
    #expect(Set(names.map { ModelPath([$0]) }).count == 2)
  }

  @Test func `values of every type in defaults can be routed where that is asked for (E6)`() async throws {
    let name = "carryover-tests-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    let date = Date(timeIntervalSince1970: 1_763_640_000.5)
    defaults.set(true, forKey: "boolean")
    defaults.set(42, forKey: "integer")
    defaults.set(1.5, forKey: "real")
    defaults.set(date, forKey: "date")
    defaults.set(["b": 1, "a": [2, 3]] as [String: Any], forKey: "dictionary")
    let strict = DefaultsDataStore(defaults, label: name)
    let store = strict.readingEveryType()
    let texts = try ["boolean", "integer", "real"].map { name in
      try store.data(for: name).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(texts == ["true", "42", "1.5"])
    for (key, value) in [("date", date as NSObject), ("dictionary", ["a": [2, 3], "b": 1] as NSDictionary)] {
      let bytes = try #require(try store.data(for: key))
      #expect(try store.data(for: key) == bytes)
      let found = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      #expect(value.isEqual(found), "\(found)")
    }
    #expect(Set(try store.names()).isSuperset(of: ["boolean", "integer", "real", "date", "dictionary"]))
    for key in ["boolean", "date"] {
      let error = #expect(throws: DataStoreError.self) { try strict.data(for: key) }
      guard case .wrongType? = error?.reason else { return #expect(Bool(false), "\(error as Any)") }
    }
    #expect(try !strict.names().contains("boolean"))
    try store.remove("boolean")
    #expect(defaults.object(forKey: "boolean") == nil)
  }
}

@Suite("A router that is killed at any operation") struct RouterCrashTests {
  private func stamped(_ policy: StorageConflictPolicy) -> DerivedKey {
    let made = Noted<Int>()
    return DerivedKey(name: "stamped", policy: policy) { text in
      made.add(0)
      return "\(text) \(made.all.count)"
    }
  }

  @Test func `a value from before that cannot be read is superseded, at the next start if need be (E1)`() async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    var key = TextKey.moved("token", from: "old")
    key.policy = .replace
    bench.defaults.fail { _, _ in true }
    try await bench.router().set("newer", for: key)
    bench.defaults.fail { operation, _ in operation == .read }
    #expect(try await bench.router().get(key) == "newer")
    bench.defaults.fail(nil)
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["token"])
  }

  @Test func `a set that fails behind a migration that was cut off does not let it be made twice (E1)`() async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    let key = stamped(.replace)
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(key)
    bench.defaults.fail(nil)
    bench.keychain.fail { operation, name in operation == .write && name == "stamped" }
    await #expect(throws: StorageRouterError.self) { try await bench.router().set("newer", for: key) }
    bench.keychain.fail(nil)
    #expect(try await bench.router().get(key) == "before 1")
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["stamped"])
  }

  @Test func `a value set after a migration was cut off is no conflict with what that left (E1)`() async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    let key = stamped(.keepDestination)
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(key)
    bench.defaults.fail(nil)
    try await bench.router().set("newer", for: key)
    #expect(try await bench.router().get(key) == "newer")
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["stamped"])
  }

  @Test(
    "a value whose bytes are others each time it is made is carried over once, whichever operation is the last (E1)",
    arguments: LastOperation.allCases, [StorageConflictPolicy.keepDestination, .replace])
  func otherBytes(last: LastOperation, policy: StorageConflictPolicy) async throws {
    let key = stamped(policy)
    var isWhole = false
    for number in 1..<40 where !isWhole {
      let bench = RouterBench(defaults: ["old": "before"])
      let stores = StoppingStores([bench.defaults, bench.keychain])
      stores.stop(at: number, last)
      _ = try? await bench.router().get(key)
      isWhole = stores.count < number
      stores.goOn()
      let stands = try bench.keychain.data(for: "stamped").map { String(decoding: $0, as: UTF8.self) }
      let value = try await bench.router().get(key)
      #expect(value?.hasPrefix("before ") == true)
      if let stands { #expect(value == stands, "operation \(number)") }
      #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["stamped"], "operation \(number)")
    }
    #expect(isWhole)
  }
}
