@testable import Carryover

@Suite("The history of a container") struct HistoryTests {
  private static func record(_ number: Int) -> String { "/box/.carryover/runs/\(RollbackBox.run(number))/record.json" }

  @Test func `shows each run with its fields, newest first, and writes nothing`() throws {
    let box = try RollbackBox(target: .binary, held: [("rudder.app_build", 7)])
    try box.rollback(["rudder.app_build"])
    box.fileSystem.arm()
    let runs = try box.migrator.runs(in: box.container)
    #expect(box.fileSystem.log.filter(\.operation.writes).isEmpty)
    #expect(runs.map(\.id) == [RollbackBox.run(2), RollbackBox.run(1)])
    #expect(runs.map(\.kind) == [.rollback, .apply])
    #expect(runs.map(\.rolledBack) == [RollbackBox.run(1), nil])
    #expect(runs.map(\.standing) == [.holds, .partlyTakenBack])
    #expect(
      runs.allSatisfy { $0.files == [SampleBox.targetPath] && $0.moment == SampleBox.moment && $0.tool == "0.1.0" })
    let first = try #require(runs.last)
    #expect(first.fields.map(\.id) == RollbackBox.keys.map(RollbackBox.place))
    #expect(
      first.fields.last
        == RunField(
          id: RollbackBox.place("rudder.app_build"), decision: "migrate",
          legacy: SampleBox.legacy.first { $0.0 == "rl_application_build_key" }.map { SavedValue($0.1) },
          proposed: .whole(42), before: 7, after: 42, outcome: .migrated, isTakenBack: true))
    #expect(runs.first?.fields.map(\.before) == [42])
    #expect(first.backup == "/box/.carryover/runs/\(RollbackBox.run(1))/before")
    let folder = "/box/.carryover/runs/" + first.id
    let size = box.fileSystem.tree(folder).values.reduce(0) { size, entry in
      if case .file(_, _, let bytes) = entry { size + bytes.count } else { size }
    }
    #expect(first.size == size)
  }

  @Test func `compares no file with one behind a link`() throws {
    let box = try RollbackBox(target: .binary)
    let id = RollbackBox.run(1)
    #expect(try box.migrator.files(before: id, in: box.container).changedSince.isEmpty)
    box.fileSystem.putLink("/box/AppData/Library/Preferences")
    let error = #expect(throws: RunError.self) { try box.migrator.files(before: id, in: box.container) }
    #expect(error == .unsafePath(SampleBox.targetPath, .throughLink))
  }

  @Test func `shows the others where a record is damaged, of a later version, a link, or of another run`() throws {
    let box = try RollbackBox(target: .binary)
    for key in RollbackBox.keys { try box.rollback([key]) }
    let sound = String(decoding: try #require(box.fileSystem.bytes(Self.record(2))), as: UTF8.self)
    box.fileSystem.put(Self.record(2), Array(sound.utf8.prefix(100)), mode: 0o600)
    try box.fileSystem.putSealed(Self.record(3), sound.replacing("run/1", with: "run/2"))
    box.fileSystem.put(Self.record(4), Array(sound.utf8), mode: 0o600)
    box.fileSystem.putLink(Self.record(5))
    box.fileSystem.putLink("/box/.carryover/runs/" + RollbackBox.run(6))
    let tree = box.fileSystem.tree("/")
    let listing = try box.migrator.history(of: box.container)
    #expect(listing.runs.map(\.id) == [RollbackBox.run(1)])
    #expect(listing.problems.count == 5)
    for (problem, number) in zip(listing.problems, [6, 5, 4, 3, 2]) {
      #expect(problem.description.contains(RollbackBox.run(number)), "\(problem)")
    }
    for runID in [nil, RollbackBox.run(1)] {
      #expect(throws: RunError.self) { try box.migrator.rollbackPlan(in: box.container, runID: runID) }
      #expect(throws: RunError.self) { try box.migrator.rollback(in: box.container, runID: runID) }
    }
    #expect(box.fileSystem.tree("/") == tree)
    #expect(try box.migrator.prune(in: box.container, runs: [RollbackBox.run(1)]).runs == [RollbackBox.run(1)])
  }

  @Test(arguments: 1...3)
  func `runs that name themselves, later ones or none as taken back do no harm`(number: Int) throws {
    let box = try RollbackBox(target: .binary)
    try box.rollback(["session_id"])
    let sound = String(decoding: try #require(box.fileSystem.bytes(Self.record(2))), as: UTF8.self)
    let named = "20251120T120500Z-\(number == 1 ? RunID.highest : number)"
    let strange = sound.replacing("\"rolledBack\": \"\(SampleBox.firstRun)\"", with: "\"rolledBack\": \"\(named)\"")
    #expect(strange != sound)
    try box.fileSystem.putSealed(Self.record(2), strange)
    #expect(try box.standings() == [.holds, .holds])
    #expect(try box.migrator.rollbackPlan(in: box.container).run.id == SampleBox.firstRun)
  }

  @Test func `copies that were swapped are not restored from`() throws {
    let box = try RollbackBox(target: .binary)
    let folder = "/box/.carryover/runs/\(SampleBox.firstRun)/"
    let name = "/1-com.acme.shop.analytics.KEY.plist"
    let (before, after) = (
      box.fileSystem.bytes(folder + "before" + name), box.fileSystem.bytes(folder + "after" + name)
    )
    box.fileSystem.put(folder + "before" + name, try #require(after), mode: 0o600)
    box.fileSystem.put(folder + "after" + name, try #require(before), mode: 0o600)
    let tree = box.fileSystem.tree("/")
    let error = RunError.damagedBackup(path: folder + "before" + name)
    #expect(throws: error) { try box.migrator.rollbackPlan(in: box.container) }
    #expect(throws: error) { try box.migrator.rollback(in: box.container) }
    #expect(box.fileSystem.tree("/") == tree)
    #expect(try box.standings() == [.holds])
  }

  @Test func `an interrupted run is shown as such, and is neither taken back nor pruned`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    // The first rename puts the record in place, the second the journal, the third the target.
    fileSystem.arm(FaultPlan(faults: [3: .crashBefore], only: [.rename]))
    _ = try? fileSystem.migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    #expect(fileSystem.crashed)
    fileSystem.restart()
    fileSystem.put("/box/" + SampleBox.targetPath, try SampleBox.bytes([("written.since", 1)]), mode: 0o600)
    #expect(try fileSystem.migrator.runs(in: box.container).map(\.standing) == [.interrupted])
    #expect(throws: RunError.nothingToRollBack) { try fileSystem.migrator.rollbackPlan(in: box.container) }
    let run = "/box/.carryover/runs/" + SampleBox.firstRun
    let tree = fileSystem.tree(run)
    let error = try #require(throws: RunError.self) {
      try fileSystem.migrator.prune(in: box.container, runs: [SampleBox.firstRun])
    }
    guard case .interrupted(SampleBox.firstRun, [SampleBox.targetPath], _) = error else { return #expect(Bool(false)) }
    #expect(fileSystem.tree(run) == tree)
  }
}

@Suite("Pruning runs") struct PruneTests {
  private func fourRuns() throws -> RollbackBox {
    let box = try RollbackBox(target: .binary)
    for key in RollbackBox.keys.dropLast() { try box.rollback([key]) }
    return box
  }

  private func folder(_ number: Int) -> String { "/box/.carryover/runs/" + RollbackBox.run(number) }

  private func copies(_ box: RollbackBox) -> [Int] {
    (1...4).filter { box.fileSystem.tree(folder($0)).keys.contains { $0.hasPrefix("before") || $0.hasPrefix("after") } }
  }

  @Test func `selects by number, by moment and by name, and never an interrupted or a pruned run`() throws {
    let (old, new) = (Moment(secondsSince1970: 100), Moment(secondsSince1970: 200))
    func run(_ id: String, _ moment: Moment, _ standing: RunStanding = .holds, backup: String? = "b") -> RunSummary {
      RunSummary(
        id: id, kind: .apply, moment: moment, recipe: RecipeReference(id: "r", version: 1, title: "R"), tool: "1",
        files: [], fields: [], standing: standing, backup: backup, size: 1)
    }
    let runs = [
      run("5", new), run("4", old, .interrupted), run("3", old, .takenBack), run("2", old, backup: nil), run("1", new),
    ]
    func selected(_ selection: PruneSelection) -> [String] { selection.selected(from: runs).map(\.id) }
    #expect(selected(.keepingNewest(0)) == ["5", "3", "1"])
    #expect(selected(.keepingNewest(1)) == ["3", "1"])
    #expect(selected(.keepingNewest(3)) == ["1"])
    #expect(selected(.keepingNewest(.max)) == [])
    #expect(selected(.olderThan(new)) == ["3"])
    #expect(selected(.olderThan(old)) == [])
    #expect(selected(.named(["1", "2", "4", "9"])) == ["1"])
  }

  @Test func `removes the copies and keeps the record, which says so`() throws {
    let box = try fourRuns()
    let listed = try box.migrator.runs(in: box.container)
    let target = box.fileSystem.target
    let report = try box.migrator.prune(in: box.container, runs: [RollbackBox.run(2), RollbackBox.run(1)])
    #expect(report.runs == [RollbackBox.run(2), RollbackBox.run(1)])
    #expect(copies(box) == [3, 4])
    #expect(box.fileSystem.target == target)
    let runs = try box.migrator.runs(in: box.container)
    #expect(runs.map(\.standing) == listed.map(\.standing))
    #expect(runs.map(\.fields) == listed.map(\.fields))
    #expect(runs.map { $0.backup == nil } == [false, false, true, true])
    let sizes = (listed.map(\.size).reduce(0, +), runs.map(\.size).reduce(0, +))
    // The two records are longer by the word that says it.
    #expect(report.freed > 0 && sizes.0 - report.freed < sizes.1 && sizes.1 < sizes.0)
    box.fileSystem.arm()
    #expect(try box.migrator.prune(in: box.container, runs: [RollbackBox.run(1)]) == PruneReport(runs: [], freed: 0))
    #expect(box.fileSystem.log.filter(\.operation.writes).isEmpty)
  }

  @Test func `refuses names it does not know, and removes nothing then`() throws {
    let box = try fourRuns()
    let tree = box.fileSystem.tree("/")
    for id in [RollbackBox.run(9), "../../AppData", ""] {
      #expect(throws: RunError.noRunToPrune(id)) {
        try box.migrator.prune(in: box.container, runs: [RollbackBox.run(1), id])
      }
    }
    #expect(box.fileSystem.tree("/") == tree)
  }

  @Test func `a folder or a link among the copies stops it before anything is removed`() throws {
    let box = try fourRuns()
    box.fileSystem.putFolder(folder(1) + "/after/folder")
    let tree = box.fileSystem.tree("/")
    #expect(throws: RunError.unsafePath(folder(1) + "/after/folder", .wrongKind)) {
      try box.migrator.prune(in: box.container, runs: (1...4).map(RollbackBox.run))
    }
    #expect(box.fileSystem.tree("/") == tree)
    let other = try fourRuns()
    let copies = other.fileSystem.tree(folder(1) + "/before").keys.filter { !$0.isEmpty }
    for name in copies { try other.fileSystem.remove(folder(1) + "/before/" + name) }
    try other.fileSystem.removeDirectory(folder(1) + "/before")
    other.fileSystem.putLink(folder(1) + "/before")
    #expect(throws: RunError.unsafePath(folder(1) + "/before", .isLink)) {
      try other.migrator.prune(in: other.container, runs: [RollbackBox.run(1)])
    }
  }

  @Test func `an error that comes after a removal does not say that nothing was changed`() throws {
    let start = try fourRuns()
    let sound = RollbackBox(copying: start)
    sound.fileSystem.arm()
    let ids = [RollbackBox.run(2), RollbackBox.run(1)]
    _ = try sound.migrator.prune(in: sound.container, runs: ids)
    let count = sound.fileSystem.counted
    let runs = start.fileSystem.tree("/box/.carryover/runs")
    var partly = 0
    for number in 1...count {
      let box = RollbackBox(copying: start)
      box.fileSystem.arm(FaultPlan(faults: [number: .error(EIO)]))
      do {
        _ = try box.migrator.prune(in: box.container, runs: ids)
      } catch {
        let isSame = box.fileSystem.tree("/box/.carryover/runs") == runs
        #expect(error.description.contains("Nothing was changed.") ? isSame : true, "operation \(number)")
        #expect(error.aftermath == .partlyPruned || isSame, "operation \(number)")
        if error.aftermath == .partlyPruned { partly += 1 }
      }
      box.fileSystem.arm()
      _ = try box.migrator.prune(in: box.container, runs: ids)
      #expect(copies(box) == [3, 4])
    }
    #expect(partly > 8)
  }

  @Test func `a crash at any operation leaves a run whole, or pruned and finished by the next pruning`() throws {
    let start = try fourRuns()
    let sound = RollbackBox(copying: start)
    sound.fileSystem.arm()
    let ids = [RollbackBox.run(2), RollbackBox.run(1)]
    _ = try sound.migrator.prune(in: sound.container, runs: ids)
    let count = sound.fileSystem.counted
    let end = sound.fileSystem.tree("/")
    #expect(count > 20)
    for number in 1...count {
      for powerLoss in [false, true] {
        let box = RollbackBox(copying: start)
        let target = box.fileSystem.target
        box.fileSystem.arm(FaultPlan(faults: [number: .crashAfter]))
        _ = try? box.migrator.prune(in: box.container, runs: ids)
        box.fileSystem.restart(afterPowerLoss: powerLoss)
        #expect(box.fileSystem.target == target)
        for run in try box.migrator.runs(in: box.container) where run.backup != nil {
          let entries = box.fileSystem.tree("/box/.carryover/runs/" + run.id)
          #expect(entries.values.count { if case .file = $0 { true } else { false } } >= 3, "\(number): whole")
        }
        _ = try box.migrator.prune(in: box.container, runs: ids)
        #expect(box.fileSystem.tree("/") == end, "operation \(number)")
      }
    }
  }
}

