@testable import Carryover

@Suite("Verdicts on migrators") struct MigratorVerdictTests {
  /// An app of Acme: its migrator runs at the first start of the new SDK, and moves `acme_session`.
  private func app(moves: [String] = ["acme_session"]) -> LegacyApp {
    var app = LegacyApp.with(["acme_user": "u-42", "acme_id": "a-1", "acme_session": 7])
    app.recipe = Recipe(
      reference: RecipeReference(id: "acme", version: 1, title: "Acme"),
      migrator: VendorMigrator("Acme's migrator", runs: .atFirstStart, moves: moves),
      target: Recipe.rudderStackObjC.target,
      sources: [.suite([.bundleID]), .plist([NameTemplate(["Library/rsDefaultsPersistence.plist"])])],
      rules: [
        FieldRule(
          target: "anonymous_id", group: .identity, form: .string, candidates: [Candidate(SourceKey("acme_id"))],
          isMigratedByVendor: true, loss: .newUser),
        FieldRule(
          target: "user_id", group: .identity, form: .string, candidates: [Candidate(SourceKey("acme_user"))],
          isMigratedByVendor: true, loss: .loggedOut),
      ],
      leftBehind: [LeftBehind("acme_session", because: "Acme's migrator moves it.")], marks: ["acme_user", "acme_id"])
    return app
  }

  private func verdict(_ app: LegacyApp, target: PropertyListDictionary) throws -> Verdict {
    var app = app
    app.target = target
    return app.recipe.verdict(on: try app.plan())
  }

  @Test func `where what the migrator moves is still there, it has not run, and the user was logged out`() throws {
    let verdict = try verdict(app(), target: ["anonymous_id": "a-1"])
    #expect(verdict.isLoggedOut && verdict.certainty == .likely, "\(verdict.text)")
  }

  @Test func `where it is gone, the migrator has run, and the app has logged the user out since`() throws {
    var app = app()
    app.standard?["acme_session"] = nil
    app.file?["acme_session"] = nil
    let verdict = try verdict(app, target: ["anonymous_id": "a-1"])
    #expect(verdict.certainty == .likely && verdict.losses.isEmpty, "\(verdict.text)")
    #expect(verdict.text == "Acme's migrator kept this user, and the app has logged the user out since.")
  }

  @Test func `without such a key nobody can tell, and no id is listed as lost`() throws {
    let verdict = try verdict(app(moves: []), target: ["anonymous_id": "a-2"])
    #expect(verdict.certainty == .cannotTell, "\(verdict.text)")
    #expect(verdict.losses.isEmpty, "\(verdict.losses)")
  }

  @Test func `an id that the new SDK has proves nothing where the legacy store cannot be read`() throws {
    var app = app()
    (app.standard, app.file) = (["acme_session": 7], nil)
    app.otherStores = [Store(path: "AppData/Library/rsDefaultsPersistence.plist", content: .unreadable("It is empty."))]
    app.recipe.rules.removeLast()
    let verdict = try verdict(app, target: ["anonymous_id": "a-2"])
    #expect(verdict.certainty == .cannotTell, "\(verdict.text)")
  }

  @Test func `an SDK without users logs nobody out, and its id is what the reason is about`() throws {
    var app = app()
    app.recipe.rules.removeLast()
    let kept = try verdict(app, target: ["anonymous_id": "a-1"])
    #expect(kept.isSound && kept.reasonText.hasPrefix("The new SDK reads the anonymous id"), "\(kept.reasonText)")
    app.otherStores = [Store(path: LegacyApp.targetPath, content: .unreadable("It is damaged."))]
    let unreadable = app.recipe.verdict(on: try app.plan())
    #expect(unreadable.text.hasPrefix("Cannot tell whether anything was lost"), "\(unreadable.text)")
  }

  @Test func `an id without the one that it describes is no loss: the legacy SDK itself drops it`() throws {
    var app = app()
    app.standard?["acme_id"] = nil
    app.file?["acme_id"] = nil
    app.recipe.rules[1].describes = "anonymous_id"
    app.recipe.rules[1].loss = .lost("the alias")
    let verdict = try verdict(app, target: ["anonymous_id": "a-2"])
    #expect(verdict.losses.isEmpty, "\(verdict.text)")
  }

