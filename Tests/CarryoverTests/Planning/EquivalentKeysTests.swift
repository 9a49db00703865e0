@testable import Carryover

@Suite("Keys that Unicode calls equivalent") struct EquivalentKeysTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"
  private static let source = "Library/Preferences/com.example.app.plist"
  private static let target = "Library/Preferences/com.example.app.new.plist"
  private static let now = Moment(secondsSince1970: 1_763_640_300)

  private struct App {
    let fileSystem = MemoryFileSystem()
    var recipe: Recipe
    var migrator: Migrator { fileSystem.migrator }

    init(_ recipe: Recipe, _ keys: PropertyListDictionary) throws {
      self.recipe = recipe
      try put(EquivalentKeysTests.source, keys)
    }

    func put(_ path: String, _ keys: PropertyListDictionary) throws {
      fileSystem.put("/box/" + path, try PropertyListDocument.encode(.dictionary(keys), as: .binary), mode: 0o600)
    }

    func keys(_ path: String) -> PropertyListDictionary? {
      fileSystem.bytes("/box/" + path).flatMap { try? PropertyListDocument(bytes: $0).dictionary }
    }

    var container: Container {
      let paths = [EquivalentKeysTests.source, EquivalentKeysTests.target]
      return Container(fileSystem.stores(paths), bundleID: "com.example.app")
    }

    func plan() throws -> Plan {
      try migrator.plan(container, with: recipe, now: EquivalentKeysTests.now, options: PlannerOptions(parameters: [:]))
    }

    @discardableResult
    func apply(_ decisions: Decisions = [:]) throws -> RunReport {
      try migrator.apply(try plan(), decisions: decisions, in: container)
    }
  }

  private static func rule(_ target: String, _ source: String, member: String? = nil) -> FieldRule {
    FieldRule(target: target, group: .other, form: .string, candidates: [Candidate(SourceKey(source, member: member))])
  }

  private static func recipe(_ rules: [FieldRule], marks: [String] = ["mark"], prefixes: [String] = []) -> Recipe {
    Recipe(
      reference: RecipeReference(id: "acme", version: 1, title: "Acme"), target: .plist([.text(target)]),
      sources: [.suite(.app)], rules: rules, legacyPrefixes: prefixes, marks: marks)
  }

  private static var family: Recipe {
    var each = rule("new_${each}", "flag_${each}")
    each.forEach = "flag_*"
    return recipe([each], prefixes: ["flag_"])
  }

  private static let flags: PropertyListDictionary = ["flag_caf\u{E9}": "one", "flag_cafe\u{301}": "two", "app": 1]

  @Test func `a field gets the value of its own key, is written under its own key, and is checked against it`() throws {
    let rules = [
      Self.rule("one_" + Self.composed, Self.composed), Self.rule("two_" + Self.decomposed, Self.decomposed),
    ]
    for keys: PropertyListDictionary in [
      ["caf\u{E9}": "composed", "cafe\u{301}": "decomposed"], ["cafe\u{301}": "decomposed", "caf\u{E9}": "composed"],
    ] {
      let app = try App(Self.recipe(rules), keys)
      #expect(try app.plan().fields.map(\.proposed) == ["composed", "decomposed"])
      #expect(Set(try app.plan().basis.map { KeyPlace(file: $0.store, key: $0.key) }).count == 4)
      // Values that look like the target's own are not taken for it.
      try app.put(Self.target, ["one_" + Self.decomposed: "own", "two_" + Self.composed: "own"])
      #expect(try app.plan().fields.map(\.status) == [.ready, .ready])
      try app.apply()
      #expect(app.keys(Self.target)?["one_" + Self.composed] == "composed")
      #expect(app.keys(Self.target)?["two_" + Self.decomposed] == "decomposed")
      #expect(app.keys(Self.target)?["one_" + Self.decomposed] == "own" && app.keys(Self.target)?.count == 4)
      #expect(try app.apply().runID == nil)
      _ = try app.migrator.rollback(in: app.container)
      #expect(app.keys(Self.target)?.keys.count == 2)
    }
  }

  @Test func `a key of other bytes is not the recipe's: no value, evidence or trial, but a row of its own`() throws {
    let recipe = Self.recipe([Self.rule("id", Self.composed)], marks: [Self.composed], prefixes: ["caf"])
    let app = try App(recipe, [Self.decomposed: "x", Self.decomposed + "2": "y"])
    let plan = try app.plan()
    #expect(plan.field("id")?.status == .absent && plan.changes([:]).isEmpty)
    #expect(RecipeDetection(app.container, among: [recipe]).evidence.isEmpty)
    #expect(plan.dropped.map { Array($0.key.utf8) } == [Self.decomposed, Self.decomposed + "2"].map { Array($0.utf8) })
    let trials = Planner(recipe).trials(app.container, now: Self.now, options: PlannerOptions(parameters: [:]))
    #expect(trials.map { $0.map(\.outcome) } == [[.absent]])
    let both = try App(recipe, [Self.decomposed: "x", Self.composed: "y"])
    #expect(RecipeDetection(both.container, among: [recipe]).evidence.first?.keys.count == 1)
    #expect(try both.plan().field("id")?.proposed == "y" && both.plan().dropped.map(\.key).count == 1)
  }

  @Test func `for-each makes two fields, which are decided, saved, applied, listed and rolled back singly`() throws {
    let app = try App(Self.family, Self.flags)
    let plan = try app.plan()
    let (one, two) = ("new_" + Self.composed, "new_" + Self.decomposed)
    #expect(plan.fields.count == 2 && plan.dropped.isEmpty)
    #expect(plan.field(one)?.proposed == "one" && plan.field(two)?.proposed == "two")
    let request = PlanRequest(app.container, options: PlannerOptions(parameters: [:]))
    let decisions: Decisions = [one: .skip, two: .edit("three")]
    #expect(decisions.count == 2 && decisions[one] == .skip && decisions[two] == .edit("three"))
    let json = SavedPlan.json(plan, request: request, decisions: decisions, tool: "0")
    #expect(json["fields"]?.elements?.count == 2 && json["decisions"]?.elements?.count == 2)
    let saved = try SavedPlans(json: Array(json.text().utf8), path: "p.json").first
    #expect(saved.decisions == decisions)
    try saved.check(try saved.plan(app.container, by: app.recipe), in: app.container, decisions: saved.decisions)
    try app.apply(decisions)
    #expect(app.keys(Self.target)?[one] == nil && app.keys(Self.target)?[two] == "three")
    _ = try app.migrator.rollback(in: app.container)
    let run = try app.apply()
    #expect(app.keys(Self.target)?[one] == "one" && app.keys(Self.target)?[two] == "two")
    #expect(try app.plan().fields.map(\.status) == [.unchanged, .unchanged])
    // One of both is rolled back, and the other one still stands.
    let place = KeyPlace(file: Self.target, key: two)
    let back = try app.migrator.rollbackPlan(in: app.container)
    #expect(back.entries.count == 2)
    _ = try app.migrator.rollback(back, only: [place], in: app.container)
    #expect(app.keys(Self.target)?[one] == "one" && app.keys(Self.target)?[two] == nil)
    let left = try app.migrator.rollbackPlan(in: app.container, runID: run.runID)
    #expect(left.entries.filter { $0.state == .restorable }.map { Array($0.id.key.utf8) } == [Array(one.utf8)])
    #expect(try app.plan().field(two)?.findings.map(\.code) == [.targetRolledBack])
  }

  @Test func `a change of one key makes its field stale only, and a cleanup removes the target's key`() throws {
    let app = try App(Self.recipe([Self.rule("id", Self.composed)]), [Self.composed: "x", Self.decomposed: "y"])
    let plan = try app.plan()
    try app.put(Self.source, [Self.decomposed: "z", Self.composed: "x"])
    _ = try app.migrator.apply(plan, decisions: [:], in: app.container)
    #expect(app.keys(Self.target) == ["id": "x"])
    let cleanup = Planner(app.recipe).cleanupPlan(app.container, now: Self.now)
    _ = try app.migrator.cleanup(cleanup, in: app.container)
    #expect(app.keys(Self.source) == [Self.decomposed: "z"])
    let removed = try app.migrator.removedByCleanups(in: app.container)
    #expect(removed[KeyPlace(file: Self.source, key: Self.composed)] == "x" && removed.count == 1)
    #expect(removed[KeyPlace(file: Self.source, key: Self.decomposed)] == nil)
    let changed = try App(Self.recipe([Self.rule("id", Self.composed)]), [Self.composed: "x", Self.decomposed: "y"])
    let stale = try changed.plan()
    try changed.put(Self.source, [Self.composed: "y", Self.decomposed: "y"])
    #expect(throws: RunError.self) { try changed.migrator.apply(stale, decisions: [:], in: changed.container) }
  }

  @Test func `members of JSON text, conditions and opt-outs are told apart in the same way`() throws {
    let text = #"{"\#(Self.decomposed)":"decomposed","\#(Self.composed)":"composed"}"#
    var tested = Self.rule("tested", "other")
    tested.candidates[0].conditions = [Condition(.present(true), key: Self.composed)]
    var recipe = Self.recipe([
      Self.rule("one", "json", member: Self.composed), Self.rule("two", "json", member: Self.decomposed), tested,
    ])
    recipe.optOutKeys = ["out_" + Self.composed]
    let app = try App(
      recipe, ["json": .string(text), "other": "x", Self.decomposed: 1, "out_" + Self.decomposed: true])
    let plan = try app.plan()
    #expect(plan.fields.map(\.proposed) == ["composed", "decomposed", nil])
    #expect(plan.blockers.isEmpty)
    let one = try App(recipe, ["json": .string(#"{"\#(Self.decomposed)":"decomposed"}"#)]).plan()
    #expect(one.field("one")?.status == .absent && one.field("two")?.proposed == "decomposed")
  }

  @Test func `a record of two files with such names is read; one with a file twice is not`() throws {
    func files(_ paths: [String]) throws -> [RecordedFile] {
      let files = paths.map { path -> JSONValue in
        ["path": .string(path), "before": "absent", "after": "absent", "folders": []]
      }
      let record: JSONValue = ["files": .array(files)]
      return try RecordReader(Array(record.text().utf8), path: "record.json").files("files")
    }
    #expect(try files(["a/" + Self.composed, "a/" + Self.decomposed]).count == 2)
    #expect(throws: RunError.self) { try files(["a/" + Self.composed, "a/" + Self.composed]) }
  }

  @Test func `two files with such names are two stores, and each source reads its own`() throws {
    let paths = [Self.composed, Self.decomposed].map { "Library/\($0).dat" }
    var recipe = Self.recipe([Self.rule("one", "a"), Self.rule("two", "b")])
    recipe.sources = zip(paths, ["a", "b"]).map { .file([[.text($0)]], as: $1) }
    let stores = try zip(paths, ["first", "second"]).map { try Store($0, holding: .string($1)) }
    for stores in [stores, stores.reversed()] {
      let container = Container(stores, bundleID: "com.example.app")
      #expect(Planner(recipe).plan(container, now: Self.now).fields.map(\.proposed) == ["first", "second"])
      #expect(container.store(paths[1])?.path.utf8.elementsEqual(paths[1].utf8) == true)
    }
    let places =
      paths.map { InspectedPath(store: $0) }
      + [Self.composed, Self.decomposed].map { InspectedPath(store: "a", labels: [.name($0)]) }
    #expect(Set(places).count == 4)
  }
}

/// JSON as an SDK decodes it, with Foundation's own decoder: every number is a `Decimal`.
private enum DecimalJSON: Decodable, Equatable {
  case null, boolean(Bool), number(Decimal), text(String), list([DecimalJSON]), object([String: DecimalJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Decimal.self) {
      self = .number(number)
    } else if let list = try? container.decode([DecimalJSON].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: DecimalJSON].self))
    }
  }
}

