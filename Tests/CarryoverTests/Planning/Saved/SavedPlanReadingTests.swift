@Suite("Saved plans that are no saved plans") struct SavedPlanReadingTests {
  private let sample = SavedSample(
    app: .with([:]),
    options: PlannerOptions(
      parameters: [RecipeParameter.writeKey.name: LegacyApp.writeKey], targetSDK: SDKVersion("1.1.0")),
    decisions: ["anonymous_id": .edit("x")])

  private func damage(_ document: JSONValue) -> DocumentDamage? {
    let error = thrown { () throws(SavedPlanError) in try SavedPlans(json: Array(document.text().utf8), path: "p") }
    return if case .damaged("p", let damage) = error { damage } else { nil }
  }

  /// Without the place in a list, of which `replacing` enters the first element.
  private func way(to member: String) -> [String] {
    member.split(separator: ".").map { name in String(name.prefix { $0 != "[" }) }
  }

  @Test func `every member that is missing is named`() throws {
    let document = try sample.document()
    for member in [
      "tool", "recipe", "recipe.id", "recipe.version", "container", "container.kind", "milliseconds", "request",
      "request.container", "request.allowed", "fields", "fields[0].id", "fields[0].legacy", "fields[0].proposed",
      "fields[0].current", "fields[0].status", "decisions", "decisions[0].field", "decisions[0].decision",
      "decisions[0].value", "basis", "basis[0].store", "basis[0].key", "basis[0].value",
    ] {
      #expect(damage(document.replacing(way(to: member), with: nil)) == .member(member))
    }
  }

  @Test func `every member that is something else is named`() throws {
    let document = try sample.document()
    let cases: [(String, [JSONValue])] = [
      ("tool", [.null, 1, []]),
      ("recipe", [.null, "rudderstack-objc", []]),
      ("recipe.id", [.null, 1]),
      ("recipe.version", [.null, "1", -1, 1.5, .number(JSONNumber(lexeme: "99999999999999999999") ?? JSONNumber(0))]),
      ("recipe.title", [1, []]),
      ("container", [.null, "x"]),
      ("container.kind", [.null, 1, "zip"]),
      ("container.bundleID", [1, "../x", "a/b", ""]),
      ("target", [1, [:]]),
      ("milliseconds", [.null, 1, "", "1.5", "99999999999999999999", "now"]),
      ("request", [.null, []]),
      ("request.container", [.null, 1, "", "a\0b"]),
      ("request.bundleID", [1, "../x"]),
      ("request.stateDirectory", [1, "", "\0"]),
      ("request.writeKey", [1, "", "../../x", "a/b"]),
      ("request.targetSDK", [1, "", "1.x", "1.2.3.4.5"]),
      ("request.allowed", [.null, "consent.opted-out"]),
      ("request.allowed[0]", [[1], ["no.such-code"]]),
      ("fields", [.null, [:], "x"]),
      ("fields[0].id", [.null, 1]),
      ("fields[0].legacy", ["x", [], [:], ["type": "integer"], ["type": "number", "value": "1"]]),
      ("fields[0].proposed", [1, ["type": "boolean", "value": "yes"], ["type": "integer", "value": "0x1"]]),
      (
        "fields[0].current",
        [true, ["type": "data", "value": "*"], ["type": "string", "value": "a", "binary": "AAAA"]]
      ),
      ("fields[0].status", [.null, "done"]),
      ("decisions", [.null, [:], "x"]),
      ("decisions[0].field", [.null, 1, "no_such_field"]),
      ("decisions[0].decision", [.null, 1, "write"]),
      ("decisions[0].value", [.null, "x", ["type": "integer", "value": "x"]]),
      ("basis", [.null, [:]]),
      ("basis[0].store", [.null, 1]),
      ("basis[0].key", [.null, []]),
      (
        "basis[0].value",
        [
          "x", [], ["type": "string", "size": -1, "sha256": .string(String(repeating: "0", count: 64))],
          ["type": "string", "size": 1, "sha256": "short"], ["type": "string", "size": "1", "sha256": 1],
          ["size": 1, "sha256": .string(String(repeating: "0", count: 64))],
        ]
      ),
    ]
    for (member, values) in cases {
      for value in values {
        let result = damage(document.replacing(way(to: member), with: value))
        #expect(result == .member(member), "\(member): \(value.text())")
      }
    }
  }

  @Test func `a list of something else than objects, a field twice, a field decided twice`() throws {
    let document = try sample.document()
    for member in ["fields", "decisions", "basis"] {
      let elements = try #require(document[member]?.elements)
      for before in [[], Array(elements.prefix(1))] {
        let result = damage(document.replacing([member], with: .array(before + ["x"])))
        guard case .member(let name)? = result else { return #expect(Bool(false), "\(member)") }
        #expect(name.hasPrefix("\(member)[\(before.count)]."))
      }
      let doubled = damage(document.replacing([member], with: .array(elements + elements.prefix(1))))
      let again = "decisions[\(elements.count)].field"
      #expect(doubled == ["fields": .member("fields"), "decisions": .member(again)][member])
    }
  }

  @Test func `a later schema is refused by its name, another form by its own, and no JSON by its place`() throws {
    let document = try sample.document()
    #expect(damage(document.replacing(["schema"], with: "carryover.plan/2")) == .laterSchema("carryover.plan/2"))
    #expect(damage(document.replacing(["schema"], with: "carryover.run/1")) == .otherForm("carryover.run/1"))
    for schema in [JSONValue.null, 1, []] {
      #expect(damage(document.replacing(["schema"], with: schema)) == .otherForm(nil))
    }
    for other in [JSONValue.array([]), "x", .null, [:]] { #expect(damage(other) == .otherForm(nil)) }
    let bytes = try sample.bytes()
    for bytes in [[], Array(bytes.dropLast(3)), [0xFF], Array("{\"schema\": \"carryover.plan/1\"".utf8)] {
      #expect(throws: SavedPlanError.self) { try SavedPlans(json: bytes, path: "p").first }
    }
    let deep = Array((String(repeating: "[", count: 100_000)).utf8)
    #expect(throws: SavedPlanError.self) { try SavedPlans(json: deep, path: "p").first }
  }

  @Test func `what is meant to be a saved plan is told by its content`() throws {
    let bytes = try sample.bytes()
    #expect(SavedPlans.isSavedPlan(bytes))
    #expect(SavedPlans.isSavedPlan(Array(" \n\t".utf8) + bytes))
    #expect(SavedPlans.isSavedPlan(Array(bytes.dropLast(100))), "cut off")
    #expect(SavedPlans.isSavedPlan(Array(#"{"schema":"carryover.plan/9"}"#.utf8)))
    for text in [
      "", "{}", "[]", #"{"schema":"carryover.report/1"}"#, #"{"schema":1}"#, #""carryover.plan/1""#, "bplist00",
      #"{"note":"carryover.plan/1"}"#, "<?xml \"carryover.plan/1\"",
    ] {
      #expect(!SavedPlans.isSavedPlan(Array(text.utf8)), "\(text)")
    }
  }

  @Test func `whatever is done to it, a document is read or refused, and never trusted but for its values`() throws {
    var random = SeededGenerator(seed: 11)
    let bytes = try sample.bytes()
    let container = try sample.app.container()
    var refused = 0
    for _ in 0..<400 {
      var copy = bytes
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: 0..<copy.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: copy[place] = UInt8.random(in: 0...255, using: &random)
        case 1: copy.remove(at: place)
        case 2: copy.insert(contentsOf: copy[place..<min(copy.count, place + 40)], at: place)
        default: copy.removeSubrange(place...)
        }
        if copy.isEmpty { copy = [0] }
      }
      _ = SavedPlans.isSavedPlan(copy)
      do throws(SavedPlanError) {
        let saved = try SavedPlans(json: copy, path: "p").first
        let (plan, changes) = try SavedSample.carryOut(saved, on: container)
        // What gets this far writes the recipe's proposals and the decisions, nothing else.
        #expect(changes == plan.changes(saved.decisions))
        for change in changes where saved.decisions[change.key] == nil {
          #expect(change.after == plan.field(change.key)?.proposed)
        }
      } catch {
        #expect(!error.description.isEmpty)
        refused += 1
      }
    }
    #expect(refused > 100)
  }

  @Test func `a few bytes that would unfold into very many values are refused`() throws {
    // Twelve arrays, each of which holds the next one three times, and a string at the end.
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for index in UInt8(0)..<12 {
      offsets.append(UInt8(bytes.count))
      bytes += [0xA3, index + 1, index + 1, index + 1]
    }
    offsets.append(UInt8(bytes.count))
    bytes += [0x51, 0x61]
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 13] + [0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 0, 0, table]
    let unfolding: JSONValue = ["type": "array", "value": .null, "binary": .string(Base64.text(bytes))]
    let document = try sample.document()
    #expect(damage(document.replacing(["basis", "value"], with: unfolding)) == .member("basis[0].value"))
    #expect(damage(document.replacing(["decisions", "value"], with: unfolding)) == .member("decisions[0].value"))
    // It is what unfolds that is refused: with an empty array at the root, the rest is sound.
    bytes[8] = 0xA0
    let sound: JSONValue = ["type": "array", "value": .null, "binary": .string(Base64.text(bytes))]
    #expect(damage(document.replacing(["basis", "value"], with: sound)) == nil)
  }
}

