@testable import Carryover

@Suite("Verdicts") struct VerdictTests {
  /// What the new SDK's file has of the clean sample after a sound migration.
  private static let migrated: PropertyListDictionary = [
    "anonymous_id": .string(LegacyApp.anonymousID), "user_id": "u-42",
    "traits": .string(#"{"email":"ada@example.com","plan":"pro"}"#),
  ]

  private static func target(_ changes: [String: PropertyListValue?]) -> PropertyListDictionary {
    var keys = migrated
    for (key, value) in changes { keys[key] = value }
    return keys
  }

  private func verdict(_ app: LegacyApp, _ options: PlannerOptions? = nil) throws -> Verdict {
    let plan = try app.plan(options: options ?? PlannerOptions(writeKey: LegacyApp.writeKey))
    return app.recipe.verdict(on: plan)
  }

  private func verdict(
    _ app: LegacyApp, target: PropertyListDictionary?, settled: [StringByBytes: SettledField] = [:]
  ) throws -> Verdict {
    var app = app
    app.target = target
    return try verdict(app, Self.options(settled))
  }

  private static func options(_ settled: [StringByBytes: SettledField]) -> PlannerOptions {
    PlannerOptions(parameters: [RecipeParameter.writeKey.name: LegacyApp.writeKey], settled: settled)
  }

  private static func settled(
    _ legacy: PropertyListValue, left: PropertyListValue?, isRolledBack: Bool = false, isKept: Bool = false,
    isWritten: Bool = false
  ) -> SettledField {
    SettledField(
      legacy: legacy, left: left, runID: "r", isRolledBack: isRolledBack, isKept: isKept, isWritten: isWritten)
  }

  @Test(arguments: ["42", "true", "[1]"])
  func `before the update, a user id that the vendor's migrator drops logs the user out`(_ userID: String) throws {
    let verdict = try verdict(.traits(#"{"userId":\#(userID),"plan":"pro"}"#))
    #expect(verdict.isLoggedOut && verdict.certainty == .likely && verdict.situation == .ahead)
    #expect(verdict.text.hasPrefix("The update would log this user out: rl_traits.userId is a"), "\(verdict.text)")
    #expect(verdict.losses.first?.fields == ["user_id"])
    #expect(verdict.losses.first?.finding?.code == .userIDNotString)
  }

  @Test func `a user id that is text is migrated: nobody is logged out, before the update and after it`() throws {
    let ahead = try verdict(LegacyApp())
    #expect(ahead.isSound && ahead.certainty == .likely, "\(ahead.text)")
    #expect(
      ahead.text
        == "Nothing would be lost if the app calls RudderStack's migrator; without a migration, everything would be.")
    let past = try verdict(LegacyApp(), target: Self.migrated)
    #expect(past.isSound && past.certainty == .certain, "\(past.text)")
    #expect(past.text == "Nothing is lost: the new SDK's file has the user id.")
  }

  @Test func `a migrator that deletes what it reads is not the cause where the legacy values are still there`() throws {
    let app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":42,"plan":"pro"}"#)
    let verdict = try verdict(app, target: Self.target(["user_id": nil, "traits": #"{"plan":"pro"}"#]))
    #expect(verdict.isLoggedOut && verdict.certainty == .likely, "\(verdict.reasonText)")
    #expect(verdict.text == "This user was logged out: the new SDK's file has no user_id.")
  }

  @Test func `without a status the vendor's migrator writes none, and the session goes on`() throws {
    let absent = try LegacyApp.with(["rl_session_auto_track_status": nil]).plan()
    #expect(absent.codes.contains(.sessionManualWillBeReplaced))
    #expect(Recipe.rudderStackObjC.verdict(on: absent).isSound)
    let launch = try #require(Recipe.rudderStackObjC.nextLaunch(absent, decisions: [:]))
    let played = launch.plays.first { $0.form == .helper }?.facts.first { $0.topic == "session" }
    #expect(played?.outcome == "continued-automatic", "\(String(describing: played))")
    let manual = try verdict(.with(["rl_session_auto_track_status": false]))
    #expect(manual.losses.map(\.causeText).contains { $0.contains("replaces manual sessions") }, "\(manual.text)")
  }

  @Test func `an empty user id and empty traits are nobody, whatever the new SDK has stored them as`() throws {
    let app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":"u-42","plan":"pro"}"#)
    let verdict = try verdict(app, target: Self.target(["user_id": "", "traits": "{}"]))
    #expect(verdict.isLoggedOut, "\(verdict.text)")
    #expect(verdict.losses.contains { $0.loss.what == "the traits" }, "\(verdict.losses.map(\.loss.what))")
    #expect(!verdict.text.contains("mixed up"))

    // Traits that the new SDK reads now are not lost yet.
    let kept = try self.verdict(
      .traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","plan":"pro"}"#),
      target: ["anonymous_id": .string(LegacyApp.anonymousID), "traits": #"{"plan":"pro"}"#])
    #expect(kept.isSound, "\(kept.text)")
  }

  @Test func `without the traits that would have the user id, nobody can say that nobody was logged in`() throws {
    let app = LegacyApp.with(["rl_traits": nil])
    let past = try verdict(app, target: ["anonymous_id": .string(LegacyApp.anonymousID)])
    #expect(past.certainty == .cannotTell && past.text.contains("the legacy stores have no rl_traits"), "\(past.text)")
    #expect(try verdict(app).isSound)
  }

  @Test func `without Carryover, the legacy session is lost if the new SDK has begun another one`() throws {
    var app = LegacyApp()
    app.target = Self.target(["session_id": "1763640299"])
    let plan = try app.plan(options: PlannerOptions(writeKey: LegacyApp.writeKey))
    let fates = RecipeVerdict(plan, isInterrupted: false).legacyFates
    #expect(plan.field("session_id")?.isTargetKept == true && fates["session_id"] == .wrong)
    #expect(fates["user_id"] == .kept)
  }

  @Test func `what differs in a file that the new SDK has not started with is listed, whatever it is`() throws {
    let verdict = try verdict(LegacyApp(), target: ["user_id": "u-42", "session_id": "7", "rudder.app_version": "0.1"])
    #expect(verdict.situation == .begun)
    #expect(Set(verdict.losses.flatMap(\.fields)).isSuperset(of: ["session_id", "rudder.app_version"]))
  }

  @Test func `a user id that is gone for no known reason is lost by the update or by a logout`() throws {
    let verdict = try verdict(LegacyApp(), target: Self.target(["user_id": nil]))
    #expect(verdict.isLoggedOut && verdict.certainty == .likely)
    #expect(verdict.text == "This user was logged out: the new SDK's file has no user_id.")
    #expect(verdict.reasonText.contains("or the user has logged out since"))
  }

  @Test func `an anonymous id of the new SDK's own is no proof that it started without the legacy values`() throws {
    let verdict = try verdict(LegacyApp(), target: ["anonymous_id": "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"])
    #expect(verdict.isLoggedOut && verdict.certainty == .likely)
    #expect(verdict.losses.allSatisfy { !$0.causeText.contains("started") && !$0.loss.past.contains("update") })
    #expect(verdict.text.hasPrefix("This user was logged out: the new SDK's file has no user_id"), "\(verdict.text)")
  }

  @Test func `an id that a migration wrote and the app has changed since is no fresh one, and no loss`() throws {
    var app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)"}"#)
    app.target = ["anonymous_id": "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"]
    let id = PropertyListValue.string(LegacyApp.anonymousID)
    let options = Self.options(["anonymous_id": Self.settled(id, left: id)])
    #expect(try !app.plan(options: options).codes.contains(.targetFreshIdentity))
    let verdict = try verdict(app, options)
    #expect(verdict.text == "A migration kept the anonymous id, and the app has changed it since.")
  }

  @Test func `where the legacy user has changed since, the new SDK's file still has what the migration wrote`() throws {
    let verdict = try verdict(
      LegacyApp(), target: Self.target(["user_id": "u-7"]), settled: ["user_id": Self.settled("u-7", left: "u-7")])
    #expect(verdict.text == "A migration kept this user, and the legacy stores have another user id now.")
  }

  @Test func `where the file that a migration wrote is gone, nobody can tell who deleted it`() throws {
    let verdict = try verdict(
      LegacyApp(), target: nil, settled: ["user_id": Self.settled("u-42", left: "u-42")])
    #expect(verdict.certainty == .cannotTell && verdict.text.hasSuffix("which a migration wrote, is gone."))
  }

  @Test func `a user id that is the anonymous id is there, and is no certain sign`() throws {
    let id = LegacyApp.anonymousID
    let app = LegacyApp.traits(#"{"anonymousId":"\#(id)","userId":"\#(id)"}"#)
    let verdict = try verdict(app, target: ["anonymous_id": .string(id), "user_id": ""])
    #expect(verdict.certainty == .likely && verdict.text.contains("obody was logged in"), "\(verdict.text)")
    #expect(verdict.reasonText.hasPrefix("The user id is the anonymous id"), "\(verdict.reasonText)")
  }

  @Test func `one property list does not show whether the new SDK has started`() throws {
    let (name, recipe) = ("com.acme.shop.plist", Recipe.rudderStackObjC)
    func verdict(_ keys: PropertyListDictionary) throws -> Verdict {
      let container = Container(
        [try Store(name, keys)], kind: .propertyList, in: "/tmp", name: name, bundleID: "com.acme.shop")
      let options = PlannerOptions(writeKey: LegacyApp.writeKey)
      return recipe.verdict(on: Planner(recipe).plan(container, now: LegacyApp.now, options: options))
    }
    for app in [LegacyApp(), .traits(#"{"userId":42}"#)] {
      let verdict = try verdict(try #require(app.standard))
      #expect(!"\(verdict.text) \(verdict.reasonText)".contains("has not started here"), "\(verdict.text)")
      #expect(verdict.reasonText.hasPrefix("The new SDK's file is not beside the property list"), "\(verdict.text)")
    }
    let nothing = try verdict(["theme": "dark"])
    #expect(nothing.text.hasSuffix("the property list has no values of the legacy SDK."), "\(nothing.text)")
    #expect(nothing.reasonText.hasSuffix("or are in a file that was not given."))
  }

  @Test func `an empty legacy user id is nobody whom another user could replace`() throws {
    let app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":""}"#)
    let verdict = try verdict(app, target: Self.target(["user_id": "u-7", "traits": nil]))
    #expect(!verdict.text.contains("mixed up"), "\(verdict.text)")
  }

  @Test func `a user id of the wrong type is not read, and nobody knows who wrote it`() throws {
    let verdict = try verdict(LegacyApp(), target: Self.target(["user_id": 42]))
    #expect(verdict.isLoggedOut && verdict.certainty == .likely)
    #expect(verdict.text.contains("user_id is an integer in the new SDK's file, which it does not read"))
    #expect(verdict.reasonText.hasPrefix("The new SDK never writes such a value"))
  }

  @Test(arguments: ["u-7", true] as [PropertyListValue])
  func `a user id that a migration wrote and that is another one now was kept`(_ current: PropertyListValue) throws {
    let verdict = try verdict(
      LegacyApp(), target: Self.target(["user_id": current]), settled: ["user_id": Self.settled("u-42", left: "u-42")])
    #expect(verdict.isSound && verdict.certainty == .likely)
    #expect(verdict.text == "A migration kept this user, and the user id has changed since.")
  }

  @Test(arguments: [("u-7", nil), ("u-7", "u-9"), ("u-42", nil)] as [(PropertyListValue, PropertyListValue?)])
  func `a migration that kept another user has not kept the legacy one, whatever the app did since`(
    _ kept: PropertyListValue, _ current: PropertyListValue?
  ) throws {
    let verdict = try verdict(
      LegacyApp(), target: Self.target(["user_id": current]),
      settled: ["user_id": Self.settled("u-42", left: kept, isKept: true)])
    // The value that it kept may be the legacy user's.
    #expect(verdict.text.contains("A migration kept this user") == (kept == "u-42"), "\(verdict.text)")
    guard kept != "u-42" else { return }
    #expect(current == nil ? verdict.isLoggedOut : verdict.certainty == .cannotTell, "\(verdict.text)")
    #expect(!"\(verdict.text) \(verdict.reasonText)".contains("It wrote"))
  }

  @Test func `a value of the wrong type is no other user`() throws {
    let plan = try planned(LegacyApp(), Self.target(["user_id": true, "traits": nil]))
    #expect(!plan.findings.contains { $0.code == .targetOtherUser })
  }

  @Test func `before the new SDK starts, another user id in its file is the update's`() throws {
    let verdict = try verdict(LegacyApp(), target: ["user_id": "u-7"])
    #expect(verdict.situation == .begun && verdict.losses.first?.loss.kind == .otherUser)
    #expect(
      verdict.text.hasPrefix("The update would change the user id: the new SDK's file has a different user_id"),
      "\(verdict.text)")
    #expect(!Mending(verdict, try planned(LegacyApp(), ["user_id": "u-7"])).replace.contains("user_id"))
  }

  @Test(arguments: [
    (#"{"added":1}"#, true), (#"{"email":"e","added":1}"#, true), (#"{"email":"e","plan":"free","added":1}"#, false),
  ])
  func `the new SDK removes no traits of a user, so those that are gone are lost`(
    _ traits: String, _ isLost: Bool
  ) throws {
    let app = LegacyApp.traits(#"{"userId":"u-42","plan":"pro","email":"ada@example.com"}"#)
    let target = Self.target(["traits": .string(traits)])
    #expect(try verdict(app, target: target).losses.contains { $0.fields == ["traits"] } == isLost)
  }

  @Test func `traits are lost even where the legacy SDK had no user`() throws {
    let app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":null,"plan":"pro"}"#)
    let target = Self.target(["traits": #"{"added":1}"#])
    #expect(try verdict(app, target: target).losses.contains { $0.fields == ["traits"] })
  }

  @Test func `another user in the new SDK's file is no log-out that anybody can be sure of`() throws {
    let verdict = try verdict(LegacyApp(), target: Self.target(["user_id": "u-7"]))
    #expect(!verdict.isLoggedOut && verdict.certainty == .cannotTell)
    #expect(verdict.text.hasPrefix("Cannot tell whether the update mixed up two users"))
    #expect(Mending(verdict, try planned(LegacyApp(), Self.target(["user_id": "u-7"]))).replace.isEmpty)
  }

  @Test func `another anonymous id counts a user as new, unless the user is logged in`() throws {
    let other = ["anonymous_id": "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"] as [String: PropertyListValue?]
    let known = try verdict(LegacyApp(), target: Self.target(other))
    #expect(known.text.hasPrefix("This user is logged in, but the app changed the anonymous id: "), "\(known.text)")
    let nobody = try verdict(
      .traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)"}"#),
      target: ["anonymous_id": "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"])
    #expect(!nobody.isLoggedOut && nobody.losses.first?.loss.kind == .newUser)
    #expect(
      nobody.text.contains("nobody was logged in")
        || nobody.text.hasPrefix("Nobody was logged in, but this user is counted as a new one"), "\(nobody.text)")
  }

  @Test func `where nobody was logged in, nobody was logged out`() throws {
    let app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)"}"#)
    let past = try verdict(app, target: ["anonymous_id": .string(LegacyApp.anonymousID)])
    #expect(past.text == "Nothing is lost: nobody was logged in." && past.certainty == .certain)
    let ahead = try verdict(app)
    #expect(ahead.isSound && ahead.reasonText.hasPrefix("Nobody was logged in. "), "\(ahead.reasonText)")
  }

  @Test func `a file without an anonymous id is none that the new SDK has started with`() throws {
    let verdict = try verdict(LegacyApp(), target: ["session_id": "1763640000"])
    #expect(verdict.situation == .begun && verdict.isLoggedOut)
    #expect(verdict.text.hasPrefix("The update would log this user out: the new SDK's file has no user_id"))
  }

  @Test func `a user id that an earlier migration skipped is certainly lost by it`() throws {
    let verdict = try verdict(
      LegacyApp(), target: Self.target(["user_id": nil]), settled: ["user_id": Self.settled("u-42", left: nil)])
    #expect(verdict.isLoggedOut && verdict.certainty == .certain)
    #expect(verdict.text.contains("an earlier migration skipped user_id"))
  }

  @Test func `what an earlier migration kept of the new SDK's file is lost, as what it skipped`() throws {
    let other = PropertyListValue("3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b")
    func kept(_ legacy: PropertyListValue, _ left: PropertyListValue) -> SettledField {
      SettledField(legacy: legacy, left: left, runID: "r", isKept: true)
    }
    let id = kept(.string(LegacyApp.anonymousID), other)
    let newID = try verdict(LegacyApp(), target: Self.target(["anonymous_id": other]), settled: ["anonymous_id": id])
    #expect(newID.certainty == .certain && newID.losses.map(\.fields) == [["anonymous_id"]], "\(newID.text)")
    #expect(newID.text.hasSuffix("an earlier migration kept the anonymous_id of the new SDK's file."))
    #expect(newID.reasonText == "The record of that migration says so.")

    // A value that the app changed after a migration is not lost, and keeping it does not lose it.
    var changed = id
    changed.isWrittenEarlier = true
    let since = try verdict(
      LegacyApp(), target: Self.target(["anonymous_id": other]), settled: ["anonymous_id": changed])
    #expect(since.isSound, "\(since.text)")

    let legacy = try #require(LegacyApp.clean["rl_traits"])
    for (traits, isLost) in [(#"{"email":"e"}"#, true), (#"{"email":"e","plan":"pro","added":1}"#, false)] {
      let settled = kept(legacy, .string(traits))
      let target = Self.target(["traits": .string(traits)])
      let verdict = try verdict(LegacyApp(), target: target, settled: ["traits": settled])
      #expect(verdict.certainty == .certain && verdict.isSound != isLost, "\(verdict.text)")
    }

    let target = Self.target(["user_id": "u-7", "traits": #"{"added":1}"#])
    let user = try verdict(
      LegacyApp(), target: target,
      settled: ["user_id": kept("u-42", "u-7"), "traits": kept(legacy, #"{"added":1}"#)])
    #expect(user.text == "The new SDK's user is not the legacy SDK's: a migration kept the user_id of its file.")
    #expect(user.outcome == "other-user" && user.losses.map(\.fields) == [["user_id"]], "\(user.losses)")
  }

  @Test func `a run that keeps an id loses nothing that was not lost before`() throws {
    var app = LegacyApp()
    app.target = ["anonymous_id": "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"]
    let plan = try app.plan()
    #expect(plan.codes.contains(.targetFreshIdentity))
    #expect(plan.losses(ofRun: ["anonymous_id": .keep]).isEmpty)
  }

  @Test func `a file that only runs have written says nothing of a start of the new SDK`() throws {
    func verdict(_ target: PropertyListDictionary, _ options: PlannerOptions) throws -> Verdict {
      var app = LegacyApp()
      app.target = target
      var plan = try app.plan(options: options)
      plan.target?.isMadeByRuns = true
      return app.recipe.verdict(on: plan)
    }
    var options = PlannerOptions(writeKey: LegacyApp.writeKey)
    let sound = try verdict(try #require(app(options).target), options)
    #expect(sound.situation == .migrated && sound.isSound && sound.certainty == .certain, "\(sound.text)")

    options.settled = ["user_id": Self.settled("u-42", left: "u-42", isRolledBack: true)]
    var target = try #require(app(options).target)
    target["user_id"] = nil
    let rolledBack = try verdict(target, options)
    #expect(rolledBack.isLoggedOut && rolledBack.certainty == .likely)
    #expect(rolledBack.text == "The update would log this user out: user_id was rolled back.")
    #expect(!rolledBack.reasonText.contains("since the update"))

    options.settled = ["user_id": Self.settled("u-42", left: nil)]
    let skipped = try verdict(target, options)
    #expect(skipped.text.hasPrefix("The update would log this user out: an earlier migration skipped user_id"))
    #expect(skipped.certainty == .certain)
  }

  @Test func `a write key that the container does not know is to be checked before anything is applied`() throws {
    var app = LegacyApp()
    app.target = Self.migrated
    let options = PlannerOptions(writeKey: "Other")
    var plan = try app.plan(options: options)
    let mending = Mending(app.recipe.verdict(on: plan), plan)
    #expect(mending.blockers.map(\.code) == [.targetOtherWriteKey] && !mending.applies)

    // Once its file is written, only the app tells which of the two it reads.
    plan.target?.exists = true
    plan.target?.isMadeByRuns = true
    let verdict = app.recipe.verdict(on: plan)
    #expect(verdict.certainty == .cannotTell && verdict.situation == .unknown(.severalWriteKeys), "\(verdict.text)")
  }

  @Test func `an anonymous id that the app has changed after a migration is no change by the update`() throws {
    let id = PropertyListValue.string(LegacyApp.anonymousID)
    let target = Self.target(["anonymous_id": "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"])
    let settled: [StringByBytes: SettledField] = ["anonymous_id": Self.settled(id, left: id)]
    #expect(try verdict(LegacyApp(), target: target, settled: settled).isSound)
    #expect(try !verdict(LegacyApp(), target: target).isSound)
  }

  @Test func `an id that the new SDK made stays fresh beside the user and traits that a run wrote`() throws {
    var app = LegacyApp()
    app.target = Self.target(["anonymous_id": "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"])
    let plan = try app.plan()
    #expect(!plan.codes.contains(.targetFreshIdentity), "the app itself has identified this user")
    var settled: [StringByBytes: SettledField] = [:]
    for field in plan.fields where ["user_id", "traits"].contains(field.id) {
      settled[field.id] = Self.settled(try #require(field.legacy), left: field.current)
    }
    #expect(try !app.plan(options: Self.options(settled)).codes.contains(.targetFreshIdentity), "a run found them")

    for id in settled.keys { settled[id]?.isWritten = true }
    let fresh = try app.plan(options: Self.options(settled))
    #expect(fresh.codes.contains(.targetFreshIdentity))
    let verdict = app.recipe.verdict(on: fresh)
    #expect(
      verdict.text.hasPrefix("This user is logged in, but the new SDK replaced the anonymous id with its own: "),
      "\(verdict.text)")
    #expect(verdict.reasonText == "The new SDK started without it, and a migration wrote user_id later.")

    // Of what an older run wrote, only the legacy value is known.
    for id in settled.keys { settled[id] = SettledField(legacy: nil, left: nil, runID: "r", isWrittenEarlier: true) }
    #expect(try app.plan(options: Self.options(settled)).codes.contains(.targetFreshIdentity))

    app.target?["user_id"] = "u-7"
    #expect(
      try !app.plan(options: Self.options(settled)).codes.contains(.targetFreshIdentity), "another user came since")
    app.target?["user_id"] = nil
    #expect(try !app.plan(options: Self.options(settled)).codes.contains(.targetFreshIdentity), "the user logged out")
  }

  @Test func `traits without a user id are not safe once they are migrated`() throws {
    var app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","plan":"pro"}"#)
    let loss = try #require(verdict(app).losses.first)
    #expect(loss.loss.what == "the traits" && loss.finding?.code == .userIDMissingWithTraits)
    var target: PropertyListDictionary = [:]
    for field in try app.plan().fields { target[field.id] = field.proposed }
    app.target = target
    var plan = try app.plan()
    #expect(app.recipe.verdict(on: plan).isSound, "the new SDK has started, and has the traits")
    plan.target?.isMadeByRuns = true
    let migrated = app.recipe.verdict(on: plan)
    #expect(
      migrated.text
        == "Nobody was logged in, but the update would lose the traits: they have no user id, so the next identify call wipes them.",
      "\(migrated.text)")
    #expect(migrated.losses == [loss] && plan.losses(ofRun: [:]).isEmpty)

    app.target?["traits"] = nil
    plan = try app.plan()
    plan.target?.isMadeByRuns = true
    let lost = app.recipe.verdict(on: plan)
    #expect(lost.losses.first { $0.loss.what == "the traits" }?.fields == ["traits"], "\(lost.text)")
  }

  @Test func `traits that the next identify call wipes make no verdict certain`() throws {
    let app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":null,"plan":"pro"}"#)
    let verdict = try verdict(app, target: Self.target(["user_id": nil, "traits": #"{"plan":"pro"}"#]))
    #expect(verdict.isSound && verdict.certainty == .likely)
    #expect(verdict.text.hasPrefix("Nothing is lost yet, but the app would lose the traits: "), "\(verdict.text)")
  }

  @Test func `a user id that the new SDK cannot read is no proof that nobody was logged in`() throws {
    let target = Self.target(["user_id": 42, "traits": nil])
    let unread = "user_id is an integer in the new SDK's file, which it does not read"
    let nobody = try verdict(.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)"}"#), target: target)
    #expect(nobody.certainty == .cannotTell)
    #expect(nobody.text == "Cannot tell whether this user was logged in: \(unread).")
    #expect(nobody.reasonText == "The legacy stores have no user id.")
    let damaged = try verdict(.traits("null"), target: target)
    #expect(damaged.certainty == .cannotTell)
    #expect(damaged.reasonText == "Only that value could have the user id; \(unread).")
  }

  @Test func `of traits without anything but ids, a run that skips them loses the id that is not the user's`() throws {
    let traits = #"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":"u-42","id":"alias-1"}"#
    let app = LegacyApp.traits(traits)
    let settled =
      ["traits": SettledField(legacy: .string(traits), left: nil, runID: "r", isKept: true)]
      as [StringByBytes: SettledField]
    let verdict = try verdict(app, target: Self.target(["traits": nil]), settled: settled)
    #expect(verdict.certainty == .certain && verdict.losses.map(\.loss.what) == ["the id in the traits"])
    #expect(verdict.losses.first?.causeText == "an earlier migration skipped traits")
    #expect(try app.plan().losses(ofRun: ["traits": .skip]).isEmpty, "the migrator removes it as well")
  }

  @Test func `what the new SDK has added to the traits or to the app's values is not wrong`() throws {
    var app = LegacyApp()
    app.target = Self.target([
      "traits": #"{"email":"e","plan":"pro","seen":true}"#, "rudder.app_version": "5.0.0",
      "session_id": "1763640299", "last_activity_time": "1763640299000",
    ])
    func fates() throws -> [StringByBytes: LegacyFate] {
      RecipeVerdict(try app.plan(), isInterrupted: false).legacyFates
    }
    #expect(try fates()["traits"] == .kept && fates()["rudder.app_version"] == nil)
    #expect(try fates()["session_id"] == .wrong && fates()["last_activity_time"] == .wrong)
    for keys in [\LegacyApp.standard, \LegacyApp.file] { app[keyPath: keys]?["rl_session_id"] = nil }
    #expect(try fates()["last_activity_time"] == nil)
    app.target?["traits"] = #"{"seen":true}"#
    #expect(try fates()["traits"] == .wrong)
  }

  @Test func `a user id that describes itself is read by itself`() throws {
    let user = FieldRule(
      target: "user_id", group: .identity, form: .string, candidates: [Candidate(SourceKey("acme_user"))],
      describes: "user_id", loss: .loggedOut)
    var app = LegacyApp.with(["acme_user": "u-42"])
    app.recipe = Recipe(
      reference: RecipeReference(id: "acme", version: 1, title: "Acme"), target: Recipe.rudderStackObjC.target,
      sources: [.suite([.bundleID])], rules: [user], marks: ["acme_user"])
    #expect(try verdict(app, target: ["user_id": "u-42"]).isSound)
  }

  @Test func `files of several write keys have one verdict where all of them say the same`() throws {
    func verdict(_ user: PropertyListValue, anonymousID: String = LegacyApp.anonymousID) throws -> Verdict {
      var app = LegacyApp()
      app.target = Self.migrated
      let path = try #require(app.plan().target?.path).replacing(LegacyApp.writeKey, with: "Second")
      let second = Self.target(["user_id": user, "anonymous_id": .string(anonymousID)])
      app.otherStores = [try Store(path, second)]
      return try self.verdict(app, PlannerOptions())
    }
    let same = try verdict("u-42")
    #expect(same.isSound && same.certainty == .certain, "\(same.text)")
    let different = try verdict("u-7")
    #expect(different.certainty == .cannotTell && different.situation == .unknown(.severalWriteKeys))
    #expect(different.text.hasPrefix("Cannot tell whether this user was logged out"))
    let kept = try verdict("u-42", anonymousID: "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b")
    #expect(kept.text.hasPrefix("Cannot tell whether anything was lost"), "\(kept.text)")
  }

  private func app(_ options: PlannerOptions) throws -> LegacyApp {
    var app = LegacyApp()
    var target: PropertyListDictionary = [:]
    for field in try app.plan(options: options).fields { target[field.id] = field.proposed }
    app.target = target
    return app
  }

  @Test func `what nobody can tell is said to be so, with the reason`() throws {
    var noApp = LegacyApp()
    noApp.bundleID = nil
    var noUser = LegacyApp.with(["rl_traits": nil])
    noUser.file = nil
    noUser.otherStores = [
      Store(path: "AppData/Library/rsDefaultsPersistence.plist", content: .unreadable("It is empty."))
    ]
    var otherKey = LegacyApp()
    otherKey.target = Self.migrated
    let cases = [
      (try verdict(noApp), "the bundle id is unknown"),
      (
        try verdict(otherKey, PlannerOptions(writeKey: "Other")),
        "a file of another write key here, and none of this one"
      ),
      (try verdict(LegacyApp.with(["rl_traits": #"{"userId":"u-42","#])), "rl_traits cannot be read as a JSON object"),
      (try verdict(LegacyApp(standard: nil, file: nil)), "the container has no values of the legacy SDK"),
      (try verdict(noUser), "rsDefaultsPersistence.plist cannot be read"),
      (Recipe.rudderStackObjC.verdict(on: try LegacyApp().plan(), isInterrupted: true), "must be recovered first"),
    ]
    for (verdict, words) in cases {
      #expect(verdict.certainty == .cannotTell && !verdict.isLoggedOut && !verdict.isSound, "\(verdict.text)")
      #expect(verdict.text.contains(words), "\(verdict.text)")
      #expect(!verdict.reasonText.isEmpty)
    }
  }

  @Test func `a user of whom nobody can tell is not listed as lost, but an anonymous id may be`() throws {
    let unreadable = try verdict(.with(["rl_traits": #"{"userId":"u-42","#]), target: ["session_id": "1763640000"])
    #expect(unreadable.certainty == .cannotTell && unreadable.situation == .begun)
    #expect(unreadable.losses.first?.loss.kind == .newUser)
    var app = LegacyApp.traits(#"{"userId":42}"#)
    app.target = Self.migrated
    let otherKey = try verdict(app, PlannerOptions(writeKey: "Other"))
    #expect(otherKey.certainty == .cannotTell && otherKey.losses.allSatisfy { $0.loss.kind > .otherUser })
  }

  @Test func `a legacy user id that cannot be read is compared with no other, whoever the new SDK's user is`() throws {
    let app = LegacyApp.with(["rl_traits": #"{"userId":"ada","#])
    for id in [LegacyApp.anonymousID, "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"] {
      let target = Self.target(["anonymous_id": .string(id), "user_id": "bob"])
      let verdict = try verdict(app, target: target)
      #expect(
        verdict.text
          == "Cannot tell whether the new SDK's user is the legacy SDK's: rl_traits cannot be read as a JSON object.")
      #expect(verdict.certainty == .cannotTell && verdict.losses.allSatisfy { $0.loss.kind > .newUser })
      let kept = SettledField(legacy: nil, left: "bob", runID: "r", isKept: true)
      #expect(try self.verdict(app, target: target, settled: ["user_id": kept]).certainty == .cannotTell)
      // A user whom somebody entered.
      let entered = SettledField(legacy: nil, left: "bob", runID: "r", isWritten: true)
      #expect(try self.verdict(app, target: target, settled: ["user_id": entered]).certainty != .cannotTell)
    }
    let skipped = SettledField(legacy: nil, left: nil, runID: "r", isKept: true)
    let nobody = try verdict(app, target: Self.target(["user_id": nil]), settled: ["user_id": skipped])
    #expect(nobody.text == "Cannot tell whether this user was logged out: the user id cannot be read.")
  }

  @Test func `a user id in the new SDK's file is worth more than legacy values that are gone`() throws {
    var app = LegacyApp(standard: nil, file: nil)
    app.target = Self.migrated
    let verdict = try verdict(app)
    #expect(verdict.isSound && verdict.certainty == .likely, "\(verdict.text)")
    #expect(verdict.reasonText.contains("no legacy user id to compare it with"))
  }

  @Test func `a migrator that fills what the file lacks still keeps the user after a run that skipped them`() throws {
    let migrated = FieldRule(
      target: "user_id", group: .identity, form: .string, candidates: [Candidate(SourceKey("acme_user"))],
      isMigratedByVendor: true, loss: .loggedOut)
    for (runs, isKept) in [(VendorMigrator.Runs.whenCalled, false), (.atFirstStart, true), (.atEachStart, true)] {
      let options = Self.options(["user_id": Self.settled("u-42", left: nil)])
      var app = LegacyApp.with(["acme_user": "u-42"])
      app.recipe = Recipe(
        reference: RecipeReference(id: "acme", version: 1, title: "Acme"),
        migrator: VendorMigrator("Acme's migrator", runs: runs),
        target: Recipe.rudderStackObjC.target, sources: [.suite([.bundleID])], rules: [migrated], marks: ["acme_user"])
      app.target = ["acme_version": "2"]
      var plan = try app.plan(options: options)
      plan.target?.isMadeByRuns = true
      let verdict = app.recipe.verdict(on: plan)
      #expect(verdict.isLoggedOut != isKept, "\(runs): \(verdict.text)")
      #expect(isKept || verdict.reasonText.contains("does nothing if the file exists"))
    }
  }

  @Test func `a user whose id the new SDK reads, and who is the legacy one, is never said to be logged out`() throws {
    let users = [#""u-42""#, "42", "4.10", "null", "true", #""""#, "{}"]
    let anonymous: [PropertyListValue?] = [
      .string(LegacyApp.anonymousID), "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b", nil, 7,
    ]
    for user in users {
      for id in anonymous {
        let app = LegacyApp.traits(#"{"anonymousId":"\#(LegacyApp.anonymousID)","userId":\#(user),"plan":"pro"}"#)
        for stored in ["u-42", "42", "4.1"] {
          let verdict = try verdict(app, target: Self.target(["anonymous_id": id, "user_id": .string(stored)]))
          #expect(!verdict.isLoggedOut, "\(user) \(stored): \(verdict.text)")
          #expect(verdict.text.hasSuffix(".") && !verdict.text.hasSuffix(".."), "\(verdict.text)")
        }
      }
    }
  }

  @Test func `the gravest loss is told first, and the others are counted`() throws {
    var app = LegacyApp.with([
      "rl_traits": #"{"userId":42,"plan":"pro"}"#, "rl_last_event_time_stamp": nil,
      "rl_application_build_key": "rc1", "rl_opt_status": true,
    ])
    app.unsentEvents = [UnsentEvents(path: "AppData/Library/rl_persistence.sqlite", count: 2)]
    let verdict = try verdict(app)
    #expect(verdict.losses.map(\.loss.kind) == verdict.losses.map(\.loss.kind).sorted())
    #expect(
      verdict.losses.first?.loss.kind == .loggedOut && verdict.losses.count == 5, "\(verdict.losses.map(\.loss.what))")
    // An opt-out is named before it, and is none of the others.
    #expect(
      verdict.text.hasPrefix(
        "The update would track this user, who has opted out; the update would log this user out: "), "\(verdict.text)")
    #expect(verdict.text.hasSuffix("; 3 other values would be lost."))
  }

  @Test func `every finding above a note has a consequence, or asks about something that is not lost`() {
    let without: Set<FindingCode> = [
      // What the target holds is compared value by value.
      .targetConflict, .targetFreshIdentity, .targetManyWriteKeys, .targetUnreadable, .targetWrongType,
      .targetLegacyWriteKey, .targetNoBundleID, .targetOtherUser, .targetOtherWriteKey, .liveRunningStore,
      .liveStoreChanged,
      // Nothing is lost by these.
      .anonymousIDsDiffer, .sourceReactNative, .sessionAutoTrackAbsent, .sessionAutoTrackContradicted,
      .userIDEmpty, .v2AnonymousIDNotStored, .recipeUntrusted,
      // The field itself says what is lost without it.
      .consentMigrated, .convertIDElsewhere, .identityHiddenCharacters, .identityPlaceholder, .sourceDoubtful,
      // The damaged file has a finding of its own.
      .sourceHidden,
    ]
    let silent = FindingCode.allCases.filter { code in
      code.severity > .note && !Observation.examples.contains { $0.code == code && $0.consequence != nil }
    }
    #expect(Set(silent) == without, "give a new finding its verdict")
  }

  @Test func `masked, a verdict quotes no value, and says what it is about all the same`() throws {
    let app = LegacyApp.with([
      "rl_external_id": #"[{"type":"t","id":"ext-1"}]"#, "rl_traits": #"{"userId":7351,"a":"Ada"}"#,
    ])
    let plan = try app.plan()
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(try app.container())
    redaction.learn(plan)
    let verdict = app.recipe.verdict(on: redaction.findings(of: plan))
    let texts = [verdict.text, verdict.reasonText] + verdict.losses.map(\.causeText)
    for text in texts { #expect(!text.contains("7351") && !text.contains("ext-1") && !text.contains("Ada"), "\(text)") }
    #expect(verdict.text.contains("rl_traits.userId is a number"))
  }

  private func planned(_ app: LegacyApp, _ target: PropertyListDictionary) throws -> Plan {
    var app = app
    app.target = target
    return try app.plan()
  }
}
