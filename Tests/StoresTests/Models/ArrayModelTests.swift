import CarryoverStorage
import PropertyLists
import Testing

@Suite("Models that are arrays, and operations on elements")
struct ArrayModelTests {
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

  @Test("every element runs through every step, is identified by its members, and gets the marker (B12)")
  func marked() throws {
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

  @Test("the version beside an array counts, and elements may be of any type then (B12)")
  func beside() throws {
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

  @Test("an empty array whose version is beside it gets its number, so that later elements keep their version (B12)")
  func emptyBeside() throws {
    let migrator = try migrator(ModelVersioning(beside: .schemaVersion, unmarked: 0).ofElements())
    let store = CountingStore(["orders": Array("[]".utf8)])
    let migration = ModelMigration(migrator, of: "orders", in: store) { $0 }
    try migration.run()
    #expect(try store.integer(for: "orders_schema_version") == 2)
    try store.set(Array(new.utf8), for: "orders")
    #expect(try migration.run().hasWritten == false)
    #expect(try store.data(for: "orders") == Array(new.utf8))
  }

  @Test("a step that makes an array of an object, or the other way round, is refused before anything is written (B12)")
  func otherKind() throws {
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
      guard case .model(.stepMissed(from: 0, title: "odd")) = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(store.writes == 0)
    }
  }

  @Test("an empty array is current; elements of several versions, and other types, are refused (B12)")
  func odd() throws {
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

  @Test("operations on elements need an array, and leave what is not there (B12)")
  func missing() throws {
    var value: JSONValue = ["a": 1]
    try ModelOperation.each(of: "b", [.remove("x")])(&value)
    #expect(value == ["a": 1])
    #expect(throws: ModelOperationError.noArray("a")) { try ModelOperation.each(of: "a", [.remove("x")])(&value) }
    #expect(throws: ModelOperationError.noArray(nil)) { try ModelOperation.each([.remove("x")])(&value) }
    #expect("\(ModelOperationError.noArray("a")), \(ModelOperationError.noArray(nil))".contains("“a” is not an array"))
  }

  @Test(
    "a value becomes an object with it under a name, in its place, whatever it is (D17)",
    arguments: [
      (#"{"a":1,"home":"Main St 1","z":0}"#, #"{"a":1,"home":{"street":"Main St 1"},"z":0}"#),
      (#"{"home":1.50}"#, #"{"home":{"street":1.50}}"#), (#"{"home":null}"#, #"{"home":{"street":null}}"#),
      (#"{"home":{"b":[]}}"#, #"{"home":{"street":{"b":[]}}}"#), (#"{"a":1}"#, #"{"a":1}"#), ("[]", "[]"),
    ])
  func wrapped(old: String, new: String) throws {
    var value = try JSONText(old).value
    try ModelOperation.wrap("home", in: "street")(&value)
    #expect(value.text() == new)
  }

  @Test("a step that does so is declared: it has a title, and tells that the type changed (D17)")
  func declared() throws {
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
