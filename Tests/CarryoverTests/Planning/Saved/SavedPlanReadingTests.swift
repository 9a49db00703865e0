import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Saved plans that are no saved plans")
struct SavedPlanReadingTests {
  private let sample = SavedSample(
    app: .with([:]),
    options: PlannerOptions(
      parameters: [PlannerOptions.writeKeyParameter: LegacyApp.writeKey], targetSDK: SDKVersion("1.1.0")),
    decisions: ["anonymous_id": .edit("x")])

  private func damage(_ document: JSONValue) -> PlanDamage? {
    do throws(SavedPlanError) {
      _ = try SavedPlan(json: Array(document.text().utf8), path: "p")
      return nil
    } catch {
      guard case .damaged("p", let damage) = error else { return nil }
      return damage
    }
  }

  @Test("every member that is missing is named")
  func missing() throws {
    let document = try sample.document()
    for member in [
      "tool", "recipe", "recipe.id", "recipe.version", "container", "container.kind", "milliseconds", "request",
      "request.container", "request.allowed", "fields", "fields.id", "fields.legacy", "fields.proposed",
      "fields.current", "fields.status", "decisions", "decisions.field", "decisions.decision", "decisions.value",
      "basis", "basis.store", "basis.key", "basis.value",
    ] {
      #expect(damage(document.replacing(member.split(separator: ".").map(String.init), with: nil)) == .member(member))
    }
  }

  @Test("every member that is something else is named")
  func malformed() throws {
    let document = try sample.document()
    let cases: [(String, [JSONValue])] = [
      ("tool", [nil, 1, []]),
      ("recipe", [nil, "rudderstack-objc", []]),
      ("recipe.id", [nil, 1]),
      ("recipe.version", [nil, "1", -1, 1.5, .number(JSONNumber(lexeme: "99999999999999999999") ?? JSONNumber(0))]),
      ("recipe.title", [1, []]),
      ("container", [nil, "x"]),
      ("container.kind", [nil, 1, "zip"]),
      ("container.bundleID", [1, "../x", "a/b", ""]),
      ("target", [1, [:]]),
      ("milliseconds", [nil, 1, "", "1.5", "99999999999999999999", "now"]),
      ("request", [nil, []]),
      ("request.container", [nil, 1, "", "a\0b"]),
      ("request.bundleID", [1, "../x"]),
      ("request.stateDirectory", [1, "", "\0"]),
      ("request.writeKey", [1, "", "../../x", "a/b"]),
      ("request.targetSDK", [1, "", "1.x", "1.2.3.4.5"]),
      ("request.allowed", [nil, "consent.opted-out", [1], ["no.such-code"]]),
      ("fields", [nil, [:], "x"]),
      ("fields.id", [nil, 1]),
      ("fields.legacy", ["x", [], [:], ["type": "integer"], ["type": "number", "value": "1"]]),
      ("fields.proposed", [1, ["type": "boolean", "value": "yes"], ["type": "integer", "value": "0x1"]]),
      ("fields.current", [true, ["type": "data", "value": "*"], ["type": "string", "value": "a", "binary": "AAAA"]]),
      ("fields.status", [nil, "done"]),
      ("decisions", [nil, [:], "x"]),
      ("decisions.field", [nil, 1, "no_such_field"]),
      ("decisions.decision", [nil, 1, "write"]),
      ("decisions.value", [nil, "x", ["type": "integer", "value": "x"]]),
      ("basis", [nil, [:]]),
      ("basis.store", [nil, 1]),
      ("basis.key", [nil, []]),
      (
        "basis.value",
        [
          "x", [], ["type": "string", "size": -1, "sha256": .string(String(repeating: "0", count: 64))],
          ["type": "string", "size": 1, "sha256": "short"], ["type": "string", "size": "1", "sha256": 1],
          ["size": 1, "sha256": .string(String(repeating: "0", count: 64))],
        ]
      ),
    ]
    for (member, values) in cases {
      for value in values {
        let way = member.split(separator: ".").map(String.init)
        #expect(damage(document.replacing(way, with: value)) == .member(member), "\(member): \(value.text())")
      }
    }
  }

