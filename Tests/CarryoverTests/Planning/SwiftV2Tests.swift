@testable import Carryover

@Suite("RudderStack Swift beta 2 → Swift") struct SwiftV2Tests {
  @Test func `a verdict and its losses name the beta's keys, not those of the Objective-C SDK`() throws {
    for keys in [
      ["rs_application_build_key": "4.2.0-rc1"], ["rs_user_id": 42], ["rs_traits": "{"],
      ["rl_session_id": -1], ["rl_last_event_time_stamp": "x"],
    ] as [[String: PropertyListValue?]] {
      for target in [nil, ["anonymous_id": "a-1"]] as [PropertyListDictionary?] {
        var app = try BetaApp.with(keys)
        app.target = target
        let verdict = Recipe.rudderStackSwiftV2.verdict(on: try app.plan())
        for text in [verdict.text, verdict.reasonText] + verdict.losses.map(\.causeText) {
          #expect(!["rl_application", "rl_traits", "rl_anonymous"].contains(where: text.contains), "\(text)")
        }
      }
    }
    let build = try BetaApp.with(["rs_application_build_key": "4.2.0-rc1", "rs_user_id": nil, "rs_traits": nil]).plan()
    let verdict = Recipe.rudderStackSwiftV2.verdict(on: build)
    #expect(verdict.losses.contains { $0.causeText.contains("rs_application_build_key") })
  }