  @Test func `a user id that the SDKs drop was nobody, whom no migration kept`() throws {
    var app = app()
    app.standard?["acme_id"] = nil
    app.file?["acme_id"] = nil
    app.recipe.rules[1].describes = "anonymous_id"
    app.target = ["anonymous_id": "a-2", "user_id": "u-7"]
    var options = PlannerOptions(writeKey: LegacyApp.writeKey)
    options.settled = ["user_id": SettledField(legacy: "u-42", left: "u-42", runID: "r")]
    let verdict = app.recipe.verdict(on: try app.plan(options: options))
    #expect(!verdict.text.contains("kept"), "\(verdict.text)")
  }

  @Test func `the migrator's mark says whether the new SDK has started, and not the ids in its file`() throws {
    var app = app()
    app.recipe.migrator?.mark = "acme_version"
    let begun = try verdict(app, target: ["anonymous_id": "a-2"])
    #expect(begun.situation == .begun, "\(begun.text)")
    let past = try verdict(app, target: ["anonymous_id": "", "user_id": "u-42", "acme_version": 2])
    #expect(past.situation == .past, "\(past.text)")
  }

  @Test func `where the migrator has run, the app itself has changed the ids since`() throws {
    var app = app()
    app.standard?["acme_session"] = nil
    app.file?["acme_session"] = nil
    let user = try verdict(app, target: ["anonymous_id": "a-1", "user_id": "u-7"])
    #expect(user.text == "Acme's migrator kept this user, and another user has logged in since.")
    app.standard?["acme_user"] = nil
    app.file?["acme_user"] = nil
    let nobody = try verdict(app, target: ["anonymous_id": "a-2"])
    #expect(nobody.text == "Acme's migrator kept the anonymous id, and the app has changed it since.")
    #expect(nobody.losses.isEmpty)
  }

  /// A suite that Acme's migrator moves, before the store that it copies.
  private func moving(_ move: Generation.Move, suite: PropertyListDictionary, file: PropertyListDictionary) -> LegacyApp
  {
    var app = app()
    (app.standard, app.file) = (suite, file)
    let (first, second) = (app.recipe.sources[0], app.recipe.sources[1])
    app.recipe.generations = [Generation("Acme 2", files: [first], move: move), Generation("Acme 1", files: [second])]
    return app
  }

  @Test func `what the migrator moves after the other values loses against them`() throws {
    let ids: PropertyListDictionary = ["acme_user": "u-42", "acme_id": "a-1"]
    let other: PropertyListDictionary = ["acme_user": "u-7", "acme_id": "a-1"]
    func ahead(_ app: LegacyApp) throws -> Verdict { app.recipe.verdict(on: try app.plan()) }
    let after = try ahead(moving(.afterOthers, suite: other, file: ids))
    #expect(after.text == "The update would change the user id: Acme's migrator writes another value.")
    #expect(try ahead(moving(.afterOthers, suite: other, file: [:])).isSound)
    #expect(try ahead(moving(.beforeOthers, suite: other, file: ids)).isSound)
    // It leaves an empty value alone.
    let empty = try verdict(
      moving(.beforeOthers, suite: other, file: [:]), target: ["anonymous_id": "", "user_id": ""])
    #expect(empty.isLoggedOut, "\(empty.text)")
  }

  @Test func `a file whose ids the migrator has moved may have been another user's`() throws {
    let (target, version): (PropertyListDictionary, PropertyListDictionary) = (
      ["anonymous_id": "a-1", "user_id": "u-42"], ["acme_version": "1.3"]
    )
    let file: PropertyListDictionary = ["acme_user": "u-42", "acme_id": "a-1"]
    let kept = try verdict(moving(.afterOthers, suite: version, file: file), target: target)
    #expect(kept.certainty == .likely && kept.reasonText.contains("no longer has its ids"), "\(kept.reasonText)")
    let gone = try verdict(moving(.afterOthers, suite: version, file: file), target: ["anonymous_id": "a-1"])
    #expect(gone.certainty == .cannotTell, "\(gone.text)")
    let alone = try verdict(moving(.afterOthers, suite: version, file: [:]), target: ["anonymous_id": "a-9"])
    #expect(alone.text == "The update lost no id: Acme's migrator has moved the ids.", "\(alone.text)")
  }

