@Suite("Refusing a run") struct RefusalTests {
  private let fileSystem: MemoryFileSystem
  private let box: SampleBox

  init() throws { (fileSystem, box) = try MemoryFileSystem.sample(target: .binary) }

  private func refused(
    _ fileSystem: MemoryFileSystem, _ plan: Plan, _ decisions: Decisions = [:], in container: Container
  ) throws -> RunError {
    let tree = fileSystem.tree("/")
    let error = try #require(throws: RunError.self) {
      try fileSystem.migrator.apply(plan, decisions: decisions, in: container)
    }
    #expect(fileSystem.tree("/") == tree)
    #expect(error.description.contains("Nothing was changed."))
    return error
  }

  @Test func `names the flagged fields that nobody decided, before those in conflict`() throws {
    var plan = box.plan(
      target: fileSystem.target, status: ["session_id": .needsDecision, "rudder.app_build": .conflict])
    #expect(try refused(fileSystem, plan, in: box.container) == .decisionsNeeded(["session_id"]))
    plan.fields[1].status = .ready
    #expect(try refused(fileSystem, plan, in: box.container) == .conflict(["rudder.app_build"]))
    #expect(fileSystem.log.isEmpty)
  }

  @Test func `an accepted field whose target holds another value stays in conflict until that is decided`() throws {
    let plan = box.plan(
      target: fileSystem.target, status: ["session_id": .needsDecision, "rudder.app_build": .conflict])
    let accepted: Decisions = ["session_id": .accept, "rudder.app_build": .accept]
    #expect(try refused(fileSystem, plan, accepted, in: box.container) == .conflict(["rudder.app_build"]))
    let field = try #require(plan.field("rudder.app_build"))
    #expect(field.decision(.accept, onConflict: .fail) == .accept)
    #expect(field.decision(.accept, onConflict: .keep) == .keep)
    #expect(field.decision(.accept, onConflict: .replace) == .migrate)
    #expect(field.resolution(.accept) == .undecided(conflict: true))
    #expect(field.resolution(.migrate) != .undecided(conflict: true))
    for field in plan.fields where field.status != .conflict {
      #expect(field.resolution(.accept) == field.resolution(.migrate), "\(field.id)")
    }
    let report = try fileSystem.migrator
      .apply(plan, decisions: accepted, in: box.container, onConflict: .keep)
    #expect(report.outcomes.first { $0.field == "rudder.app_build" }?.outcome == .skipped)
    #expect(report.outcomes.first { $0.field == "session_id" }?.outcome == .migrated)
  }

  @Test func `names decisions about fields that the plan does not have`() throws {
    let plan = box.plan(target: fileSystem.target)
    #expect(try refused(fileSystem, plan, ["anonymousId": .skip], in: box.container) == .unknownFields(["anonymousId"]))
  }

  @Test func `does not write a typed value that its reader would not read`() throws {
    let plan = box.plan(target: fileSystem.target)
    let error = try refused(fileSystem, plan, ["session_id": .edit(1_763_640_000)], in: box.container)
    #expect(error == .unfit(field: "session_id", .type(.integer)))
  }

  @Test func `names what changed between plan and apply, and goes on when something else did`() throws {
    let plan = box.plan(target: fileSystem.target)
    let entries = SampleBox.legacy.map { $0.0 == "rl_session_id" ? ($0.0, 7 as PropertyListValue) : $0 }
    try box.put(SampleBox.sourcePath, SampleBox.bytes(entries), 0o640)
    #expect(
      try refused(fileSystem, plan, in: box.container)
        == .stalePlan([PlanBasis(store: SampleBox.sourcePath, key: "rl_session_id", value: 1_763_640_000)]))

    let elsewhere = SampleBox.legacy.dropLast() + [("com.acme.launches", 13)]
    try box.put(SampleBox.sourcePath, SampleBox.bytes(Array(elsewhere)), 0o640)
    try box.put(SampleBox.targetPath, SampleBox.bytes([("written.since", "yes")]), 0o600)
    _ = try fileSystem.migrator.apply(plan, decisions: [:], in: box.container)
    let new = try #require(fileSystem.target.map { try PropertyListDocument(bytes: $0) }?.dictionary)
    #expect(new["written.since"] == "yes")
    #expect(new["session_id"] == "1763640000")
  }

  @Test func `takes a key that appeared in the target for a change, even where the plan does not list it`() throws {
    var plan = box.plan(target: fileSystem.target)
    plan.basis = []
    try box.put(SampleBox.targetPath, SampleBox.bytes([("session_id", "1")]), 0o600)
    #expect(
      try refused(fileSystem, plan, in: box.container)
        == .stalePlan([PlanBasis(store: SampleBox.targetPath, key: "session_id", value: nil)]))
  }

  @Test func `names the process that holds the lock`() throws {
    fileSystem.putFolder("/box/.carryover", mode: 0o700)
    let handle = try fileSystem.lock("/box/.carryover/lock", mode: 0o600)
    let plan = box.plan(target: fileSystem.target)
    let error = try refused(fileSystem, plan, in: box.container)
    #expect(error == .busy(state: "/box/.carryover", holder: 4711))
    #expect(error.description.contains("Process 4711"))
    try fileSystem.close(handle)
    _ = try fileSystem.migrator.apply(plan, decisions: [:], in: box.container)
  }

  @Test func `does not follow a link, in place of the target, of a folder on the way, or of the state folder`() throws {
    for (path, problem) in [
      (SampleBox.targetPath, UnsafePath.isLink), ("AppData/Library/Preferences", .throughLink),
      ("AppData", .throughLink),
    ] {
      let fileSystem = MemoryFileSystem()
      let box = SampleBox.inMemory(fileSystem)
      var plan = box.plan(target: nil)
      plan.basis = []
      fileSystem.putLink("/box/" + path)
      #expect(try refused(fileSystem, plan, in: box.container) == .unsafePath(SampleBox.targetPath, problem))
    }
    fileSystem.putLink("/box/.carryover")
    #expect(
      try refused(fileSystem, box.plan(target: fileSystem.target), in: box.container)
        == .unsafePath("/box/.carryover", .isLink))
  }

  @Test(arguments: ["../a.plist", "/a.plist", "a/../../b.plist", "a//b", "./a", "a\0b", ""])
  func `does not leave the container`(path: String) throws {
    var plan = box.plan(target: nil)
    plan.target?.path = path
    #expect(try refused(fileSystem, plan, in: box.container) == .unsafePath(path, .malformed))
  }

  @Test func `does not replace a file with several names, or one it could not give back to its owner`() throws {
    let plan = box.plan(target: fileSystem.target)
    let bytes = try #require(fileSystem.target)
    fileSystem.put("/box/" + SampleBox.targetPath, bytes, mode: 0o600, links: 2)
    #expect(try refused(fileSystem, plan, in: box.container) == .hardLinked(path: SampleBox.targetPath, links: 2))
    fileSystem.put("/box/" + SampleBox.targetPath, bytes, mode: 0o600, user: 502)
    #expect(
      try refused(fileSystem, plan, in: box.container)
        == .ownerNotKept(path: "/box/" + SampleBox.targetPath, user: 502))
  }

  @Test func `says so when the folder cannot be written to`() throws {
    fileSystem.putFolder("/box/AppData/Library/Preferences", mode: 0o500)
    let plan = box.plan(target: fileSystem.target)
    guard case .file(let error, .nothingChanged) = try refused(fileSystem, plan, in: box.container) else {
      return #expect(Bool(false))
    }
    #expect(error.operation == .create)
    #expect(error.reason == .system(EACCES))
    fileSystem.putFolder("/box/AppData/Library/Preferences", mode: 0o755)
    fileSystem.putFolder("/box", mode: 0o500)
    guard case .file(let other, .nothingChanged) = try refused(fileSystem, plan, in: box.container) else {
      return #expect(Bool(false))
    }
    #expect(other.operation == .makeDirectory)
  }

  @Test func `does not edit what is no property list or has no dictionary at its root`() throws {
    let plan = box.plan(target: nil)
    for bytes in [Array("bplist00junk".utf8), [], try PropertyListDocument.encode(["a"], as: .xml)] {
      try box.put(SampleBox.targetPath, bytes, 0o600)
      guard case .unreadable(SampleBox.targetPath, let reason) = try refused(fileSystem, plan, in: box.container) else {
        return #expect(Bool(false))
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test func `does not put a value in place that the file's format cannot hold`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .xml)
    let plan = box.plan(target: fileSystem.target)
    let error = try refused(fileSystem, plan, ["anonymous_id": .edit("a\u{1}b")], in: box.container)
    guard case .notEncodable(SampleBox.targetPath, _) = error else { return #expect(Bool(false), "\(error)") }
  }

  @Test func `says that the file cannot be named when the plan has no target`() throws {
    var plan = box.plan(target: nil)
    plan.target = nil
    #expect(try refused(fileSystem, plan, in: box.container) == .noTarget)
  }

  @Test func `leaves a run folder that somebody else made under its name`() throws {
    let record = "/box/.carryover/runs/\(SampleBox.firstRun)/record.json"
    // The state folder and its folder of runs are made first.
    fileSystem.arm(
      FaultPlan(intrusions: [3: { $0.put(record, [1], mode: 0o600, user: nil, links: 1) }], only: [.makeDirectory]))
    let error = try #require(throws: RunError.self) {
      try fileSystem.migrator.apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    }
    #expect(error.aftermath == .nothingChanged)
    #expect(fileSystem.bytes(record) == [1])
  }

  @Test func `does not say that nothing was changed where a link came in the way after a file was put there`() throws {
    let path = "/box/" + SampleBox.targetPath
    // The first rename puts the record in place, the second the target; the folder is synchronized after it.
    let intrusion: @Sendable (inout MemoryState) -> Void = { state in
      if let node = state.lookUp(path) { state.nodes[node]?.kind = .symbolicLink }
    }
    fileSystem.arm(FaultPlan(only: [.synchronize]))
    let probe = MemoryFileSystem(copying: fileSystem)
    _ = try SampleBox.migrator(probe).apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
    let count = probe.counted
    var errors: [RunError] = []
    for operation in 1...count {
      let copy = MemoryFileSystem(copying: fileSystem)
      copy.arm(FaultPlan(intrusions: [operation: intrusion], only: [.synchronize]))
      do {
        _ = try SampleBox.migrator(copy).apply(box.plan(target: fileSystem.target), decisions: [:], in: box.container)
      } catch {
        if copy.target != fileSystem.target {
          #expect(error.aftermath != nil && error.aftermath != .nothingChanged, "\(operation): \(error)")
          #expect(!error.description.contains("Nothing was changed."))
          errors.append(error)
        }
      }
    }
    #expect(
      errors.contains { if case .pathChanged(SampleBox.targetPath, .isLink, .unfinished) = $0 { true } else { false } })
  }

  @Test func `notices a write by somebody else between staging and the rename`() throws {
    let plan = box.plan(target: fileSystem.target)
    let other = try SampleBox.bytes([("written.meanwhile", 1)])
    // The first file made beside the target is the staged one.
    fileSystem.arm(
      FaultPlan(
        intrusions: [1: { $0.put("/box/" + SampleBox.targetPath, other, mode: 0o600, user: nil, links: 1) }],
        only: [.setMode]))
    let error = try #require(throws: RunError.self) {
      try fileSystem.migrator.apply(plan, decisions: [:], in: box.container)
    }
    #expect(error == .changedMeanwhile(path: SampleBox.targetPath, .nothingChanged))
    #expect(fileSystem.target == other)
    #expect(fileSystem.tree("/box/AppData/Library/Preferences").count == 2)
  }
}