  @Test func `v2.anonymous-id-not-stored: nothing is proposed, and an id, or a skip, settles it`() throws {
    let plan = try BetaApp.with([:]).plan()
    let field = try #require(plan.field("anonymous_id"))
    #expect(field.codes == [.v2AnonymousIDNotStored])
    #expect(field.proposed == nil && field.alternatives.isEmpty && field.status == .needsDecision)
    #expect(plan.undecided(["anonymous_id": .edit("x")]).isEmpty)
    #expect(
      plan.changes(["anonymous_id": .edit("x")]).contains(KeyChange(key: "anonymous_id", before: nil, after: "x")))
    #expect(plan.undecided(["anonymous_id": .skip]).isEmpty)
    #expect(plan.undecided(["anonymous_id": .migrate]).map(\.id) == ["anonymous_id"])
    let settled = SettledField(legacy: nil, left: "x", runID: "r")
    var app = try BetaApp.with([:])
    app.target = ["anonymous_id": "x"]
    let again = try app.plan(
      options: PlannerOptions(
        parameters: [RecipeParameter.writeKey.name: LegacyApp.writeKey], settled: ["anonymous_id": settled]))
    #expect(again.field("anonymous_id")?.status == .unchanged)
  }

  @Test func `v2.anonymous-id-not-stored: ids that are somewhere are offered, and no keys are no finding`() throws {
    let app = try BetaApp.with([
      "rl_anonymous_id": "v1-id", "rs_traits": BetaApp.archive(["anonymousId": "traits-id", "a": 1] as [String: Any]),
    ])
    let field = try app.field("anonymous_id").expect(alternatives: ["v1-id", "traits-id"])
    let message = try #require(field.findings.first?.message)
    #expect(message.contains("rl_anonymous_id is “v1-id”, rs_traits.anonymousId is “traits-id”"))
    #expect(try !BetaApp.with([:]).plan().findings.contains { $0.message.contains("the beta did not send") })
    let empty = LegacyApp(standard: ["com.acme.launches": 3], file: nil, recipe: .rudderStackSwiftV2)
    #expect(try empty.plan().codes == [.sourceNotFound])
    #expect(try empty.plan().fields.allSatisfy { $0.status == .absent })
  }

  @Test(
    "the traits are read from a keyed archive, from a property list in data, and from text, without their ids (A20)")
  func formsOfTraits() throws {
    let object: [String: Any] = ["anonymousId": "a", "id": "u-42", "userId": "u-42", "n": ["id": 7]]
    let list = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
    for (value, read) in [
      (try BetaApp.archive(object), "keyed archive → JSON"), (.data([UInt8](list)), nil),
      (#"{"id":"u-42","userId":"u-42","n":{"id":7}}"#, nil),
    ] as [(PropertyListValue, String?)] {
      let field = try BetaApp.with(["rs_traits": value]).field("traits").expect(proposed: #"{"n":{"id":7}}"#)
      #expect(field.findings.isEmpty && field.status == .ready)
      if let read { #expect(field.steps.map(\.title) == [read, "without anonymousId, id, userId"]) }
    }
    let only = try #require(try BetaApp.traits(["userId": "u-42"]).field("traits"))
    #expect(only.codes == [.traitsEmptyAfterStrip] && only.status == .absent)
  }

  @Test func `what is said of RudderStack's migrator and the guide is true of the beta SDK 2`() throws {
    func message(_ changes: [String: PropertyListValue?], _ code: FindingCode) throws -> String {
      try #require(try BetaApp.with(changes).plan().findings.first { $0.code == code }).message
    }
    let missing = try message(["rl_last_event_time_stamp": nil], .sessionTimestampMissing)
    let future = try message(["rl_last_event_time_stamp": 9_999_999_999], .sessionTimestampNotPast)
    for sentence in [missing, future] { #expect(sentence.contains("does the same") && !sentence.contains("drops")) }
    let number = try message(["rs_user_id": 42], .userIDNotString)
    #expect(number.contains("RudderStack's migrator read it as text") && !number.contains("logged out"))
    let custom = try message(["rs_traits": #"{"id":"x","a":1}"#], .customIDStripped)
    #expect(custom.contains("RudderStack's migrator removes it") && !custom.contains("guide"))
    #expect(try message(["rs_traits": 1], .traitsInvalidJSON).contains("is an integer, not a keyed archive"))
  }

  @Test func `v2.traits-archive: what JSON cannot say is named and left out, and it asks`() throws {
    let archived: [String: Any] = [
      "address": ["home": ArchivedAddress()], "email": "a@b.co", "since": Date(timeIntervalSinceReferenceDate: 0),
    ]
    let field = try #require(try BetaApp.traits(archived).field("traits"))
    guard case .string(let text)? = field.proposed else { throw Missing() }
    let json = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(json["email"] as? String == "a@b.co" && json["since"] as? String == "2001-01-01T00:00:00Z")
    #expect((json["address"] as? [String: Any])?.isEmpty == true)
    #expect(field.status == .needsDecision && field.codes == [.v2TraitsArchive])
    let message = try #require(field.findings.first?.message)
    #expect(message.contains(" Not migrated: address.home ("), "\(message)")
    #expect(message.contains("ArchivedAddress). Written as text or as an array: since (date)."), "\(message)")
    #expect(field.readings.helper == .nothing("another class in the archive: all traits lost"))
  }

  @Test(
    "v2.traits-archive: data that is neither an archive nor a property list asks, and everything else is migrated",
    arguments: [[], [1, 2, 3], Array("bplist00".utf8)] as [[UInt8]])
  func damagedArchive(_ bytes: [UInt8]) throws {
    let plan = try BetaApp.with(["rs_traits": .data(bytes)]).plan()
    let field = try #require(plan.field("traits"))
    #expect(field.proposed == nil && field.status == .needsDecision && field.codes == [.v2TraitsArchive])
    #expect(plan.field("user_id")?.status == .ready)
    #expect(plan.undecided(["anonymous_id": .skip, "traits": .edit("{}")]).isEmpty)
  }

  @Test func `an archive or a property list of something else than a dictionary is no traits (A20)`() throws {
    let root = try #require(try BetaApp.traits(["a", "b"]).field("traits"))
    #expect(root.proposed == nil && root.codes == [.traitsInvalidJSON] && root.status == .dropped)
    let object = try #require(try BetaApp.traits(ArchivedAddress()).field("traits"))
    #expect(object.proposed == nil && object.codes == [.v2TraitsArchive])
    let number = try #require(try BetaApp.with(["rs_traits": 7]).field("traits"))
    #expect(number.findings.map(\.observation) == [.traitsInvalidJSON(.notText(.integer), "rs_traits")])
    #expect(number.findings.first?.message.contains("rs_traits is an integer") == true)
  }

  @Test(arguments: [true, false])
  func `the manual status is taken as it is (A20)`(_ isManual: Bool) throws {
    let app = try BetaApp.with([
      "rl_session_manual_track_status": .boolean(isManual), "rl_session_auto_track_status": .boolean(!isManual),
    ])
    let field = try #require(try app.field("is_manual_session"))
    #expect(field.proposed == .boolean(isManual) && field.status == .ready)
    #expect(field.codes == (isManual ? [.sessionManualWillBeReplaced] : []))
  }

  @Test(arguments: [true, false])
  func `session.auto-track-contradicted: two statuses that say the same ask`(_ status: Bool) throws {
    let app = try BetaApp.with([
      "rl_session_manual_track_status": .boolean(status), "rl_session_auto_track_status": .boolean(status),
    ])
    let field = try #require(try app.field("is_manual_session"))
    #expect(field.codes.contains(.sessionAutoTrackContradicted) && field.status == .needsDecision)
    let message = try #require(field.findings.first { $0.code == .sessionAutoTrackContradicted }?.message)
    #expect(message.contains("rl_session_manual_track_status and rl_session_auto_track_status are both \(status)"))
  }

  @Test func `keys that the beta never writes are left behind, and do not tell that it ran (A20)`() throws {
    let keys: Set<String> = ["rs_anonymous_id", "rs_external_id", "rs_opt_in_time", "rs_opt_out_time"]
    #expect(Recipe.rudderStackSwiftV2.marks.isDisjoint(with: keys.map { StringByBytes($0) }))
    for rule in Recipe.rudderStackSwiftV2.leftBehind where keys.contains(rule.key) {
      #expect(rule.reason.contains("never writes it"), "\(rule.key)")
    }
    let app = LegacyApp(standard: ["rs_external_id": "[]", "rs_opt_in_time": 1], file: nil)
    #expect(Recipe.detect(in: try app.container()).evidence.isEmpty)
  }

  @Test func `the four readings: the beta, the guide, the helper, this plan (A20)`() throws {
    let plan = try BetaApp.with(["rl_last_event_time_stamp": 0, "rs_application_build_key": 420]).plan()
    func readings(_ id: String) -> FourWayReadings? { plan.field(id)?.readings }
    #expect(
      readings("anonymous_id")?.legacy == .nothing("not stored: the device's vendor id, on macOS its MAC address"))
    #expect(readings("anonymous_id")?.helper == .nothing("the vendor id of the device that runs it"))
    #expect(readings("user_id")?.helper == .value("u-42", note: nil))
    #expect(readings("traits")?.legacy == .value(#"{"email":"ada@example.com"}"#, note: "decoded"))
    #expect(readings("traits")?.helper == .value(#"{"email":"ada@example.com"}"#, note: "in another order"))
    #expect(readings("session_id")?.helper == .value("1763640000", note: nil))
    #expect(readings("is_manual_session")?.legacy == .value(false, note: nil))
    #expect(readings("last_activity_time")?.legacy == .nothing("zero: no event"))
    #expect(readings("last_activity_time")?.helper == .nothing("no valid time of a last event"))
    #expect(readings("rudder.app_build")?.legacy == .value("420", note: "a number, read as text"))
    #expect(readings("rudder.app_build")?.helper == .nothing("no string: skipped"))
    for field in plan.fields { #expect(field.readings.guide == .nothing("the guide for the beta is not compared")) }
    var filled = try BetaApp.with([:])
    filled.target = ["other": 1]
    for field in try filled.plan().fields {
      #expect(field.readings.helper == .nothing("the new SDK's file exists: does nothing"))
    }
  }

  @Test func `a cleanup takes traits that JSON says in whole, and leaves an archive that it does not (A20)`() throws {
    var app = try BetaApp.with([:])
    app.target = ["user_id": "u-42", "traits": #"{"email":"ada@example.com"}"#]
    func verdict(_ app: LegacyApp) throws -> CleanupVerdict? {
      try app.cleanupPlan().entries.first { $0.id.key == "rs_traits" }?.verdict
    }
    #expect(try verdict(app) == .removable(heldBy: ["traits"]))
    var dated = try BetaApp.traits(["since": Date(timeIntervalSinceReferenceDate: 0)])
    dated.target = ["traits": #"{"since":"2001-01-01T00:00:00Z"}"#]
    #expect(try verdict(dated) == .stays(.inexact(["traits"])))
  }

  private struct Missing: Error {}
}

/// The expected values are those of the casts in the SDKs' sources. On Apple's systems, `UserDefaults` has numbers as
/// `NSNumber`, so `as? Int` and `as? Bool` accept numbers of the same value.
@Suite("How a new SDK reads the target's value") struct TargetReaderTests {
  private typealias Case = (TargetReader, TargetForm, PropertyListValue, PropertyListValue?)

  private static func data(_ text: String) -> PropertyListValue { .data(Array(text.utf8)) }

  @Test func `each reader reads what its call reads, and nothing else`() {
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
  @Test func `JSON in data is what Foundation's decoder reads`() {
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
    Planner(recipe.filled(parameters)).plan(
      try Container(files), now: Moment(secondsSince1970: 1_763_640_300),
      options: PlannerOptions(parameters: parameters))
  }

  @Test func `a number that the new SDK reads as this text is not absent, and is no conflict`() throws {
    let file = "Library/Preferences/Mixpanel.plist"
    func field(_ target: PropertyListValue) throws -> Field {
      let keys: PropertyListDictionary = ["mixpanel-ffMPDistinctID": "1001", "mixpanel-ff-MPDistinctID": target]
      return try #require(try plan(.mixpanelObjC, [file: keys], ["token": "ff"]).field("mixpanel-ff-MPDistinctID"))
    }
    #expect(try field(1001).status == .unchanged)
    let other = try field(2002)
    #expect(other.status == .conflict && !other.findings.contains { $0.code == .targetWrongType })
    #expect(try field(.data([1])).findings.map(\.code) == [.targetWrongType])
  }

  @Test func `RudderStack's casts read numbers and data, so nothing of these is called absent`() throws {
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

  @Test func `the traits without a member that a new SDK writes when it starts are no conflict`() throws {
    let target = "Library/Preferences/com.segment.storage.WK.plist"
    let traits = Store(
      path: "Library/Application Support/segmentio.traits.plist", content: .json(try JSONText(#"{"plan":"pro"}"#)))
    for (bytes, status) in [
      (try PropertyListDocument.encode([:], as: .binary), FieldStatus.ready),
      (try PropertyListDocument.encode(["plan": "free"], as: .binary), .conflict),
    ] {
      let container = Container([traits, try Store(target, ["segment.traits": .data(bytes)])])
      let plan = Planner(.segmentObjC).plan(
        container, now: Moment(secondsSince1970: 1_763_640_300),
        options: PlannerOptions(parameters: ["write-key": "WK"]))
      #expect(plan.field("segment.traits")?.status == status)
    }
  }
}
