import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("The history of a container")
struct HistoryTests {
  private static func record(_ number: Int) -> String { "/box/.carryover/runs/\(RollbackBox.run(number))/record.json" }

  @Test("is empty where there is no state folder, and makes none")
  func empty() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    fileSystem.arm()
    #expect(try SampleBox.migrator(fileSystem).history(of: box.container) == RunListing(runs: []))
    #expect(fileSystem.log.filter(\.operation.writes).isEmpty)
  }

  @Test("shows each run with its fields, newest first, and writes nothing")
  func contents() throws {
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
          id: RollbackBox.place("rudder.app_build"), decision: "migrate", before: 7, after: 42, outcome: .migrated,
          isTakenBack: true))
    #expect(runs.first?.fields.map(\.before) == [42])
    #expect(first.backup == "/box/.carryover/runs/\(RollbackBox.run(1))/before")
    let folder = "/box/.carryover/runs/" + first.id
    let size = box.fileSystem.tree(folder).values.reduce(0) { size, entry in
      if case .file(_, _, let bytes) = entry { size + bytes.count } else { size }
    }
    #expect(first.size == size)
  }

  @Test("shows the others where a record is damaged, of a later version, a link, or of another run")
  func damaged() throws {
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

  @Test("runs that name themselves, later ones or none as taken back do no harm", arguments: 1...3)
  func strangeReferences(number: Int) throws {
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

  @Test("copies that were swapped are not restored from")
  func swappedCopies() throws {
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

  @Test("an interrupted run is shown as such, and is neither taken back nor pruned")
  func interrupted() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    // The first rename puts the record in place, the second the journal, the third the target.
    fileSystem.arm(FaultPlan(faults: [3: .crashBefore], only: [.rename]))
    let migrator = SampleBox.migrator(fileSystem)
    _ = try? migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    #expect(fileSystem.crashed)
    fileSystem.restart()
    fileSystem.put("/box/" + SampleBox.targetPath, try SampleBox.bytes([("written.since", 1)]), mode: 0o600)
    #expect(try migrator.runs(in: box.container).map(\.standing) == [.interrupted])
    #expect(throws: RunError.nothingToRollBack) { try migrator.rollbackPlan(in: box.container) }
    let run = "/box/.carryover/runs/" + SampleBox.firstRun
    let tree = fileSystem.tree(run)
    let error = try #require(throws: RunError.self) {
      try migrator.prune(in: box.container, runs: [SampleBox.firstRun])
    }
    guard case .interrupted(SampleBox.firstRun, [SampleBox.targetPath], _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(fileSystem.tree(run) == tree)
  }
}
