import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

@Suite("Pruning runs")
struct PruneTests {
  /// A container with four runs: one that applied, and three that took one key back each.
  private func fourRuns() throws -> RollbackBox {
    let box = try RollbackBox(target: .binary)
    for key in RollbackBox.keys.dropLast() { try box.rollback([key]) }
    return box
  }

  private func folder(_ number: Int) -> String { "/box/.carryover/runs/" + RollbackBox.run(number) }

  private func copies(_ box: RollbackBox) -> [Int] {
    (1...4).filter { box.fileSystem.tree(folder($0)).keys.contains { $0.hasPrefix("before") || $0.hasPrefix("after") } }
  }

  @Test("selects by number, by moment and by name, and never an interrupted or a pruned run")
  func selection() throws {
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

  @Test("removes the copies and keeps the record, which says so")
  func removes() throws {
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

  @Test("a pruned run cannot be taken back, and says so; the others can")
  func rollback() throws {
    let box = try fourRuns()
    _ = try box.migrator.prune(in: box.container, runs: [RollbackBox.run(1)])
    let tree = box.fileSystem.tree("/")
    let error = RunError.prunedRun(RollbackBox.run(1))
    #expect(throws: error) { try box.migrator.rollbackPlan(in: box.container) }
    #expect(throws: error) { try box.migrator.rollback(in: box.container, runID: RollbackBox.run(1)) }
    #expect(error.description.contains("pruned"))
    #expect(box.fileSystem.tree("/") == tree)
    try box.rollback(of: RollbackBox.run(4))
    #expect(box.held == ["is_manual_session", "rudder.app_build"])
  }

  @Test("refuses names it does not know, and removes nothing then")
  func unknown() throws {
    let box = try fourRuns()
    let tree = box.fileSystem.tree("/")
    for id in [RollbackBox.run(9), "../../AppData", ""] {
      #expect(throws: RunError.noRunToPrune(id)) {
        try box.migrator.prune(in: box.container, runs: [RollbackBox.run(1), id])
      }
    }
    #expect(box.fileSystem.tree("/") == tree)
  }

  @Test("a folder or a link among the copies stops it before anything is removed")
  func intruder() throws {
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

  @Test("an error that comes after a removal does not say that nothing was changed")
  func failures() throws {
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
      box.fileSystem.arm(FaultPlan(faults: [number: .error(Errno.inputOutput)]))
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

  @Test("a crash at any operation leaves a run that is whole, or pruned and finished by the next pruning")
  func crashes() throws {
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
