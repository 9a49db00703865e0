import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("A restoration of which a part fails")
struct RestoreFailureTests {
  @Test("a field that cannot be written fails by itself, and the next start tries it again (A17, A19)")
  func oneField() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    app.target = MemoryDomain("suite", refusing: ["user_id"])
    let report = app.migrator().restorePersistence()
    #expect(report.status == .failed(.notWritten("suite")))
    #expect(report.fields(.failed) == [.userID] && report.fields(.migrated).count == 7)
    #expect(report.findings.contains { $0.code == .targetExists } == false)
    #expect(app.restored == LegacyValues.restored.filter { $0.key != "user_id" })
    app.restart()
    let next = app.migrator().restorePersistence()
    #expect(next.status == .done && next.fields(.migrated) == [.userID] && next.outcomes.count == 1)
    #expect(app.restored == LegacyValues.restored)
  }

  @Test("where the mark cannot be written, the report says what was written all the same (A19)")
  func mark() throws {
    let app = try PersistenceApp(LegacyValues.objC.merging(["rl_external_id": "[]"]) { $1 })
    app.target = MemoryDomain("suite", refusing: [PersistenceApp.markKey])
    let report = app.migrator().restorePersistence()
    #expect(report.status == .failed(.notWritten("suite")))
    #expect(report.fields(.migrated).count == 8 && app.restored == LegacyValues.restored)
    #expect(report.description.contains("failed") && report.description.contains("migrated: anonymous_id"))
    app.restart()
    #expect(app.migrator().restorePersistence().fields(.unchanged).count == 8)
    #expect(app.migrator().restorePersistence().status == .doneBefore)
  }
}
