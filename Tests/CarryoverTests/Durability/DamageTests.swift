import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

/// A crash, and then something more before anybody recovers: copies go bad, or the app runs.
extension DurabilityTests {
  @Test(
    "after a crash and with damaged copies, the files come to one side, or stay as they are", arguments: FaultedJob.all)
  func damagedCopies(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var disks = NewDisks()
    for operation in scene.writes {
      let (crashed, _) = try scene.attempt(FaultPlan(faults: [operation: .crashAfter]))
      crashed.restart()
      guard disks.isNew(crashed.disk) else { continue }
      for damage in CopyDamage.allCases {
        let fileSystem = MemoryFileSystem(copying: crashed)
        guard damage.strike(fileSystem, scene) else { continue }
        results.add(
          "\(damage) damaged after a crash after operation \(operation), \(scene.operations[operation - 1])",
          scene.problems(afterRecovering: fileSystem, from: damage))
      }
    }
    FaultTable.note("damaged copies", job, results)
  }

  @Test("a journal that cannot be read stops every recovery, which touches nothing", arguments: FaultedJob.all)
  func damagedJournal(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    let journal = "/box/.carryover/journal.json"
    for operation in scene.writes {
      let (crashed, _) = try scene.attempt(FaultPlan(faults: [operation: .crashAfter]))
      crashed.restart()
      guard let bytes = crashed.bytes(journal) else { continue }
      for damaged in [[], Array(bytes.prefix(bytes.count / 2)), bytes.map { _ in 0 }] {
        let fileSystem = MemoryFileSystem(copying: crashed)
        fileSystem.put(journal, damaged, mode: 0o600)
        let tree = fileSystem.tree("/box")
        var problems: [String] = []
        do {
          try job.recover(fileSystem)
          problems.append("recovery goes on")
        } catch {}
        if fileSystem.tree("/box") != tree { problems.append("recovery has changed something") }
        results.add("\(damaged.count) bytes of the journal after operation \(operation)", problems)
      }
    }
    FaultTable.note("damaged journal", job, results)
  }

  @Test("what the app writes between a crash and the recovery, or during it, is never lost", arguments: FaultedJob.all)
  func writerAfterCrash(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    for path in job.paths {
      let write = try WriteOfTheApp(path: path, way: .anew)
      var disks = NewDisks()
      for operation in scene.writes {
        let (crashed, _) = try scene.attempt(FaultPlan(faults: [operation: .crashAfter]))
        crashed.restart()
        guard disks.isNew(crashed.disk) else { continue }
        let recovered = MemoryFileSystem(copying: crashed)
        recovered.arm()
        try? job.recover(recovered)
        let log = recovered.log
        // The one before the first stands for the time between. What matters most is what is just about to change.
        for moment in log.indices where moment == 0 || Self.strikesWithAll || log[moment].matters {
          let fileSystem = MemoryFileSystem(copying: crashed)
          fileSystem.arm(FaultPlan(intrusions: [moment + 1: write.perform]))
          var problems: [String] = []
          do {
            try job.recover(fileSystem)
          } catch let error as RunError {
            if !error.isForeignChange { problems.append("recovery fails: \(error)") }
          }
          problems += scene.problems(after: write, fileSystem, nil, isEnded: false)
          results.add("crash after operation \(operation), \(path) written before \(log[moment]) in recovery", problems)
        }
      }
    }
    FaultTable.note("writer after crash", job, results)
  }
}

enum CopyDamage: CaseIterable {
  case before, after, both

  /// Cuts the run's copies and its temporaries short; false where it has none.
  func strike(_ fileSystem: MemoryFileSystem, _ scene: FaultScene) -> Bool {
    let sides = self == .both ? ["/before/", "/after/"] : self == .before ? ["/before/"] : ["/after/"]
    let copies = fileSystem.tree("/box").filter { path, entry in
      guard entry.bytes?.isEmpty == false else { return false }
      let isOwn = FaultScene.runs(fileSystem).subtracting(scene.runs).contains { path.contains($0) }
      return isOwn && (sides.contains { path.contains($0) } || self != .before && path.hasSuffix(".tmp"))
    }
    for path in copies.keys {
      fileSystem.state.withLock { state in
        if let node = state.lookUp("/box/" + path) { state.nodes[node]?.bytes.removeLast() }
      }
    }
    return !copies.isEmpty
  }
}

extension FaultScene {
  /// Recovers from a crash after which copies went bad: a copy of one side leaves the other to go to, and without any the
  /// files stay as they are.
  func problems(afterRecovering fileSystem: MemoryFileSystem, from damage: CopyDamage) -> [String] {
    let found = fileSystem.tree("/box", excluding: ".carryover")
    var failure: [String] = []
    do {
      try job.recover(fileSystem)
    } catch {
      failure = ["recovery fails: \(error)"]
    }
    let tree = fileSystem.tree("/box", excluding: ".carryover")
    if failure.isEmpty { return tree == before || tree == after ? [] : ["not all files are on the same side"] }
    guard damage == .both else { return failure }
    return job.paths.filter { tree[$0] != found[$0] }.map { "\($0) was changed by a recovery that failed" }
  }
}

extension LoggedOperation {
  fileprivate var matters: Bool {
    guard !path.contains("/.carryover/") else { return false }
    return [.rename, .remove, .makeDirectory, .removeDirectory].contains(operation)
  }
}

extension RunError {
  var isForeignChange: Bool {
    switch self {
    case .interrupted, .changedMeanwhile: true
    default: false
    }
  }
}
