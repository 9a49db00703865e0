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

  /// The user whom the default call restores beside the new SDK's anonymous id.
  private static func restoredBeside() throws -> PersistenceApp {
    let app = try PersistenceApp(LegacyValues.objC, target: fresh)
    let report = app.migrator().restorePersistence()
    #expect(report.fields(.conflict) == [.anonymousID] && report.outcomes[.userID] == .migrated)
    app.restart()
    return app
  }

  @Test("the user id and the traits that the first call has restored do not keep the anonymous id from it (A13, A19)")
  func restoredUser() throws {
    let app = try Self.restoredBeside()
    #expect(try app.migrator().readPersistence(onConflict: .replaceFreshIdentity).fields == [.anonymousID])
    let report = app.migrator().restorePersistence(onConflict: .replaceFreshIdentity)
    #expect(report.status == .done && report.outcomes == [.anonymousID: .migrated])
    #expect(app.restored == LegacyValues.restored)
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replaceFreshIdentity).status == .doneBefore)
  }

  @Test(
    "a user whom the app has logged out or identified since keeps the anonymous id, even if it is still the same (A13, A19)",
    arguments: [
      ["user_id": nil, "traits": nil], ["user_id": nil], ["traits": nil], ["user_id": "u-7", "traits": nil],
      ["user_id": "u-7"], ["traits": #"{"email":"new@b.co"}"#], ["user_id": ""],
      ["user_id": nil, "traits": nil, "anonymous_id": "another"],
    ] as [[String: PropertyListValue?]])
  func changedUser(changes: [String: PropertyListValue?]) throws {
    let app = try Self.restoredBeside()
    for (key, value) in changes {
      if let value { try app.target.set(value, for: key) } else { try app.target.remove(key) }
    }
    let before = app.restored
    for fields in [Set(PersistedField.allCases), [.anonymousID]] {
      app.restart()
      app.migrator().restorePersistence(fields, onConflict: .replaceFreshIdentity)
      #expect(app.restored == before)
    }
  }

  @Test("a user whom the app has logged out since stays so, also where the anonymous id is asked for first then (A13)")
  func laterField() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: Self.fresh)
    app.migrator().restorePersistence([.userID, .traits])
    for key in ["user_id", "traits"] { try app.target.remove(key) }
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replaceFreshIdentity).fields(.conflict) == [.anonymousID])
    #expect(app.target.all["user_id"] == nil && app.target.all["anonymous_id"] == Self.fresh["anonymous_id"])
  }

  @Test("a user whom the new SDK had before the first call keeps the anonymous id (A13, A19)")
  func userOfNewSDK() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: Self.fresh.merging(["user_id": "u-42"]) { $1 })
    #expect(app.migrator().restorePersistence().outcomes[.userID] == .unchanged)
    app.restart()
    app.migrator().restorePersistence(onConflict: .replaceFreshIdentity)
    #expect(app.target.all["anonymous_id"] == Self.fresh["anonymous_id"])
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