@Suite("Writing to a live container") struct RunningStoreTests {
  private static let live = Liveness.simulator(device: "11111111-2222-3333-4444-555555555555")
  private static let refusal = RunError.blocked([Finding(.liveRunningStore(live))])

  private static func live(_ container: Container) -> Container {
    var container = container
    container.liveness = live
    return container
  }

  private func refused(_ fileSystem: MemoryFileSystem, _ work: () throws -> Void) throws {
    let tree = fileSystem.tree("/")
    #expect(throws: Self.refusal) { try work() }
    #expect(fileSystem.tree("/") == tree)
  }

  @Test func `is refused by apply, whether or not the plan knew, and done where the plan allows it`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let container = Self.live(box.container)
    var plan = box.plan(target: fileSystem.target)
    try refused(fileSystem) { _ = try fileSystem.migrator.apply(plan, decisions: [:], in: container) }
    plan.containerFindings = [Finding(.liveRunningStore(Self.live))]
    try refused(fileSystem) { _ = try fileSystem.migrator.apply(plan, decisions: [:], in: container) }
    plan.allowed = [.consentOptedOut]
    try refused(fileSystem) { _ = try fileSystem.migrator.apply(plan, decisions: [:], in: container) }
    plan.allowed = [.liveRunningStore]
    #expect(try fileSystem.migrator.apply(plan, decisions: [:], in: container).runID == SampleBox.firstRun)
  }

  @Test func `is refused by recovery, and by what recovers first, and done where it is allowed`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let (migrator, container) = (fileSystem.migrator, Self.live(box.container))
    #expect(try migrator.recover(in: container).isEmpty)
    let plan = box.plan(target: fileSystem.target)
    fileSystem.arm(FaultPlan(faults: [3: .crashBefore], only: [.rename]))
    _ = try? migrator.apply(plan, decisions: [:], in: box.container)
    #expect(fileSystem.crashed)
    fileSystem.restart()
    let skips = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) })
    for keeping in [false, true] {
      try refused(fileSystem) { _ = try migrator.recover(in: container, keeping: keeping) }
    }
    try refused(fileSystem) { _ = try migrator.apply(plan, decisions: skips, in: container) }
    try refused(fileSystem) { _ = try migrator.rollback(in: container) }
    #expect(try migrator.recover(in: container, allowing: [.liveRunningStore]).map(\.id) == [SampleBox.firstRun])
  }
}
