import Foundation
import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

/// Whatever fails, and whenever: every file is wholly old or wholly new, all of them on the same side, and the backup is
/// there. Each operation of each job is struck in turn, until a run has no more of them.
///
/// The short form strikes everywhere, but with fewer faults at each place. `CARRYOVER_FAULTS=all` strikes with all.
@Suite("Nothing is ever lost", PrintsFaultTable())
struct DurabilityTests {
  static let strikesWithAll = ProcessInfo.processInfo.environment["CARRYOVER_FAULTS"] == "all"

  @Test("an error at any operation leaves one side or the other, and is told truly", arguments: FaultedJob.all)
  func errors(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    for (index, logged) in scene.operations.enumerated() {
      for fault in FaultNumbers.faults(logged, all: Self.strikesWithAll) {
        let (fileSystem, error) = try scene.attempt(FaultPlan(faults: [index + 1: fault]))
        #expect(fileSystem.counted > index)
        var problems = scene.problems(fileSystem, after: error)
        if let error {
          let text = error.description
          if !["changed", "as it was", "not finished", "is complete"].contains(where: text.contains) {
            problems.append("it does not say what is left")
          }
        }
        let claim: FaultScene.Side? = error == nil ? .after : error?.claimsNothing == true ? .before : nil
        fileSystem.restart()
        problems += scene.problems(afterRecovering: fileSystem, mustBe: claim)
        results.add("\(fault) at operation \(index + 1), \(logged)", problems)
      }
    }
    FaultTable.note("errors", job, results)
  }

  @Test("a disk that stops writing leaves one side or the other", arguments: FaultedJob.all)
  func deadDisk(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    for operation in scene.writes {
      for number in Self.strikesWithAll ? [Errno.inputOutput, Errno.noSpace, Errno.readOnly] : [Errno.inputOutput] {
        let (fileSystem, error) = try scene.attempt(FaultPlan(deadFrom: (operation, number)))
        var problems = scene.problems(fileSystem, after: error)
        fileSystem.restart()
        problems += scene.problems(afterRecovering: fileSystem, mustBe: error == nil ? .after : nil)
        results.add("errno \(number) from operation \(operation) on, \(scene.operations[operation - 1])", problems)
      }
    }
    FaultTable.note("dead disk", job, results)
  }

  @Test("a crash at any operation leaves one side or the other", arguments: FaultedJob.onEveryFileSystem)
  func crashes(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var disks = NewDisks()
    for operation in scene.writes {
      for fault in [FaultPlan.Fault.crashBefore, .crashAfter] {
        let (fileSystem, error) = try scene.attempt(FaultPlan(faults: [operation: fault]))
        #expect(fileSystem.crashed)
        guard disks.isNew(fileSystem.disk) else { continue }
        var problems = scene.problems(fileSystem, after: error)
        fileSystem.restart()
        problems += scene.problems(afterRecovering: fileSystem)
        if problems.isEmpty { problems = scene.problemsGoingOn(fileSystem) }
        results.add("\(fault) at operation \(operation), \(scene.operations[operation - 1])", problems)
      }
    }
    FaultTable.note("crash", job, results)
  }

  @Test("a crash at any operation of the recovery from a crash, too", arguments: FaultedJob.all)
  func nestedCrashes(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var (first, again) = (NewDisks(), NewDisks())
    for operation in scene.writes {
      let (crashed, _) = try scene.attempt(FaultPlan(faults: [operation: .crashAfter]))
      crashed.restart()
      guard first.isNew(crashed.disk) else { continue }
      for second in 1..<10_000 {
        let fileSystem = MemoryFileSystem(copying: crashed)
        // What does not write leaves what the operation before it has left.
        let writing = Set(FileSystemError.Operation.all.filter(\.writes))
        fileSystem.arm(FaultPlan(faults: [second: .crashAfter], only: writing))
        try? job.recover(fileSystem)
        guard fileSystem.crashed else { break }
        let struck = fileSystem.log.last?.description ?? ""
        guard again.isNew(fileSystem.disk) else { continue }
        fileSystem.restart()
        let problems = scene.problems(afterRecovering: fileSystem)
        results.add("crash after operation \(operation), then in recovery after \(struck)", problems)
      }
    }
    FaultTable.note("crash in recovery", job, results)
  }
}

extension FaultScene {
  /// What is wrong when the job is done from where a recovery has ended, or was done by it.
  func problemsGoingOn(_ fileSystem: MemoryFileSystem) -> [String] {
    let tree = fileSystem.tree("/box", excluding: ".carryover")
    if tree == after { return [] }
    do {
      try job.run(fileSystem, plan)
    } catch {
      return ["the job cannot be done any more: \(error)"]
    }
    return fileSystem.tree("/box", excluding: ".carryover") == after ? [] : ["the job done again ends elsewhere"]
  }
}

extension RunError {
  var claimsNothing: Bool {
    switch aftermath {
    case .nothingChanged, .takenBack, .partlyPruned, nil: true
    default: false
    }
  }
}

extension FileSystemError.Operation {
  static let all: [FileSystemError.Operation] = [
    .read, .list, .inspect, .create, .write, .synchronize, .close, .rename, .remove, .lock, .setOwner, .setMode,
    .makeDirectory, .removeDirectory,
  ]
}
