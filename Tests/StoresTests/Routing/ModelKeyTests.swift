private struct PersonKey: StorageKey {
  let name = "person"
  let domain = StorageDomain.files(folder: "People")
  let serializer: StorageSerializer<Person.Current>
  var migration: AnyStorageMigration? { moved(from: "old_person", in: .userDefaults(suite: nil)) }

  init(_ migrator: ModelMigrator) throws { serializer = try .model(Person.Current.self, migrator) }
}

private struct TypedKey<Value: Codable & Sendable & SendableMetatype>: StorageKey {
  let name: String
  let domain: StorageDomain
  var isMoved = false
  var serializer: StorageSerializer<Value> { .codable() }
  var migration: AnyStorageMigration? { isMoved ? moved(from: name, in: .userDefaults(suite: nil)) : nil }
}

@Suite("Keys whose values are versioned models, or values of UserDefaults") struct ModelKeyTests {
  @Test func `a person of any version is read in the newest, and written with its version (E10)`() async throws {
    for version in 0...3 {
      let bench = RouterBench(defaults: ["old_person": try #require(Person.fixtures[version])])
      let key = try PersonKey(Person.migrator(marker: "version"))
      let person = try #require(try await bench.router().get(key))
      #expect(!person.alias.isEmpty)
      // The bytes are moved as they are: nothing of the old version is lost before the app sets a value.
      #expect(try bench.files.data(for: "person") == Array(try #require(Person.fixtures[version]).utf8))
      #expect(try bench.defaults.data(for: "old_person") == nil)
      try await bench.router().set(person, for: key)
      let stored = try StorageSerializer.json.decode(try #require(try bench.files.data(for: "person")))
      #expect(stored["version"] == 3)
      #expect(try await bench.router().get(key) == person)
    }
  }

  @Test func `data of a later version, or of none, is an error and stays where it is (E10)`() async throws {
    for old in [#"{"alias":"Jo","email":"-","version":9}"#, #"{"x":1}"#, "garbage"] {
      let bench = RouterBench(defaults: ["old_person": old])
      let key = try PersonKey(Person.migrator(marker: "version"))
      let error = await #expect(throws: StorageRouterError.self) { try await bench.router().get(key) }
      #expect(error?.description.contains("Jo") == false)
      #expect(try bench.defaults.data(for: "old_person") == Array(old.utf8) && bench.files.data(for: "person") == nil)
    }
  }

  @Test func `a version beside the data is refused when made, unless the members tell it (E10)`() throws {
    func serializer(_ shapes: [Int: ModelShape]) throws -> StorageSerializer<Person.Current> {
      let versioning = ModelVersioning(beside: .schemaVersion, unmarked: 0, shapes: shapes)
      let migrator = try ModelMigrator(
        model: "person", version: 3, versioning: versioning, steps: Person.migrator().steps)
      return try .model(Person.Current.self, migrator)
    }
    let error = #expect(throws: ModelChainError.self) { try serializer([:]) }
    #expect(error?.problem == .besideOnly && error?.model == "person")
    let told = try serializer(Person.migrator().versioning.shapes)
    let person = try told.decode(Array(try #require(Person.fixtures[0]).utf8))
    #expect(try told.decode(told.encode(person)) == person)
    #expect(throws: ModelError.self) { try told.decode(Array(#"{"x":1}"#.utf8)) }
  }

  @Test func `what steps would lose is refused, and no error of the serialiser contains the text (E10)`() throws {
    let serializer = try StorageSerializer.model(Person.Current.self, Person.migrator(marker: "version"))
    let half = Array(#"{"name":"Jo \ud800","age":3}"#.utf8)
    #expect(throws: StorageProblem("it contains half a surrogate pair, which the steps would lose.")) {
      try serializer.decode(half)
    }
    let error = #expect(throws: JSONError.self) { try serializer.decode(Array(#"{"name":Jonathan}"#.utf8)) }
    #expect(error?.description.contains("Jonathan") == false)
  }

  @Test(
    "numbers, dates, lists and dictionaries of UserDefaults are read as what the serialiser says, there and moved (E12)"
  )
  func typed() async throws {
    let suite = "carryover-typed-\(UUID().uuidString)"
    defer { TestSuite.remove(suite) }
    // Of whole seconds: Linux's Foundation keeps no others.
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let values: [String: Any] = [
      "count": 42, "ratio": 1.5, "on": true, "at": date, "list": [1, 2, 3], "names": ["a", "b"], "map": ["a": date],
    ]
    for isMoved in [false, true] {
      let defaults = try #require(UserDefaults(suiteName: suite))
      for (name, value) in values { defaults.set(value, forKey: name) }
      let store = try DefaultsDataStore(suite: suite).readingEveryType()
      let files = MemoryDataStore()
      let router = StorageRouter { domain in domain == .userDefaults(suite: nil) ? store as any ByteStore : files }
      func value<Value: Codable & Sendable & SendableMetatype>(_ name: String, _ type: Value.Type) async throws
        -> Value?
      {
        let domain = isMoved ? StorageDomain.files(folder: "Settings") : .userDefaults(suite: nil)
        return try await router.get(TypedKey<Value>(name: name, domain: domain, isMoved: isMoved))
      }
      #expect(try await value("count", Int.self) == 42)
      #expect(try await value("ratio", Double.self) == 1.5)
      #expect(try await value("on", Bool.self) == true)
      #expect(try await value("at", Date.self) == date)
      #expect(try await value("list", [Int].self) == [1, 2, 3])
      #expect(try await value("names", [String].self) == ["a", "b"])
      #expect(try await value("map", [String: Date].self) == ["a": date])
      #expect(isMoved == (try files.names().count == values.count))
    }
  }

  @Test func `text, data and URLs that an app has set are read as what the serialiser says (E12)`() async throws {
    enum Theme: String, Codable { case dark, light }
    let suite = "carryover-plain-\(UUID().uuidString)"
    defer { TestSuite.remove(suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    let page = try #require(URL(string: "https://acme.example/a?b=%20"))
    let (file, id) = (URL(fileURLWithPath: "/var/mobile/a b.txt"), UUID())
    let bytes = Data([0, 0xFF, 0x22])
    defaults.set("Jo Doe", forKey: "name")
    defaults.set("42", forKey: "digits")
    defaults.set("[draft", forKey: "bracket")
    defaults.set("dark", forKey: "theme")
    defaults.set(id.uuidString, forKey: "id")
    defaults.set(bytes, forKey: "bytes")
    defaults.set(Data(#"{"a":1}"#.utf8), forKey: "document")
    defaults.set(page, forKey: "page")
    defaults.set(file, forKey: "file")
    defaults.set(page.absoluteString, forKey: "address")
    let store = try DefaultsDataStore(suite: suite).readingEveryType()
    let router = StorageRouter { _ in store }
    func value<Value: Codable & Sendable & SendableMetatype>(_ name: String, _ type: Value.Type) async throws -> Value?
    {
      try await router.get(TypedKey<Value>(name: name, domain: .userDefaults(suite: nil)))
    }
    #expect(try await value("name", String.self) == "Jo Doe")
    #expect(try await value("digits", String.self) == "42")
    #expect(try await value("bracket", String.self) == "[draft")
    #expect(try await value("theme", Theme.self) == .dark)
    #expect(try await value("id", UUID.self) == id)
    #expect(try await value("bytes", Data.self) == bytes)
    #expect(try await value("document", Data.self) == Data(#"{"a":1}"#.utf8))
    // Foundation is the oracle.
    #expect(try await value("page", URL.self)?.absoluteString == defaults.url(forKey: "page")?.absoluteString)
    #expect(try await value("file", URL.self)?.path == defaults.url(forKey: "file")?.path)
    #expect(try await value("address", URL.self) == page)
    await #expect(throws: StorageRouterError.self) { try await value("name", Int.self) }
    // What it writes itself, it reads.
    for name in ["Jo \"D\"", "[]", "null", ""] {
      try await router.set(name, for: TypedKey<String>(name: "name", domain: .userDefaults(suite: nil)))
      #expect(try await value("name", String.self) == name)
    }
  }

  @Test func `damaged JSON does not pass for text or data (E12)`() throws {
    let text = StorageSerializer.codable(String.self)
    for damaged in [#""Jo"#, #" "Jo" x"#] { #expect(throws: (any Error).self) { try text.decode(Array(damaged.utf8)) } }
    let bytes = StorageSerializer.codable(Data.self)
    let encoded = try bytes.encode(Data("hello".utf8))
    #expect(try bytes.decode(encoded) == Data("hello".utf8))
    #expect(throws: (any Error).self) { try bytes.decode(encoded.dropLast()) }
    #expect(throws: (any Error).self) { try StorageSerializer.codable([String].self).decode(Array(#"["a""#.utf8)) }
  }

  @Test func `a value of another type than the serialiser says is an error, and stays (E12)`() async throws {
    let suite = "carryover-typed-\(UUID().uuidString)"
    defer { TestSuite.remove(suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set(["a", "b"], forKey: "list")
    let store = try DefaultsDataStore(suite: suite).readingEveryType()
    let router = StorageRouter { _ in store }
    let key = TypedKey<[Int]>(name: "list", domain: .userDefaults(suite: nil))
    let error = await #expect(throws: StorageRouterError.self) { try await router.get(key) }
    #expect(error?.reason == .serializer)
    #expect(defaults.stringArray(forKey: "list") == ["a", "b"])
    try await router.set([7], for: key)
    #expect(try await router.get(key) == [7])
  }
}

@Suite("Deleting a key whose removal note fails") struct LogOutTests {
  @Test(arguments: [("ж", 40), ("ж", 32), ("K", 83), ("n", 250)])
  func `a name that fits its store is migrated, however long a note's (E1)`(letter: String, count: Int) async throws {
    let name = String(repeating: letter, count: count)
    let place = StorePlace(.files)
    let store = try place.open()
    let old = MemoryDataStore(["old": Array("secret".utf8)])
    let key = TextKey(
      name: name, domain: .files(folder: "new"), source: LegacyKey(name: "old", domain: .userDefaults(suite: nil)),
      policy: .replace)
    func router() -> StorageRouter { StorageRouter { if case .files = $0 { store } else { old } } }
    #expect(try await router().get(key) == "secret")
    try old.set(Array("older".utf8), for: "old")
    try await router().set("new", for: key)
    #expect(try store.names() == [name] && old.names().isEmpty)
    try await router().delete(key)
    #expect(try store.names().isEmpty)
  }

  @Test func `a note that cannot be written, read or removed keeps no key from being deleted (E1)`() async throws {
    let bench = RouterBench(defaults: ["auth_token": "old"], keychain: ["token": "secret"])
    bench.keychain.fail { $1?.hasSuffix(".carryover-removal") == true }
    let key = TextKey.moved("token", from: "auth_token")
    try await bench.router().delete(key)
    #expect(try bench.keychain.names().isEmpty && bench.defaults.names().isEmpty)
    bench.keychain.fail(nil)
    #expect(try await bench.router().get(key) == nil)
  }
}

@Suite("What decides that a source is removed") struct RemovalNoteTests {
  /// Two texts with one checksum of 64 bits.
  private static let (one, other) = ("8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ")
  private static let note = "value.carryover-removal"

  private static func key(_ policy: StorageConflictPolicy = .keepDestination) -> AnyKindKey {
    AnyKindKey(kind: .transforming, policy: policy)
  }

  @Test func `A source is removed when its bytes were carried over, not when checksums agree`() async throws {
    let bench = RouterBench(defaults: ["a": Self.one])
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(Self.key())
    bench.defaults.fail(nil)
    try bench.defaults.set(Array(Self.other.utf8), for: "a")
    #expect(try await bench.router().get(Self.key()) == Self.one + "!")
    #expect(try bench.defaults.data(for: "a") == Array(Self.other.utf8))
    #expect(try bench.keychain.names() == ["value"])
  }

  @Test func `A source is kept where the value that took its place is another of the same checksum`() async throws {
    var key = TextKey.moved("value", from: "a")
    key.policy = .replace
    let bench = RouterBench(defaults: ["a": "before"])
    bench.defaults.fail { operation, _ in operation == .remove }
    try await bench.router().set(Self.one, for: key)
    bench.defaults.fail(nil)
    try bench.keychain.set(Array(Self.other.utf8), for: "value")
    #expect(try await bench.router().get(key) == Self.other)
    #expect(try bench.defaults.data(for: "a") == Array("before".utf8))
  }

  @Test func `A source that changes into one of the same checksum during a migration is read again`() async throws {
    let bench = RouterBench(defaults: ["a": Self.one])
    let key = DerivedKey(name: "value", source: "a") { text in
      if try bench.defaults.data(for: "a") == Array(Self.one.utf8) {
        try bench.defaults.set(Array(Self.other.utf8), for: "a")
      }
      return text
    }
    #expect(try await bench.router().get(key) == Self.other)
    #expect(try bench.defaults.names().isEmpty)
  }

  @Test(arguments: ["", "carryover 2", "carryover 2\nvalue ?", "value", "\u{0}"])
  func `A damaged note removes nothing`(note: String) async throws {
    let bench = RouterBench(defaults: ["a": "LEGACY"], keychain: ["value": "SET", Self.note: note])
    #expect(try await bench.router().get(Self.key()) == "SET")
    #expect(try bench.defaults.names() == ["a"] && bench.keychain.data(for: "value") == Array("SET".utf8))
  }
}
