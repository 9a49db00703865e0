import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("What an app is told of a restoration")
struct RestorationLogTests {
  private func entries(_ app: PersistenceApp, allowing: Set<FindingCode> = []) -> [PersistenceLogEntry] {
    let noted = Noted<PersistenceLogEntry>()
    PersistentMigrator(
      writeKey: "1xAcmeWriteKey", places: app.places, allowing: allowing, log: { noted.add($0) },
      now: PersistenceApp.now
    ).restorePersistence()
    return noted.all
  }

  @Test("corrupt traits: the error is logged, traits are skipped, and the other values are migrated (A15)")
  func corruptTraits() throws {
    let app = try PersistenceApp(LegacyValues.objC.merging(["rl_traits": #"{"email":"a@b.co""#]) { $1 })
    let entries = entries(app)
    let traits = try #require(entries.first { $0.field == .traits })
    #expect(traits.level == .error && traits.codes.contains(.traitsInvalidJSON))
    #expect(traits.message.contains("traits was not restored") && traits.message.contains("traits.invalid-json"))
    #expect(Set(entries.compactMap(\.field)) == [.traits, .userID])
    #expect(app.restored == LegacyValues.restored.filter { !["traits", "user_id"].contains($0.key) })
    #expect(!entries.contains { $0.message.contains("a@b.co") || $0.message.contains("email") })
  }

  @Test(
    "every field that is skipped, in conflict or not written is logged by its name, and no value ever is (A21, A15)")
  func everyField() throws {
    let values = LegacyValues.objC.merging([
      "rl_last_event_time_stamp": 1_863_640_123, "rl_application_build_key": "4.2-beta",
    ]) { $1 }
    let app = try PersistenceApp(values, target: ["anonymous_id": "someone"])
    app.target = MemoryDomain("suite", app.target.all, refusing: ["session_id"])
    let entries = entries(app)
    let levels = Dictionary(entries.compactMap { entry in entry.field.map { ($0, entry.level) } }) { $1 }
    #expect(levels[.lastActivityTime] != nil && levels[.appBuild] != nil)
    #expect(levels[.anonymousID] == .notice && levels[.sessionID] == .error)
    #expect(levels[.userID] == nil && levels[.traits] == nil)
    let text = entries.map(\.message).joined()
    for value in ["1863640123", "4.2-beta", "someone", "9f1c2a7e", "u-42", "1763640000"] {
      #expect(!text.contains(value), "\(value)")
    }
    #expect(entries.contains { $0.field == nil && $0.level == .error })
  }

  @Test("a value that a logout removed is not said to be missing because of a note about its text (A21)")
  func loggedOut() throws {
    let spaced = #"{"userId":"u-42", "email":"a@b.co"}"#
    let app = try PersistenceApp(
      LegacyValues.objC.merging(["rl_traits": .string(spaced)]) { $1 }, target: ["user_id": "u-7"])
    #expect(Set(entries(app).map(\.field)) == [.userID, .traits])
    try app.target.remove("user_id")
    app.restart()
    let noted = Noted<PersistenceLogEntry>()
    PersistentMigrator(
      writeKey: "1xAcmeWriteKey", places: app.places, log: { noted.add($0) }, now: PersistenceApp.now
    ).restorePersistence(onConflict: .replace)
    #expect(Set(noted.all.map(\.field)) == [.userID, .traits])
    for entry in noted.all {
      #expect(entry.codes.isEmpty && entry.message.contains("the app has removed or replaced"), "\(entry)")
    }
  }

  @Test("a conflict that a logout has ended is not said to be kept, and a finding about the value is no reason (A21)")
  func endedConflict() throws {
    // 1.0 gives a note about the text, the number a warning about the id; neither is why they are not restored.
    let traits = #"{"userId":42,"n":1.0}"#
    let app = try PersistenceApp(
      LegacyValues.objC.merging(["rl_traits": .string(traits)]) { $1 }, target: ["user_id": "u-7", "traits": "{}"])
    let kept = entries(app)
    #expect(Set(kept.compactMap(\.field)) == [.userID, .traits])
    for entry in kept {
      #expect(entry.message.contains("the new SDK's value was kept"), "\(entry)")
      #expect(entry.codes.allSatisfy { $0.rawValue.hasPrefix("target.") }, "\(entry)")
    }
    try app.target.remove("user_id")
    try app.target.remove("traits")
    app.restart()
    let ended = entries(app)
    #expect(Set(ended.compactMap(\.field)) == [.userID, .traits])
    for entry in ended {
      #expect(entry.codes.isEmpty && entry.message.contains("the app has removed or replaced"), "\(entry)")
    }
  }

  @Test("the guide's own call logs, too, and a restoration without anything to say logs nothing (A15)")
  func guidesCall() throws {
    let app = try PersistenceApp(LegacyValues.objC.merging(["rl_traits": "{broken"]) { $1 })
    let noted = Noted<PersistenceLogEntry>()
    PersistentMigratorFromV1(
      writeKey: "1xAcmeWriteKey", places: app.places, log: { noted.add($0) }, now: PersistenceApp.now
    ).restorePersistence()
    #expect(noted.all.contains { $0.field == .traits && $0.level == .error })
    #expect(entries(try PersistenceApp(LegacyValues.objC)).isEmpty)
    let out = try PersistenceApp(LegacyValues.objC.merging(["rl_opt_status": true]) { $1 })
    #expect(entries(out).map(\.codes) == [[.consentOptedOut]])
  }
}
