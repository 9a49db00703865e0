import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

extension DurabilityTests {
  /// How many images of one moment are tried where there are more.
  static let imageLimit = strikesWithAll ? 512 : 32

  @Test("a loss of power after any operation leaves one side or the other", arguments: FaultedJob.onEveryFileSystem)
  func powerCuts(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    let (fileSystem, error) = try scene.attempt(FaultPlan(keepsDisks: true))
    #expect(error == nil)
    var results = FaultResults()
    var images = NewDisks()
    for (operation, disk) in fileSystem.disks {
      for image in images.new(of: disk, limit: Self.imageLimit) {
        let machine = MemoryFileSystem(copying: scene.start, disk: image)
        let problems = scene.problems(afterRecovering: machine)
        results.add("after operation \(operation), \(scene.operations[operation - 1])", problems)
      }
    }
    // What was reported as done stays done.
    for image in fileSystem.disk.everyImage(limit: Self.imageLimit) {
      let machine = MemoryFileSystem(copying: scene.start, disk: image)
      results.add("after the end", scene.problems(afterRecovering: machine, mustBe: .after, isEnded: true))
    }
    FaultTable.note("loss of power", job, results)
  }

  @Test("a loss of power during the recovery from one, too", arguments: FaultedJob.all)
  func nestedPowerCuts(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    let (fileSystem, _) = try scene.attempt(FaultPlan(keepsDisks: true))
    var results = FaultResults()
    var (first, second) = (NewDisks(), NewDisks())
    var sample = Scatter(seed: 1)
    for (operation, disk) in fileSystem.disks {
      for image in first.new(of: disk, limit: 8) where Self.strikesWithAll || sample.next() % 4 == 0 {
        let machine = MemoryFileSystem(copying: scene.start, disk: image)
        machine.arm(FaultPlan(keepsDisks: true))
        do {
          try job.recover(machine)
        } catch {
          results.add("after operation \(operation)", ["recovery fails: \(error)"])
        }
        let log = machine.log
        for (recovering, disk) in machine.disks {
          for image in second.new(of: disk, limit: 4) {
            let machine = MemoryFileSystem(copying: scene.start, disk: image)
            let problems = scene.problems(afterRecovering: machine)
            results.add("after operation \(operation), then in recovery after \(log[recovering - 1])", problems)
          }
        }
      }
    }
    FaultTable.note("loss of power in recovery", job, results)
  }

  @Test("a synchronization that fails, and then a loss of power", arguments: FaultedJob.all)
  func failedSynchronizations(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var images = NewDisks()
    for (index, logged) in scene.operations.enumerated() where logged.operation == .synchronize {
      let (fileSystem, error) = try scene.attempt(FaultPlan(faults: [index + 1: .error(Errno.inputOutput)]))
      for image in images.new(of: fileSystem.disk, limit: Self.imageLimit) {
        let machine = MemoryFileSystem(copying: scene.start, disk: image)
        let problems = scene.problems(afterRecovering: machine, mustBe: error == nil ? .after : nil)
        results.add("after the error at operation \(index + 1), \(logged)", problems)
      }
    }
    FaultTable.note("failed synchronization, loss of power", job, results)
  }
}

/// Disks at several moments, without those that were there before.
struct NewDisks {
  private var seen: Set<[String: TreeEntry]> = []

  mutating func isNew(_ disk: MemoryDisk) -> Bool { seen.insert(disk.tree("/")).inserted }

  mutating func new(of disk: MemoryDisk, limit: Int) -> [MemoryDisk] {
    disk.everyImage(limit: limit).filter { isNew($0) }
  }
}