@Suite("Saved plans come back as they were") struct SavedPlanRoundTripTests {
  /// What a key may hold: sound, odd, long, and what JSON alone cannot say.
  private static let values: [PropertyListValue?] = [
    nil, "", "text", "420", 0, 1, -5, 1_763_640_000, true, false, 1.5, .real(PropertyListReal(.nan)), [], [:], ["a": 1],
    .data([0, 255]), .date(PropertyListDate(secondsSince2001: 0.25)), .uid(3), "\u{202E}e\u{301}\0",
    .string(String(repeating: "long ", count: 14_000)), ["k": 1, "l": [.data([1])]],
    #"{"anonymousId":"a","userId":12345678901234567890123,"x":1.50}"#, #"{"userId":1e400}"#, #"{"userId":null}"#,
    #"{"userId":1.50}"#, #"{"userId":"u","id":3}"#, "{",
  ]
  private static let targetKeys = Recipe.rudderStackObjC.rules.map(\.target)

  private static func generate(_ random: inout some RandomNumberGenerator) -> SavedSample {
    func store(_ keys: [String]) -> PropertyListDictionary {
      var store: PropertyListDictionary = [:]
      for key in keys where Bool.random(using: &random) {
        if let value = values.randomElement(using: &random) { store[key] = value }
      }
      return store
    }
    let legacyKeys = Recipe.rudderStackObjC.knownKeys.sorted().map(\.text) + ["rl_unknown", "other"]
    var app = LegacyApp(standard: store(legacyKeys), file: nil, target: nil)
    if Bool.random(using: &random) { app.target = store(targetKeys + ["other"]) }
    var sample = SavedSample(app: app)
    if Bool.random(using: &random) { sample.options.allowed = [.consentOptedOut] }
    if Bool.random(using: &random) { sample.options.targetSDK = SDKVersion("1.1.0") }
    let edits: [Decision] = [.migrate, .accept, .skip, .keep, .omit, .edit("x\u{202E}"), .edit(7), .edit(true)]
    for key in targetKeys where Bool.random(using: &random) {
      sample.decisions[key] = edits.randomElement(using: &random)
    }
    return sample
  }

