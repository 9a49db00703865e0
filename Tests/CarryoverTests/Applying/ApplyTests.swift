import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

@Suite("Applying a plan")
struct ApplyTests {
  @Test(
    "writes the decided values, and leaves every other key with its type and value",
    arguments: [
      PropertyListFormat.binary, .xml,
    ])
  func keepsForeignKeys(format: PropertyListFormat) throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: format)
    let before = try #require(fileSystem.target.map { try PropertyListDocument(bytes: $0) })
    let report = try SampleBox.migrator(fileSystem).apply(
      box.plan(target: fileSystem.target), decisions: [:], in: box.container)

    let after = try #require(fileSystem.target.map { try PropertyListDocument(bytes: $0) })
    #expect(after.format == format)
    let old = try #require(before.dictionary)
    let new = try #require(after.dictionary)
    #expect(Array(new.entries.prefix(old.count)) == old.entries)
    #expect(new["anonymous_id"] == "9f1c2a7e-6b0d-4a1e-9c55-0d1f2a3b4c5d")
    #expect(new["session_id"] == "1763640000")
    #expect(new["is_manual_session"] == false)
    #expect(new["rudder.app_build"] == 42)
    #expect(new.count == old.count + 4)
    #expect(report.outcomes.map(\.outcome) == [.migrated, .migrated, .migrated, .migrated])
    #expect(report.files == [SampleBox.targetPath])
    #expect(report.runID == SampleBox.firstRun)
    #expect(report.synchronizations == fileSystem.log.filter { $0.operation == .synchronize }.count)
  }

  @Test("makes a missing target as a binary file with its folders and the mode of the legacy store")
  func makesTarget() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: nil)
    try box.putSource(mode: 0o644)
    let before = fileSystem.tree("/box")

    _ = try SampleBox.migrator(fileSystem).apply(box.plan(target: nil), decisions: [:], in: box.container)
    let target = try #require(fileSystem.target)
    #expect(try PropertyListDocument(bytes: target).format == .binary)
    #expect(before["AppData/Library/Preferences"] == nil)
    #expect(
      fileSystem.tree("/box")[SampleBox.targetPath] == .file(mode: 0o644, user: 501, bytes: target))

    _ = try SampleBox.migrator(fileSystem).rollback(in: box.container)
    #expect(fileSystem.tree("/box", excluding: ".carryover") == before)
  }

  @Test("changes nothing in the legacy store")
  func leavesSource() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .xml)
    let source = fileSystem.tree("/box")[SampleBox.sourcePath]
    _ = try SampleBox.migrator(fileSystem).apply(
      box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    #expect(source != nil)
    #expect(fileSystem.tree("/box")[SampleBox.sourcePath] == source)
  }

  @Test("makes no write when there is nothing to write")
  func secondApply() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = SampleBox.migrator(fileSystem)
    _ = try migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    let tree = fileSystem.tree("/")
    fileSystem.arm()
    let report = try migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    #expect(report.runID == nil)
    #expect(report.outcomes.allSatisfy { $0.outcome == .unchanged })
    #expect(fileSystem.log.filter(\.operation.writes).isEmpty)
    #expect(fileSystem.tree("/") == tree)
  }

  @Test("keeps the mode of the target", arguments: [0o600, 0o644, 0o660] as [UInt32])
  func keepsMode(mode: UInt32) throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary, mode: mode)
    _ = try SampleBox.migrator(fileSystem).apply(
      box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    let target = try #require(fileSystem.target)
    #expect(fileSystem.tree("/box")[SampleBox.targetPath] == .file(mode: mode, user: 501, bytes: target))
  }

  @Test("shows its state folder to nobody else")
  func privateState() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    _ = try SampleBox.migrator(fileSystem).apply(
      box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    let state = fileSystem.tree("/box/.carryover")
    let run = "runs/" + SampleBox.firstRun
    #expect(
      Set(state.keys) == [
        "", "lock", "runs", run, run + "/before", run + "/after", run + "/record.json",
        run + "/before/1-com.acme.shop.analytics.KEY.plist", run + "/after/1-com.acme.shop.analytics.KEY.plist",
      ])
    for (path, entry) in state {
      switch entry {
      case .folder(let mode): #expect(mode == 0o700, "\(path)")
      case .file(let mode, _, _): #expect(mode == 0o600, "\(path)")
      case .link: Issue.record("a link at \(path)")
      }
    }
  }

  @Test("follows decisions: skip, edit, keep and replace")
  func decisions() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let plan = box.plan(
      target: fileSystem.target,
      status: ["anonymous_id": .needsDecision, "session_id": .needsDecision, "rudder.app_build": .conflict])
    let report = try SampleBox.migrator(fileSystem).apply(
      plan, decisions: ["anonymous_id": .edit("mine"), "session_id": .skip], in: box.container, onConflict: .keep)
    #expect(report.outcomes.map(\.outcome) == [.migrated, .skipped, .migrated, .skipped])
    let new = try #require(fileSystem.target.map { try PropertyListDocument(bytes: $0) }?.dictionary)
    #expect(new["anonymous_id"] == "mine")
    #expect(new["session_id"] == nil)
    #expect(new["rudder.app_build"] == nil)
  }

  @Test("remembers what it settled until it is rolled back")
  func settled() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = SampleBox.migrator(fileSystem)
    #expect(try migrator.settled(in: box.container, target: SampleBox.targetPath).isEmpty)
    let plan = box.plan(
      target: fileSystem.target, status: ["session_id": .needsDecision, "rudder.app_build": .dropped])
    _ = try migrator.apply(
      plan, decisions: ["session_id": .skip, "anonymous_id": .edit("mine")], in: box.container)
    fileSystem.arm()
    let settled = try migrator.settled(in: box.container, target: SampleBox.targetPath)
    #expect(fileSystem.log.filter(\.operation.writes).isEmpty)
    #expect(
      settled == [
        "anonymous_id": SettledField(
          legacy: "9f1c2a7e-6b0d-4a1e-9c55-0d1f2a3b4c5d", left: "mine", runID: SampleBox.firstRun),
        "session_id": SettledField(legacy: 1_763_640_000, left: nil, runID: SampleBox.firstRun, isKept: true),
        "is_manual_session": SettledField(legacy: true, left: false, runID: SampleBox.firstRun),
      ])
    #expect(try migrator.settled(in: box.container, target: "another.plist").isEmpty)
    _ = try migrator.rollback(in: box.container)
    #expect(try migrator.settled(in: box.container, target: SampleBox.targetPath).isEmpty)
  }

  @Test("tells which run a rollback would take back")
  func lastRun() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = SampleBox.migrator(fileSystem)
    #expect(try migrator.lastRun(in: box.container) == nil)
    _ = try migrator.apply(
      box.plan(target: fileSystem.target), decisions: ["session_id": .skip], in: box.container)
    fileSystem.arm()
    #expect(
      try migrator.lastRun(in: box.container)
        == AppliedRun(
          id: SampleBox.firstRun, moment: SampleBox.moment, files: [SampleBox.targetPath],
          fields: ["anonymous_id", "is_manual_session", "rudder.app_build"]))
    #expect(fileSystem.log.filter(\.operation.writes).isEmpty)
    _ = try migrator.rollback(in: box.container)
    #expect(try migrator.lastRun(in: box.container) == nil)
  }
}
