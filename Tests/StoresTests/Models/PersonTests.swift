@Suite("A person from version to version") struct PersonTests {
  private static let expected = Person.Current(alias: "John Doe", email: "---")

  @Test(
    "a person of every older version reaches version 3 in every kind of store (B1, B2, B7)",
    arguments: StoreKind.allCases,
    [0, 1, 2])
  func reachesNewest(kind: StoreKind, version: Int) throws {
    let place = StorePlace(kind)
    let fixture = try #require(Person.fixtures[version])
    try place.open().set(Array(fixture.utf8), for: "person")
    let report = try Person.migration(in: place.open()).run()
    #expect(report.value == Self.expected)
    #expect(report.from == version && report.to == 3)
    #expect(report.stages.map(\.from) == Array(version..<3))
    let stored = try #require(try place.open().data(for: "person"))
    #expect(String(decoding: stored, as: UTF8.self) == Person.fixtures[3])
    let backup = try #require(report.backup)
    #expect(try place.open().data(for: backup.name) == Array(fixture.utf8))
  }

  @Test(arguments: [nil, "version"])
  func `a current person is given back and nothing is written (B3, D3)`(marker: String?) throws {
    let store = CountingStore(["person": Array(try #require(Person.fixtures[3]).utf8)])
    let report = try Person.migration(in: store, marker: marker).run()
    #expect(report.value == Self.expected)
    #expect(report.steps.isEmpty && report.backup == nil && !report.hasWritten)
    #expect(store.writes == 0)
  }

  @Test func `nothing stored is nothing to do, whatever stands under other names (B4, D6)`() throws {
    let store = CountingStore(["other": Array(try #require(UserProfile.fixtures[1]).utf8)])
    let report = try Person.migration(in: store).run()
    #expect(report.value == nil && report.from == nil && report.steps.isEmpty && report.backup == nil)
    #expect(store.writes == 0)
    guard case .nothingStored = try Person.migration(in: store).state() else { return #expect(Bool(false)) }
  }

  @Test func `the steps run in order, however they were given, and each sees only the one before (B5, D5)`() throws {
    let seen = Noted<String>()
    let migrator = try ModelMigrator(
      model: "m", version: 3, versioning: ModelVersioning(marker: "v", unmarked: 0),
      steps: [2, 0, 1].map { from in
        ModelStep(from: from, "step \(from)") { value in
          seen.add("\(from): \(value["trail"]?.stringValue ?? "")")
          value.set(.string((value["trail"]?.stringValue ?? "") + "\(from)"), at: "trail")
        }
      })
    #expect(try migrator.migrated(try JSONText(#"{"trail":""}"#).value).text() == #"{"trail":"012","v":3}"#)
    #expect(seen.all == ["0: ", "1: 0", "2: 01"])
  }

  @Test func `whether a migration is pending, has ended or has failed can be observed (B6)`() throws {
    let store = MemoryDataStore(["person": Array(try #require(Person.fixtures[1]).utf8)])
    let events = Noted<String>()
    let migration = try Person.migration(in: store) { event in
      switch event {
      case .began(let from, let to): events.add("began \(from) \(to)")
      case .stepped(let from, _): events.add("step \(from)")
      case .backedUp(let backup): events.add("backup \(backup.version ?? -1)")
      case .ended(let from, let to): events.add("ended \(from ?? -1) \(to ?? -1)")
      case .failed: events.add("failed")
      }
    }
    guard case .pending(1, 3) = migration.state() else { return #expect(Bool(false)) }
    try migration.run()
    #expect(events.all == ["began 1 3", "step 1", "step 2", "backup 1", "ended 1 3"])
    guard case .current = migration.state() else { return #expect(Bool(false), "expected the person to be current") }
    try store.set(Array("garbage".utf8), for: "person")
    #expect(throws: ModelMigrationError.self) { try migration.run() }
    #expect(events.all.last == "failed")
    guard case .failed(let error) = migration.state(), case .corrupt = error.reason, error.cause is JSONError else {
      return #expect(Bool(false))
    }
  }

  @Test func `adding, renaming, removing, retyping and moving are declared, and say what they do (B8)`() throws {
    let cases: [(ModelOperation, String, String, String)] = [
      (.add("email", "---"), #"{"a":1}"#, #"{"a":1,"email":"---"}"#, #"add email: "---""#),
      (.add("email", "---"), #"{"email":"x"}"#, #"{"email":"x"}"#, #"add email: "---""#),
      (.rename("name", to: "alias"), #"{"name":"J","b":1.0}"#, #"{"alias":"J","b":1.0}"#, "rename name → alias"),
      (.remove("age"), #"{"age":"23","b":1}"#, #"{"b":1}"#, "remove age"),
      (.retype("age", to: .number), #"{"age":"23"}"#, #"{"age":23}"#, "age → number"),
      (.retype("age", to: .number, otherwise: nil), #"{"b":1}"#, #"{"b":1}"#, "age → number"),
      (.retype("age", to: .number, otherwise: 0), #"{"age":"old"}"#, #"{"age":0}"#, "age → number, else 0"),
      (.retype("on", to: .boolean), #"{"on":1}"#, #"{"on":true}"#, "on → boolean"),
      (
        .move("theme", to: "preferences.theme"), #"{"theme":"dark"}"#, #"{"preferences":{"theme":"dark"}}"#,
        "move theme → preferences.theme"
      ),
    ]
    for (operation, before, after, title) in cases {
      var value = try JSONText(before).value
      try operation(&value)
      #expect(value.text() == after)
      #expect(operation.title == title)
    }
  }

  @Test func `what cannot be done is an error that names the place (B8)`() throws {
    let cases: [(ModelOperation, String, String)] = [
      (.rename("name", to: "alias"), "{}", "“name” is not there"),
      (.rename("name", to: "alias"), #"{"name":1,"alias":2}"#, "“alias” is there already"),
      (.add("a.b", 1), #"{"a":1}"#, "“a.b” would be in something that is not an object"),
      (.retype("age", to: .number), #"{"age":"old"}"#, "“age” is of type string and cannot be said as number"),
      (.move("a", to: "b"), "{}", "“a” is not there"),
      (.move("a", to: "b"), #"{"a":1,"b":2}"#, "“b” is there already"),
    ]
    for (operation, before, expected) in cases {
      var value = try JSONText(before).value
      #expect(throws: StorageProblem(expected)) { try operation(&value) }
    }
  }

  @Test func `once migrated, a start reads the model and writes nothing more (B9, D8)`() throws {
    let store = CountingStore(["person": Array(try #require(Person.fixtures[0]).utf8)])
    try Person.migration(in: store).run()
    let writes = store.writes
    #expect(writes == 2)
    let second = try Person.migration(in: store).run()
    #expect(second.value == Self.expected && !second.hasWritten)
    #expect(store.writes == writes)
  }

  @Test func `a person of version 2 is not taken for version 3, and a stranger for none (B2)`() throws {
    let migrator = try Person.migrator()
    #expect(Set(Person.fixtures.keys) == Set(migrator.versions))
    for (version, fixture) in Person.fixtures { #expect(try migrator.version(of: JSONText(fixture).value) == version) }
    for stranger in [#"{"hello":1}"#, #"{"name":"J","alias":"J","age":"1"}"#, "[]", "7"] {
      #expect(throws: ModelError.self) { try migrator.version(of: JSONText(stranger).value) }
    }
    let marked = try Person.migrator(marker: "version")
    let future = #expect(throws: ModelError.self) {
      try marked.version(of: JSONText(#"{"alias":"J","email":"x","version":4}"#).value)
    }
    #expect(future?.reason == .newer(found: 4, known: 3))
  }
}

/// The versioned person of the example, as the recipe `person` has it, with a marker or without.
enum Person {
  struct Current: Codable, Hashable {
    var alias: String
    var email: String
  }

  static let fixtures = ModelFixtures.of("person")

  static func migrator(marker: String? = nil) throws -> ModelMigrator {
    let person = try #require(Recipe.person.rules.first?.model).migrator
    let shapes = person.versioning.shapes
    return try ModelMigrator(
      model: person.model, version: person.version,
      versioning: marker.map { ModelVersioning(marker: $0, shapes: shapes) } ?? ModelVersioning(shapes: shapes),
      steps: person.steps)
  }

  static func migration(
    in store: any ByteStore, marker: String? = nil, backups: (any ByteStore)? = nil,
    observe: @escaping @Sendable (ModelEvent) -> Void = { _ in }
  ) throws -> ModelMigration<Current> {
    ModelMigration(
      Current.self, try migrator(marker: marker), of: "person", in: store, backups: backups, observe: observe)
  }
}
