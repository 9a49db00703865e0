@testable import Carryover
@testable import CarryoverVendors

@Suite("RudderStack Obj-C → Swift, row by row") struct RudderStackRowsTests {
  @Test func `rsDefaultsPersistence.plist is read, on tvOS from Caches (A1)`() throws {
    for path in ["Library/rsDefaultsPersistence.plist", "Library/Caches/rsDefaultsPersistence.plist"] {
      let field = try #require(try LegacyApp(standard: nil, filePath: path).field("anonymous_id"))
      #expect(field.proposed == .string(LegacyApp.anonymousID))
      #expect(field.origin?.store == "AppData/" + path)
      #expect(field.status == .ready)
    }
  }

  @Test func `the preferences come first, key by key, and each store fills what the other lacks (A2)`() throws {
    let app = LegacyApp(
      standard: ["rl_application_version_key": "5.0", "rl_session_id": 1_763_640_001],
      file: ["rl_application_version_key": "4.2.0", "rl_application_build_key": "420"])
    let plan = try app.plan()
    #expect(plan.field("rudder.app_version")?.proposed == "5.0")
    #expect(plan.field("rudder.app_build")?.proposed == 420)
    #expect(plan.field("session_id")?.proposed == "1763640001")
    #expect(plan.codes.isSuperset(of: [.sourceDisagree, .sourcePartial, .sourceStale]))
  }

