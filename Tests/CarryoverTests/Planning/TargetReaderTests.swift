import Carryover
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

/// The expected values are those of the casts in the SDKs' sources. On Apple's systems, `UserDefaults` has numbers as
/// `NSNumber`, so `as? Int` and `as? Bool` accept numbers of the same value.
@Suite("How a new SDK reads the target's value")
struct TargetReaderTests {
  private typealias Case = (TargetReader, TargetForm, PropertyListValue, PropertyListValue?)

  private static func data(_ text: String) -> PropertyListValue { .data(Array(text.utf8)) }

  @Test("each reader reads what its call reads, and nothing else")
  func reads() {
    let real: (Double) -> PropertyListValue = { .real(PropertyListReal($0)) }
    let cases: [Case] = [
      (.typed, .string, 42, nil), (.typed, .string, "42", "42"), (.typed, .integer, real(420), nil),
      (.typed, .boolean, 1, nil),
      (.text, .string, 42, "42"), (.text, .string, real(42), "42"), (.text, .string, real(1.5), "1.5"),
      (.text, .string, true, "1"), (.text, .string, Self.data("u-1"), nil), (.text, .string, ["a"], nil),
      (.text, .boolean, 1, true), (.text, .boolean, "1", nil),
      (.cast, .string, 42, nil), (.cast, .boolean, 1, true), (.cast, .boolean, real(0), false),
      (.cast, .boolean, 2, nil),
      (.cast, .integer, real(420), 420), (.cast, .integer, real(420.5), nil), (.cast, .integer, true, 1),
      (.cast, .integer, "420", nil), (.cast, .string, Self.data(#""u-1""#), nil),
      (.json, .string, Self.data(#""u-1""#), "u-1"), (.json, .string, Self.data("u-1"), nil),
      (.json, .integer, Self.data("420"), 420), (.json, .boolean, Self.data("true"), true),
      (.json, .boolean, Self.data("1"), nil), (.json, .integer, real(420), 420),
      (.json, .decimalString, "+5", "5"), (.json, .decimalString, "007", "7"), (.json, .decimalString, "0", nil),
      (.json, .decimalString, 5, nil), (.typed, .decimalString, "+5", nil),
    ]
    for (reader, form, stored, expected) in cases {
      #expect(reader.value(stored, as: form) == expected, "\(reader) \(form) \(stored)")
    }
  }

  /// Swift's own casts on Linux have no `NSNumber` for these, so Foundation answers only for JSON.
  @Test("JSON in data is what Foundation's decoder reads")
  func foundation() {
    for text in [#""u-1""#, "420", "420.0", "true", "1", "u-1", "null", "[1]", #"{"a":1}"#, "420.5"] {
      let bytes = Data(text.utf8)
      let string = try? JSONDecoder().decode(String.self, from: bytes)
      #expect(TargetReader.json.value(Self.data(text), as: .string) == string.map { .string($0) }, "\(text)")
      let integer = try? JSONDecoder().decode(Int.self, from: bytes)
      #expect(
        TargetReader.json.value(Self.data(text), as: .integer) == integer.map { .integer(PropertyListInteger($0)) },
        "\(text)")
      let flag = try? JSONDecoder().decode(Bool.self, from: bytes)
      #expect(TargetReader.json.value(Self.data(text), as: .boolean) == flag.map { .boolean($0) }, "\(text)")
    }
  }

  private func plan(_ recipe: Recipe, _ files: [String: PropertyListDictionary], _ parameters: [String: String]) throws
    -> Plan
  {
    let stores = try files.map { path, keys in
      let bytes = try PropertyListDocument.encode(.dictionary(keys), as: .binary)
      return Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
    }
    let container = Container(
      kind: .folder, root: "/box", dataFolder: "", bundleID: "com.acme.shop",
      stores: stores.sorted { $0.path < $1.path }, stateDirectory: "/box/.carryover")
    return Planner(recipe.filled(parameters)).plan(
      container, now: Moment(secondsSince1970: 1_763_640_300), options: PlannerOptions(parameters: parameters))
  }

  @Test("a number that the new SDK reads as this text is not absent, and is no conflict")
  func sameText() throws {
    let file = "Library/Preferences/Mixpanel.plist"
    func field(_ target: PropertyListValue) throws -> Field {
      let keys: PropertyListDictionary = ["mixpanel-ffMPDistinctID": "1001", "mixpanel-ff-MPDistinctID": target]
      return try #require(try plan(.mixpanelObjC, [file: keys], ["token": "ff"]).field("mixpanel-ff-MPDistinctID"))
    }
    #expect(try field(1001).status == .unchanged)
    let other = try field(2002)
    #expect(other.status == .conflict && !other.findings.contains { $0.code == .targetWrongType })
    let absent = try field(.data([1]))
    #expect(absent.findings.map(\.code) == [.targetWrongType])
  }

  @Test("RudderStack's casts read numbers and data, so nothing of these is called absent")
  func rudderStack() throws {
    let legacy = "Library/Preferences/com.acme.shop.plist"
    let target = "Library/Preferences/com.acme.shop.analytics.WK.plist"
    let keys: PropertyListDictionary = [
      "rl_anonymous_id": "a-1", "rl_traits": #"{"userId":"u-1","plan":"pro"}"#, "rl_application_build_key": "420",
      "rl_session_auto_track_status": true, "rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": 1_763_640_240,
    ]
    let new: PropertyListDictionary = [
      "anonymous_id": "a-1", "user_id": Self.data(#""u-1""#), "rudder.app_build": .real(PropertyListReal(420)),
      "is_manual_session": 0, "session_id": "+1763640000",
    ]
    let plan = try plan(.rudderStackObjC, [legacy: keys, target: new], ["write-key": "WK"])
    for id in ["user_id", "rudder.app_build", "is_manual_session", "session_id"] {
      #expect(plan.field(id)?.status == .unchanged, "\(id): \(String(describing: plan.field(id)?.status))")
    }
    let verdict = Recipe.rudderStackObjC.filled(["write-key": "WK"]).verdict(on: plan)
    #expect(!verdict.text.contains("absent") && verdict.losses.allSatisfy { !$0.causeText.contains("absent") })
  }

  @Test("the traits without a member that a new SDK writes when it starts are no conflict")
  func emptyTraits() throws {
    let target = "Library/Preferences/com.segment.storage.WK.plist"
    let traits = Store(
      path: "Library/Application Support/segmentio.traits.plist", content: .json(try JSONText(#"{"plan":"pro"}"#)))
    for (bytes, status) in [
      (try PropertyListDocument.encode([:], as: .binary), FieldStatus.ready),
      (try PropertyListDocument.encode(["plan": "free"], as: .binary), .conflict),
    ] {
      let document = try PropertyListDocument(
        bytes: PropertyListDocument.encode(["segment.traits": .data(bytes)], as: .binary))
      let container = Container(
        kind: .folder, root: "/box", dataFolder: "", bundleID: "com.acme.shop",
        stores: [traits, Store(path: target, content: .document(document))], stateDirectory: "/box/.carryover")
      let plan = Planner(.segmentObjC).plan(
        container, now: Moment(secondsSince1970: 1_763_640_300),
        options: PlannerOptions(parameters: ["write-key": "WK"]))
      #expect(plan.field("segment.traits")?.status == status)
    }
  }
}
