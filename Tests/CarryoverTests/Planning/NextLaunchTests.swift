@Suite("The next launch") struct NextLaunchTests {
  @Test(arguments: SuiteCase.all)
  func `A suite ends as the SDK reads it`(_ example: SuiteCase) throws {
    let app = LegacyApp(standard: ["other": 1], file: nil, target: example.suite)
    let launch = try #require(Recipe.rudderStackObjC.nextLaunch(app.plan(), decisions: [:], assuming: example.assumed))
    let fact = try #require(launch.fact(example.topic, .current))
    #expect(fact.outcome == example.outcome, "\(fact.sentence)")
    #expect(fact.value == example.value)
    if let words = example.words { #expect(fact.sentence.contains(words), "\(fact.sentence)") }
  }

  @Test func `Each form has its own suite: nothing, the helper's values, or the plan's`() throws {
    let launch = try played(.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":42,"plan":"pro"}"#))
    #expect(
      NextLaunch.Form.allCases.map { launch.fact("user", $0)?.outcome } == ["logged-out", "logged-out", "logged-out"])
    #expect(launch.fact("anonymous id", .current)?.isLoss == true)
    #expect(launch.fact("anonymous id", .helper)?.value == .string(LegacyApp.anonymousID))
    #expect(launch.fact("traits", .helper)?.outcome == "until-identify")
    #expect(launch.notes(.plan).last == "Undecided fields stay as they are now: user_id.")
  }

  @Test func `Decisions count: accepted, typed and skipped`() throws {
    let app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":42,"plan":"pro"}"#)
    let accepted = try played(app, ["user_id": .accept])
    #expect(accepted.fact("user", .plan)?.value == "42" && accepted.notes(.plan).count == 1)
    #expect(accepted.fact("traits", .plan)?.outcome == "read")
    #expect(accepted.fact("user", .helper)?.outcome == "logged-out", "a decision is the plan's alone")
    let typed = try played(app, ["user_id": .edit("u-7"), "rudder.app_version": .skip, "session_id": .skip])
    #expect(typed.fact("user", .plan)?.value == "u-7")
    #expect(typed.fact("app event", .plan)?.outcome == "installed")
    #expect(typed.fact("session", .plan)?.outcome == "new")
  }

  @Test func `Where the target exists, the helper changes nothing, and says so`() throws {
    var app = LegacyApp()
    app.target = ["user_id": "u-2002"]
    let launch = try played(app)
    #expect(launch.fact("user", .helper) == launch.fact("user", .current))
    #expect(launch.notes(.helper) == ["The vendor's migrator does nothing: the new SDK's file exists."])
    #expect(try played(app, ["user_id": .migrate]).fact("user", .plan)?.value == "u-42")
  }

  @Test func `A block is named, and so is a target without a name`() throws {
    let optedOut = try played(.with(["rl_opt_status": true]))
    #expect(
      optedOut.notes(.plan).first
        == "The plan is blocked by consent.opted-out. This shows the launch as if it were applied.")
    var app = LegacyApp()
    app.bundleID = nil
    #expect(try played(app).notes(.current) == ["The new SDK's file is unknown, so it counts as absent."])
  }

  @Test func `The beta's helper makes the anonymous id from the device, if it finds anything at all`() throws {
    let played = try #require(
      Recipe.rudderStackSwiftV2.nextLaunch(BetaApp.with([:]).plan(), decisions: ["anonymous_id": .edit("typed")]))
    #expect(played.fact("anonymous id", .helper)?.outcome == "device")
    #expect(played.fact("anonymous id", .plan)?.value == "typed")
    let empty = LegacyApp(standard: ["com.acme.launches": 3], file: nil, recipe: .rudderStackSwiftV2)
    let nothing = try #require(Recipe.rudderStackSwiftV2.nextLaunch(empty.plan(), decisions: [:]))
    #expect(nothing.fact("anonymous id", .helper)?.outcome == "new")
    #expect(nothing.plays.flatMap(\.facts).allSatisfy { !$0.isLoss })
  }

  @Test func `Masks stand in the sentences, the outcomes stay`() throws {
    var redaction = Redaction(recipes: Recipe.builtIn)
    let app = LegacyApp()
    redaction.learn(try app.container())
    let launch = redaction.nextLaunch(try played(app))
    let sentences = launch.plays.flatMap(\.facts).map(\.sentence).joined(separator: "\n")
    #expect(!sentences.contains("u-42") && !sentences.contains(LegacyApp.anonymousID))
    #expect(sentences.contains("Logged in as “‹user-") && sentences.contains("1763640000"))
    #expect(try launch.plays.map { $0.facts.map(\.outcome) } == played(app).plays.map { $0.facts.map(\.outcome) })
  }

  private func played(_ app: LegacyApp, _ decisions: Decisions = [:]) throws -> NextLaunch {
    try #require(app.recipe.nextLaunch(app.plan(), decisions: decisions))
  }
}

