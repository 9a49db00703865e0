import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Saved plans come back as they were")
struct SavedPlanRoundTripTests {
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

  @Test("generated plans: the document reads as the plan, and the plan fits the container it was made from (F7)")
  func generated() throws {
    var random = Numbers(state: 7)
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

  @Test("the same plan gives the same bytes, and they are one JSON document")
  func deterministic() throws {
    let sample = SavedSample(app: .with([:]), decisions: ["user_id": .edit("43"), "traits": .skip])
    let bytes = try sample.bytes()
    #expect(try sample.bytes() == bytes)
    #expect(SavedPlan.isSavedPlan(bytes))
    let document = try JSONText(bytes: bytes).value
    #expect(document["schema"] == "carryover.plan/1")
    #expect(document["now"] == "2025-11-20T12:05:00Z")
    #expect(document["request"]?["writeKey"] == "WK")
    #expect(document["decisions"]?.elements?.count == 2)
    #expect(document["basis"]?.elements?.isEmpty == false)
  }

  @Test("members and spaces in another order, and members that nobody knows, make no difference")
  func otherOrder() throws {
    let sample = SavedSample(app: .traits(#"{"userId":1.50}"#), decisions: ["user_id": .edit("43")])
    func turned(_ value: JSONValue) -> JSONValue {
      switch value {
      case .object(let members):
        .object(members.reversed().map { JSONMember($0.name, turned($0.value)) } + [JSONMember("later", [1, nil])])
      case .array(let elements): .array(elements.map(turned))
      default: value
      }
    }
    // The members of a dictionary are keys, so this sample has none.
    let saved = try SavedPlan(json: Array(turned(try sample.document()).text().utf8), path: "x")
    #expect(saved == (try sample.saved()))
    try SavedSample.carryOut(saved, on: sample.app)
  }

  @Test("secrets and long values are kept as a summary, which tells a change all the same")
  func summaries() throws {
    let secret = "sEcReT-\(LegacyApp.anonymousID)"
    let long = String(repeating: "ü", count: 40_000)
    var app = LegacyApp.with(["rl_auth_token": .string(secret), "rl_external_id": .string(long)])
    let sample = SavedSample(app: app)
    let text = String(decoding: try sample.bytes(), as: UTF8.self)
    #expect(!text.contains(secret))
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

  @Test("a number of JSON text keeps its own text, and is no change")
  func legacyText() throws {
    for number in ["12345678901234567890123", "1.50", "1e400", "-0", "1E5", "42"] {
      let app = LegacyApp.traits(#"{"userId":\#(number)}"#)
      let sample = SavedSample(app: app)
      let field = try #require(try sample.document()["fields"]?.elements?.first { $0["id"] == "user_id" })
      if number != "1e400" { #expect(field["legacy"]?["value"] == .string(number)) }
      try SavedSample.carryOut(try sample.saved(), on: app)
    }
  }
}

struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
  }
}