  @Test func `the anonymous id is carried over unchanged; an upper-case UUID is one: no error, no question (A4)`()
    throws
  {
    let usual = try LegacyApp().field("anonymous_id").expect(proposed: .string(LegacyApp.anonymousID))
    #expect(usual.legacy == usual.proposed)
    let id = LegacyApp.anonymousID.uppercased()
    let app = LegacyApp.with([
      "rl_anonymous_id": .string(id), "rl_traits": .string(#"{"anonymousId":"\#(id)","userId":"u","a":1}"#),
    ])
    let field = try app.field("anonymous_id").expect(proposed: .string(id))
    #expect(field.status == .ready && field.findings == [] && field.alternatives == [])
  }

  @Test(arguments: [
    (#"{"anonymousId":"a","userId":"u","email":"a@b.co"}"#, #"{"email":"a@b.co"}"#),
    (
      #"{ "price": 4.10,  "big": 1E5, "userId":"u", "url":"https:\/\/x" }"#,
      #"{ "price": 4.10,  "big": 1E5, "url":"https:\/\/x" }"#
    ),
    (#"{"nested":{"userId":"keep","id":1},"id":"u","userId":"u"}"#, #"{"nested":{"userId":"keep","id":1}}"#),
  ])
  func `traits lose their three ids and keep every other byte (A6)`(_ legacy: String, _ proposed: String) throws {
    #expect(try LegacyApp.traits(legacy).field("traits")?.proposed == .string(proposed))
  }

  @Test func `the session id becomes a decimal string; absent means no session (A7)`() throws {
    #expect(try LegacyApp().field("session_id")?.proposed == "1763640000")
    let plan = try LegacyApp.with(["rl_session_id": nil, "rl_last_event_time_stamp": nil]).plan()
    #expect(plan.field("session_id")?.status == .absent)
    #expect(plan.codes == [])
  }

  @Test(arguments: [
    (PropertyListValue.integer(1_763_640_123), "1763640123000"),
    (.real(PropertyListReal(1_763_640_123.4567)), "1763640123456"),
    (.integer(1_763_640_300), "1763640300000"),
  ])
  func `seconds become a string of milliseconds, cut off (A9)`(_ legacy: PropertyListValue, _ proposed: String) throws {
    try LegacyApp.with(["rl_last_event_time_stamp": legacy]).field("last_activity_time").expect(
      status: .ready, proposed: .string(proposed))
  }

  @Test(arguments: [
    PropertyListValue.integer(0), .integer(-5), .integer(1_763_640_301), .integer(4_102_444_800),
    .real(PropertyListReal(.nan)), .real(PropertyListReal(.infinity)), .string("soon"),
  ])
  func `a time that is not past leaves out this field only (A9)`(_ legacy: PropertyListValue) throws {
    let plan = try LegacyApp.with(["rl_last_event_time_stamp": legacy]).plan()
    try plan.field("last_activity_time").expect(
      status: .dropped, proposed: .some(nil), codes: [.sessionTimestampNotPast])
    #expect(plan.field("session_id")?.status == .ready)
    #expect(plan.field("is_manual_session")?.status == .ready)
  }

  @Test func `the build becomes an integer, or is left out with a reason (A11)`() throws {
    for text in ["4.2.0-rc1", "24A5", "", "9223372036854775808", " 7"] {
      try LegacyApp.with(["rl_application_build_key": .string(text)]).field("rudder.app_build").expect(
        status: .dropped, proposed: .some(nil), codes: [.appBuildNotInteger])
    }
  }

  @Test func `external ids are named, secrets are listed without their value (A12)`() throws {
    let plan = try LegacyApp.with([
      "rl_external_id": #"[{"type":"brazeExternalId","id":"b-7"}]"#, "rl_auth_token": "secret", "rl_something": 1,
    ]).plan()
    #expect(plan.dropped.map(\.key) == ["rl_external_id", "rl_auth_token", "rl_something"])
    #expect(plan.dropped.allSatisfy { !$0.reason.isEmpty } && plan.dropped[1].value == nil)
    let external = plan.findings.first { $0.code == .droppedExternalIDs }
    #expect(external?.observation == .droppedExternalIDs([ExternalID(type: "brazeExternalId", id: "b-7")]))
  }

  @Test func `unsent events are counted (A12)`() throws {
    let events = UnsentEvents(path: "AppData/Library/rl_persistence.sqlite", count: 3)
    let plan = try LegacyApp(unsentEvents: [events]).plan()
    #expect(plan.containerFindings.map(\.observation) == [.droppedUnsentEvents(path: events.path, count: 3)])
    #expect(try LegacyApp(unsentEvents: [UnsentEvents(path: "x", count: 0)]).plan().codes == [])
  }

  @Test(
    arguments: [
      #"{"anonymousId":"a","userId":"#, "[]", "", "null", #"{"a":1}x"#, #"{"a":"\ud800"}"#, #"{"a":1e400}"#,
      ["userId": "u"],
    ] as [PropertyListValue])
  func `corrupt traits leave out traits and user id, the rest is carried over (A15)`(_ traits: PropertyListValue) throws
  {
    let plan = try LegacyApp.with(["rl_traits": traits]).plan()
    for id in ["traits", "user_id"] {
      try plan.field(id).expect(status: .dropped, proposed: .some(nil), codes: [.traitsInvalidJSON])
    }
    #expect(plan.fields.filter { $0.status == .ready }.count == 6)
    #expect(plan.undecided([:]).isEmpty)
  }

  @Test(
    "each row of the guide's troubleshooting table is a finding with cause, remedy and explanation (A18)",
    arguments: TroubleshootingRow.all)
  func explainsTheTroubleshootingTable(_ row: TroubleshootingRow) throws {
    let plan = try row.app.plan()
    let finding = try #require(plan.findings.first { $0.code == row.code }, "\(row.issue)")
    #expect(finding.message.contains(row.cause), "\(finding.message)")
    #expect(finding.remedy.contains(row.solution), "\(finding.remedy)")
    #expect(row.code.explanation.guideSays.contains(row.guide), "\(row.code.explanation.guideSays)")
    #expect(plan.undecided([:]).isEmpty, "the guide asks for no decision")
    #expect(Set(plan.fields.filter { $0.proposed == nil }.map(\.id)) == row.skipped)
  }

  @Test func `findings on user ids and missing data do not appear where there is nothing to explain (A18)`() throws {
    #expect(try LegacyApp().plan().codes.isDisjoint(with: TroubleshootingRow.all.map(\.code)))
    var damaged = LegacyApp(standard: nil, file: nil)
    damaged.otherStores = [Store(path: LegacyApp.standardPath, content: .unreadable("It is cut off."))]
    #expect(try !damaged.plan().codes.contains(.sourceNotFound), "what is damaged may hold it")
    var migrated = LegacyApp(standard: nil, file: nil)
    migrated.recipe = .person
    #expect(try !migrated.plan().codes.contains(.sourceNotFound), "another recipe's data")
  }
}

struct TroubleshootingRow: Sendable, CustomTestStringConvertible {
  let issue: String
  let app: LegacyApp
  let code: FindingCode
  let cause, solution: String
  let guide: String
  let skipped: Set<Field.ID>

  var testDescription: String { issue }

  static let all = [
    TroubleshootingRow(
      issue: "Legacy data not found", app: LegacyApp(standard: ["theme": "dark"], file: nil), code: .sourceNotFound,
      cause: "uninstalled before the update", solution: "the new SDK makes its own values",
      guide: "no migration is needed: the new SDK generates new values",
      skipped: [
        "anonymous_id", "user_id", "traits", "session_id", "is_manual_session", "last_activity_time",
        "rudder.app_version", "rudder.app_build",
      ]),
    TroubleshootingRow(
      issue: "Timestamp conversion fails", app: .with(["rl_last_event_time_stamp": 0]), code: .sessionTimestampNotPast,
      cause: "is not after 1970", solution: "The rest of the session is migrated",
      guide: "the device was rebooted after the last event", skipped: ["last_activity_time"]),
    TroubleshootingRow(
      issue: "Traits parsing fails", app: .traits("{"), code: .traitsInvalidJSON, cause: "rl_traits is not valid JSON",
      solution: "The other fields are migrated", guide: "log the error and skip the traits",
      skipped: ["traits", "user_id"]),
    TroubleshootingRow(
      issue: "User ID not found in traits", app: .traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)"}"#),
      code: .userIDMissing, cause: "never identified", solution: "until the app identifies the user",
      guide: "no action is needed: the user id stays nil", skipped: ["traits", "user_id"]),
    TroubleshootingRow(
      issue: "User ID not found in traits, which remain",
      app: .traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","plan":"pro"}"#), code: .userIDMissingWithTraits,
      cause: "there is no user id", solution: "if you know the user", guide: "a missing user id needs no action",
      skipped: ["user_id"]),
  ]
}
