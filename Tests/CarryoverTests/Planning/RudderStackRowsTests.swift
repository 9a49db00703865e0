import Carryover
import PropertyLists
import Testing

/// The rows of the RudderStack system that planning covers.
@Suite("RudderStack Obj-C → Swift, row by row")
struct RudderStackRowsTests {
  @Test("A1 rsDefaultsPersistence.plist is read, on tvOS from Caches")
  func readsThePersistenceFile() throws {
    for path in ["Library/rsDefaultsPersistence.plist", "Library/Caches/rsDefaultsPersistence.plist"] {
      let field = try #require(try LegacyApp(standard: nil, filePath: path).field("anonymous_id"))
      #expect(field.proposed == .string(LegacyApp.anonymousID))
      #expect(field.origin?.store == "AppData/" + path)
      #expect(field.status == .ready)
    }
  }

  @Test("A2 the preferences come first, key by key, and each store fills what the other lacks")
  func mergesKeyByKey() throws {
    let app = LegacyApp(
      standard: ["rl_application_version_key": "5.0", "rl_session_id": 1_763_640_001],
      file: ["rl_application_version_key": "4.2.0", "rl_application_build_key": "420"])
    let plan = try app.plan()
    #expect(plan.field("rudder.app_version")?.proposed == "5.0")
    #expect(plan.field("rudder.app_build")?.proposed == 420)
    #expect(plan.field("session_id")?.proposed == "1763640001")
    #expect(plan.codes.isSuperset(of: [.sourceDisagree, .sourcePartial, .sourceStale]))
  }

  @Test("A2 before 1.25.2 there are only the preferences")
  func readsPreferencesAlone() throws {
    let plan = try LegacyApp(file: nil).plan()
    #expect(plan.fields.allSatisfy { $0.status == .ready })
    #expect(plan.codes == [])
  }

  @Test("A3 the target is the suite of bundle id and write key")
  func namesTheTarget() throws {
    let plan = try LegacyApp().plan()
    #expect(plan.target == TargetSummary(path: LegacyApp.targetPath, exists: false))
    #expect(try LegacyApp().plan(options: PlannerOptions()).target == nil)
  }

  @Test("A4 the anonymous id is carried over unchanged")
  func carriesTheAnonymousID() throws {
    let field = try #require(try LegacyApp().field("anonymous_id"))
    #expect(field.legacy == field.proposed)
    #expect(field.proposed == .string(LegacyApp.anonymousID))
  }

  @Test("A5 the user id comes from the traits; absent, nothing is written")
  func readsTheUserID() throws {
    #expect(try LegacyApp().field("user_id")?.proposed == "u-42")
    let absent = try #require(try LegacyApp.traits(#"{"anonymousId":"x","plan":"pro"}"#).field("user_id"))
    #expect(absent.proposed == nil)
    #expect(absent.status == .absent)
  }

