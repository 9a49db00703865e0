import CarryoverRouter
import CarryoverStorage
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

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

@Suite("Keys whose values are versioned models, or values of UserDefaults")
struct ModelKeyTests {
  @Test("a person of any version is read in the newest, and written with its version (E10)")
  func person() async throws {
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

  @Test("data of a later version, and data that no version fits, are errors and stay where they are (E10)")
  func refused() async throws {
    for old in [#"{"alias":"Jo","email":"-","version":9}"#, #"{"x":1}"#, "garbage"] {
      let bench = RouterBench(defaults: ["old_person": old])
      let key = try PersonKey(Person.migrator(marker: "version"))
      let error = await #expect(throws: StorageRouterError.self) { try await bench.router().get(key) }
      #expect(error?.description.contains("Jo") == false)
      #expect(try bench.defaults.data(for: "old_person") == Array(old.utf8) && bench.files.data(for: "person") == nil)
    }
  }

  @Test("a version beside the data is refused where the serialiser is made, unless the members tell it (E10)")
  func beside() throws {
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

  @Test("what steps would lose is refused, and no error of the serialiser contains the text (E10)")
  func lost() throws {
    let serializer = try StorageSerializer.model(Person.Current.self, Person.migrator(marker: "version"))
    let half = Array(#"{"name":"Jo \ud800","age":3}"#.utf8)
    #expect(throws: ModelFormError.loneSurrogate) { try serializer.decode(half) }
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

  @Test("text, data and URLs that an app has set are read as what the serialiser says (E12)")
  func plain() async throws {
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

  @Test("damaged JSON does not pass for text or data (E12)")
  func damaged() throws {
    let text = StorageSerializer.codable(String.self)
    for damaged in [#""Jo"#, #" "Jo" x"#] {
      #expect(throws: (any Error).self) { try text.decode(Array(damaged.utf8)) }
    }
    let bytes = StorageSerializer.codable(Data.self)
    let encoded = try bytes.encode(Data("hello".utf8))
    #expect(try bytes.decode(encoded) == Data("hello".utf8))
    #expect(throws: (any Error).self) { try bytes.decode(encoded.dropLast()) }
    #expect(throws: (any Error).self) { try StorageSerializer.codable([String].self).decode(Array(#"["a""#.utf8)) }
  }

  @Test("a value of another type than the serialiser says is an error, and stays (E12)")
  func otherType() async throws {
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
