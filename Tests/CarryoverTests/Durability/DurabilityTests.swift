/// Whatever fails, and whenever: every file is wholly old or wholly new, all of them on the same side, and the backup is
/// there. Each operation of each job is struck in turn, until a run has no more of them.
///
/// The short form strikes everywhere, but with fewer faults at each place, and most of them in fewer jobs.
/// `CARRYOVER_FAULTS=all` strikes with all.
@Suite("Nothing is ever lost", PrintsFaultTable()) struct DurabilityTests {
  static let strikesWithAll = ProcessInfo.processInfo.environment["CARRYOVER_FAULTS"] == "all"

  @Test(arguments: FaultedJob.all)
  func `an error at any operation leaves one side or the other, and is told truly`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var disks: [FaultScene.Side?: NewDisks] = [:]
    for (index, logged) in scene.operations.enumerated() {
      let faults = FaultNumbers.faults(logged, all: Self.strikesWithAll)
      // In short, the jobs that are not chosen are struck by the plainest error alone.
      for fault in job.isChosen ? faults : Array(faults.prefix(1)) {
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
        if disks[claim, default: NewDisks()].isNew(fileSystem.disk) {
          problems += scene.problems(afterRecovering: fileSystem, mustBe: claim)
        }
        results.add("\(fault) at operation \(index + 1), \(logged)", problems)
      }
    }
    FaultTable.note("errors", job, results)
  }

  @Test(arguments: FaultedJob.all)
  func `a disk that stops writing leaves one side or the other`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var disks: [FaultScene.Side?: NewDisks] = [:]
    for operation in scene.writes {
      for number in Self.strikesWithAll ? [EIO, ENOSPC, EROFS] : [EIO] {
        let (fileSystem, error) = try scene.attempt(FaultPlan(deadFrom: (operation, number)))
        var problems = scene.problems(fileSystem, after: error)
        fileSystem.restart()
        let claim: FaultScene.Side? = error == nil ? .after : nil
        if disks[claim, default: NewDisks()].isNew(fileSystem.disk) {
          problems += scene.problems(afterRecovering: fileSystem, mustBe: claim)
        }
        results.add("errno \(number) from operation \(operation) on, \(scene.operations[operation - 1])", problems)
      }
    }
    FaultTable.note("dead disk", job, results)
  }

  @Test(arguments: FaultedJob.onEveryFileSystem)
  func `a crash at any operation leaves one side or the other`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var disks = NewDisks()
    for operation in scene.writes {
      // Before an operation the disk is as after the one before it, so the first stands for the rest.
      let isFirst = operation == scene.writes.first
      for fault in isFirst || Self.strikesWithAll ? [FaultPlan.Fault.crashBefore, .crashAfter] : [.crashAfter] {
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

  @Test(arguments: FaultedJob.chosen)
  func `a crash at any operation of the recovery from a crash, too`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var disks = NewDisks()
    for (operation, crashed) in try scene.crashes() {
      for second in 1..<10_000 {
        let fileSystem = MemoryFileSystem(copying: crashed)
        // What does not write leaves what the operation before it has left.
        fileSystem.arm(FaultPlan(faults: [second: .crashAfter], only: FileSystemError.Operation.writing))
        try? job.recover(fileSystem)
        guard fileSystem.crashed else { break }
        let struck = fileSystem.log.last?.description ?? ""
        guard disks.isNew(fileSystem.disk) else { continue }
        fileSystem.restart()
        let problems = scene.problems(afterRecovering: fileSystem)
        results.add("crash after operation \(operation), then in recovery after \(struck)", problems)
      }
    }
    FaultTable.note("crash in recovery", job, results)
  }

  static let imageLimit = strikesWithAll ? 512 : 32

  @Test(arguments: FaultedJob.onEveryFileSystem)
  func `a loss of power after any operation leaves one side or the other`(job: FaultedJob) throws {
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

  @Test(arguments: FaultedJob.chosen)
  func `a loss of power during the recovery from one, too`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    let (fileSystem, _) = try scene.attempt(FaultPlan(keepsDisks: true))
    var results = FaultResults()
    var (first, second) = (NewDisks(), NewDisks())
    var sample = SeededGenerator(seed: 1)
    for (operation, disk) in fileSystem.disks {
      for image in first.new(of: disk, limit: 8) where Self.strikesWithAll || sample.next() % 4 == 0 {
        let machine = MemoryFileSystem(copying: scene.start, disk: image)
        machine.arm(FaultPlan(keepsDisks: true))
        if let error = thrown({ () throws(any Error) in try job.recover(machine) }) {
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

  @Test(arguments: FaultedJob.all)
  func `a synchronization that fails, and then a loss of power`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var images = NewDisks()
    for (index, logged) in scene.operations.enumerated() where logged.operation == .synchronize {
      let (fileSystem, error) = try scene.attempt(FaultPlan(faults: [index + 1: .error(EIO)]))
      for image in images.new(of: fileSystem.disk, limit: Self.imageLimit) {
        let machine = MemoryFileSystem(copying: scene.start, disk: image)
        let problems = scene.problems(afterRecovering: machine, mustBe: error == nil ? .after : nil)
        results.add("after the error at operation \(index + 1), \(logged)", problems)
      }
    }
    FaultTable.note("failed synchronization, loss of power", job, results)
  }

  // That these checks can fail: on a disk that does not do what it is asked, they do.

  @Test(arguments: FaultedJob.chosen)
  func `a disk that ignores one synchronization is noticed, whichever it is`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    let (whole, _) = try scene.attempt(FaultPlan(keepsDisks: true))
    // The images that a sound disk leaves, too, are looked at elsewhere.
    var sound = NewDisks()
    for (_, disk) in whole.disks { _ = sound.new(of: disk, limit: Self.imageLimit) }
    let numbers = scene.operations.indices.filter { scene.operations[$0].operation == .synchronize }
    var results = FaultResults()
    for (count, index) in numbers.enumerated() {
      let logged = scene.operations[index]
      let plan = FaultPlan(faults: [count + 1: .ignored], only: [.synchronize], keepsDisks: true)
      let isFine = try scene.mayIgnore(index, whole.disks) || notices(scene, plan, from: count + 1, sound)
      results.add("synchronization \(count + 1), \(logged)", isFine ? [] : ["is ignored and nobody notices"])
    }
    FaultTable.note("ignored synchronization", job, results)
  }

  private func notices(_ scene: FaultScene, _ plan: FaultPlan, from first: Int, _ sound: NewDisks) throws -> Bool {
    let (fileSystem, _) = try scene.attempt(plan)
    var images = sound
    for (count, disk) in fileSystem.disks.reversed() where count >= first {
      for image in images.new(of: disk, limit: Self.imageLimit) {
        let machine = MemoryFileSystem(copying: scene.start, disk: image)
        if !scene.problems(afterRecovering: machine).isEmpty { return true }
      }
    }
    return fileSystem.disk.everyImage(limit: Self.imageLimit).contains { image in
      let machine = MemoryFileSystem(copying: scene.start, disk: image)
      return !scene.problems(afterRecovering: machine, mustBe: .after, isEnded: true).isEmpty
    }
  }

  @Test(arguments: FaultedJob.severalFiles)
  func `a run of several files without its journal is noticed`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    let isNoticed = try scene.writes.contains { operation in
      let (fileSystem, _) = try scene.attempt(FaultPlan(faults: [operation: .crashAfter])) {
        ForgetfulFileSystem(base: $0, forgotten: "/box/.carryover/journal.json")
      }
      fileSystem.restart()
      return !scene.problems(afterRecovering: fileSystem).isEmpty
    }
    #expect(isNoticed)
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

/// Disks at several moments, without those that were there before.
struct NewDisks {
  private var seen: Set<[String: TreeEntry]> = []

  mutating func isNew(_ disk: MemoryDisk) -> Bool { seen.insert(disk.tree("/")).inserted }

  mutating func new(of disk: MemoryDisk, limit: Int) -> [MemoryDisk] {
    disk.everyImage(limit: limit).filter { isNew($0) }
  }
}

extension FaultScene {
  func problemsGoingOn(_ fileSystem: MemoryFileSystem) -> [String] {
    let tree = fileSystem.tree("/box", excluding: ".carryover")
    if tree == after { return [] }
    if let error = thrown({ () throws(any Error) in try job.run(fileSystem, plan) }) {
      return ["the job cannot be done any more: \(error)"]
    }
    return fileSystem.tree("/box", excluding: ".carryover") == after ? [] : ["the job done again ends elsewhere"]
  }

  /// Whether a synchronization may be ignored without harm.
  func mayIgnore(_ index: Int, _ disks: [(operation: Int, disk: MemoryDisk)]) -> Bool {
    let logged = operations[index]
    let rest = operations[(index + 1)...]
    let previous = disks.last { $0.operation <= index }?.disk ?? start.disk
    // Nothing in the folder had changed.
    if let folder = previous.lookUp(logged.path), previous.nodes[folder]?.kind == .directory,
      !previous.pending.contains(where: { $0.folder == folder })
    {
      return true
    }
    if let file = previous.lookUp(logged.path), previous.isOnDisk(file) { return true }
    if rest.contains(where: { $0.operation == .removeDirectory && $0.path == logged.path }) { return true }
    // Another file of the folder is brought to the disk before the journal goes.
    let journal = "/box/.carryover/journal.json"
    if operations[..<index].contains(where: { $0.destination == journal }),
      let removal = rest.firstIndex(where: { $0.operation == .remove && $0.path == journal }),
      rest[..<removal].contains(where: { $0.operation == .synchronize && $0.path == logged.path })
    {
      return true
    }
    // A single file is old or new without a journal, too.
    let placed = operations.filter { $0.operation == .rename && !($0.destination ?? "").contains("/.carryover/") }
    return placed.count == 1 && operations[index - 1].destination == journal
  }
}
