import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("Conflicts that a release leaves to a later one")
struct OpenConflictTests {
  private static let fresh: [String: PropertyListValue] = ["anonymous_id": "made by the new SDK"]
  private static let legacy = LegacyValues.restored["anonymous_id"]

  @Test(
    "a conflict left open by one release is resolved by the next one's replaceFreshIdentity, or replace (A13, A19)",
    arguments: [PersistenceConflict.replaceFreshIdentity, .replace])
  func nextRelease(policy: PersistenceConflict) throws {
    // No user id and no traits, so that the identity is a fresh one.
    let values = LegacyValues.objC.merging(["rl_traits": #"{"anonymousId":"x"}"#]) { $1 }
    let app = try PersistenceApp(values, target: Self.fresh)
    #expect(app.migrator().restorePersistence().fields(.conflict) == [.anonymousID])
    for _ in 0..<3 {
      app.restart()
      let again = app.migrator().restorePersistence()
      #expect(again.status == .doneBefore && again.outcomes == [.anonymousID: .conflict] && app.target.writes == 0)
      #expect(again.description.contains("conflict: anonymous_id"))
    }
    app.restart()
    #expect(try app.migrator().readPersistence(onConflict: policy).fields == [.anonymousID])
    let report = app.migrator().restorePersistence(onConflict: policy)
    #expect(report.status == .done && report.outcomes == [.anonymousID: .migrated])
    #expect(app.target.all["anonymous_id"] == Self.legacy)
    // It is resolved, once.
    try app.target.set("another", for: "anonymous_id")
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replace).status == .doneBefore)
    #expect(app.target.all["anonymous_id"] == "another")
  }

  @Test("a conflict stays open until it is resolved, also where the call that could is cut off (A13, A19)")
  func cutOff() throws {
    var isDone = false
    for number in 0..<20 where !isDone {
      let app = try PersistenceApp(LegacyValues.objC, target: Self.fresh)
      app.migrator().restorePersistence()
      app.restart(writes: number)
      isDone = app.migrator().restorePersistence(onConflict: .replace).status == .done
      app.restart()
      app.migrator().restorePersistence(onConflict: .replace)
      #expect(app.restored == LegacyValues.restored)
      #expect(app.migrator().restorePersistence(onConflict: .replace).status == .doneBefore)
    }
    #expect(isDone)
  }

  @Test("another user's id stays without the legacy user's traits, and both wait for the release that replaces it")
  func otherUser() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: ["user_id": "u-7"])
    for _ in 0..<2 {
      #expect(app.migrator().restorePersistence().fields(.conflict) == [.userID, .traits])
      #expect(app.target.all["traits"] == nil)
      app.restart()
    }
    // The traits alone would still be another user's.
    #expect(app.migrator().restorePersistence([.traits], onConflict: .replace).fields(.conflict) == [.traits])
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replace).fields(.migrated) == [.userID, .traits])
    #expect(app.restored == LegacyValues.restored)
  }

  @Test("nobody who has logged out comes back by a conflict that was left open (A13, A19)")
  func loggedOut() throws {
    for policy in [PersistenceConflict.keepTarget, .replaceFreshIdentity, .replace] {
      let app = try PersistenceApp(LegacyValues.objC, target: ["user_id": "u-7", "anonymous_id": "first"])
      #expect(app.migrator().restorePersistence().fields(.conflict) == [.userID, .anonymousID, .traits])
      for key in ["user_id", "traits"] { try app.target.remove(key) }
      // What the new SDK makes for whoever comes next.
      try app.target.set("second", for: "anonymous_id")
      app.restart()
      app.migrator().restorePersistence(onConflict: policy)
      app.restart()
      app.migrator().restorePersistence(onConflict: policy)
      #expect(app.target.all["user_id"] == nil && app.target.all["traits"] == nil, "\(policy)")
      #expect(app.target.all["anonymous_id"] == (policy == .replace ? Self.legacy : "second"), "\(policy)")
    }
  }

  @Test("a mark of the version before, which settled conflicts, is honoured (A13, A19)")
  func earlierMark() throws {
    let names = PersistedField.allCases.map(\.rawValue).sorted().map(PropertyListValue.string)
    let mark: PropertyListValue = ["version": 1, "at": 1_763_640_000, "fields": .array(names)]
    let app = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new", PersistenceApp.markKey: mark])
    for policy in [PersistenceConflict.keepTarget, .replaceFreshIdentity, .replace] {
      let report = app.migrator().restorePersistence(onConflict: policy)
      #expect(report.status == .doneBefore && report.outcomes.isEmpty)
    }
    #expect(app.target.writes == 0 && app.restored == ["anonymous_id": "new"])
  }

  @Test("a mark whose conflicts are not what any version writes means that all was restored (A13)")
  func damagedMark() throws {
    let mark: PropertyListValue = ["version": 1, "at": 1, "fields": [], "conflicts": ["anonymous_id"]]
    let app = try PersistenceApp(LegacyValues.objC, target: [PersistenceApp.markKey: mark])
    let report = app.migrator().restorePersistence(onConflict: .replace)
    #expect(report.status == .doneBefore && report.markDefect == .damaged && app.target.writes == 0)
  }
}
