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

@Suite("A mark of restoration that is not understood, and a source that cannot be read")
struct UnknownMarkTests {
  private static let marks: [(PropertyListValue, RestorationMarkDefect)] = [
    (["version": 2, "at": 1_763_640_000, "fields": ["user_id"]], .newer(found: 2)),
    (["version": 2], .newer(found: 2)),
    ("restored", .damaged), (1, .damaged), ([], .damaged), ([:], .damaged),
    (["version": 1, "fields": ["user_id": true]], .damaged),
    (["version": 1], .damaged),
    (["version": 0, "fields": []], .damaged),
    (["version": "1", "fields": []], .damaged),
    (["version": 1, "fields": [], "passedOver": "none"], .damaged),
    (["version": 1, "fields": [], "passedOver": ["any": "none"]], .damaged),
  ]

  @Test("it means that all was restored: nobody who has logged out comes back, and nothing is written (A13, A19)")
  func kept() throws {
    for (mark, defect) in Self.marks {
      let app = try PersistenceApp(LegacyValues.objC, target: [PersistenceApp.markKey: mark])
      for recipe in [Recipe.rudderStackObjC, .rudderStackSwiftV2, nil] {
        let report = app.migrator(recipe).restorePersistence()
        #expect(report.status == .doneBefore && report.markDefect == defect, "\(mark)")
        #expect(report.description.contains("mark") && report.outcomes.isEmpty)
        #expect(try app.migrator(recipe).readPersistence().fields.isEmpty)
      }
      #expect(app.target.writes == 0 && app.target.all == [PersistenceApp.markKey: mark])
    }
    let sound = try PersistenceApp(LegacyValues.objC)
    #expect(sound.migrator().restorePersistence().markDefect == nil)
    #expect(sound.migrator().restorePersistence().markDefect == nil)
  }

  @Test("while the SDK's file cannot be read, only what has a value is settled (A15, A19)", arguments: [false, true])
  func hiddenFile(isFolder: Bool) throws {
    for recipe in [Recipe.rudderStackObjC, nil] {
      let app = try PersistenceApp(["rl_application_version_key": "4.2.0"])
      let file = app.library.appending(path: "rsDefaultsPersistence.plist")
      if isFolder {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      } else {
        try Data("bplist00".utf8).write(to: file)
      }
      let first = app.migrator(recipe).restorePersistence()
      #expect(first.status == .done && first.fields(.migrated) == [.appVersion])
      #expect(first.findings.contains { $0.code == .sourceUnreadable })
      app.restart()
      try FileManager.default.removeItem(at: file)
      let values = PropertyListDictionary(entries: LegacyValues.objC.map { .init(key: $0.key, value: $0.value) })
      try Data(PropertyListDocument.encode(.dictionary(values), as: .binary)).write(to: file)
      let second = app.migrator(recipe).restorePersistence()
      #expect(second.status == .done && second.outcomes[.appVersion] == nil)
      #expect(app.restored == LegacyValues.restored)
      #expect(app.migrator(recipe).restorePersistence().status == .doneBefore)
    }
  }

  @Test("an app's own keys that begin like an SDK's are nobody's (A19)")
  func ownKeys() throws {
    for recipe in [Recipe.rudderStackObjC, .rudderStackSwiftV2, nil] {
      let app = try PersistenceApp(["rs_theme": "dark", "rn_first_run": false, "rl_theme": "dark"])
      #expect(app.migrator(recipe).restorePersistence().status == .nothingFound)
      #expect(app.target.all.isEmpty && app.target.writes == 0)
    }
  }
}
