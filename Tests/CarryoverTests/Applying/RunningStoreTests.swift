import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

@Suite("Writing to a live container")
struct RunningStoreTests {
  private static let live = Liveness.simulator(device: "11111111-2222-3333-4444-555555555555")
  private static let refusal = RunError.blocked([Finding(.liveRunningStore(live))])

  private static func live(_ container: Container) -> Container {
    var container = container
    container.liveness = live
    return container
  }

  /// Tries work that must be refused with the finding, and checks that nothing differs afterwards.
  private func refused(_ fileSystem: MemoryFileSystem, _ work: () throws -> Void) throws {
    let tree = fileSystem.tree("/")
    #expect(throws: Self.refusal) { try work() }
    #expect(fileSystem.tree("/") == tree)
  }

  @Test("is refused by apply, whether or not the plan knew, and done where the plan allows it")
  func apply() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let container = Self.live(box.container)
    var plan = box.plan(target: fileSystem.target)
    let migrator = SampleBox.migrator(fileSystem)
    try refused(fileSystem) { _ = try migrator.apply(plan, decisions: [:], in: container) }
    plan.containerFindings = [Finding(.liveRunningStore(Self.live))]
    try refused(fileSystem) { _ = try migrator.apply(plan, decisions: [:], in: container) }
    plan.allowed = [.consentOptedOut]
    try refused(fileSystem) { _ = try migrator.apply(plan, decisions: [:], in: container) }
    plan.allowed = [.liveRunningStore]
    #expect(try migrator.apply(plan, decisions: [:], in: container).runID == SampleBox.firstRun)
  }

  @Test("An apply that changes nothing writes nothing, and is none to refuse")
  func nothingToWrite() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    var plan = box.plan(target: fileSystem.target)
    plan.containerFindings = [Finding(.liveRunningStore(Self.live))]
    let skips = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) })
    let tree = fileSystem.tree("/")
    let report = try SampleBox.migrator(fileSystem).apply(plan, decisions: skips, in: Self.live(box.container))
    #expect(report.runID == nil)
    #expect(fileSystem.tree("/") == tree)
  }

  @Test("is refused by rollback and done where it is allowed; looking at what it would do is not writing")
  func rollback() throws {
    let box = try RollbackBox(target: .binary)
    let container = Self.live(box.container)
    let plan = try box.migrator.rollbackPlan(in: container)
    try refused(box.fileSystem) { _ = try box.migrator.rollback(plan, in: container) }
    try refused(box.fileSystem) { _ = try box.migrator.rollback(in: container) }
    _ = try box.migrator.rollback(plan, in: container, allowing: [.liveRunningStore])
    #expect(box.fileSystem.target == box.before)
    _ = try box.apply()
    _ = try box.migrator.rollback(in: container, allowing: [.liveRunningStore])
    #expect(box.fileSystem.target == box.before)
  }

  @Test("is refused by cleanup and done where it is allowed; with nothing to remove there is nothing to refuse")
  func cleanup() throws {
    let box = try CleanupBox(LegacyApp())
    try box.apply()
    let container = Self.live(box.container)
    let plan = try box.cleanupPlan()
    try refused(box.fileSystem) { _ = try box.migrator.cleanup(plan, in: container) }
    #expect(try box.migrator.cleanup(plan, only: [], in: container).runID == nil)
    #expect(try box.migrator.cleanup(plan, in: container, allowing: [.liveRunningStore]).runID != nil)
  }

  @Test("is refused by pruning and done where it is allowed")
  func prune() throws {
    let box = try RollbackBox(target: .binary)
    let container = Self.live(box.container)
    try refused(box.fileSystem) { _ = try box.migrator.prune(in: container, runs: [SampleBox.firstRun]) }
    let report = try box.migrator.prune(
      in: container, runs: [SampleBox.firstRun], allowing: [.liveRunningStore])
    #expect(report.runs == [SampleBox.firstRun])
  }

  @Test("is refused by recovery, and by what recovers first, and done where it is allowed")
  func recover() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    let (migrator, container) = (SampleBox.migrator(fileSystem), Self.live(box.container))
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

  @Test("To a container that is not live, the permission makes no difference")
  func notLive() throws {
    let (one, other) = (try RollbackBox(target: .xml), try RollbackBox(target: .xml))
    _ = try one.migrator.rollback(in: one.container)
    _ = try other.migrator.rollback(in: other.container, allowing: [.liveRunningStore])
    #expect(one.fileSystem.tree("/") == other.fileSystem.tree("/"))
  }
}
