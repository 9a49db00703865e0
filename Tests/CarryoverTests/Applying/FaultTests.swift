import Carryover
import PropertyLists
import Testing

/// The job whose every operation is made to fail, and what may be left of it.
struct FaultedJob: Sendable, CustomTestStringConvertible {
  var isRollback = false
  var target: PropertyListFormat?

  var testDescription: String { "\(isRollback ? "rollback" : "apply"), target \(target.map { "\($0)" } ?? "absent")" }

  static let all = [false, true].flatMap { rollback in
    [PropertyListFormat.binary, nil].map { FaultedJob(isRollback: rollback, target: $0) }
  }

  /// A container on which the job is still to be done.
  func start() throws -> (MemoryFileSystem, SampleBox) {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: target)
    if isRollback { try apply(fileSystem, box) }
    return (fileSystem, box)
  }

  func apply(_ fileSystem: MemoryFileSystem, _ box: SampleBox) throws {
    _ = try SampleBox.migrator(fileSystem).apply(
      box.plan(target: fileSystem.target), decisions: [:], in: box.container)
  }

  func run(_ fileSystem: MemoryFileSystem, _ box: SampleBox) throws {
    if isRollback {
      _ = try SampleBox.migrator(fileSystem).rollback(in: box.container)
    } else {
      try apply(fileSystem, box)
    }
  }

  /// The container before the job and after it, without the state folder.
  func ends() throws -> (before: [String: TreeEntry], after: [String: TreeEntry]) {
    let (fileSystem, box) = try start()
    let before = fileSystem.tree("/box", excluding: ".carryover")
    try run(fileSystem, box)
    return (before, fileSystem.tree("/box", excluding: ".carryover"))
  }
}

@Suite("Failing and crashing at every operation")
struct FaultTests {
  /// Does a job again and again, with the fault at operation 1, 2, … until a run has fewer operations than that.
  private func atEveryOperation(
    _ job: FaultedJob, _ plan: (Int) -> FaultPlan,
    _ check: (Int, MemoryFileSystem, SampleBox, MigrationError?) throws -> Void
  ) throws -> Int {
    let (start, box) = try job.start()
    for operation in 1..<10_000 {
      let fileSystem = MemoryFileSystem(copying: start)
      fileSystem.arm(plan(operation))
      var error: MigrationError?
      do {
        try job.run(fileSystem, box)
      } catch let failure as MigrationError {
        error = failure
      }
      if fileSystem.counted < operation { return operation - 1 }
      try check(operation, fileSystem, box, error)
    }
    Issue.record("the job has no end")
    return 0
  }

