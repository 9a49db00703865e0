import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

@Suite("A run that was interrupted and then overtaken")
struct InterruptedRunTests {
  private static let run = "/box/.carryover/runs/" + SampleBox.firstRun
  private static let temporary = "/box/AppData/Library/Preferences/.carryover-\(SampleBox.firstRun)-1.tmp"

  /// A container on which an apply crashed before a rename: the first puts the record in place, the second the journal,
  /// the third the target.
  private func crashed(atRename rename: Int) throws -> (MemoryFileSystem, SampleBox, before: [UInt8]) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let before = try #require(fileSystem.target)
    fileSystem.arm(FaultPlan(faults: [rename: .crashBefore], only: [.rename]))
    _ = try? SampleBox.migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    #expect(fileSystem.crashed)
    fileSystem.restart()
    return (fileSystem, box, before)
  }

  /// A container on which an apply crashed once it was decided, and whose target the app then wrote.
  private func overtaken() throws -> (MemoryFileSystem, SampleBox, before: [UInt8]) {
    let (fileSystem, box, before) = try crashed(atRename: 3)
    try box.put(SampleBox.targetPath, SampleBox.bytes([("written.since", 1)]), 0o600)
    return (fileSystem, box, before)
  }

  @Test("is reported by apply and rollback, which change no file but the run's own temporary")
  func reported() throws {
    let (fileSystem, box, before) = try overtaken()
    let migrator = SampleBox.migrator(fileSystem)
    let tree = fileSystem.tree("/")
    #expect(fileSystem.bytes(Self.temporary) != nil)
    let error = RunError.interrupted(
      run: SampleBox.firstRun, paths: [SampleBox.targetPath], backup: Self.run + "/before")
    let plan = box.plan(target: fileSystem.target)
    let skips = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) })
    for decisions in [[:], skips] {
      #expect(throws: error) { try migrator.apply(plan, decisions: decisions, in: box.container) }
    }
    #expect(throws: error) { try migrator.rollback(in: box.container) }
    #expect(fileSystem.tree("/") == tree.filter { "/" + $0.key != Self.temporary })
    #expect(fileSystem.bytes(Self.run + "/before/1-com.acme.shop.analytics.KEY.plist") == before)
    for part in [SampleBox.targetPath, Self.run + "/before", "Recovery changed no file.", "recover PATH --keep"] {
      #expect(error.description.contains(part), "\(part)")
    }
  }

  @Test("that changed nothing is not cleared up where a folder stands among its copies")
  func folderAmongCopies() throws {
    let (fileSystem, box, before) = try crashed(atRename: 2)
    fileSystem.putFolder(Self.run + "/before/folder")
    let tree = fileSystem.tree("/")
    let error = try #require(throws: RunError.self) {
      try SampleBox.migrator(fileSystem).apply(box.plan(target: before), decisions: [:], in: box.container)
    }
    guard case .damagedRecord(Self.run + "/record.json", _) = error else {
      Issue.record("another error: \(error)")
      return
    }
    #expect(fileSystem.tree("/") == tree.filter { $0.key != "box/.carryover/journal.json.tmp" })
  }

  @Test("is not passed over where the system refuses a record that is open to the user, and goes the next time")
  func refusedRecord() throws {
    for number in [Errno.access, Errno.notPermitted] {
      let (fileSystem, box, before) = try crashed(atRename: 2)
      let migrator = SampleBox.migrator(fileSystem)
      let reason = FileSystemError(.read, Self.run + "/record.json", .system(number))
      for reading in 1...2 {
        fileSystem.arm(FaultPlan(faults: [reading: .error(number)], only: [.read]))
        #expect(throws: RunError.file(reason, .nothingChanged)) { try migrator.recover(in: box.container) }
      }
      fileSystem.arm(FaultPlan(faults: [1: .error(number)], only: [.read]))
      #expect(throws: RunError.file(reason, .nothingChanged)) {
        try migrator.apply(box.plan(target: before), decisions: [:], in: box.container)
      }
      fileSystem.arm()
      #expect(try migrator.recover(in: box.container).map(\.ending) == [.discarded])
      #expect(fileSystem.target == before && fileSystem.bytes(Self.run + "/record.json") == nil)
    }
  }

  @Test("leaves a temporary with bytes that are not the run's")
  func foreignTemporary() throws {
    let (fileSystem, box, _) = try overtaken()
    fileSystem.put(Self.temporary, [1, 2, 3], mode: 0o600)
    #expect(throws: RunError.self) { try SampleBox.migrator(fileSystem).rollback(in: box.container) }
    #expect(fileSystem.bytes(Self.temporary) == [1, 2, 3])
  }

  @Test("is finished once the backup was copied back by hand")
  func copiedBack() throws {
    let (fileSystem, box, before) = try overtaken()
    let migrator = SampleBox.migrator(fileSystem)
    #expect(throws: RunError.self) { try migrator.recover(in: box.container) }
    #expect(try migrator.runToRecover(in: box.container)?.files == [SampleBox.targetPath])
    try box.put(SampleBox.targetPath, before, 0o600)
    let recovered = try migrator.recover(in: box.container)
    #expect(recovered.map(\.ending) == [.finished] && recovered.map(\.id) == [SampleBox.firstRun])
    #expect(try migrator.runToRecover(in: box.container) == nil)
    #expect(fileSystem.target != before)
    _ = try migrator.rollback(in: box.container)
    #expect(fileSystem.target == before)
  }

  @Test("is closed with every file as it stands where a person says so, and keeps its backup")
  func kept() throws {
    let (fileSystem, box, before) = try overtaken()
    let migrator = SampleBox.migrator(fileSystem)
    let container = fileSystem.tree("/box", excluding: ".carryover")
    #expect(try migrator.recover(in: box.container, keeping: true).map(\.ending) == [.kept])
    #expect(
      fileSystem.tree("/box", excluding: ".carryover") == container.filter { "/box/" + $0.key != Self.temporary })
    #expect(fileSystem.bytes("/box/.carryover/journal.json") == nil)
    #expect(fileSystem.bytes(Self.run + "/before/1-com.acme.shop.analytics.KEY.plist") == before)
    #expect(try migrator.recover(in: box.container).isEmpty)
  }

  @Test("has a damaged copy: nothing is touched until a person closes it, and no temporary is left then")
  func damagedCopy() throws {
    let (fileSystem, box, before) = try crashed(atRename: 3)
    let migrator = SampleBox.migrator(fileSystem)
    let copy = Self.run + "/after/1-com.acme.shop.analytics.KEY.plist"
    fileSystem.put(copy, [1, 2, 3])
    let tree = fileSystem.tree("/")
    #expect(throws: RunError.damagedCopy(run: SampleBox.firstRun, path: copy)) {
      try migrator.recover(in: box.container)
    }
    #expect(fileSystem.tree("/") == tree)
    #expect(try migrator.recover(in: box.container, keeping: true).map(\.ending) == [.kept])
    #expect(fileSystem.target == before)
    #expect(fileSystem.bytes(Self.temporary) == nil && fileSystem.bytes("/box/.carryover/journal.json") == nil)
    #expect(try migrator.recover(in: box.container).isEmpty)
  }

  @Test("has a journal that cannot be read: nothing is touched until a person closes it", arguments: ["", "{}", "[1"])
  func damagedJournal(text: String) throws {
    let (fileSystem, box, before) = try crashed(atRename: 3)
    let migrator = SampleBox.migrator(fileSystem)
    fileSystem.put("/box/.carryover/journal.json", Array(text.utf8))
    let tree = fileSystem.tree("/")
    for work in [
      { _ = try migrator.recover(in: box.container) }, { _ = try migrator.rollback(in: box.container) },
      { _ = try migrator.apply(box.plan(target: before), decisions: [:], in: box.container) },
      { _ = try migrator.runToRecover(in: box.container) },
    ] {
      let error = #expect(throws: RunError.self) { try work() }
      guard case .damagedJournal("/box/.carryover/journal.json", _)? = error else {
        Issue.record("another error: \(String(describing: error))")
        continue
      }
    }
    #expect(fileSystem.tree("/") == tree)
    #expect(try migrator.recover(in: box.container, keeping: true).map(\.ending) == [.discarded])
    #expect(fileSystem.target == before)
  }
}
