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

  @Test func `does not write a typed value that its reader would not read`() throws {
    let plan = box.plan(target: fileSystem.target)
    let error = try refused(fileSystem, plan, ["session_id": .edit(1_763_640_000)], in: box.container)
    #expect(error == .unfit(field: "session_id", .type(.integer)))
  }

  @Test func `takes a key that appeared in the target for a change, even where the plan does not list it`() throws {
    var plan = box.plan(target: fileSystem.target)
    plan.basis = []
    try box.put(SampleBox.targetPath, SampleBox.bytes([("session_id", "1")]), 0o600)
    #expect(
      try refused(fileSystem, plan, in: box.container)
        == .stalePlan([PlanBasis(store: SampleBox.targetPath, key: "session_id", value: nil)]))
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

  @Test func `does not put a value in place that the file's format cannot hold`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .xml)
    let plan = box.plan(target: fileSystem.target)
    let error = try refused(fileSystem, plan, ["anonymous_id": .edit("a\u{1}b")], in: box.container)
    guard case .notEncodable(SampleBox.targetPath, _) = error else { return #expect(Bool(false), "\(error)") }
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
}