  /// From wherever a fault has left a container, the next commands lead to both ends.
  private func recovers(
    _ job: FaultedJob, _ ends: (before: [String: TreeEntry], after: [String: TreeEntry]),
    _ fileSystem: MemoryFileSystem, _ box: SampleBox, _ place: String
  ) throws {
    let migrated = job.isRollback ? ends.before : ends.after
    let original = job.isRollback ? ends.after : ends.before
    _ = try SampleBox.migrator(fileSystem).recover(in: box.container)
    let recovered = fileSystem.tree("/box", excluding: ".carryover")
    #expect(recovered == migrated || recovered == original, "\(place), then recover")
    #expect(try SampleBox.migrator(fileSystem).recover(in: box.container).isEmpty, "\(place), then recover twice")
    try job.apply(fileSystem, box)
    #expect(fileSystem.tree("/box", excluding: ".carryover") == migrated, "\(place), then apply")
    _ = try SampleBox.migrator(fileSystem).rollback(in: box.container)
    #expect(fileSystem.tree("/box", excluding: ".carryover") == original, "\(place), then apply and rollback")
    #expect(throws: MigrationError.nothingToRollBack, "\(place)") {
      try SampleBox.migrator(fileSystem).rollback(in: box.container)
    }
  }

  @Test("an error leaves everything as it was, and says so", arguments: FaultedJob.all)
  func errors(job: FaultedJob) throws {
    let ends = try job.ends()
    var faults = 0
    for number in [Errno.inputOutput, Errno.noSpace, Errno.access, Errno.readOnly, Errno.interrupted] {
      let state = try job.start().0.tree("/")
      faults += try atEveryOperation(job, { FaultPlan(faults: [$0: .error(number)]) }) {
        operation, fileSystem, box, error in
        let place = "errno \(number) at operation \(operation), \(fileSystem.log.map(\.operation)[operation - 1])"
        if let error, case .unfinished = error.aftermath {
          #expect(error.description.contains("not finished"), "\(place): \(error)")
        } else if let error {
          #expect(fileSystem.tree("/") == state, "\(place): \(error)")
          #expect(error.aftermath != nil, "\(place)")
          #expect(
            error.description.contains("changed") || error.description.contains("as it was"), "\(place): \(error)")
        } else {
          #expect(fileSystem.tree("/box", excluding: ".carryover") == ends.after, "\(place)")
        }
        // What follows does not depend on the number.
        guard number == Errno.inputOutput else { return }
        fileSystem.restart()
        try recovers(job, ends, fileSystem, box, place)
      }
    }
    #expect(faults > 5 * 40)
  }

  @Test("a write that takes only some bytes leaves everything as it was", arguments: FaultedJob.all)
  func partialWrites(job: FaultedJob) throws {
    let state = try job.start().0.tree("/")
    let faults = try atEveryOperation(
      job, { FaultPlan(faults: [$0: .partialWrite(count: 5, Errno.noSpace)], only: [.write]) }
    ) { operation, fileSystem, _, error in
      #expect(error != nil)
      #expect(fileSystem.tree("/") == state, "write \(operation)")
    }
    #expect(faults >= 3)
  }

  @Test("a write that loses bytes and says it did not leaves everything as it was", arguments: FaultedJob.all)
  func lostBytes(job: FaultedJob) throws {
    let state = try job.start().0.tree("/")
    let faults = try atEveryOperation(job, { FaultPlan(faults: [$0: .lostBytes(count: 1)], only: [.write]) }) {
      operation, fileSystem, _, error in
      #expect(error != nil, "write \(operation)")
      #expect(fileSystem.tree("/") == state, "write \(operation)")
    }
    #expect(faults >= 3)
  }

  @Test(
    "a disk that stops writing leaves the target wholly old or wholly new, and the backup", arguments: FaultedJob.all)
  func deadDisk(job: FaultedJob) throws {
    let ends = try job.ends()
    _ = try atEveryOperation(job, { FaultPlan(deadFrom: ($0, Errno.inputOutput)) }) {
      operation, fileSystem, box, error in
      let place = "from operation \(operation) on"
      let target = fileSystem.tree("/box")[SampleBox.targetPath]
      #expect(target == ends.before[SampleBox.targetPath] || target == ends.after[SampleBox.targetPath], "\(place)")
      if case .unfinished(_, let backup) = error?.aftermath,
        case .file(_, _, let bytes)? = ends.before[SampleBox.targetPath]
      {
        #expect(fileSystem.bytes(backup + "/1-com.acme.shop.analytics.KEY.plist") == bytes, "\(place)")
      }
      if target != ends.before[SampleBox.targetPath], error != nil {
        #expect(error?.aftermath != .nothingChanged && error?.aftermath != .takenBack, "\(place)")
      }
      fileSystem.restart()
      try recovers(job, ends, fileSystem, box, place)
    }
  }

  @Test(
    "a crash leaves the target wholly old or wholly new, and the next command goes on from there",
    arguments: FaultedJob.all)
  func crashes(job: FaultedJob) throws {
    let ends = try job.ends()
    // A crash before an operation leaves what a crash after the one before it leaves.
    for afterPowerLoss in [false, true] {
      _ = try atEveryOperation(job, { FaultPlan(faults: [$0: .crashAfter]) }) { operation, fileSystem, box, _ in
        let place = "crash after operation \(operation), power \(afterPowerLoss ? "lost" : "kept")"
        fileSystem.restart(afterPowerLoss: afterPowerLoss)
        let target = fileSystem.tree("/box")[SampleBox.targetPath]
        #expect(target == ends.before[SampleBox.targetPath] || target == ends.after[SampleBox.targetPath], "\(place)")
        try recovers(job, ends, fileSystem, box, place)
      }
    }
  }

  @Test("a finished run survives a loss of power", arguments: FaultedJob.all)
  func powerLoss(job: FaultedJob) throws {
    let (fileSystem, box) = try job.start()
    try job.run(fileSystem, box)
    let tree = fileSystem.tree("/box")
    fileSystem.restart(afterPowerLoss: true)
    #expect(fileSystem.tree("/box") == tree)
  }

  @Test("a disk that keeps nothing it is asked to keep is noticed by these checks")
  func lyingDisk() throws {
    let job = FaultedJob(target: .binary)
    let (fileSystem, box) = try job.start()
    fileSystem.ignoreSynchronization()
    try job.run(fileSystem, box)
    let tree = fileSystem.tree("/box")
    fileSystem.restart(afterPowerLoss: true)
    #expect(fileSystem.tree("/box") != tree)
  }
}
