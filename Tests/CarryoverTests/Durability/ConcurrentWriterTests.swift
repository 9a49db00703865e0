extension DurabilityTests {
  @Test(arguments: FaultedJob.chosen)
  func `a write of the app's at any moment is never lost`(job: FaultedJob) throws {
    FaultTable.note("concurrent writer", job, try intrude(job).results)
  }

  /// Where a file system cannot exchange, there is a moment between the last look at the file and the call that replaces
  /// or removes it: a write that lands just before that rename or unlink, or before the exchange that is tried in vain
  /// just ahead of it, may be lost, and no other.
  @Test func `where files cannot be exchanged, it is only in the moment before the file's rename or removal`() throws {
    for var job in Self.strikesWithAll ? FaultedJob.all : Array(FaultedJob.chosen.suffix(2)) {
      job.hasRenameModes = false
      let (results, lost) = try intrude(job, mayLose: true)
      FaultTable.note("concurrent writer, plain rename", job, results)
      #expect(lost <= 2 * job.paths.count * WriteOfTheApp.Way.allCases.count, "\(job.testDescription)")
    }
  }

  @Test(arguments: FaultedJob.leavingFiles)
  func `of three writes of the app's in quick succession, the newest stands`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    let writes = try (1...3).map { try SampleBox.bytes([("written", .integer(PropertyListInteger(Int64($0))))]) }
    var results = FaultResults()
    for path in job.paths where scene.after[path] != nil {
      func write(_ bytes: [UInt8]) -> @Sendable (inout MemoryState) -> Void {
        { $0.put("/box/" + path, bytes, mode: 0o600, user: 501, links: 1) }
      }
      for (index, logged) in scene.operations.enumerated() where logged.replaces("/box/" + path) {
        // The first lands just before the file changes places, the others at any moment soon after.
        for second in (index + 1)...(index + 6) {
          for third in (second + 1)...(second + 10) {
            let plan = FaultPlan(intrusions: [
              index + 1: write(writes[0]), second + 1: write(writes[1]), third + 1: write(writes[2]),
            ])
            let (fileSystem, _) = try scene.attempt(plan)
            guard fileSystem.counted > third else { continue }
            let found = fileSystem.bytes("/box/" + path) ?? []
            let stands = (try? PropertyListDocument(bytes: found))?.dictionary?["written"] == 3
            results.add("\(path) written before \(index), \(second), \(third)", stands ? [] : ["the newest is gone"])
          }
        }
      }
    }
    FaultTable.note("concurrent writer, three times", job, results)
  }

  @Test(arguments: FaultedJob.leavingFiles)
  func `of an app that writes on and on and then stops, the newest write stands`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    let writes = try (1...250).map { try SampleBox.bytes([("written", .integer(PropertyListInteger(Int64($0))))]) }
    var results = FaultResults()
    for path in job.paths where scene.after[path] != nil {
      for (index, logged) in scene.operations.enumerated() where logged.replaces("/box/" + path) {
        for count in stride(from: 1, through: writes.count, by: 83) {
          // One before every operation, so that each look and each exchange finds another file.
          var plan = FaultPlan()
          for (offset, bytes) in writes.prefix(count).enumerated() {
            plan.intrusions[index + 1 + offset] = { $0.put("/box/" + path, bytes, mode: 0o600, user: 501, links: 1) }
          }
          let (fileSystem, _) = try scene.attempt(plan)
          let last = min(count, fileSystem.counted - index)
          let stands = fileSystem.bytes("/box/" + path) == writes[last - 1]
          var wrong = stands ? [] : ["the newest is gone"]
          // Putting a superseded file back again and again would end only when the app does.
          let exchanges = fileSystem.log.dropFirst(index).count { $0.replaces("/box/" + path) }
          if exchanges > 3 { wrong.append("\(exchanges) exchanges") }
          results.add("\(path) written \(count) times from before \(index) on", wrong)
        }
      }
    }
    FaultTable.note("concurrent writer, on and on", job, results)
  }

  private func intrude(_ job: FaultedJob, mayLose: Bool = false) throws -> (results: FaultResults, lost: Int) {
    let scene = try FaultScene(job)
    var results = FaultResults()
    var lost = 0
    for path in job.paths {
      for (number, way) in WriteOfTheApp.Way.allCases.enumerated() {
        let write = try WriteOfTheApp(path: path, way: way)
        for (index, logged) in scene.operations.enumerated() {
          if !Self.strikesWithAll {
            // While the run is at work on its own copies, one moment is like another.
            let isOwn = logged.path.contains("/.carryover/")
            if index % 16 != 0, isOwn { continue }
            // Where the file changes places both ways are tried, elsewhere by turns.
            if (isOwn ? index / 16 : index) % 2 != number, !logged.replaces("/box/" + path) { continue }
          }
          let operation = index + 1
          let (fileSystem, error) = try scene.attempt(FaultPlan(intrusions: [operation: write.perform]))
          // The run may have ended before, or have taken another way since.
          let struck = fileSystem.log.indices.contains(operation - 1) ? fileSystem.log[operation - 1] : nil
          let stands = write.stands(fileSystem, scene)
          if !stands, mayLose, struck?.replaces("/box/" + path) == true {
            lost += 1
            continue
          }
          var problems = stands ? [] : ["what the app wrote is gone; \(error.map { "\($0)" } ?? "no error")"]
          problems += scene.problems(after: write, fileSystem, error)
          results.add("\(path) written \(way) before operation \(operation), \(struck?.description ?? "")", problems)
        }
      }
    }
    return (results, lost)
  }

  // A crash, and then something more before anybody recovers: copies go bad, or the app runs.

  @Test(arguments: FaultedJob.all)
  func `after a crash and with damaged copies, the files come to one side, or stay`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    for (operation, crashed) in try scene.crashes() {
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

  @Test(arguments: FaultedJob.all)
  func `a journal that cannot be read stops every recovery, which touches nothing`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    let journal = "/box/.carryover/journal.json"
    for (operation, crashed) in try scene.crashes() {
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

  @Test(arguments: FaultedJob.chosen)
  func `what the app writes between a crash and the recovery, or during it, is never lost`(job: FaultedJob) throws {
    let scene = try FaultScene(job)
    var results = FaultResults()
    let crashes = try scene.crashes()
    for path in job.paths {
      let write = try WriteOfTheApp(path: path, way: .anew)
      for (operation, crashed) in crashes {
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

struct WriteOfTheApp: Sendable {
  enum Way: CaseIterable { case anew, inPlace }

  let path: String
  let way: Way
  let bytes: [UInt8]

  init(path: String, way: Way) throws {
    self.path = path
    self.way = way
    bytes = try SampleBox.bytes([("app.wrote", 1)])
  }

  func perform(_ state: inout MemoryState) {
    if way == .inPlace, let node = state.lookUp("/box/" + path) {
      state.nodes[node]?.bytes = bytes
    } else {
      state.put("/box/" + path, bytes, mode: 0o640, user: 501, links: 1)
    }
  }

  /// Whether it is in the file, or in the backup of a run that has found it there.
  func stands(_ fileSystem: MemoryFileSystem, _ scene: FaultScene) -> Bool {
    if let found = fileSystem.bytes("/box/" + path), holds(found) { return true }
    let runs = FaultScene.runs(fileSystem).subtracting(scene.runs)
    return runs.contains { run in
      fileSystem.tree("/box/.carryover/runs/\(run)/before").values.contains { $0.bytes == bytes }
    }
  }

  private func holds(_ found: [UInt8]) -> Bool {
    found == bytes || (try? PropertyListDocument(bytes: found))?.dictionary?["app.wrote"] == 1
  }
}

extension FaultScene {
  /// What is wrong after the app has written one file during the job: the others are on the side that the job's end
  /// names, and recovery takes nothing of the app's away.
  /// - Parameter isEnded: whether it was the job that ended, with this error or none, or a recovery.
  func problems(
    after write: WriteOfTheApp, _ fileSystem: MemoryFileSystem, _ error: RunError?, isEnded: Bool = true
  ) -> [String] {
    let tree = fileSystem.tree("/box", excluding: ".carryover")
    let others = job.paths.filter { $0 != write.path }
    var problems = others.filter { tree[$0] != before[$0] && tree[$0] != after[$0] }.map { "\($0) is neither" }
    if !isEnded {
      // A recovery that stops leaves each file as it was or as it was meant to be.
    } else if error == nil {
      problems += others.filter { tree[$0] != after[$0] }.map { "\($0) is not new, and there was no error" }
    } else if error?.claimsNothing == true {
      problems += others.filter { tree[$0] != before[$0] }.map { "\($0) is not old, and the error says that it is" }
    }
    fileSystem.restart()
    do {
      try job.recover(fileSystem)
    } catch let error as RunError {
      if !error.isForeignChange { problems.append("recovery fails: \(error)") }
      return problems + (write.stands(fileSystem, self) ? [] : ["what the app wrote is gone"])
    } catch {
      problems.append("recovery fails: \(error)")
    }
    if !write.stands(fileSystem, self) { problems.append("what the app wrote is gone") }
    let temporaries = fileSystem.tree("/box").keys.filter { $0.hasSuffix(".tmp") }
    return problems + temporaries.map { "\($0) is left" }
  }

  /// Recovers from a crash after which copies went bad: a copy of one side leaves the other to go to, and without any the
  /// files stay as they are.
  func problems(afterRecovering fileSystem: MemoryFileSystem, from damage: CopyDamage) -> [String] {
    let found = fileSystem.tree("/box", excluding: ".carryover")
    let failure = thrown({ () throws(any Error) in try job.recover(fileSystem) })
    let tree = fileSystem.tree("/box", excluding: ".carryover")
    guard let failure else { return tree == before || tree == after ? [] : ["not all files are on the same side"] }
    guard damage == .both else { return ["recovery fails: \(failure)"] }
    return job.paths.filter { tree[$0] != found[$0] }.map { "\($0) was changed by a recovery that failed" }
  }
}

extension LoggedOperation {
  /// Whether it puts another file at a path, or none; an attempt counts.
  func replaces(_ path: String) -> Bool {
    switch operation {
    case .rename: destination == path || self.path == path
    case .remove: self.path == path
    default: false
    }
  }

  fileprivate var matters: Bool {
    guard !path.contains("/.carryover/") else { return false }
    return [.rename, .remove, .makeDirectory, .removeDirectory].contains(operation)
  }
}

enum CopyDamage: CaseIterable {
  case before, after, both

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

extension RunError {
  var isForeignChange: Bool {
    switch self {
    case .interrupted, .changedMeanwhile: true
    default: false
    }
  }
}
