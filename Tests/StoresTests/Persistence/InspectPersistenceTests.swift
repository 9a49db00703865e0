import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("What an inspection answers")
struct InspectPersistenceTests {
  private func answer(_ app: PersistenceApp) -> PersistenceReading { app.migrator().inspectPersistence() }

  @Test("what is printed or dumped of a finding or an answer has no value of the user (A21)")
  func printed() throws {
    let values = LegacyValues.objC.merging([
      "rl_traits": #"{"userId":4711,"email":"a@b.co","n":1.0}"#, "rl_application_build_key": "4.2-beta",
    ]) { $1 }
    for onto in [[:], ["user_id": "someone", "anonymous_id": "zz-anon"]] as [[String: PropertyListValue]] {
      let app = try PersistenceApp(values, target: onto)
      let reading = answer(app)
      let findings = try app.migrator().readPersistence().findings
      #expect(findings.contains { $0.message.contains("4711") })
      var text = "\(reading) \(findings) \(String(reflecting: findings))"
      dump(reading, to: &text)
      dump(findings, to: &text)
      #expect(text.contains("found") && text.contains("identity.user-id-not-string"))
      for value in ["4711", "a@b.co", "4.2-beta", "someone", "zz-anon", "9f1c2a7e"] {
        #expect(!text.contains(value), "\(value)")
      }
    }
    let out = try PersistenceApp(LegacyValues.objC.merging(["rl_opt_status": true]) { $1 })
    #expect("\(answer(out))" == "blocked: consent.opted-out")
    #expect("\(answer(try PersistenceApp([:])))" == "nothing of a legacy SDK found")
  }

  @Test("nothing there, opted out, restored before and unreadable are four answers, and values are a fifth (A16)")
  func answers() throws {
    guard case .nothingFound = answer(try PersistenceApp(["theme": "dark"])) else {
      Issue.record("nothing there")
      return
    }
    let out = try PersistenceApp(LegacyValues.objC.merging(["rl_opt_status": true]) { $1 })
    guard case .blocked(let findings) = answer(out), findings.map(\.code) == [.consentOptedOut] else {
      Issue.record("opted out")
      return
    }
    let app = try PersistenceApp(LegacyValues.objC)
    guard case .found(let values) = answer(app), values.fields.count == 8, values.userID == "u-42" else {
      Issue.record("found")
      return
    }
    app.migrator().restorePersistence()
    guard case .restoredBefore(conflicts: []) = answer(app) else {
      Issue.record("restored before")
      return
    }
    let hidden = try PersistenceApp([:])
    try Data("bplist00".utf8).write(to: hidden.library.appending(path: "rsDefaultsPersistence.plist"))
    guard case .unreadable(let error) = answer(hidden), error.description.contains("rsDefaultsPersistence") else {
      Issue.record("unreadable: \(answer(hidden))")
      return
    }
    guard case .unreadable = PersistentMigrator(writeKey: "a/b", bundleIdentifier: "com.acme.shop").inspectPersistence()
    else {
      Issue.record("no suite")
      return
    }
  }

  @Test("the guide's helper answers the same, beside the nil of before (A16)")
  func helper() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new"])
    let helper = PersistentMigratorFromV1(writeKey: "1xAcmeWriteKey", places: app.places, now: PersistenceApp.now)
    guard case .found(let values) = helper.migrator.inspectPersistence() else {
      Issue.record("found")
      return
    }
    #expect(values == helper.readPersistence() && app.target.writes == 0)
    helper.restorePersistence()
    guard case .restoredBefore(conflicts: [.anonymousID]) = helper.migrator.inspectPersistence() else {
      Issue.record("restored before")
      return
    }
    #expect(helper.readPersistence() == nil)
    let beta = PersistentMigratorFromV2(writeKey: "1xAcmeWriteKey", places: app.places, now: PersistenceApp.now)
    if case .found = beta.migrator.inspectPersistence() { Issue.record("nothing of the beta SDK is there") }
  }
}
