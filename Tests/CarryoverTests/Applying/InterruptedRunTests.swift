import Carryover
import PropertyLists
import Testing

@Suite("A run that was interrupted and then overtaken")
struct InterruptedRunTests {
  private static let run = "/box/.carryover/runs/" + SampleBox.firstRun
  private static let temporary = "/box/AppData/Library/Preferences/.carryover-\(SampleBox.firstRun)-1.tmp"

  /// A container on which an apply crashed with the new file staged, and whose target the app then wrote.
  private func overtaken() throws -> (MemoryFileSystem, SampleBox, before: [UInt8]) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = try #require(fileSystem.target)
    // The first rename puts the record in place, the second the target.
    fileSystem.arm(FaultPlan(faults: [2: .crashBefore], only: [.rename]))
    _ = try? SampleBox.migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    #expect(fileSystem.crashed)
    fileSystem.restart()
    try box.put(SampleBox.targetPath, SampleBox.bytes([("written.since", 1)]), 0o600)
    return (fileSystem, box, before)
  }

  @Test("is reported by apply and rollback, which change no file but the run's own temporary")
  func reported() throws {
    let (fileSystem, box, before) = try overtaken()
    let migrator = SampleBox.migrator(fileSystem)
    let tree = fileSystem.tree("/")
    #expect(fileSystem.bytes(Self.temporary) != nil)
    let error = MigrationError.interrupted(
      run: SampleBox.firstRun, paths: [SampleBox.targetPath], backup: Self.run + "/before")
    let plan = box.plan(target: fileSystem.target)
    let skips = Dictionary(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) })
    for decisions in [[:], skips] {
      #expect(throws: error) { try migrator.apply(plan, decisions: decisions, in: box.container) }
    }
    #expect(throws: error) { try migrator.rollback(in: box.container) }
    #expect(fileSystem.tree("/") == tree.filter { "/" + $0.key != Self.temporary })
    #expect(fileSystem.bytes(Self.run + "/before/1-com.acme.shop.analytics.KEY.plist") == before)
    for part in [SampleBox.targetPath, Self.run + "/before", "Nothing was changed.", "out of \"runs\""] {
      #expect(error.description.contains(part), "\(part)")
    }
  }

  @Test("that changed nothing is not cleared up where a folder stands among its copies")
  func folderAmongCopies() throws {
    let (fileSystem, box, before) = try overtaken()
    try box.put(SampleBox.targetPath, before, 0o600)
    fileSystem.putFolder(Self.run + "/before/folder")
    let tree = fileSystem.tree("/")
    let error = try #require(throws: MigrationError.self) {
      try SampleBox.migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    }
    guard case .damagedRecord(Self.run + "/record.json", _) = error else {
      Issue.record("another error: \(error)")
      return
    }
    #expect(fileSystem.tree("/") == tree)
  }

  @Test("leaves a temporary with bytes that are not the run's")
  func foreignTemporary() throws {
    let (fileSystem, box, _) = try overtaken()
    fileSystem.put(Self.temporary, [1, 2, 3], mode: 0o600)
    #expect(throws: MigrationError.self) { try SampleBox.migrator(fileSystem).rollback(in: box.container) }
    #expect(fileSystem.bytes(Self.temporary) == [1, 2, 3])
  }

  @Test("is settled by copying the backup back, or by moving the run's folder away")
  func settledByHand() throws {
    let (fileSystem, box, before) = try overtaken()
    let migrator = SampleBox.migrator(fileSystem)
    #expect(throws: MigrationError.self) { try migrator.rollback(in: box.container) }
    let moved = MemoryFileSystem(copying: fileSystem)
    try moved.rename(Self.run, to: "/box/.carryover/set-aside", .replacing)
    let plan = box.plan(target: moved.target)
    #expect(try SampleBox.migrator(moved).apply(plan, decisions: [:], in: box.container).runID == SampleBox.firstRun)

    try box.put(SampleBox.targetPath, before, 0o600)
    _ = try migrator.apply(box.plan(target: before), decisions: [:], in: box.container)
    _ = try migrator.rollback(in: box.container)
    #expect(fileSystem.target == before)
  }
}
