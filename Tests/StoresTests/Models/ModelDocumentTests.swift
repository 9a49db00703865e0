@Suite("Versioned models: what the documents test, and what their samples get wrong") struct ModelDocumentTests {
  @Test func `garbage and a later version are noticed, and stand as they were (B6)`() throws {
    for (stored, sentence) in [
      ("garbage", "The model in “person” in “counting” is not valid JSON"),
      (#"{"hello":1}"#, "The version of “person” cannot be determined: it has the members of no known version."),
      (#"{"alias":"J","email":"x","version":4}"#, "“person” is in version 4, and this app knows versions up to 3."),
    ] {
      let store = CountingStore(["person": Array(stored.utf8)])
      let events = Noted<Bool>()
      let migration = try Person.migration(in: store, marker: "version") { event in
        if case .failed = event { events.add(true) }
      }
      let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
      #expect("\(try #require(error))".contains(sentence), "\(String(describing: error))")
      #expect(store.writes == 0 && events.all == [true])
    }
  }

  @Test func `a retry after a failed write keeps the first backup; a damaged one is not replaced (D7)`() throws {
    let old = Array(try #require(UserProfile.fixtures[1]).utf8)
    let store = CountingStore(["user_profile": old])
    let migration = try UserProfile.migration(in: store)
    let first = try #require(try migration.run().backup)
    try store.set(Array("damaged".utf8), for: first.name)
    try store.set(old, for: "user_profile")
    let second = try #require(try migration.run().backup)
    #expect(second.name == first.name + "-2")
    #expect(try store.data(for: first.name) == Array("damaged".utf8))
    #expect(try store.data(for: second.name) == old)
    #expect(Set(try migration.listBackups()) == [first, second])
    let error = #expect(throws: ModelMigrationError.self) { try migration.restore(first) }
    #expect("\(try #require(error))".hasSuffix("is missing or damaged; nothing was replaced."))
    try migration.restore(second)
    #expect(try store.data(for: "user_profile") == old)
  }
}

@Suite("Models that are property lists") struct PropertyListModelTests {
  private let suite = "carryover-models-\(UUID().uuidString)"

  private struct Visit: Codable, Equatable {
    var place: String
    var at: Date
    var photo: Data
    var score: Double
    var count: Int
    var isKept: Bool
  }

  private let visits = try? ModelMigrator(
    model: "visits", version: 1,
    versioning: ModelVersioning(
      shapes: [
        0: .init(required: ["where"], forbidden: ["place"]), 1: .init(required: ["place"], forbidden: ["where"]),
      ]
    ).ofElements(),
    steps: [ModelStep(from: 0, [.each([.rename("where", to: "place"), .add("isKept", true)])])])

  @Test func `a dictionary of UserDefaults is migrated, stays a dictionary, and can be put back (B12)`() throws {
    defer { TestSuite.remove(suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set(["name": "Jo", "age": "23"], forKey: "person")
    let store = try DefaultsDataStore(suite: suite).readingEveryType()
    let migration = try Person.migration(in: store, marker: "version")
    let report = try migration.run()
    #expect(report.value == Person.Current(alias: "Jo", email: "---") && report.from == 0)
    let stored = try #require(defaults.dictionary(forKey: "person"))
    #expect(stored["alias"] as? String == "Jo" && stored["version"] as? Int == 3 && stored.count == 3)
    #expect(try migration.run().hasWritten == false)
    try migration.restore(try #require(report.backup))
    #expect(defaults.dictionary(forKey: "person") as? [String: String] == ["name": "Jo", "age": "23"])
  }

  @Test func `a list of dictionaries keeps its dates, bytes and kinds of numbers (B12)`() throws {
    defer { TestSuite.remove(suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    // Of whole seconds: Linux's Foundation keeps no others.
    let date = Date(timeIntervalSinceReferenceDate: 86_400)
    let visit: [String: Any] = ["where": "Rome", "at": date, "photo": Data([0, 255]), "score": 2.0, "count": 2]
    defaults.set([visit], forKey: "visits")
    let store = try DefaultsDataStore(suite: suite).readingEveryType()
    let value = try ModelMigration([Visit].self, try #require(visits), of: "visits", in: store).run().value
    #expect(value == [Visit(place: "Rome", at: date, photo: Data([0, 255]), score: 2, count: 2, isKept: true)])
    let bytes = try #require(try store.data(for: "visits"))
    guard case .array(let elements) = try PropertyListDocument(bytes: bytes).root,
      case .dictionary(let stored)? = elements.first
    else {
      Issue.record("no list of dictionaries")
      return
    }
    #expect(stored["at"]?.kind == .date && stored["photo"]?.kind == .data && stored["score"]?.kind == .real)
    #expect(stored["count"]?.kind == .integer && stored["isKept"]?.kind == .boolean)
  }

  @Test(arguments: [PropertyListFormat.binary, .xml])
  func `a file that is a property list stays one of its format (B12)`(format: PropertyListFormat) throws {
    let at = PropertyListValue.date(PropertyListDate(secondsSince2001: format == .binary ? 0.5 : 1))
    let old: PropertyListValue = ["name": "Jo", "age": "23", "at": at, "raw": .data([1]), "one": 1.0]
    let store = MemoryDataStore(["person": try PropertyListDocument.encode(old, as: format)])
    #expect(try Person.migration(in: store).run().value == Person.Current(alias: "Jo", email: "---"))
    let document = try PropertyListDocument(bytes: try #require(try store.data(for: "person")))
    #expect(document.format == format && document.dictionary?["alias"] == "Jo")
    #expect(document.dictionary?["at"] == at && document.dictionary?["raw"] == .data([1]))
    #expect(document.dictionary?["one"] == 1.0 && document.dictionary?.entries.count == 5)
  }

  @Test func `what steps cannot read, or a property list not hold, is refused before any write (B12)`() throws {
    let strange: [PropertyListValue] = [
      ["name": .null, "age": "1"], ["name": .real(PropertyListReal(.infinity)), "age": "1"],
      ["name": ["$date": "x"], "age": "1"], ["name": .set([]), "age": "1"],
    ]
    for value in strange {
      let store = CountingStore(["person": try PropertyListDocument.encode(value, as: .binary)])
      let error = #expect(throws: ModelMigrationError.self) { try Person.migration(in: store).run() }
      #expect(error?.reason.name == "corrupt")
      #expect(error?.description.contains("steps cannot read") == true && store.writes == 0)
    }
    var deep = PropertyListValue.array([])
    for _ in 0..<400 { deep = .array([deep]) }
    let deepBytes = try PropertyListDocument.encode(["name": deep, "age": "1"], as: .binary)
    #expect(throws: ModelMigrationError.self) { try Person.migration(in: MemoryDataStore(["person": deepBytes])).run() }
    let nulling = try ModelMigrator(
      model: "m", version: 1, versioning: ModelVersioning(marker: "v", unmarked: 0),
      steps: [ModelStep(from: 0, [.add("none", .null)])])
    let store = CountingStore(["m": try PropertyListDocument.encode(["a": 1], as: .binary)])
    let error = #expect(throws: ModelMigrationError.self) {
      try ModelMigration(nulling, of: "m", in: store) { $0 }.run()
    }
    #expect(error?.reason.name == "unreadableResult")
    #expect(store.writes == 0)
  }
}

@Suite("Models that are arrays, and operations on elements") struct ArrayModelTests {
  private func migrator(_ versioning: ModelVersioning) throws -> ModelMigrator {
    try ModelMigrator(
      model: "orders", version: 2, versioning: versioning,
      steps: [
        ModelStep(from: 0, [.each([.add("currency", "USD")])]),
        ModelStep(from: 1, [.each([.rename("sum", to: "total"), .each(of: "lines", [.wrap("name", in: "text")])])]),
      ])
  }

  private let shapes = [
    0: ModelShape(required: ["sum"], forbidden: ["currency"]),
    1: ModelShape(required: ["sum", "currency"], forbidden: ["total"]),
    2: ModelShape(required: ["total", "currency"], forbidden: ["sum"]),
  ]

  private let old = #"[{"sum":1.50,"lines":[{"name":"tea"},{"name":"milk"}]},{"sum":2}]"#
  private let new =
    #"[{"total":1.50,"lines":[{"name":{"text":"tea"}},{"name":{"text":"milk"}}],"currency":"USD","#
    + #""v":2},{"total":2,"currency":"USD","v":2}]"#

  @Test func `every element runs through every step, is identified by its members, and gets the marker (B12)`() throws {
    let versioning = ModelVersioning(marker: "v", shapes: shapes).ofElements()
    let store = CountingStore(["orders": Array(old.utf8)])
    let migration = ModelMigration(try migrator(versioning), of: "orders", in: store) { $0 }
    let report = try migration.run()
    #expect(report.from == 0 && report.to == 2)
    #expect(try store.data(for: "orders") == Array(new.utf8))
    #expect(
      report.steps == [
        #"each of the elements: add currency: "USD""#,
        "each of the elements: rename sum → total, each of lines: name → {text}",
      ])
    let writes = store.writes
    #expect(try migration.run().hasWritten == false)
    #expect(store.writes == writes)
    try migration.restore(try #require(report.backup))
    #expect(try store.data(for: "orders") == Array(old.utf8))
  }

  @Test func `the version beside an array counts, and elements may be of any type then (B12)`() throws {
    let versioning = ModelVersioning(beside: .schemaVersion, unmarked: 0).ofElements()
    let migrator = try ModelMigrator(
      model: "tags", version: 1, versioning: versioning,
      steps: [
        ModelStep(from: 0, "in upper case") { tags in
          guard case .array(let elements) = tags else { return }
          tags = .array(elements.map { .string($0.stringValue?.uppercased() ?? "") })
        }
      ])
    let store = CountingStore(["tags": Array(#"["a","b"]"#.utf8)])
    let migration = ModelMigration(migrator, of: "tags", in: store) { $0 }
    try migration.run()
    #expect(try store.data(for: "tags") == Array(#"["A","B"]"#.utf8))
    #expect(try store.integer(for: "tags_schema_version") == 1 && migration.run().hasWritten == false)
  }

  @Test func `an empty array with its version beside it gets a number for later elements (B12)`() throws {
    let migrator = try migrator(ModelVersioning(beside: .schemaVersion, unmarked: 0).ofElements())
    let store = CountingStore(["orders": Array("[]".utf8)])
    let migration = ModelMigration(migrator, of: "orders", in: store) { $0 }
    try migration.run()
    #expect(try store.integer(for: "orders_schema_version") == 2)
    try store.set(Array(new.utf8), for: "orders")
    #expect(try migration.run().hasWritten == false)
    #expect(try store.data(for: "orders") == Array(new.utf8))
  }

  @Test func `a step that makes an array of an object, or the reverse, is refused before any write (B12)`() throws {
    for (versioning, old, made) in [
      (ModelVersioning(beside: .schemaVersion, unmarked: 0), "{}", JSONValue.array([])),
      (ModelVersioning(beside: .schemaVersion, unmarked: 0).ofElements(), "[1]", .object([])),
    ] {
      let migrator = try ModelMigrator(
        model: "m", version: 1, versioning: versioning, steps: [ModelStep(from: 0, "odd") { $0 = made }])
      let store = CountingStore(["m": Array(old.utf8)])
      let error = #expect(throws: ModelMigrationError.self) {
        try ModelMigration(migrator, of: "m", in: store) { $0 }.run()
      }
      #expect(error?.reason.model == .stepMissed(from: 0, title: "odd"))
      #expect(store.writes == 0)
    }
  }

  @Test func `an empty array is current; elements of several versions, and other types, are refused (B12)`() throws {
    let migrator = try migrator(ModelVersioning(shapes: shapes).ofElements())
    #expect(try migrator.migrated([]) == [])
    #expect(try migrator.migrated([], beside: 0) == [])
    for (text, expected) in [
      (#"[{"sum":1},{"sum":1,"currency":"EUR"}]"#, ModelVersionError.several([0, 1])),
      (#"{"sum":1}"#, .notAnArray(.object)), ("[1]", .noMatch), (#""text""#, .notAnArray(.string)),
    ] {
      let error = #expect(throws: ModelError.self) { try migrator.migrated(try JSONText(text).value) }
      #expect(error?.reason == .unknownVersion(expected), "\(text)")
    }
    #expect(throws: ModelVersionError.notAnObject(.array)) { try ModelVersioning(shapes: shapes).version(of: []) }
  }

  @Test func `operations on elements need an array, and leave what is not there (B12)`() throws {
    var value: JSONValue = ["a": 1]
    try ModelOperation.each(of: "b", [.remove("x")])(&value)
    #expect(value == ["a": 1])
    #expect(throws: StorageProblem("“a” is not an array")) {
      try ModelOperation.each(of: "a", [.remove("x")])(&value)
    }
    #expect(throws: StorageProblem("the data is not an array")) { try ModelOperation.each([.remove("x")])(&value) }
  }

  @Test(arguments: [
    (#"{"a":1,"home":"Main St 1","z":0}"#, #"{"a":1,"home":{"street":"Main St 1"},"z":0}"#),
    (#"{"home":1.50}"#, #"{"home":{"street":1.50}}"#), (#"{"home":null}"#, #"{"home":{"street":null}}"#),
    (#"{"home":{"b":[]}}"#, #"{"home":{"street":{"b":[]}}}"#), (#"{"a":1}"#, #"{"a":1}"#), ("[]", "[]"),
  ])
  func `a value becomes an object with it under a name, in its place (D17)`(old: String, new: String) throws {
    var value = try JSONText(old).value
    try ModelOperation.wrap("home", in: "street")(&value)
    #expect(value.text() == new)
  }

  @Test func `a step that does so is declared: it has a title, and tells that the type changed (D17)`() throws {
    let migrator = try ModelMigrator(
      model: "m", version: 1, versioning: ModelVersioning(marker: "v", unmarked: 0),
      steps: [ModelStep(from: 0, [.wrap("home.address", in: "street"), .add("home.address.city", "")])])
    let old: JSONValue = ["home": ["address": "Main St 1"]]
    let stage = try #require(try migrator.trace(old).first)
    #expect(stage.value.text() == #"{"home":{"address":{"street":"Main St 1","city":""}},"v":1}"#)
    #expect(stage.title == #"home.address → {street}; add home.address.city: """#)
    let change = ModelChange.between(old, stage.value, by: migrator.steps[0].operations).first
    #expect(change?.kind == .retyped && change?.path == ["home", "address"])
  }
}
