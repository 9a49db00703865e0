@Suite("Findings of the RudderStack recipe") struct FindingsTests {
  @Test func `the reason why traits are no JSON is a sentence of its own`() throws {
    let message = try #require(try LegacyApp.traits("{").plan().findings.first { $0.code == .traitsInvalidJSON })
      .message
    #expect(message.contains("rl_traits is not valid JSON. The JSON text ends"))
  }

  @Test func `a key that one file holds twice is not said to be in two stores`() throws {
    var app = LegacyApp.with([:])
    app.file = nil
    app.standard = PropertyListDictionary(
      entries: (app.standard?.entries ?? []) + [.init(key: "rl_anonymous_id", value: "other")])
    let finding = try #require(try app.plan().findings.first { $0.code == .sourceDisagree })
    #expect(finding.message.contains("has rl_anonymous_id more than once") && !finding.message.contains("stores"))
    #expect(!finding.remedy.contains("preferences"))
  }

  @Test func `the time of an event without a session is not called a session`() throws {
    let app = LegacyApp.with(["rl_session_id": nil, "rl_session_auto_track_status": nil])
    let finding = try #require(try app.plan().findings.first { $0.code == .sessionAutoTrackAbsent })
    #expect(finding.message.hasPrefix("The session counts as a manual one"))
  }

  @Test(
    "identity.user-id-not-string: a number is proposed as the text that the legacy SDK sent for it",
    arguments: [
      ("42", "42"), ("4.10", "4.1"), ("1e3", "1000"), ("1E5", "100000"), ("42.0", "42"), ("-0.50", "-0.5"),
      ("9007199254740993", "9007199254740993"), ("18446744073709551616", "18446744073709551616"),
    ])
  func numericUserID(_ number: String, _ text: String) throws {
    let field = try LegacyApp.traits(#"{"userId":\#(number),"a":1}"#).field("user_id").expect(
      status: .needsDecision, proposed: .string(text), codes: [.userIDNotString],
      alternatives: (text == number ? [] : [.string(number)]))
    #expect(field.findings.first?.message.contains("The legacy SDK sent “\(text)”") == true)
    #expect(field.readings.legacy == .value(.string(text), note: "sent as text"))
  }

  @Test func `identity.user-id-not-string: null counts as absent, anything else has no proposal and asks`() throws {
    let null = try LegacyApp.traits(#"{"userId":null,"a":1}"#).field("user_id").expect(status: .absent)
    #expect(null.codes.contains(.userIDNotString))
    for value in ["true", "{}", #"["u"]"#] {
      try LegacyApp.traits(#"{"userId":\#(value),"a":1}"#).field("user_id").expect(
        status: .needsDecision, proposed: .some(nil), codes: [.userIDNotString])
    }
  }

  @Test(arguments: [
    " u-42", "u-42 ", "u-42\n", "u-42\u{FEFF}", "u-42\u{200B}", "u\u{2028}-42", "\u{A0}u-42", "u-42\u{202C}",
    "\u{3000}u-42",
  ])
  func `identity.hidden-characters: the id is proposed as it is, offered without them, asks`(_ id: String) throws {
    for (target, key) in [("user_id", #"{"userId":\#(JSONValue.string(id).text())}"#), ("anonymous_id", nil)] {
      let app = key.map(LegacyApp.traits) ?? .with(["rl_anonymous_id": .string(id)])
      let field = try #require(try app.field(target))
      #expect(field.codes.contains(.identityHiddenCharacters) && field.status == .needsDecision, "\(field)")
      #expect(field.proposed == .string(id))
      #expect(field.alternatives.contains { $0.value == "u-42" }, "\(field.alternatives)")
    }
    let seen = try #require(try LegacyApp.traits(#"{"userId":"Ada Lovelace"}"#).field("user_id"))
    #expect(seen.status == .ready && seen.findings.isEmpty)
  }

  @Test(arguments: [
    ("", AnonymousIDDefect.empty), ("user-42", .notUUID),
    ("00000000-0000-0000-0000-000000000000", .allZero), ("9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c4", .notUUID),
  ])
  func `identity.anonymous-id-malformed: asks`(_ id: String, _ defect: AnonymousIDDefect) throws {
    let app = LegacyApp.with(["rl_anonymous_id": .string(id), "rl_traits": nil])
    let field = try #require(try app.field("anonymous_id"))
    #expect(field.findings.map(\.observation) == [.anonymousIDMalformed(id, defect)])
    #expect(field.status == .needsDecision)
    #expect((field.proposed == nil) == id.isEmpty)
  }

  @Test func `identity.anonymous-id-not-string: asks, with the text of a number`() throws {
    try LegacyApp.with(["rl_anonymous_id": 7]).field("anonymous_id").expect(
      status: .needsDecision, proposed: "7", codes: [.anonymousIDNotString])
    try LegacyApp.with(["rl_anonymous_id": .data([1, 2])]).field("anonymous_id").expect(
      status: .needsDecision, proposed: .some(nil))
  }

  @Test func `identity.custom-id-stripped: an id of its own asks, the user id again does not`() throws {
    try LegacyApp.traits(#"{"id":"crm-1","userId":"u","a":1}"#).field("traits").expect(
      status: .needsDecision, proposed: .string(#"{"a":1}"#), codes: [.customIDStripped],
      alternatives: [.string(#"{"customId":"crm-1","a":1}"#)])
    #expect(try LegacyApp.traits(#"{"id":"42","userId":42,"a":1}"#).field("traits")?.codes == [])
  }

  @Test func `identity.user-id-missing: noted without traits either, unless the target has a user id`() throws {
    for json in [#"{"anonymousId":"x"}"#, "{}"] {
      let field = try #require(try LegacyApp.traits(json).field("user_id"))
      #expect(field.codes == [.userIDMissing] && field.status == .absent)
    }
    let absent = try LegacyApp.with(["rl_traits": nil]).plan()
    #expect(absent.codes == [.userIDMissing] && absent.undecided([:]).isEmpty)
    var restored = LegacyApp.with(["rl_traits": nil])
    restored.target = ["user_id": "u-42"]
    #expect(try restored.field("user_id")?.codes == [])
  }

  @Test func `session.timestamp-unit: milliseconds and uptime ask`() throws {
    try LegacyApp.with(["rl_last_event_time_stamp": 1_763_640_123_456]).field("last_activity_time").expect(
      status: .needsDecision, proposed: "1763640123456", codes: [.sessionTimestampUnit])
    let uptime = try LegacyApp.with(["rl_last_event_time_stamp": 86_400]).field("last_activity_time").expect(
      status: .needsDecision, proposed: "86400000")
    #expect(uptime.codes.contains(.sessionTimestampUnit))
  }

  @Test func `session.auto-track-contradicted: asks`() throws {
    let missing = try #require(try LegacyApp.with(["rl_last_event_time_stamp": nil]).field("is_manual_session"))
    #expect(missing.findings.map(\.observation) == [.sessionAutoTrackContradicted(.sessionWithoutTimestamp)])
    #expect(missing.status == .needsDecision)
    let key = try #require(try LegacyApp.with(["rl_session_manual_track_status": true]).field("is_manual_session"))
    #expect(key.findings.map(\.observation) == [.sessionAutoTrackContradicted(.key("rl_session_manual_track_status"))])
    // React Native's status is stale where the native one is true.
    let stale = LegacyApp.with(["rn_session_manual_track_status": true])
    #expect(try stale.field("is_manual_session")?.codes == [])
  }

  @Test(
    arguments: [
      (.integer(-5), .negative, 18_446_744_073_709_551_611, true), (.integer(0), .zero, nil, false),
      (.integer(123_456_789), .tooShort, 123_456_789, false),
      (.real(PropertyListReal(1_763_640_000.5)), .fraction, 1_763_640_000, false),
      (.string("1763640000"), .kind(.string), nil, true), (.boolean(true), .kind(.boolean), 1, false),
      (.boolean(false), .kind(.boolean), nil, false),
    ] as [(PropertyListValue, SessionIDDefect, UInt64?, Bool)])
  func `session.id-invalid: refused with the reason; finding, loss and next launch agree on the session`(
    _ value: PropertyListValue, _ defect: SessionIDDefect, _ migrated: UInt64?, _ isLoss: Bool
  ) throws {
    let plan = try LegacyApp.with(["rl_session_id": value]).plan()
    let field = try plan.field("session_id").expect(status: .dropped, proposed: .some(nil))
    #expect(
      field.findings.map(\.observation) == [
        .sessionIDInvalid(ValueWording.shown(value), defect, migrated: migrated, isLoss: isLoss)
      ])
    #expect(Recipe.rudderStackObjC.verdict(on: plan).isSound == !isLoss)
    let launch = try #require(Recipe.rudderStackObjC.nextLaunch(plan, decisions: [:]))
    let played = launch.plays.first { $0.form == .helper }?.facts.first { $0.topic == "session" }
    #expect(played?.outcome == (migrated == nil ? "new" : "continued-automatic"))
  }

  @Test(arguments: [.integer(0), .real(PropertyListReal(0.0)), .boolean(false)] as [PropertyListValue])
  func `session.id-invalid: an id of zero loses no session`(_ id: PropertyListValue) throws {
    for changes: [String: PropertyListValue?] in [
      [:], ["rl_last_event_time_stamp": nil], ["rl_session_auto_track_status": false],
      ["rl_session_auto_track_status": false, "rl_last_event_time_stamp": nil],
    ] {
      let plan = try LegacyApp.with(changes.merging(["rl_session_id": id]) { $1 }).plan()
      #expect(Recipe.rudderStackObjC.verdict(on: plan).isSound, "\(changes)")
      #expect(plan.codes == [.sessionIDInvalid], "\(changes)")
    }
  }

  @Test func `session.id-invalid: a session that the vendor's migrator drops for its time is lost, whatever its id`()
    throws
  {
    let plan = try LegacyApp.with(["rl_session_id": true, "rl_last_event_time_stamp": nil]).plan()
    #expect(Recipe.rudderStackObjC.verdict(on: plan).losses.map(\.loss.what) == ["the session"])
  }

  @Test(arguments: [(true, "1000"), (.real(PropertyListReal(0.0001)), "0")] as [(PropertyListValue, String)])
  func `session.timestamp-not-past: the vendor's migrator keeps a session whose time it can write`(
    _ time: PropertyListValue, _ written: String
  ) throws {
    for app in try [
      LegacyApp.with(["rl_last_event_time_stamp": time]), BetaApp.with(["rl_last_event_time_stamp": time]),
    ] {
      let plan = try app.plan()
      let field = try plan.field("last_activity_time").expect(status: .dropped, codes: [.sessionTimestampNotPast])
      #expect(field.readings.helper == .value(.string(written), note: nil))
      let message = try #require(field.findings.first).message
      #expect(message.hasSuffix("RudderStack's migrator writes \(written), a time in 1970."), "\(message)")
      let causes = app.recipe.verdict(on: plan).losses.map(\.causeText)
      #expect(causes.contains { $0.hasSuffix("migrator writes a time in 1970") }, "\(causes)")
    }
    let no = try LegacyApp.with(["rl_last_event_time_stamp": false]).field("last_activity_time")
    #expect(no?.findings.first?.message.hasSuffix("RudderStack's migrator drops the whole session.") == true)
  }

  @Test(
    "traits.lossy-reencode: only of what the vendor's migrator still has after it has removed the ids",
    arguments: [
      (#"{"userId":1e3,"plan":"pro"}"#, nil), (#"{"anonymousId":"a/b","userId":"u/1","plan":"pro"}"#, nil),
      (#"{"userId":4.10,"plan":"pro","userId":"u-42"}"#, nil), (#"{"userId":"u/1","id":"u/1"}"#, nil),
      (#"{"userId":1e3,"discount":4.10}"#, ["4.10"]), (#"{"userId":"u-42","n":{"id":1e3}}"#, ["1e3"]),
    ] as [(String, [String]?)])
  func lossyTraits(_ json: String, _ pieces: [String]?) throws {
    let field = try #require(try LegacyApp.traits(json).field("traits"))
    let found = field.findings.map(\.observation).filter { $0.code == .traitsLossyReencode }
    #expect(found == (pieces.map { [.traitsLossyReencode($0)] } ?? []))
    if case .value(_, let note) = field.readings.helper {
      #expect(note == "decoded and encoded again" + (pieces == nil ? "" : ": values change"))
    }
  }

  @Test func `session.expired: noted beyond the time-out, for automatic sessions`() throws {
    let late = Moment(secondsSince1970: 1_763_640_123 + 301)
    #expect(try LegacyApp().plan(now: late).field("last_activity_time")?.codes == [.sessionExpired])
    let inTime = Moment(secondsSince1970: 1_763_640_123 + 300)
    #expect(try LegacyApp().plan(now: inTime).codes == [])
  }

  @Test func `session.uptime-sdk: before 1.2.0 the time is left out`() throws {
    var options = PlannerOptions(writeKey: LegacyApp.writeKey)
    options.targetSDK = SDKVersion("1.1")
    try LegacyApp().plan(options: options).field("last_activity_time").expect(
      status: .dropped, codes: [.sessionUptimeSDK])
    options.targetSDK = SDKVersion("1.2.0")
    #expect(try LegacyApp().plan(options: options).codes == [])
  }

  @Test func `app.build-not-integer: another form of a number is proposed with a warning`() throws {
    for (text, build) in [("00123", 123), ("+5", 5)] as [(String, PropertyListValue)] {
      try LegacyApp.with(["rl_application_build_key": .string(text)]).field("rudder.app_build").expect(
        status: .ready, proposed: build, codes: [.appBuildNotInteger])
    }
  }

  @Test func `app.version-in-old-key: alone or different, it is proposed and asks; equal, it is nothing`() throws {
    let alone = LegacyApp.with(["rl_application_info_key": "4.1", "rl_application_version_key": nil])
    try alone.field("rudder.app_version").expect(status: .needsDecision, proposed: "4.1", codes: [.appVersionInOldKey])
    try LegacyApp.with(["rl_application_info_key": "4.1"]).field("rudder.app_version").expect(
      proposed: "4.1", alternatives: ["4.2.0"])
    let equal = try LegacyApp.with(["rl_application_info_key": "4.2.0"]).field("rudder.app_version").expect(codes: [])
    #expect(equal.sourceLabel == "rl_application_version_key")
  }

  @Test func `source.disagree: a difference that concerns one field leaves the others alone`() throws {
    var app = LegacyApp()
    app.file?["rl_traits"] = #"{"anonymousId":"other","userId":"u-42","email":"ada@example.com","plan":"free"}"#
    let plan = try app.plan()
    #expect(plan.field("traits")?.codes == [.sourceDisagree])
    try plan.field("user_id").expect(status: .ready, codes: [])
  }

  @Test func `source.disagree: a user id that only the later store has asks`() throws {
    var app = LegacyApp()
    app.standard?["rl_traits"] = #"{"anonymousId":"x","email":"ada@example.com","plan":"pro"}"#
    let field = try #require(try app.field("user_id"))
    #expect(field.codes.contains(.sourceDisagree))
    #expect(field.alternatives.map(\.value) == ["u-42"])
    #expect(field.status == .needsDecision)
  }

  @Test func `source.stale: what only the file has was removed by the app or lost, and is migrated`() throws {
    let app = LegacyApp(standard: ["rl_session_id": 1_763_640_000], file: ["rl_application_version_key": "4.2.0"])
    let finding = try #require(try app.plan().findings.first { $0.code == .sourceStale })
    #expect(finding.message.contains("Its value is migrated."))
    #expect(finding.message.contains("com.acme.shop.plist, which the recipe reads first, never had the key"))
    #expect(FindingCode.sourceStale.explanation.legacyReads.contains("removes a value from both stores"))
    #expect(try app.field("rudder.app_version")?.proposed == "4.2.0")
  }

  private func store(_ path: String, _ format: PropertyListFormat, _ change: ([UInt8]) -> [UInt8]) throws -> Store {
    let bytes = try PropertyListDocument.encode(.dictionary(LegacyApp.clean), as: format)
    return Store(path: path, content: .document(try PropertyListDocument(bytes: change(bytes))))
  }

  @Test func `source.refused-by-apple: every field of the file asks, and the verdict is not certain`() throws {
    var app = LegacyApp(standard: nil, file: nil)
    app.otherStores = [
      try store(LegacyApp.standardPath, .binary) { Array($0.dropLast(32)) + [0] + Array($0.suffix(32)) }
    ]
    let plan = try app.plan()
    let field = try #require(plan.field("anonymous_id"))
    #expect(field.proposed == .string(LegacyApp.anonymousID))
    #expect(field.codes == [.sourceRefused] && field.status == .needsDecision)
    #expect(plan.fields.allSatisfy { $0.legacy == nil || $0.codes.contains(.sourceRefused) })
    #expect(!plan.containerFindings.contains { $0.code == .sourceRefused })
    let verdict = app.recipe.verdict(on: plan)
    #expect(verdict.certainty != .certain)
    // Once, not for each field.
    #expect(verdict.reasonText.ranges(of: "so the app reads nothing from it").count == 1)
  }

  @Test func `source.refused-by-apple: said about a file that supplies no value`() throws {
    var app = LegacyApp(file: nil)
    app.otherStores = [
      try store("AppData/Library/rsDefaultsPersistence.plist", .xml) {
        Array(String(decoding: $0, as: UTF8.self).replacing("<key>rl_", with: "<key><!-- c -->rl_").utf8)
      }
    ]
    let plan = try app.plan()
    #expect(plan.containerFindings.map(\.code) == [.sourceRefused])
    let message = try #require(plan.containerFindings.first?.message)
    #expect(message.contains("A comment is inside a text, so Apple's readers refuse the file"))
    #expect(plan.field("anonymous_id")?.status == .ready)
  }

  @Test func `target.unreadable: Apple's readers would refuse the target after the change, too`() throws {
    var app = LegacyApp()
    app.otherStores = [
      try store(LegacyApp.targetPath, .xml) {
        Array(String(decoding: $0, as: UTF8.self).replacing("</integer>", with: " </integer>").utf8)
      }
    ]
    #expect(try app.plan().containerFindings.contains { $0.code == .targetUnreadable })
    app.otherStores = [try store(LegacyApp.targetPath, .binary) { Array($0.dropLast(32)) + [0] + Array($0.suffix(32)) }]
    let codes = try app.plan().containerFindings.map(\.code)
    #expect(codes.contains(.sourceRefused) && !codes.contains(.targetUnreadable))
  }

  @Test(arguments: [
    (#"{"plan":"pro","n":1.0,"email":"a\/b"}"#, FieldStatus.unchanged),
    (#"{ "email": "a/b", "n": 1, "plan": "pro" }"#, .unchanged),
    (#"{"email":"a/b","n":1,"plan":"free"}"#, .conflict),
    (#"{"email":"a/b","n":1}"#, .conflict),
  ])
  func `target.conflict: traits that mean the same are none`(_ held: String, _ status: FieldStatus) throws {
    var app = LegacyApp.traits(#"{"userId":"u","email":"a/b","n":1.0,"plan":"pro"}"#)
    app.target = ["traits": .string(held)]
    #expect(try app.field("traits")?.status == status)
  }

  @Test func `target.wrong-type: what the new SDK cannot read asks, and the repair is proposed`() throws {
    try LegacyApp(target: ["session_id": 1_763_640_000]).field("session_id").expect(
      status: .needsDecision, proposed: "1763640000", codes: [.targetWrongType])
    let without = LegacyApp(standard: ["a": 1], file: nil, target: ["session_id": 1_763_640_000])
    try without.field("session_id").expect(status: .needsDecision, proposed: "1763640000")
  }

  @Test func `target.fresh-identity: a new id without user or traits is explained`() throws {
    let fresh = "11111111-6b0d-4c1e-8f3a-2b5d7e9a1c40"
    let field = try #require(try LegacyApp(target: ["anonymous_id": .string(fresh)]).field("anonymous_id"))
    #expect(Set(field.codes) == [.targetFreshIdentity, .targetConflict])
    #expect(field.status == .conflict)
    for decision in [nil, Decision.accept] {
      #expect(field.decision(decision, onConflict: .keep) == decision, "no policy decides it, even if it is accepted")
    }
    let identified = try #require(
      try LegacyApp(target: ["anonymous_id": .string(fresh), "user_id": "u"]).field("anonymous_id"))
    #expect(identified.codes == [.targetConflict])
    #expect(identified.decision(.accept, onConflict: .keep) == .keep)
  }

  @Test func `target.other-write-key: a write key without a file, beside files of other keys`() throws {
    let app = LegacyApp(target: ["anonymous_id": .string(LegacyApp.anonymousID)])
    let plan = try app.plan(options: PlannerOptions(writeKey: "1xMistyped"))
    let finding = try #require(plan.containerFindings.first { $0.code == .targetOtherWriteKey })
    #expect(finding.message == "No file of write key 1xMistyped here, only of WK.")
    #expect(plan.blockers.isEmpty && plan.target?.exists == false)
    #expect(try !LegacyApp().plan(options: PlannerOptions(writeKey: "1xMistyped")).codes.contains(.targetOtherWriteKey))
  }

  private func configured(_ configuration: String) -> LegacyApp {
    LegacyApp.with(["rl_server_config": .string(configuration)])
  }

  @Test func `target.legacy-write-key: the legacy configuration has a write key other than the target's`() throws {
    let app = configured(#"{"isHosted":true,"source":{"id":"2Gca","writeKey":"1xLegacy"}}"#)
    let finding = try #require(app.plan().containerFindings.first { $0.code == .targetLegacyWriteKey })
    #expect(finding.message == "The legacy SDK had the write key 1xLegacy, but the new SDK's file is for WK.")
    #expect(!finding.blocks && finding.severity == .warning)
    #expect(try !app.plan(options: PlannerOptions(writeKey: "1xLegacy")).codes.contains(.targetLegacyWriteKey))
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"source":1}"#, #"{"source":{}}"#, #"{"source":{"writeKey":1}}"#,
    #"{"source":{"writeKey":""}}"#, #"{"source":{"writeKey":"../x"}}"#, #"{"writeKey":"1x"}"#,
  ])
  func `a configuration without a valid write key states none`(_ configuration: String) throws {
    let app = configured(configuration)
    #expect(try app.recipe.statedValue(of: "write-key", in: app.container()) == nil)
    #expect(try !app.plan().codes.contains(.targetLegacyWriteKey))
  }

  @Test func `the write key is that of the only file, or else the one that the legacy configuration states`() throws {
    var app = configured(#"{"source":{"writeKey":"1xOld","writeKey":"1xLegacy"}}"#)
    #expect(try app.recipe.shownValue(of: "write-key", in: app.container()) == "1xLegacy")
    app.standard?["rl_server_config"] = .dictionary(["source": .dictionary(["writeKey": "1xFirst"])])
    #expect(try app.recipe.shownValue(of: "write-key", in: app.container()) == "1xFirst")
    app.target = [:]
    #expect(try app.recipe.shownValue(of: "write-key", in: app.container()) == "WK")
    app.otherStores = [try Store("AppData/Library/Preferences/com.acme.shop.analytics.OTHER.plist", [:])]
    #expect(try app.recipe.shownValue(of: "write-key", in: app.container()) == nil)
  }

  @Test func `source.disagree: a key that one file holds twice, the last of an XML file first`() throws {
    let other = "11111111-6b0d-4c1e-8f3a-2b5d7e9a1c40"
    let xml = """
      <plist version="1.0"><dict><key>rl_anonymous_id</key><string>\(other)</string>
      <key>rl_anonymous_id</key><string>\(LegacyApp.anonymousID)</string></dict></plist>
      """
    var app = LegacyApp(standard: nil, file: nil)
    app.otherStores = [
      Store(
        path: "AppData/Library/rsDefaultsPersistence.plist",
        content: .document(try PropertyListDocument(bytes: Array(xml.utf8))))
    ]
    try app.field("anonymous_id").expect(
      status: .needsDecision, proposed: .string(LegacyApp.anonymousID), alternatives: [.string(other)])
  }

  @Test func `A conflict policy answers for the target's value only, never for another flag`() throws {
    var app = LegacyApp.traits(#"{"userId":42,"a":1}"#)
    app.target = ["user_id": "other", "anonymous_id": "their own", "session_id": "1763630000"]
    let plan = try app.plan()
    let userID = try #require(plan.field("user_id"))
    #expect(userID.decision(nil, onConflict: .replace) == nil)
    #expect(userID.resolution(nil) == .undecided(conflict: false))
    #expect(try #require(plan.field("anonymous_id")).decision(nil, onConflict: .replace) == .migrate)
  }

  @Test func `The plan rests on every place a source was looked for: one that appears later is a change`() throws {
    let plan = try LegacyApp(standard: nil).plan()
    #expect(plan.basis.contains(PlanBasis(store: LegacyApp.standardPath, key: "rl_anonymous_id", value: nil)))
    #expect(plan.basis.contains(PlanBasis(store: LegacyApp.standardPath, key: "rl_opt_status", value: nil)))
  }

  @Test(.timeLimit(.minutes(1))) func `Very many legacy keys are planned in time that grows with them`() throws {
    var entries: [PropertyListDictionary.Entry] = []
    for number in 0..<20_000 { entries.append(.init(key: "rl_x\(number)", value: 1)) }
    let plan = try LegacyApp(standard: PropertyListDictionary(entries: entries), file: LegacyApp.clean).plan()
    #expect(plan.dropped.count == 20_000)
  }

  @Test func `consent.opted-out: blocks, whichever store says so`() throws {
    for value in [PropertyListValue.boolean(true), .integer(1)] {
      #expect(try LegacyApp.with(["rl_opt_status": value]).plan().blockers.map(\.code) == [.consentOptedOut])
    }
    var app = LegacyApp()
    app.standard?["rl_opt_status"] = false
    app.file?["rl_opt_status"] = true
    #expect(try app.plan().codes == [.consentOptedOut, .sourceDisagree])
    app.file?["rl_opt_status"] = false
    #expect(try app.plan().blockers.isEmpty)
  }

  @Test func `live.running-store: blocks until it is allowed by name, and says what to do where`() throws {
    var container = try LegacyApp().container()
    let device = "11111111-2222-3333-4444-555555555555"
    for (liveness, words) in [
      (Liveness.simulator(device: device), [device, "simctl spawn \(device) launchctl kickstart -k", "not tested"]),
      (.home("/Users/ada"), ["/Users/ada", "cfprefsd"]),
    ] {
      container.liveness = liveness
      var options = PlannerOptions(writeKey: LegacyApp.writeKey)
      let plan = Planner(.rudderStackObjC).plan(container, now: LegacyApp.now, options: options)
      let finding = try #require(plan.blockers.first)
      #expect(plan.blockers.count == 1 && finding.code == .liveRunningStore && finding.field == nil)
      for word in words + ["copy", "--live"] {
        #expect((finding.message + finding.commandRemedy).contains(word), "\(word)")
      }
      options.allowed = [.consentOptedOut]
      #expect(Planner(.rudderStackObjC).plan(container, now: LegacyApp.now, options: options).blockers.count == 1)
      options.allowed = [.liveRunningStore]
      let allowed = Planner(.rudderStackObjC).plan(container, now: LegacyApp.now, options: options)
      #expect(allowed.blockers.isEmpty && allowed.codes.contains(.liveRunningStore))
      #expect(allowed.fields == plan.fields)
    }
    #expect(try !LegacyApp().plan().codes.contains(.liveRunningStore))
  }

  @Test func `what an app is told of a finding names no option or command, which it does not have`() {
    for observation in Observation.examples where observation.code != .recipeUntrusted {
      let finding = Finding(observation)
      for text in [finding.message, finding.remedy] {
        #expect(!text.contains("--") && !text.contains("carryover "), "\(text)")
      }
    }
    #expect(Observation.examples.contains { Finding($0).commandRemedy.contains("--write-key") })
  }

  @Test func `what is printed of a plan or a field has no values`() throws {
    let plan = try LegacyApp.traits(#"{"userId":4711,"email":"a@b.co"}"#).plan()
    let text = "\(plan) \(plan.fields)"
    #expect(text.contains("user_id: needs-decision") && text.contains("identity.user-id-not-string"))
    for value in ["4711", "a@b.co", LegacyApp.anonymousID] { #expect(!text.contains(value), "\(text)") }
  }

  @Test func `a write key that cannot be part of a file name is not called missing`() throws {
    func finding(_ key: String) throws -> Finding? {
      try Planner(.rudderStackObjC).plan(
        LegacyApp().container(), now: LegacyApp.now, options: PlannerOptions(writeKey: key)
      ).findings.first { $0.code == .targetNoWriteKey }
    }
    let invalid = try #require(try finding("a/b"))
    #expect(invalid.message.contains("“a/b” is not valid: "))
    #expect(try finding("")?.message == "Needs: write key. The name of the new SDK's file ends with it.")
    #expect(try finding(LegacyApp.writeKey) == nil)
  }

  @Test func `a finding that several fields have is said once`() throws {
    let plan = try LegacyApp.traits("{").plan()
    let shared = plan.findings.shared.filter { $0.finding.code == .traitsInvalidJSON }
    #expect(shared.map(\.fields) == [["user_id", "traits"]])
    #expect(plan.findings.shared.flatMap(\.fields).count == plan.findings.filter { $0.field != nil }.count)
  }

  @Test func `Every observation has a code of its own kind, a message, and a remedy that say something`() {
    for observation in Observation.examples {
      let finding = Finding(observation)
      #expect(finding.message.count > 20, "\(finding.code)")
      #expect(finding.remedy.count > 10, "\(finding.code)")
      #expect(finding.message.last == "." || finding.message.last == "”", "\(finding.message)")
    }
    #expect(Set(Observation.examples.map(\.code)) == Set(FindingCode.allCases))
  }
}