  @Test func `generated plans: the document reads as the plan, which fits its container (F7)`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<60 {
      let sample = Self.generate(&random)
      let container = try sample.app.container()
      let plan = try sample.app.plan(options: sample.options)
      let saved = try sample.saved()
      #expect(
        saved
          == SavedPlan(
            plan, request: PlanRequest(container, options: sample.options), decisions: sample.decisions, tool: "0.1.0"))
      let again = try SavedSample.carryOut(saved, on: sample.app, allowing: sample.options.allowed)
      #expect(again.plan == plan)
      #expect(again.changes == plan.changes(sample.decisions))
    }
  }

  @Test func `the same plan gives the same bytes, and they are one JSON document`() throws {
    let sample = SavedSample(app: .with([:]), decisions: ["user_id": .edit("43"), "traits": .skip])
    let bytes = try sample.bytes()
    #expect(try sample.bytes() == bytes)
    #expect(SavedPlans.isSavedPlan(bytes))
    let document = try JSONText(bytes: bytes).value
    #expect(document["schema"] == "carryover.plan/1")
    #expect(document["now"] == "2025-11-20T12:05:00Z")
    #expect(document["request"]?["writeKey"] == "WK")
    #expect(document["decisions"]?.elements?.count == 2)
    #expect(document["basis"]?.elements?.isEmpty == false)
  }

  @Test func `members and spaces in another order, and members that nobody knows, make no difference`() throws {
    let sample = SavedSample(app: .traits(#"{"userId":1.50}"#), decisions: ["user_id": .edit("43")])
    func turned(_ value: JSONValue) -> JSONValue {
      switch value {
      case .object(let members):
        .object(members.reversed().map { JSONMember($0.name, turned($0.value)) } + [JSONMember("later", [1, .null])])
      case .array(let elements): .array(elements.map(turned))
      default: value
      }
    }
    // The members of a dictionary are keys, so this sample has none.
    let saved = try SavedPlans(json: Array(turned(try sample.document()).text().utf8), path: "x").first
    #expect(saved == (try sample.saved()))
    try SavedSample.carryOut(saved, on: sample.app)
  }

  @Test func `secrets and long values are kept as a summary, which tells a change all the same`() throws {
    let secret = "sEcReT-\(LegacyApp.anonymousID)"
    let long = String(repeating: "ü", count: 40_000)
    var app = LegacyApp.with(["rl_auth_token": .string(secret), "rl_external_id": .string(long)])
    let sample = SavedSample(app: app)
    #expect(!String(decoding: try sample.bytes(), as: UTF8.self).contains(secret))
    let saved = try sample.saved()
    func value(_ key: String) -> SavedValue? {
      saved.basis.first { $0.place == KeyPlace(file: LegacyApp.standardPath, key: key) }?.value
    }
    guard case .summary(.string, _)? = value("rl_auth_token"),
      case .summary(.string, let digest)? = value("rl_external_id")
    else {
      Issue.record("they are no summaries")
      return
    }
    #expect(digest.size > SavedValue.longest)
    try SavedSample.carryOut(saved, on: app)
    for (key, other) in [("rl_auth_token", secret + "x"), ("rl_external_id", "v" + long.dropFirst())] {
      app = sample.app
      app.standard?[key] = .string(other)
      #expect(throws: SavedPlanError.stale([KeyPlace(file: LegacyApp.standardPath, key: key)])) {
        try SavedSample.carryOut(saved, on: app)
      }
    }
  }

  @Test func `a number of JSON text keeps its own text, and is no change`() throws {
    for number in ["12345678901234567890123", "1.50", "1e400", "-0", "1E5", "42"] {
      let app = LegacyApp.traits(#"{"userId":\#(number)}"#)
      let sample = SavedSample(app: app)
      let field = try #require(try sample.document()["fields"]?.elements?.first { $0["id"] == "user_id" })
      if number != "1e400" { #expect(field["legacy"]?["value"] == .string(number)) }
      try SavedSample.carryOut(try sample.saved(), on: app)
    }
  }
}

struct SavedSample {
  var app: LegacyApp
  var options = PlannerOptions(writeKey: LegacyApp.writeKey)
  var decisions: Decisions = [:]

  func document() throws -> JSONValue {
    let container = try app.container()
    return SavedPlan.json(
      try app.plan(options: options), request: PlanRequest(container, options: options), decisions: decisions,
      tool: "0.1.0")
  }

  func bytes() throws -> [UInt8] { Array(try document().text(pretty: true).utf8) }

  func saved() throws -> SavedPlan { try SavedPlans(json: bytes(), path: "plan.json").first }

  @discardableResult
  static func carryOut(
    _ saved: SavedPlan, on app: LegacyApp, settled: [StringByBytes: SettledField] = [:], overriding: Decisions = [:],
    allowing allowed: Set<FindingCode> = []
  ) throws -> (plan: Plan, changes: [KeyChange]) {
    try carryOut(saved, on: try app.container(), settled: settled, overriding: overriding, allowing: allowed)
  }

  @discardableResult
  static func carryOut(
    _ saved: SavedPlan, on container: Container, settled: [StringByBytes: SettledField] = [:],
    overriding: Decisions = [:],
    allowing allowed: Set<FindingCode> = []
  ) throws(SavedPlanError) -> (plan: Plan, changes: [KeyChange]) {
    let plan = try saved.plan(container, by: .rudderStackObjC, settled: settled, allowing: allowed)
    let decisions = saved.decisions.merging(overriding)
    try saved.check(plan, in: container, decisions: decisions)
    return (plan, plan.changes(decisions))
  }

  static func written(_ changes: [KeyChange], to target: PropertyListDictionary?) -> PropertyListDictionary {
    var target = target ?? [:]
    for change in changes { target[change.key] = change.after }
    return target
  }
}

extension JSONValue {
  /// The value with another one, or none, at the end of a way of member names; a list is entered at its first element.
  func replacing(_ way: some Collection<String>, with value: JSONValue?) -> JSONValue {
    switch self {
    case .array(var elements):
      guard let first = elements.first else { return self }
      elements[0] = first.replacing(way, with: value)
      return .array(elements)
    case .object(let members):
      guard let name = way.first else { return value ?? .null }
      return .object(
        members.compactMap { member in
          guard member.name == name else { return member }
          guard way.count == 1 else { return JSONMember(name, member.value.replacing(way.dropFirst(), with: value)) }
          return value.map { JSONMember(name, $0) }
        })
    default: return self
    }
  }
}