  @Test("a list of something else than objects, a field twice, a field decided twice")
  func lists() throws {
    let document = try sample.document()
    for member in ["fields", "decisions", "basis"] {
      let result = damage(document.replacing([member], with: ["x"]))
      guard case .member(let name)? = result else {
        Issue.record("\(member)")
        continue
      }
      #expect(name.hasPrefix(member + "."))
      let elements = try #require(document[member]?.elements)
      let doubled = damage(document.replacing([member], with: .array(elements + elements.prefix(1))))
      #expect(doubled == ["fields": .member("fields"), "decisions": .member("decisions.field")][member])
    }
  }

  @Test("a later schema is refused by its name, another form by its own, and what is no JSON by its place")
  func schemas() throws {
    let document = try sample.document()
    #expect(damage(document.replacing(["schema"], with: "carryover.plan/2")) == .laterSchema("carryover.plan/2"))
    #expect(damage(document.replacing(["schema"], with: "carryover.run/1")) == .otherForm("carryover.run/1"))
    for schema in [JSONValue.null, 1, []] {
      #expect(damage(document.replacing(["schema"], with: schema)) == .otherForm(nil))
    }
    for other in [JSONValue.array([]), "x", nil, [:]] { #expect(damage(other) == .otherForm(nil)) }
    let bytes = try sample.bytes()
    for bytes in [[], Array(bytes.dropLast(3)), [0xFF], Array("{\"schema\": \"carryover.plan/1\"".utf8)] {
      #expect(throws: SavedPlanError.self) { try SavedPlan(json: bytes, path: "p") }
    }
    let deep = Array((String(repeating: "[", count: 100_000)).utf8)
    #expect(throws: SavedPlanError.self) { try SavedPlan(json: deep, path: "p") }
  }

  @Test("what is meant to be a saved plan is told by its content")
  func recognition() throws {
    let bytes = try sample.bytes()
    #expect(SavedPlan.isSavedPlan(bytes))
    #expect(SavedPlan.isSavedPlan(Array(" \n\t".utf8) + bytes))
    #expect(SavedPlan.isSavedPlan(Array(bytes.dropLast(100))), "cut off")
    #expect(SavedPlan.isSavedPlan(Array(#"{"schema":"carryover.plan/9"}"#.utf8)))
    for text in [
      "", "{}", "[]", #"{"schema":"carryover.report/1"}"#, #"{"schema":1}"#, #""carryover.plan/1""#, "bplist00",
      #"{"note":"carryover.plan/1"}"#, "<?xml \"carryover.plan/1\"",
    ] {
      #expect(!SavedPlan.isSavedPlan(Array(text.utf8)), "\(text)")
    }
  }

  @Test("whatever is done to its bytes, a document is read or refused, and never trusted with more than its values")
  func mutated() throws {
    var random = Numbers(state: 11)
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
      _ = SavedPlan.isSavedPlan(copy)
      do throws(SavedPlanError) {
        let saved = try SavedPlan(json: copy, path: "p")
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

  @Test("a few bytes that would unfold into very many values are refused")
  func unfolding() throws {
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
    let unfolding: JSONValue = ["type": "array", "value": nil, "binary": .string(Base64.text(bytes))]
    let document = try sample.document()
    #expect(damage(document.replacing(["basis", "value"], with: unfolding)) == .member("basis.value"))
    #expect(damage(document.replacing(["decisions", "value"], with: unfolding)) == .member("decisions.value"))
    // It is what unfolds that is refused: with an empty array at the root, the rest is sound.
    bytes[8] = 0xA0
    let sound: JSONValue = ["type": "array", "value": nil, "binary": .string(Base64.text(bytes))]
    #expect(damage(document.replacing(["basis", "value"], with: sound)) == nil)
  }
}
