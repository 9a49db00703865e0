import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

/// A job, the container before it and after it, and what it does on the way.
struct FaultScene: Sendable {
  enum Side { case before, after }

  let job: FaultedJob
  let start: MemoryFileSystem
  let plan: Plan
  /// What the job does where nothing goes wrong.
  let operations: [LoggedOperation]
  /// The container before and after the job, without its state folder.
  let before, after: [String: TreeEntry]
  let runs: Set<String>

  init(_ job: FaultedJob) throws {
    self.job = job
    start = try job.start()
    plan = SampleBox(root: "/box") { _, _, _ in }.plan(target: start.target)
    let whole = MemoryFileSystem(copying: start)
    whole.arm()
    try job.run(whole, plan)
    operations = whole.log
    before = start.tree("/box", excluding: ".carryover")
    after = whole.tree("/box", excluding: ".carryover")
    runs = Self.runs(start)
    try #require(before != after)
  }

  /// The job with something going wrong, and the error it ended with.
  /// - Parameter wrap: what stands between the job and the file system.
  func attempt(
    _ faults: FaultPlan, through wrap: (MemoryFileSystem) -> any FileSystem = { $0 }
  ) throws -> (MemoryFileSystem, RunError?) {
    let fileSystem = MemoryFileSystem(copying: start)
    fileSystem.arm(faults)
    do {
      try job.run(wrap(fileSystem), plan)
    } catch let error as RunError {
      return (fileSystem, error)
    }
    return (fileSystem, nil)
  }

  var writes: [Int] { operations.indices.filter { operations[$0].operation.writes }.map { $0 + 1 } }

  static func runs(_ fileSystem: MemoryFileSystem) -> Set<String> {
    Set(fileSystem.tree("/box/.carryover/runs").keys.filter { !$0.isEmpty && !$0.contains("/") })
  }
}