@Suite("The recommendation about a session") struct SessionRecommendationTests {
  /// The app with other values in its preferences. The migrator reads the file.
  private func app(preferences: [String: PropertyListValue?]) -> LegacyApp {
    LegacyApp(standard: LegacyApp.with(preferences).standard)
  }

  @Test func `nothing is recommended that ends a session which the vendor's migrator would continue`() throws {
    for (app, id, isAutomatic) in [
      (LegacyApp.with(["rl_session_auto_track_status": nil]), "is_manual_session", true),
      (app(preferences: ["rl_session_auto_track_status": false]), "is_manual_session", true),
      (LegacyApp(file: LegacyApp.with(["rl_session_auto_track_status": false]).file), "is_manual_session", false),
      (app(preferences: ["rl_last_event_time_stamp": 1_763_630_000]), "last_activity_time", true),
    ] {
      let plan = try app.plan()
      let field = try #require(plan.field(id))
      #expect(field.status == .needsDecision && field.proposed != nil && field.recommendation == nil, "\(id)")
      let launch = try #require(
        Recipe.rudderStackObjC.nextLaunch(
          plan, decisions: [id: .migrate], assuming: NextLaunch.Assumptions(automaticSessions: isAutomatic)))
      #expect(launch.fact("session", .helper)?.outcome.hasPrefix("continued") == true, "\(id)")
      #expect(launch.fact("session", .plan)?.outcome.hasPrefix("continued") == false, "\(id)")
    }
  }

  @Test(
    arguments: [
      ["rl_session_auto_track_status": nil, "rl_last_event_time_stamp": nil],
      ["rl_session_auto_track_status": nil, "rl_last_event_time_stamp": 1_763_630_000],
      ["rl_session_auto_track_status": nil, "rl_session_id": 0], ["rl_session_manual_track_status": true],
    ] as [[String: PropertyListValue?]])
  func `a proposal that ends no such session is recommended`(_ changes: [String: PropertyListValue?]) throws {
    let field = try #require(try LegacyApp.with(changes).field("is_manual_session"))
    #expect(field.recommendation == .accept)
  }
}

extension NextLaunch {
  fileprivate func fact(_ topic: String, _ form: Form) -> Fact? {
    plays.first { $0.form == form }?.facts.first { $0.topic == topic }
  }

  fileprivate func notes(_ form: Form) -> [String] { plays.first { $0.form == form }?.notes ?? [] }
}

struct SuiteCase: Sendable, CustomTestStringConvertible {
  let topic: String
  let suite: PropertyListDictionary
  let outcome: String
  var value: PropertyListValue?
  var words: String?
  var assumed = NextLaunch.Assumptions()

  var testDescription: String { "\(topic) of \(suite.entries.map { "\($0.key)=\($0.value)" }): \(outcome)" }

  private static let now = LegacyApp.now.millisecondsSince1970
  private static let off = NextLaunch.Assumptions(automaticSessions: false)

  static let all = identity + traits + sessions + events

