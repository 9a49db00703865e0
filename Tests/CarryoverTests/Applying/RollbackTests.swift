import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

@Suite("Taking a run back")
struct RollbackTests {
  @Test("restores bytes, mode and absence", arguments: [PropertyListFormat.binary, .xml, nil])
  func restores(target: PropertyListFormat?) throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: target, mode: 0o644)
    let before = fileSystem.tree("/box")
    let migrator = SampleBox.migrator(fileSystem)
    _ = try migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    #expect(fileSystem.tree("/box", excluding: ".carryover") != before)
    fileSystem.arm()
    let report = try migrator.rollback(in: box.container)
    #expect(fileSystem.tree("/box", excluding: ".carryover") == before)
    #expect(report.kind == .rollback)
    #expect(report.rolledBack == SampleBox.firstRun)
    #expect(report.runID == "20251120T120500Z-2")
    #expect(report.outcomes.map(\.outcome) == [.restored, .restored, .restored, .restored])
    #expect(report.files == [SampleBox.targetPath])
    #expect(report.synchronizations == fileSystem.log.filter { $0.operation == .synchronize }.count)
  }

  @Test("takes runs back one after the other, newest first, and then has nothing left")
  func severalRuns() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = SampleBox.migrator(fileSystem)
    var states = [fileSystem.target]
    for id in ["anonymous_id", "session_id", "is_manual_session"] {
      let plan = box.plan(target: fileSystem.target)
      let skips = plan.fields.filter { $0.id != id }.map { ($0.id, Decision.skip) }
      _ = try migrator.apply(plan, decisions: Decisions(uniqueKeysWithValues: skips), in: box.container)
      states.append(fileSystem.target)
    }
    #expect(Set(states).count == 4)
    for number in [3, 2, 1] {
      let report = try migrator.rollback(in: box.container)
      #expect(report.rolledBack == "20251120T120500Z-\(number)")
      #expect(fileSystem.target == states[number - 1])
    }
    #expect(throws: RunError.nothingToRollBack) { try migrator.rollback(in: box.container) }
    _ = try migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    #expect(try migrator.rollback(in: box.container).rolledBack == "20251120T120500Z-7")
  }

  @Test("takes the run that is named, and no other")
  func namedRun() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = SampleBox.migrator(fileSystem)
    let before = fileSystem.target
    _ = try migrator.apply(box.plan(target: before), decisions: [:], in: box.container)
    #expect(throws: RunError.noSuchRun("20251120T120500Z-9")) {
      try migrator.rollback(in: box.container, runID: "20251120T120500Z-9")
    }
    _ = try migrator.rollback(in: box.container, runID: SampleBox.firstRun)
    #expect(fileSystem.target == before)
  }

  @Test("takes a rollback back where it is named, and the run it took back holds again", arguments: [true, false])
  func rollbackOfRollback(existing: Bool) throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: existing ? .binary : nil)
    let migrator = SampleBox.migrator(fileSystem)
    let before = fileSystem.target
    _ = try migrator.apply(box.plan(target: before), decisions: [:], in: box.container)
    let after = fileSystem.tree("/box", excluding: ".carryover")
    let rollback = try #require(try migrator.rollback(in: box.container).runID)
    let report = try migrator.rollback(in: box.container, runID: rollback)
    #expect(report.rolledBack == rollback)
    #expect(report.outcomes.allSatisfy { $0.outcome == .restored })
    #expect(fileSystem.tree("/box", excluding: ".carryover") == after)
    #expect(throws: RunError.noSuchRun(rollback)) { try migrator.rollback(in: box.container, runID: rollback) }
    #expect(try migrator.lastRun(in: box.container)?.id == SampleBox.firstRun)
    #expect(try migrator.rollback(in: box.container).rolledBack == SampleBox.firstRun)
    #expect(fileSystem.target == before)
  }

  @Test("makes no write where there is nothing to take back")
  func nothing() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    #expect(throws: RunError.nothingToRollBack) {
      try SampleBox.migrator(fileSystem).rollback(in: box.container)
    }
    #expect(fileSystem.log.filter(\.operation.writes).isEmpty)
  }

  @Test("writes nothing where the keys are gone already, with their file or without it")
  func goneSince() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = SampleBox.migrator(fileSystem)
    _ = try migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    try box.put(SampleBox.targetPath, try SampleBox.bytes([("written.since", 1)]), 0o600)
    for isFileThere in [true, false] {
      if !isFileThere { try fileSystem.remove("/box/" + SampleBox.targetPath) }
      let tree = fileSystem.tree("/")
      fileSystem.arm()
      let report = try migrator.rollback(in: box.container)
      #expect(report.runID == nil)
      #expect(report.outcomes.map(\.outcome) == [.unchanged, .unchanged, .unchanged, .unchanged])
      #expect(fileSystem.tree("/") == tree)
      #expect(fileSystem.log.filter(\.operation.writes).isEmpty)
    }
  }

  @Test("does not restore from a backup that is damaged")
  func damagedBackup() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let migrator = SampleBox.migrator(fileSystem)
    _ = try migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    let path = "/box/.carryover/runs/\(SampleBox.firstRun)/before/1-com.acme.shop.analytics.KEY.plist"
    var bytes = try #require(fileSystem.bytes(path))
    bytes[20] ^= 1
    fileSystem.put(path, bytes, mode: 0o600)
    let after = fileSystem.target
    #expect(throws: RunError.damagedBackup(path: path)) { try migrator.rollback(in: box.container) }
    fileSystem.put(path, bytes + [0], mode: 0o600)
    #expect(throws: RunError.damagedBackup(path: path)) { try migrator.rollback(in: box.container) }
    #expect(fileSystem.target == after)
  }

  @Test("keeps a backup that a person can copy back by hand")
  func backupByHand() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .xml)
    let before = fileSystem.target
    _ = try SampleBox.migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    let run = "/box/.carryover/runs/" + SampleBox.firstRun
    #expect(fileSystem.bytes(run + "/before/1-com.acme.shop.analytics.KEY.plist") == before)
    #expect(fileSystem.bytes(run + "/after/1-com.acme.shop.analytics.KEY.plist") == fileSystem.target)
  }
}