  @Test(
    "A6 traits lose their three ids and keep every other byte",
    arguments: [
      (#"{"anonymousId":"a","userId":"u","email":"a@b.co"}"#, #"{"email":"a@b.co"}"#),
      (
        #"{ "price": 4.10,  "big": 1E5, "userId":"u", "url":"https:\/\/x" }"#,
        #"{ "price": 4.10,  "big": 1E5, "url":"https:\/\/x" }"#
      ),
      (#"{"nested":{"userId":"keep","id":1},"id":"u","userId":"u"}"#, #"{"nested":{"userId":"keep","id":1}}"#),
    ])
  func stripsTraits(_ legacy: String, _ proposed: String) throws {
    #expect(try LegacyApp.traits(legacy).field("traits")?.proposed == .string(proposed))
  }

  @Test("A7 the session id becomes a decimal string; absent means no session")
  func carriesTheSession() throws {
    #expect(try LegacyApp().field("session_id")?.proposed == "1763640000")
    let plan = try LegacyApp.with(["rl_session_id": nil, "rl_last_event_time_stamp": nil]).plan()
    #expect(plan.field("session_id")?.status == .absent)
    #expect(plan.codes == [])
  }

  @Test("A8 the tracking status becomes the inverted boolean", arguments: [true, false])
  func invertsTheStatus(_ automatic: Bool) throws {
    let field = try #require(
      try LegacyApp.with(["rl_session_auto_track_status": .boolean(automatic)]).field("is_manual_session"))
    #expect(field.proposed == .boolean(!automatic))
    #expect(field.status == .ready)
  }

  @Test(
    "A9 seconds become a string of milliseconds, cut off",
    arguments: [
      (PropertyListValue.integer(1_763_640_123), "1763640123000"),
      (.real(PropertyListReal(1_763_640_123.4567)), "1763640123456"),
      (.integer(1_763_640_300), "1763640300000"),
    ])
  func convertsTheTime(_ legacy: PropertyListValue, _ proposed: String) throws {
    let field = try #require(try LegacyApp.with(["rl_last_event_time_stamp": legacy]).field("last_activity_time"))
    #expect(field.proposed == .string(proposed))
    #expect(field.status == .ready)
  }

  @Test(
    "A9 a time that is not past leaves out this field only",
    arguments: [
      PropertyListValue.integer(0), .integer(-5), .integer(1_763_640_301), .integer(4_102_444_800),
      .real(PropertyListReal(.nan)), .real(PropertyListReal(.infinity)), .string("soon"),
    ])
  func leavesOutABadTime(_ legacy: PropertyListValue) throws {
    let plan = try LegacyApp.with(["rl_last_event_time_stamp": legacy]).plan()
    let field = try #require(plan.field("last_activity_time"))
    #expect(field.proposed == nil)
    #expect(field.status == .dropped)
    #expect(field.codes == [.sessionTimestampNotPast])
    #expect(plan.field("session_id")?.status == .ready)
    #expect(plan.field("is_manual_session")?.status == .ready)
  }

  @Test("A10 the version stays a string, A11 the build becomes an integer")
  func carriesVersionAndBuild() throws {
    let plan = try LegacyApp().plan()
    #expect(plan.field("rudder.app_version")?.proposed == "4.2.0")
    #expect(plan.field("rudder.app_build")?.proposed == 420)
  }

  @Test("A11 the build becomes an integer, or is left out with a reason")
  func refusesOtherBuilds() throws {
    for text in ["4.2.0-rc1", "24A5", "", "9223372036854775808", " 7"] {
      let field = try #require(
        try LegacyApp.with(["rl_application_build_key": .string(text)]).field("rudder.app_build"))
      #expect(field.proposed == nil)
      #expect(field.status == .dropped)
      #expect(field.codes == [.appBuildNotInteger])
    }
  }