  private static let identity = [
    SuiteCase(topic: "user", suite: ["user_id": "u-1"], outcome: "logged-in", value: "u-1"),
    SuiteCase(topic: "user", suite: ["user_id": ""], outcome: "none", words: "user_id is empty"),
    SuiteCase(topic: "user", suite: ["user_id": 42], outcome: "logged-out", words: "is an integer (42), not a string"),
    SuiteCase(topic: "user", suite: ["user_id": .data([1])], outcome: "none", words: "not a string"),
    SuiteCase(topic: "user", suite: ["user_id": .data(Array(#""u-3""#.utf8))], outcome: "logged-in", value: "u-3"),
    SuiteCase(topic: "anonymous id", suite: ["anonymous_id": ""], outcome: "empty", value: ""),
    SuiteCase(topic: "anonymous id", suite: ["anonymous_id": ["x"]], outcome: "new"),
    SuiteCase(topic: "anonymous id", suite: [:], outcome: "new", words: "anonymous_id is absent"),
  ]

  private static let traits = [
    SuiteCase(
      topic: "traits", suite: ["traits": #"{"a":1,"a":2}"#, "user_id": "u"], outcome: "read", words: "1 trait."),
    SuiteCase(topic: "traits", suite: ["traits": #"{"a":1,"b":2}"#], outcome: "until-identify", words: "2 traits"),
    SuiteCase(topic: "traits", suite: ["traits": "{}"], outcome: "none", words: "the object is empty"),
    SuiteCase(topic: "traits", suite: ["traits": "[1]"], outcome: "none", words: "not a JSON object"),
    SuiteCase(topic: "traits", suite: ["traits": #"{"a":1e400}"#], outcome: "none"),
    SuiteCase(topic: "traits", suite: ["traits": ["a": 1]], outcome: "none", words: "a dictionary"),
  ]

  private static func session(
    _ id: PropertyListValue, manual: PropertyListValue = false, last: Int64?, _ outcome: String,
    _ value: PropertyListValue? = nil, _ words: String? = nil, _ assumed: NextLaunch.Assumptions = .init()
  ) -> SuiteCase {
    var suite: PropertyListDictionary = ["session_id": id, "is_manual_session": manual]
    suite["last_activity_time"] = last.map { .string(String($0)) }
    return SuiteCase(topic: "session", suite: suite, outcome: outcome, value: value, words: words, assumed: assumed)
  }

  private static let sessions = [
    session("1763640000", last: now - 1, "continued-automatic", "1763640000"),
    session("1763640000", last: now - 300_000, "continued-automatic", "1763640000"),
    session("1763640000", last: now - 300_001, "new", nil, "its last event is 5 minutes old"),
    session("1763640000", last: now, "new", nil, "not in the past"),
    session("1763640000", last: nil, "new", nil, "last_activity_time is absent"),
    session("+5", last: now - 1, "continued-automatic", "5"),
    session("0", last: now - 1, "new", nil, "session_id is “0”"),
    session("18446744073709551616", last: now - 1, "new"),
    session(1_763_640_000, last: now - 1, "new", nil, "not a string"),
    session("1763640000", manual: true, last: now - 1, "new", nil, "replaces the manual"),
    session("1763640000", manual: 1, last: now - 1, "new", nil, "replaces the manual"),
    session("1763640000", manual: 2, last: now - 1, "continued-automatic", "1763640000"),
    session("1763640000", manual: true, last: nil, "continued-manual", "1763640000", nil, off),
    session("1763640000", last: now - 1, "none", nil, "Ends session", off),
    session("0", manual: true, last: now - 1, "none", nil, "No session", off),
  ]

  private static func event(_ version: PropertyListValue?, _ next: String?, _ outcome: String) -> SuiteCase {
    var suite: PropertyListDictionary = ["rudder.app_build": 7]
    suite["rudder.app_version"] = version
    let isText = version?.kind == .string
    return SuiteCase(
      topic: "app event", suite: suite, outcome: outcome, value: isText ? version : nil,
      assumed: NextLaunch.Assumptions(appVersion: next))
  }

  private static let events = [
    event(nil, nil, "installed"), event(4, "4", "installed"), event("4.2.0", nil, "updated-if-changed"),
    event("4.2.0", "4.2.0", "none"), event("4.2.0", "4.2", "updated"), event("", "4.2.0", "updated"),
  ]
}

@Suite("What RudderStack's example migrators write") struct ReferenceHelperTests {
  @Test(arguments: HelperCase.v1)
  func `PersistentMigratorFromV1 writes what is predicted, and nothing else`(_ example: HelperCase) throws {
    #expect(try predicted(LegacyApp(standard: example.standard, file: example.file)) == example.written)
  }

  @Test(arguments: HelperCase.v2)
  func `PersistentMigratorFromV2 writes what is predicted, the vendor's id aside`(_ example: HelperCase) throws {
    let app = LegacyApp(standard: example.standard, file: nil, recipe: .rudderStackSwiftV2)
    #expect(try predicted(app) == example.written)
  }

  @Test func `Where the suite is there, neither writes anything`() throws {
    for recipe in [Recipe.rudderStackObjC, .rudderStackSwiftV2] {
      for example in HelperCase.v1 + HelperCase.v2 {
        let app = LegacyApp(standard: example.standard, file: example.file, target: ["other": 1], recipe: recipe)
        #expect(try predicted(app).isEmpty)
      }
    }
  }

  @Test func `is_session_start is no field: the helper never writes it`() throws {
    #expect(try LegacyApp().plan().field("is_session_start") == nil)
  }

  private func predicted(_ app: LegacyApp) throws -> [String: PropertyListValue] {
    var written: [String: PropertyListValue] = [:]
    for field in try app.plan().fields {
      if case .value(let value, _) = field.readings.helper { written[field.id] = value }
    }
    return written
  }
}

struct HelperCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let standard: PropertyListDictionary?
  let file: PropertyListDictionary?
  let written: [String: PropertyListValue]

  init(
    _ title: String, standard: PropertyListDictionary? = nil, file: PropertyListDictionary? = nil,
    written: [String: PropertyListValue]
  ) {
    (testDescription, self.standard, self.file, self.written) = (title, standard, file, written)
  }

  private static func session(
    _ title: String, id: PropertyListValue = 1_763_640_000, time: PropertyListValue = 1_763_640_123,
    automatic: PropertyListValue = true, gives: PropertyListValue? = "1763640000",
    at milliseconds: PropertyListValue = "1763640123000", isManual: PropertyListValue? = false
  ) -> HelperCase {
    var written: [String: PropertyListValue] = [:]
    if let gives {
      written = ["session_id": gives, "last_activity_time": milliseconds]
      written["is_manual_session"] = isManual
    }
    let file: PropertyListDictionary = [
      "rl_session_id": id, "rl_last_event_time_stamp": time, "rl_session_auto_track_status": automatic,
    ]
    return HelperCase(title, file: file, written: written)
  }

  static let v1: [HelperCase] = [
    session("a session id of zero is written", id: 0, gives: "0"),
    session("a boolean is a number", id: true, gives: "1"),
    session("a fraction is cut off", id: 1_763_640_000.75),
    session("a negative number wraps", id: -2.5, gives: "18446744073709551614"),
    session("a negative integer wraps", id: -5, gives: "18446744073709551611"),
    session("text is no number, so there is no session", id: "1763640000", gives: nil),
    session("a time that is text drops the session", time: "1763640123", gives: nil),
    session("a time that is a boolean is one second", time: true, at: "1000"),
    session("a time below a millisecond is zero", time: 0.0001, at: "0"),
    session("a fraction of a millisecond is cut off", time: 1_763_640_123.4567, at: "1763640123456"),
    session("a status that is a real", automatic: 0.0, isManual: true),
    session("a status that is text is none", automatic: "YES", isManual: nil),
    HelperCase(
      "a build that is an integer is dropped",
      file: ["rl_application_build_key": 420, "rl_application_version_key": "4.2.0"],
      written: ["rudder.app_version": "4.2.0"]),
    HelperCase(
      "a build in another form", file: ["rl_application_build_key": "+0420"],
      written: ["rudder.app_build": 420]),
    HelperCase(
      "a file with none of its keys: the preferences",
      standard: [
        "rl_anonymous_id": .string(LegacyApp.anonymousID), "rl_session_id": 1_763_640_000,
        "rl_last_event_time_stamp": 1_763_640_123, "rl_session_auto_track_status": true,
      ], file: ["theme": "dark"],
      written: [
        "anonymous_id": .string(LegacyApp.anonymousID), "is_manual_session": false,
        "last_activity_time": "1763640123000", "session_id": "1763640000",
      ]),
    HelperCase(
      "an empty file: the preferences", standard: ["rl_anonymous_id": .string(LegacyApp.anonymousID)], file: [:],
      written: ["anonymous_id": .string(LegacyApp.anonymousID)]),
    HelperCase(
      "a file with values that it makes nothing of: the preferences",
      standard: ["rl_anonymous_id": .string(LegacyApp.anonymousID)],
      file: [
        "rl_anonymous_id": 4711, "rl_traits": "{", "rl_session_id": 1_763_640_000, "rl_application_build_key": 420,
      ],
      written: ["anonymous_id": .string(LegacyApp.anonymousID)]),
    HelperCase(
      "a file with an empty object as traits counts", standard: ["rl_anonymous_id": .string(LegacyApp.anonymousID)],
      file: ["rl_traits": "{}"],
      written: [:]),
    HelperCase(
      "a number as an id: its text from the preferences", standard: ["rl_anonymous_id": 4711],
      written: ["anonymous_id": "4711"]),
    HelperCase(
      "a real as an id: its text from the preferences", standard: ["rl_anonymous_id": .real(PropertyListReal(4.5))],
      written: ["anonymous_id": "4.5"]),
    HelperCase(
      "a number as an id: dropped from the file",
      file: ["rl_anonymous_id": 4711, "rl_application_version_key": "4.2.0"],
      written: ["rudder.app_version": "4.2.0"]),
    HelperCase(
      "id goes from the traits, and deeper ones stay",
      file: ["rl_traits": #"{"anonymousId":"a","userId":"u","id":"x","d":{"id":1}}"#],
      written: ["traits": #"{"d":{"id":1}}"#, "user_id": "u"]),
    HelperCase(
      "traits as data are none",
      standard: [
        "rl_traits": .data(Array(#"{"userId":"u"}"#.utf8)), "rl_anonymous_id": .string(LegacyApp.anonymousID),
      ],
      written: ["anonymous_id": .string(LegacyApp.anonymousID)]),
  ]

  static let v2: [HelperCase] = [
    HelperCase("a boolean as user id is its number", standard: ["rs_user_id": true], written: ["user_id": "1"]),
    HelperCase(
      "a real as user id", standard: ["rs_user_id": .real(PropertyListReal(4.5))],
      written: ["user_id": "4.5"]),
    HelperCase("a number as user id", standard: ["rs_user_id": 42], written: ["user_id": "42"]),
    HelperCase(
      "a session needs no time, and a boolean is a number", standard: ["rl_session_id": true],
      written: ["session_id": "1"]),
    HelperCase(
      "a negative fraction wraps",
      standard: ["rl_session_id": .real(PropertyListReal(-2.5)), "rl_session_manual_track_status": 1],
      written: ["is_manual_session": true, "session_id": "18446744073709551614"]),
    HelperCase(
      "a time below a millisecond is zero",
      standard: ["rl_session_id": 1_763_640_000, "rl_last_event_time_stamp": .real(PropertyListReal(0.0001))],
      written: ["last_activity_time": "0", "session_id": "1763640000"]),
    HelperCase(
      "text is no number", standard: ["rl_session_id": "1763640000", "rl_last_event_time_stamp": 1_763_640_123],
      written: [:]),
    HelperCase(
      "an ended session is written",
      standard: [
        "rl_session_id": 1_763_640_000, "rl_session_stopped_status": true, "rl_last_event_time_stamp": 1_763_640_123,
      ],
      written: ["last_activity_time": "1763640123000", "session_id": "1763640000"]),
  ]
}