  @Test func `an empty id in the new SDK's file means that it has not started: its migrator fills the id`() throws {
    let verdict = try verdict(app(), target: ["anonymous_id": "", "user_id": ""])
    #expect(verdict.situation == .begun && !verdict.isLoggedOut, "\(verdict.text)")
  }
}

@Suite("Diagnosis") struct MendingTests {
  private func mending(_ app: LegacyApp, _ decisions: Decisions = [:]) throws -> Mending {
    let plan = try app.plan()
    return Mending(app.recipe.verdict(on: plan), plan, decisions)
  }

  @Test func `a proposal is accepted, a field without one asks for a value, and a decision settles either`() throws {
    let number = LegacyApp.traits(#"{"userId":42,"plan":"pro"}"#)
    #expect(try mending(number).accept == ["user_id"])
    #expect(try mending(number).field == "user_id" && mending(number).applies)
    #expect(try mending(number, ["user_id": .migrate]).accept == [])
    let object = LegacyApp.traits(#"{"userId":{},"plan":"pro"}"#)
    #expect(try mending(object).edit == ["user_id"] && mending(object).accept == [])
  }

  @Test func `a fresh anonymous id is replaced; what no migration mends is told with its remedy`() throws {
    var app = LegacyApp.with(["rl_external_id": #"[{"type":"t","id":"i"}]"#])
    app.target = ["anonymous_id": "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"]
    let mending = try mending(app)
    #expect(!mending.replace.isEmpty && mending.accept == [])
    #expect(mending.outside.map(\.loss.what) == ["the external ids"])
  }

  @Test func `a field that an apply leaves out is not what repairs the losses that the apply repairs`() throws {
    var app = LegacyApp.with(["rl_application_build_key": "rc1"])
    app.target = [
      "anonymous_id": .string(LegacyApp.anonymousID), "user_id": "u-42",
      "traits": #"{"email":"ada@example.com","plan":"pro"}"#,
    ]
    var plan = try app.plan()
    plan.target?.isMadeByRuns = true
    let verdict = app.recipe.verdict(on: plan)
    #expect(verdict.losses.map(\.loss.what).contains("the app's build") && plan.undecided([:]).isEmpty)
    let mending = Mending(verdict, plan)
    #expect(mending.applies && mending.repairs && mending.field == nil)
    let skipped = plan.fields.reduce(into: Decisions()) { $0[$1.id] = $1.status == .ready ? .skip : nil }
    #expect(Mending(verdict, plan, skipped).field == "rudder.app_build")
  }

  @Test func `who stays logged in does so by a migration, which a line on another SDK says too`() throws {
    let assumption =
      " This assumes that the app migrates with RudderStack's migrator; without a migration it loses everything."
    func told(_ app: LegacyApp) throws -> RecipeVerdict { RecipeVerdict(try app.plan(), isInterrupted: false) }
    let stays = try told(.with(["rl_last_event_time_stamp": nil]))
    #expect(stays.verdict.text.hasPrefix("This user stays logged in, but "), "\(stays.verdict.text)")
    #expect(stays.sentence == stays.verdict.text + assumption && stays.verdict.reasonText.hasSuffix(assumption))
    for app in [LegacyApp(), .traits(#"{"userId":42,"plan":"pro"}"#)] {
      #expect(try told(app).sentence == told(app).verdict.text)
    }
  }

  @Test func `nothing is to be done for a target that has everything`() throws {
    var app = LegacyApp()
    app.target = PropertyListDictionary(
      entries: try app.plan().fields.compactMap { field in field.proposed.map { .init(key: field.id, value: $0) } })
    let mending = try mending(app)
    #expect(!mending.applies && mending.accept == [] && mending.outside == [])
  }

  @Test(
    arguments: [
      (PropertyListValue.integer(42), nil, "a number of 2 digits"), (.integer(-7), nil, "a negative number of 1 digit"),
      (4.1, "4.10", "a number written with 3 digits"), (1000, "1e3", "a number written with 2 digits"),
      (4.1, "4.1", "a number of 2 digits"), (.string(""), nil, "an empty string"),
      (.string("a"), nil, "a string of 1 character"), (.data([1, 2]), nil, "data of 2 bytes"),
      (.array([1]), nil, "an array of 1 element"), (.boolean(true), nil, "a boolean"), (.null, nil, "null"),
    ] as [(PropertyListValue, String?, String)])
  func `a shape says type and size, no value`(_ value: PropertyListValue, _ text: String?, _ words: String) {
    #expect(ValueShape.words(value, text: text) == words)
  }

  @Test func `the timeline tells moments of either SDK in order, each with its place`() throws {
    var app = LegacyApp.with(["rl_opt_out_time": 1_763_640_050])
    app.target = ["anonymous_id": "x", "session_id": "1763640200", "last_activity_time": "1763640250000"]
    let timeline = app.recipe.timeline(of: try app.plan())
    #expect(
      timeline.map(\.what) == [
        "session began, legacy SDK", "opted out, legacy SDK", "last event, legacy SDK", "session began, new SDK",
        "last event, new SDK",
      ])
    #expect(timeline.map(\.moment) == timeline.map(\.moment).sorted())
    #expect(timeline.first?.place == "rl_session_id in com.acme.shop.plist")
    #expect(timeline.last?.moment == Moment(millisecondsSince1970: 1_763_640_250_000))
  }
}

@Suite("Verdicts on Mixpanel's SDK before version 3.4") struct OlderMixpanelTests {
  private func verdict(_ keys: PropertyListDictionary, of recipe: Recipe = .mixpanelObjC) throws -> Verdict {
    let container = try Container(["Library/Preferences/Mixpanel.plist": keys])
    let filled = try recipe.filled([:], in: container)
    let options = PlannerOptions(writeKey: "WK")
    return filled.verdict(on: Planner(filled).plan(container, now: LegacyApp.now, options: options))
  }

  @Test func `an id without a user id says nothing of a login; with an anonymous id, nobody was logged in`() throws {
    let older = try verdict(["mixpanel-ff01MPDistinctID": "u-1001"])
    #expect(older.text.hasPrefix("The update would count this user as a new one: "), "\(older.text)")
    #expect(older.reasonText.contains("does not show whether anyone was logged in"), "\(older.reasonText)")
    let newer = try verdict(["mixpanel-ff01MPDistinctID": "a-1", "mixpanel-ff01MPAnonymousId": "a-1"])
    #expect(newer.text.hasPrefix("Nobody was logged in, but the update would count"), "\(newer.text)")
    let user = try verdict(["mixpanel-ff01MPDistinctID": "u-1001", "mixpanel-ff01MPUserId": "u-1001"])
    #expect(user.isLoggedOut, "\(user.text)")
    let same = try verdict(["mixpanel-ff01MPDistinctID": "u-1001", "mixpanel-ff01-MPDistinctID": "u-1001"])
    #expect(same.isSound && same.certainty == .likely && !same.text.contains("obody"), "\(same.text)")
  }

  @Test func `the same holds where the id moves to another vendor`() throws {
    let told = try verdict(["mixpanel-ff01MPDistinctID": "u-1001"], of: .mixpanelToRudderStack)
    #expect(!told.text.contains("obody"), "\(told.text)")
    #expect(told.reasonText.contains("the device's id or the user's"), "\(told.reasonText)")
  }
}

@Suite("What a rollback does to the user") struct RollbackEffectTests {
  private static let target = "Library/Preferences/Mixpanel.plist"

  /// - Parameters:
  ///   - legacy: the store of the legacy SDK, if it has one of its own.
  ///   - count: how many of the changes are rolled back; nil for all.
  private func effects(
    _ recipe: Recipe, _ keys: PropertyListDictionary, legacy: Store? = nil, file: String, isNew: Bool = false,
    state: RollbackFileState = .asLeft,
    _ changes: [(key: String, before: PropertyListValue?, now: PropertyListValue)], first count: Int? = nil
  ) throws -> [String] {
    let container = Container(try [Store(file, keys)] + [legacy].compactMap(\.self))
    let filled = try recipe.filled([:], in: container)
    func plan(_ container: Container) -> Plan {
      Planner(filled).plan(container, now: LegacyApp.now, options: PlannerOptions(writeKey: "WK"))
    }
    let entries = changes.map { change in
      RollbackEntry(
        id: KeyPlace(file: file, key: change.key), recipe: nil, before: change.before, after: change.now,
        current: change.now, state: .restorable)
    }
    let run = RunSummary(
      id: "r", kind: .apply, moment: LegacyApp.now, recipe: filled.reference, tool: "1", files: [file], fields: [],
      standing: .holds, size: 0)
    let rollback = RollbackPlan(
      run: run,
      files: [RollbackFile(id: file, state: state, isNew: isNew, isRemovable: isNew && state == .asLeft)],
      entries: entries)
    let present = plan(container)
    let sdk = RollbackSDK(present.definition, present, withoutFiles: plan(rollback.withoutFiles(container)))
    return rollback.effects(of: Array(entries.prefix(count ?? entries.count))) { _ in sdk }.map {
      $0.sentence(isNamed: false)
    }
  }

  @Test func `without the user id the user is logged out, and without the opt-out tracked again`() throws {
    let keys: PropertyListDictionary = [
      "mixpanel-ff01MPDistinctID": "u-1", "mixpanel-ff01MPUserId": "u-1", "mixpanel-ff01OptOutStatus": true,
      "mixpanel-ff01-MPDistinctID": "u-1", "mixpanel-ff01-MPUserId": "u-1", "mixpanel-ff01-OptOutStatus": true,
    ]
    func said(_ changes: (key: String, before: PropertyListValue?, now: PropertyListValue)...) throws -> [String] {
      try effects(.mixpanelObjC, keys, file: Self.target, changes)
    }
    #expect(
      try said(("mixpanel-ff01-MPUserId", nil, "u-1"), ("mixpanel-ff01-OptOutStatus", nil, true))
        == [
          "After the rollback, the new SDK lacks the user id and the opt-out: the user is logged out and tracked again."
        ])
    // The SDK read false before, too, which is no opt-out.
    #expect(
      try said(("mixpanel-ff01-OptOutStatus", false, true)).first?.hasSuffix("the user is tracked again.") == true)
    #expect(try said(("mixpanel-ff01-OptOutStatus", true, true)) == [])
    #expect(try said(("mixpanel-ff01-MPUserId", "u-2", "u-1")) == [])
    #expect(
      try said(("mixpanel-ff01-MPDistinctID", nil, "u-1"))
        == ["After the rollback, the new SDK lacks the distinct id: the user is counted as a new one."])
  }

  @Test func `a user id that is the device's is nobody's, but the user counts as a new one`() throws {
    let id: PropertyListValue = .string(LegacyApp.anonymousID)
    let keys: PropertyListDictionary = [
      "mixpanel-ff01MPDistinctID": id, "mixpanel-ff01MPUserId": id,
      "mixpanel-ff01-MPDistinctID": id, "mixpanel-ff01-MPUserId": id,
    ]
    let said = try effects(
      .mixpanelObjC, keys, file: Self.target,
      [("mixpanel-ff01-MPDistinctID", nil, id), ("mixpanel-ff01-MPUserId", nil, id)])
    #expect(said.count == 1 && said[0].hasSuffix(": the user is counted as a new one."), "\(said)")
  }

  private static let rudderStack = "Library/Preferences/com.acme.shop.analytics.WK.plist"
  private static let loggedOut = "After the rollback, the new SDK lacks the user id: the user is logged out"

  private func rudderStack(
    legacy traits: String? = #"{"userId":"u-42"}"#, isNew: Bool, state: RollbackFileState = .asLeft,
    first count: Int? = nil
  ) throws -> [String] {
    let keys = PropertyListDictionary(
      entries: [.init(key: "rl_anonymous_id", value: "a-1")]
        + (traits.map { [.init(key: "rl_traits", value: .string($0))] } ?? []))
    return try effects(
      .rudderStackObjC, ["anonymous_id": "a-1", "user_id": "u-42", "session_id": "7"],
      legacy: Store("Library/rsDefaultsPersistence.plist", keys), file: Self.rudderStack,
      isNew: isNew, state: state, [("user_id", nil, "u-42"), ("own", nil, 7)], first: count)
  }

  @Test func `the user id without the traits, or the traits without it, mixes two users`() throws {
    let traits: PropertyListValue = .string(#"{"plan":"gold"}"#)
    let mixed =
      "After the rollback, traits describes a user other than the new SDK's. Roll back user_id and traits together."
    func said(
      _ changes: (key: String, before: PropertyListValue?, now: PropertyListValue)..., first count: Int? = 1
    ) throws -> [String] {
      let keys: PropertyListDictionary = ["anonymous_id": "a-1", "user_id": "u-3050", "traits": traits]
      return try effects(.rudderStackObjC, keys, file: Self.rudderStack, state: .changed, changes, first: count)
    }
    #expect(try said(("user_id", "u-6050", "u-3050"), ("traits", nil, traits)) == [mixed])
    #expect(try said(("traits", .string(#"{"plan":"red"}"#), traits), ("user_id", "u-6050", "u-3050")) == [mixed])
    // Both go back, the run did not write the traits, or nobody's traits go.
    #expect(try said(("user_id", "u-6050", "u-3050"), ("traits", .string("{}"), traits), first: 2) == [])
    #expect(try said(("user_id", "u-6050", "u-3050")) == [])
    #expect(try said(("user_id", nil, "u-3050"), ("traits", nil, traits)) == [Self.loggedOut + "."])
  }

  @Test func `RudderStack's migrator runs again where the rollback removes the file, and nowhere else`() throws {
    #expect(try rudderStack(isNew: true) == [Self.loggedOut + ", unless RudderStack's migrator writes it again."])
    // The file stays: it is older than the run, has another key of the run, or has changed since.
    #expect(try rudderStack(isNew: false) == [Self.loggedOut + "."])
    #expect(try rudderStack(isNew: true, first: 1) == [Self.loggedOut + "."])
    #expect(try rudderStack(isNew: true, state: .changed) == [Self.loggedOut + "."])
  }

  @Test func `of several values, those are named that the migrator writes again and that decide what the user loses`()
    throws
  {
    let legacy: PropertyListDictionary = ["rl_anonymous_id": 42, "rl_traits": .string(#"{"userId":"u-42"}"#)]
    let said = try effects(
      .rudderStackObjC, ["anonymous_id": "a-1", "user_id": "u-42"],
      legacy: Store("Library/rsDefaultsPersistence.plist", legacy), file: Self.rudderStack, isNew: true,
      [("user_id", nil, "u-42"), ("anonymous_id", nil, "a-1")])
    #expect(
      said == [
        "After the rollback, the new SDK lacks the user id and the anonymous id: the user is logged out, "
          + "unless RudderStack's migrator writes the user id again."
      ])
  }

  @Test func `a migrator that reads no user id writes none again`() throws {
    #expect(try rudderStack(legacy: nil, isNew: true) == [Self.loggedOut + "."])
    #expect(try rudderStack(legacy: #"{"userId":42}"#, isNew: true) == [Self.loggedOut + "."])
  }

  @Test func `a migrator of the first start is named only before the new SDK has started`() throws {
    let file = "Library/Preferences/com.amplitude.storage.amplitude-swift-storage-WK-$default_instance.plist"
    func said(_ mark: PropertyListDictionary) throws -> [String] {
      var keys = mark
      (keys["device_id"], keys["user_id"]) = ("d-1", "u-42")
      let database = Store(
        path: "Library/com.amplitude.database",
        content: .database(["store": ["device_id": "d-1", "user_id": "u-42"], "long_store": [:]]))
      return try effects(.amplitudeObjC, keys, legacy: database, file: file, [("user_id", nil, "u-42")])
    }
    #expect(try said([:]).map { $0.contains(", unless Amplitude's migrator writes it again.") } == [true])
    #expect(try said(["storage_version": 1]).map { $0.contains("unless") } == [false])
  }
}