  @Test("A12 what is not migrated is listed with its reason, secrets without their value")
  func listsWhatStays() throws {
    let plan = try LegacyApp.with([
      "rl_external_id": #"[{"type":"brazeExternalId","id":"b-7"}]"#, "rl_opt_status": false, "rl_opt_in_time": 1,
      "rl_auth_token": "secret", "rl_server_config": "{}", "rl_server_last_updated": 5, "rl_something": 1,
    ]).plan()
    #expect(
      plan.dropped.map(\.key) == [
        "rl_external_id", "rl_opt_status", "rl_opt_in_time", "rl_auth_token", "rl_server_config",
        "rl_server_last_updated", "rl_something",
      ])
    #expect(plan.dropped.allSatisfy { !$0.reason.isEmpty })
    #expect(plan.dropped.first { $0.key == "rl_auth_token" }?.value == nil)
    #expect(plan.codes == [.droppedExternalIDs, .droppedSecrets, .droppedUnknownKey])
    let external = plan.findings.first { $0.code == .droppedExternalIDs }
    #expect(external?.observation == .droppedExternalIDs([ExternalID(type: "brazeExternalId", id: "b-7")]))
  }

  @Test("A12 unsent events are counted")
  func countsEvents() throws {
    let events = UnsentEvents(path: "AppData/Library/rl_persistence.sqlite", count: 3)
    let plan = try LegacyApp(unsentEvents: [events]).plan()
    #expect(plan.containerFindings.map(\.observation) == [.droppedUnsentEvents(path: events.path, count: 3)])
    #expect(try LegacyApp(unsentEvents: [UnsentEvents(path: "x", count: 0)]).plan().codes == [])
  }

  @Test("A13 once the target holds the proposals, nothing is left to change")
  func secondPlanChangesNothing() throws {
    let first = try LegacyApp().plan()
    var target = PropertyListDictionary()
    for change in first.changes([:]) { target[change.key] = change.after }
    let second = try LegacyApp(target: target).plan()
    #expect(second.changes([:]).isEmpty)
    #expect(second.undecided([:]).isEmpty)
    #expect(second.fields.allSatisfy { $0.status == .unchanged })
  }

  @Test("A14 no legacy data is success: every field is absent and nothing asks")
  func nothingToMigrate() throws {
    for app in [LegacyApp(standard: ["theme": "dark"], file: nil), LegacyApp(standard: nil, file: nil)] {
      let plan = try app.plan()
      #expect(plan.fields.allSatisfy { $0.status == .absent })
      #expect(plan.changes([:]).isEmpty)
      #expect(plan.codes == [])
    }
  }

  @Test(
    "A15 corrupt traits leave out traits and user id, the rest is carried over",
    arguments: [
      #"{"anonymousId":"a","userId":"#, "[]", "", "null", #"{"a":1}x"#, #"{"a":"\ud800"}"#, #"{"a":1e400}"#,
    ])
  func survivesCorruptTraits(_ text: String) throws {
    let plan = try LegacyApp.traits(text).plan()
    for id in ["traits", "user_id"] {
      #expect(plan.field(id)?.proposed == nil)
      #expect(plan.field(id)?.status == .dropped)
      #expect(plan.field(id)?.codes == [.traitsInvalidJSON])
    }
    #expect(plan.fields.filter { $0.status == .ready }.count == 6)
    #expect(plan.undecided([:]).isEmpty)
  }

  @Test("A15 traits that are no text are as corrupt as broken text")
  func survivesTraitsOfAnotherType() throws {
    let plan = try LegacyApp.with(["rl_traits": ["userId": "u"]]).plan()
    #expect(plan.field("traits")?.codes == [.traitsInvalidJSON])
    #expect(plan.field("user_id")?.status == .dropped)
  }

  @Test("A17 any subset of the values can be chosen")
  func takesASubset() throws {
    let plan = try LegacyApp().plan()
    for field in plan.fields {
      var decisions = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) })
      decisions[field.id] = .migrate
      #expect(plan.changes(decisions).map(\.key) == [field.id])
    }
  }

  @Test("A18 each row of the guide's troubleshooting table is a finding with cause and remedy")
  func explainsTheTroubleshootingTable() throws {
    let cases: [(LegacyApp, FindingCode)] = [
      (.with(["rl_last_event_time_stamp": 0]), .sessionTimestampNotPast),
      (.traits("{"), .traitsInvalidJSON),
      (.traits(#"{"plan":"pro"}"#), .userIDMissingWithTraits),
    ]
    for (app, code) in cases {
      let finding = try #require(try app.plan().findings.first { $0.code == code })
      #expect(finding.message.count > 20)
      #expect(finding.remedy.count > 10)
    }
  }

  @Test("A clean container has no finding above a note, and all eight fields are ready")
  func cleanContainer() throws {
    let plan = try LegacyApp().plan()
    #expect(plan.fields.count == 8)
    #expect(plan.fields.allSatisfy { $0.status == .ready })
    #expect(plan.findings.allSatisfy { $0.severity == .note })
  }
}