@Suite("Property lists with decimal numbers") struct DecimalPropertyListTests {
  private func result(_ json: String) throws -> PropertyListValue {
    try Transform.decimalPropertyList(.string(json), now: Moment(secondsSince1970: 0))
  }

  private func decoded(_ json: String) throws -> DecimalJSON {
    guard case .data(let bytes) = try result(json) else { throw CocoaError(.coderInvalidValue) }
    return try PropertyListDecoder().decode(DecimalJSON.self, from: Data(bytes))
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("41", "41"), ("-3", "-3"), ("1.5", "1.5"), ("100", "100"), ("1.50", "1.5"),
    ("12345678901234567", "12345678901234567"), ("18446744073709551616", "18446744073709551616"),
    ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"), ("1e2", "100"),
    ("1.5E-3", "0.0015"), ("-1e-127", "-1e-127"), ("1e127", "1e127"), ("0.1", "0.1"),
  ])
  func `Foundation's decoder reads every number exactly`(_ lexeme: String, _ value: String) throws {
    let number = try #require(Decimal(string: value))
    #expect(try decoded("{\"n\":\(lexeme)}") == .object(["n": .number(number)]))
  }

  @Test func `every other value is what it was, and of two members with one name the last counts`() throws {
    let json = #"{"a":null,"b":[true,"x",{"c":[]}],"d":{},"e":1,"e":"é"}"#
    #expect(
      try decoded(json)
        == .object([
          "a": .null, "b": .list([.boolean(true), .text("x"), .object(["c": .list([])])]), "d": .object([:]),
          "e": .text("é"),
        ]))
  }

  @Test(
    "a number that a Decimal cannot express, and text that is not a JSON object, have no result",
    arguments: [
      #"{"n":340282366920938463463374607431768211456}"#, #"{"n":1e128}"#, #"{"a":0.1e-9223372036854775808}"#,
      #"{"a":10e9223372036854775807}"#, #"{"n":1e-129}"#,
      #"{"n":1e99999999999999999999}"#, "[1]", "{", "",
    ])
  func refused(_ json: String) { #expect(throws: TransformFailure.self) { try result(json) } }

  @Test func `a property list with plain numbers is one that the decoder refuses`() throws {
    let plain = try PropertyListSerialization.data(fromPropertyList: ["n": 41], format: .binary, options: 0)
    #expect(throws: (any Error).self) { try PropertyListDecoder().decode([String: Decimal].self, from: plain) }
  }
}
