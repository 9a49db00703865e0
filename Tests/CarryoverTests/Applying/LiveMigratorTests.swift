import Carryover
import CarryoverStorage
import CarryoverSystem
import Foundation
import PropertyLists
import Testing

@Suite("Applying on a real disk")
struct LiveMigratorTests {
  @Test(
    "applies, applies again without a change, and rolls back to the very same tree",
    arguments: [
      PropertyListFormat.binary, .xml, nil,
    ])
  func wholeWay(target: PropertyListFormat?) throws {
    let folder = try TemporaryFolder()
    let box = folder.box
    try box.putSource()
    if let target { try box.putTarget(target, mode: 0o644) }
    let before = try folder.tree()
    let migrator = SampleBox.migrator(POSIXFileSystem())

    let report = try migrator.apply(
      box.plan(target: folder.bytes(SampleBox.targetPath)), decisions: [:], in: box.container)
    let bytes = try #require(folder.bytes(SampleBox.targetPath))
    let new = try #require(try PropertyListDocument(bytes: bytes).dictionary)
    #expect(new["is_manual_session"] == false)
    #expect(report.synchronizations > 0)
    #expect(try folder.mode(SampleBox.targetPath) == (target == nil ? 0o640 : 0o644))
    #expect(try folder.mode(".carryover") == 0o700)
    #expect(try folder.mode(".carryover/runs/\(SampleBox.firstRun)/record.json") == 0o600)

    let after = try folder.tree()
    let again = try migrator.apply(box.plan(target: bytes), decisions: [:], in: box.container)
    #expect(again.runID == nil)
    #expect(try folder.tree() == after)

    _ = try migrator.rollback(in: box.container)
    #expect(try folder.tree() == before)
  }

  @Test("does not follow a link to another file")
  func link() throws {
    let folder = try TemporaryFolder()
    let box = folder.box
    try box.putSource()
    try folder.put("elsewhere.plist", SampleBox.bytes(SampleBox.foreign), 0o600)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/AppData/Library/Preferences", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/" + SampleBox.targetPath, withDestinationPath: folder.path + "/elsewhere.plist")
    let before = try folder.tree()
    var plan = box.plan(target: nil)
    plan.basis = []
    #expect(throws: RunError.unsafePath(SampleBox.targetPath, .isLink)) {
      try SampleBox.migrator(POSIXFileSystem()).apply(plan, decisions: [:], in: box.container)
    }
    #expect(try folder.tree() == before)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/.carryover"))
  }

  @Test("many migrators at once: one writes, the others are told why they may not")
  func atOnce() async throws {
    let folder = try TemporaryFolder()
    let box = folder.box
    try box.putSource()
    try box.putTarget(.binary)
    let plan = box.plan(target: folder.bytes(SampleBox.targetPath))
    let container = box.container
    let results = await withTaskGroup(of: Result<RunReport, any Error>.self) { group in
      for _ in 0..<8 {
        group.addTask {
          Result { try SampleBox.migrator(POSIXFileSystem()).apply(plan, decisions: [:], in: container) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var written = 0
    for result in results {
      switch result {
      case .success: written += 1
      case .failure(let error as RunError):
        switch error {
        case .busy, .stalePlan: break
        default: Issue.record("another error: \(error)")
        }
      case .failure(let error): Issue.record("another error: \(error)")
      }
    }
    #expect(written == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.carryover/runs").count == 1)
    _ = try SampleBox.migrator(POSIXFileSystem()).rollback(in: container)
  }
}
