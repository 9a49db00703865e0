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

@Suite("Looking at what would be restored")
struct ReadPersistenceTests {
  @discardableResult
  private func compare(
    _ app: PersistenceApp, _ recipe: Recipe? = nil, onConflict: PersistenceConflict = .keepTarget
  ) throws -> PersistedValues {
    let before = app.target.all
    let values = try app.migrator(recipe).readPersistence(onConflict: onConflict)
    #expect(app.target.all == before)
    let report = app.migrator(recipe).restorePersistence(onConflict: onConflict)
    let written = app.restored.filter { before[$0.key] != $0.value }
    #expect(
      Dictionary(uniqueKeysWithValues: values.fields.map { ($0.rawValue, values[$0]) }) == written)
    #expect(values.fields == report.fields(.migrated))
    return values
  }

  @Test("what is read is what is written: everything, of either SDK (A16)")
  func everything() throws {
    #expect(try compare(PersistenceApp(LegacyValues.objC)).fields.count == 8)
    #expect(try compare(PersistenceApp(LegacyValues.beta()), .rudderStackSwiftV2).fields.count == 7)
    #expect(try compare(PersistenceApp(LegacyValues.beta()), .rudderStackObjC).fields.isEmpty)
    #expect(try compare(PersistenceApp([:])).fields.isEmpty)
  }

  @Test("of a user who opted out nothing is read, and the findings say why (A16)")
  func blocked() throws {
    for (values, key) in [(LegacyValues.objC, "rl_opt_status"), (try LegacyValues.beta(), "rs_opt_status")] {
      let app = try PersistenceApp(values.merging([key: true]) { $1 })
      let read = try compare(app)
      #expect(read.fields.isEmpty && read.userID == nil && read.findings.contains { $0.code == .consentOptedOut })
      #expect(try app.migrator(allowing: [.consentOptedOut]).readPersistence().fields.count >= 7)
    }
  }

  @Test("after it was restored nothing is read, also when the user has logged out (A16)")
  func doneBefore() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    #expect(try compare(app).fields.count == 8)
    #expect(try compare(app).fields.isEmpty)
    try app.target.remove("user_id")
    app.restart()
    #expect(try compare(app).fields.isEmpty)
  }

  @Test("what was restored in part is read in part (A16, A17)")
  func part() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    #expect(try app.migrator().readPersistence([.userID, .traits]).fields == [.userID, .traits])
    app.migrator().restorePersistence([.userID, .traits])
    #expect(try compare(app).fields.count == 6)
  }

  @Test("a value that stays in a conflict, or is there already, is not read (A16)")
  func conflict() throws {
    let target: [String: PropertyListValue] = ["anonymous_id": "new", "user_id": "u-42"]
    #expect(try compare(PersistenceApp(LegacyValues.objC, target: target)).fields.count == 6)
    #expect(try compare(PersistenceApp(LegacyValues.objC, target: target), onConflict: .replace).fields.count == 7)
    let fresh = try PersistenceApp(LegacyValues.objC, target: ["anonymous_id": "new", "session_id": "1763650000"])
    #expect(try compare(fresh, onConflict: .replaceFreshIdentity).fields.count == 7)
    let poor = LegacyValues.objC.merging(["rl_traits": "{broken"]) { $1 }
    #expect(try compare(PersistenceApp(poor, target: target), onConflict: .replace).fields.count == 6)
  }
}
