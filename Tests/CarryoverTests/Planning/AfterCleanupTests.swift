import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

@Suite("Planning after a cleanup")
struct AfterCleanupTests {
  private func expectCalm(_ box: CleanupBox, _ remark: Comment? = nil) throws {
    let plan = try box.plan()
    #expect(plan.fields.allSatisfy { $0.status == .unchanged && $0.findings.isEmpty }, remark)
    #expect(plan.undecided([:]).isEmpty, remark)
    let tree = box.fileSystem.tree("/")
    #expect(try box.apply().runID == nil, remark)
    #expect(box.fileSystem.tree("/") == tree, remark)
  }

  @Test("with everything removed")
  func everything() throws {
    let box = try CleanupBox(LegacyApp())
    try box.apply()
    try box.cleanup()
    try expectCalm(box)
    #expect(try box.plan().codes == [.targetExists])
  }

  @Test("with any one key removed, from all stores")
  func eachKey() throws {
    for key in LegacyApp.clean.keys {
      let box = try CleanupBox(LegacyApp())
      try box.apply()
      let places = try box.cleanupPlan().entries.map(\.id).filter { $0.key == key }
      #expect(places.count == 2)
      try box.cleanup(only: Set(places))
      #expect(try box.plan().undecided([:]).isEmpty, "\(key)")
      #expect(try box.apply().runID == nil, "\(key)")
      let codes = try box.plan().codes.subtracting([.targetExists])
      #expect(codes.isEmpty, "\(key): \(codes)")
    }
  }

  @Test("where another store's other value was decided against, and stays")
  func otherValueStays() throws {
    var file = LegacyApp.clean
    file["rl_anonymous_id"] = "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    let box = try CleanupBox(LegacyApp(file: file))
    try box.apply(["anonymous_id": .migrate])
    try box.cleanup()
    #expect(box.keys(CleanupBox.filePath) == ["rl_anonymous_id"])
    try expectCalm(box)
  }

  @Test("unless the app writes a new value: that is a conflict, as ever")
  func newValue() throws {
    let box = try CleanupBox(LegacyApp())
    try box.apply()
    try box.cleanup()
    try box.put(LegacyApp.standardPath, ["rl_anonymous_id": "11111111-91c4-4f6a-a7d2-c20e6f18497b"])
    #expect(try box.plan().field("anonymous_id")?.status == .conflict)
  }

  @Test("and once the cleanup is taken back, everything is as before it")
  func takenBack() throws {
    let box = try CleanupBox(LegacyApp())
    try box.apply()
    let before = try box.plan()
    let run = try box.cleanup().runID
    #expect(try box.migrator.removedByCleanups(in: box.container).count == 14)
    _ = try box.migrator.rollback(in: box.container, runID: run)
    #expect(try box.migrator.removedByCleanups(in: box.container).isEmpty)
    #expect(try box.plan().fields == before.fields)
  }
}
