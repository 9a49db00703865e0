@testable import Carryover

@Suite("Several containers and one state folder") struct SharedStateTests {
  private func list(_ name: String, in fileSystem: MemoryFileSystem, root: String = "/lists") throws -> Container {
    let entries = SampleBox.legacy.map { ($0.0, $0.1) }
    fileSystem.put("\(root)/\(name).plist", try SampleBox.bytes(entries))
    var container = Container(kind: .propertyList, in: root, name: name + ".plist", bundleID: name)
    container.companionSuites = [.analytics]
    return container
  }

  private func plan(_ container: Container, target bytes: [UInt8]?) -> Plan {
    var plan = SampleBox(root: container.root, put: { _, _, _ in }).plan(target: bytes)
    plan.target?.path = target(container)
    for index in plan.basis.indices { plan.basis[index].store = container.name }
    for index in plan.fields.indices { plan.fields[index].origin?.store = container.name }
    plan.basis.removeAll { entry in plan.fields.contains { $0.id == entry.key } }
    return plan
  }

  private func target(_ container: Container) -> String { "\(container.bundleID ?? "").analytics.KEY.plist" }

  private func apply(_ container: Container, _ fileSystem: MemoryFileSystem) throws {
    _ = try fileSystem.migrator.apply(plan(container, target: nil), decisions: [:], in: container)
  }

  @Test func `a rollback takes back the run of its own list, not the newest of a neighbour`() throws {
    let fileSystem = MemoryFileSystem()
    let (first, second) = (try list("a", in: fileSystem), try list("b", in: fileSystem))
    try apply(first, fileSystem)
    try apply(second, fileSystem)
    #expect(try fileSystem.migrator.lastRun(in: first)?.files == [target(first)])
    #expect(try fileSystem.migrator.lastRun(in: second)?.files == [target(second)])
    #expect(try fileSystem.migrator.settled(in: first, target: target(second)).isEmpty)
    #expect(throws: RunError.noSuchRun("20251120T120500Z-2")) {
      try fileSystem.migrator.rollback(in: first, runID: "20251120T120500Z-2")
    }
    #expect(try fileSystem.migrator.rollback(in: first).rolledBack == SampleBox.firstRun)
    #expect(fileSystem.bytes("/lists/" + target(first)) == nil)
    #expect(fileSystem.bytes("/lists/" + target(second)) != nil)
    #expect(throws: RunError.allRolledBack) { try fileSystem.migrator.rollback(in: first) }
    #expect(try fileSystem.migrator.lastRun(in: second) != nil)
  }

  /// Two containers that share a state folder, the first with an apply that crashed after a rename.
  private func crashed(
    afterRename rename: Int
  ) throws -> (MemoryFileSystem, [(box: SampleBox, container: Container)]) {
    let fileSystem = MemoryFileSystem()
    var boxes: [(box: SampleBox, container: Container)] = []
    for root in ["/one", "/two"] {
      let box = SampleBox(root: root) { path, bytes, mode in fileSystem.put(root + "/" + path, bytes, mode: mode) }
      try box.putSource()
      var container = box.container
      container.stateDirectory = "/state"
      boxes.append((box, container))
    }
    fileSystem.arm(FaultPlan(faults: [rename: .crashAfter], only: [.rename]))
    _ = try? fileSystem.migrator.apply(boxes[0].box.plan(target: nil), decisions: [:], in: boxes[0].container)
    #expect(fileSystem.crashed)
    fileSystem.restart()
    return (fileSystem, boxes)
  }

  @Test func `an interrupted run of another container stays as it is, and its own container settles it`() throws {
    let (fileSystem, boxes) = try crashed(afterRename: 1)
    let record = "/state/runs/\(SampleBox.firstRun)/record.json"
    let left = fileSystem.bytes(record)
    #expect(left != nil)
    _ = try fileSystem.migrator.apply(boxes[1].box.plan(target: nil), decisions: [:], in: boxes[1].container)
    #expect(fileSystem.bytes(record) == left)
    #expect(try fileSystem.migrator.recover(in: boxes[0].container).map(\.ending) == [.discarded])
    #expect(fileSystem.bytes(record) == nil)
    #expect(fileSystem.bytes("/one/" + SampleBox.targetPath) == nil)
    #expect(fileSystem.bytes("/two/" + SampleBox.targetPath) != nil)
  }

  @Test func `a decided run of a container elsewhere stops its neighbours, until it is recovered there`() throws {
    let (fileSystem, boxes) = try crashed(afterRename: 2)
    let tree = fileSystem.tree("/")
    let elsewhere = RunError.interruptedElsewhere(run: SampleBox.firstRun, root: "/one")
    #expect(throws: elsewhere) {
      try fileSystem.migrator.apply(boxes[1].box.plan(target: nil), decisions: [:], in: boxes[1].container)
    }
    #expect(fileSystem.tree("/") == tree)
    #expect(throws: elsewhere) { try fileSystem.migrator.recover(in: boxes[1].container, keeping: true) }
    #expect(fileSystem.tree("/") == tree)
    #expect(try fileSystem.migrator.runToRecover(in: boxes[1].container) == nil)
    #expect(try fileSystem.migrator.runToRecover(in: boxes[0].container)?.id == SampleBox.firstRun)
    #expect(try fileSystem.migrator.recover(in: boxes[0].container).map(\.ending) == [.finished])
    #expect(fileSystem.bytes("/one/" + SampleBox.targetPath) != nil)
    _ = try fileSystem.migrator.apply(boxes[1].box.plan(target: nil), decisions: [:], in: boxes[1].container)
    #expect(fileSystem.bytes("/two/" + SampleBox.targetPath) != nil)
  }

  @Test func `a decided run of a container that is gone is closed from a neighbour, where a person says so`() throws {
    let (fileSystem, boxes) = try crashed(afterRename: 2)
    try fileSystem.rename("/one", to: "/elsewhere", .replacing)
    let elsewhere = RunError.interruptedElsewhere(run: SampleBox.firstRun, root: "/one")
    #expect(throws: elsewhere) { try fileSystem.migrator.recover(in: boxes[1].container) }
    #expect(elsewhere.description.contains("recover PATH --keep"))
    _ = try fileSystem.migrator.recover(in: boxes[1].container, keeping: true)
    #expect(fileSystem.bytes("/state/journal.json") == nil)
    #expect(fileSystem.bytes("/state/runs/\(SampleBox.firstRun)/record.json") != nil)
    _ = try fileSystem.migrator.apply(boxes[1].box.plan(target: nil), decisions: [:], in: boxes[1].container)
  }

  @Test func `a container that was moved with its own state folder still has its runs; a copy's came along`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: nil, isApplied: true)
    for (path, entry) in fileSystem.tree("/box") {
      if case .file(let mode, _, let bytes) = entry { fileSystem.put("/copy/" + path, bytes, mode: mode) }
    }
    try fileSystem.rename("/box", to: "/moved", .replacing)
    func container(_ root: String) -> Container {
      var container = box.container
      (container.root, container.stateDirectory, container.bundleID) = (root, root + "/.carryover", nil)
      return container
    }
    #expect(throws: RunError.nothingToRollBack) { try fileSystem.migrator.rollback(in: container("/copy")) }
    #expect(try fileSystem.migrator.runs(in: container("/copy")).map(\.foreign) == [.notGenuine])
    #expect(try fileSystem.migrator.settled(in: container("/copy"), target: SampleBox.targetPath).isEmpty)
    #expect(try fileSystem.migrator.rollback(in: container("/moved")).rolledBack == SampleBox.firstRun)
    #expect(fileSystem.bytes("/moved/" + SampleBox.targetPath) == nil)
    #expect(fileSystem.bytes("/copy/" + SampleBox.targetPath) != nil)
  }

  @Test func `a container that was copied without its state folder has no runs`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: nil)
    var container = box.container
    container.stateDirectory = "/state"
    _ = try fileSystem.migrator.apply(box.plan(target: nil), decisions: [:], in: container)
    for (path, entry) in fileSystem.tree("/box") {
      if case .file(let mode, _, let bytes) = entry { fileSystem.put("/copy/" + path, bytes, mode: mode) }
    }
    var copy = container
    copy.root = "/copy"
    copy.bundleID = nil
    #expect(throws: RunError.nothingToRollBack) { try fileSystem.migrator.rollback(in: copy) }
    container.bundleID = "com.another"
    #expect(throws: RunError.nothingToRollBack) { try fileSystem.migrator.rollback(in: container) }
    #expect(fileSystem.bytes("/copy/" + SampleBox.targetPath) != nil)
    #expect(fileSystem.target != nil)
  }
}

@Suite("The files a run may touch") struct RunScopeTests {
  @Test func `are the stores of a container, and nothing else below its root`() {
    let scope = RunScope(
      Container([Store(path: "AppData/Documents/state.db", content: .unreadable("It is damaged."))], kind: .xcappdata))
    for path in [
      "AppData/Library/Preferences/com.acme.shop.plist", "AppData/Library/Preferences/x.analytics.K.plist",
      "AppData/Library/rsDefaultsPersistence.plist", "AppData/Library/Caches/rsDefaultsPersistence.plist",
      "AppData/Library/Application Support/a/b.plist", "AppData/Documents/state.db",
      "AppData/Library/Application Support/a/b", "AppData/Library/Caches/acme-data",
    ] {
      #expect(scope.allows(path), "\(path)")
    }
    for path in [
      "", "/etc/passwd", "..", "AppData/../x.plist", "AppData/Library/Preferences", "x.plist",
      "Library/Preferences/x.plist", "AppData/Library/Preferences/.x.plist", "AppData/Library/Preferences/a/x.plist",
      "AppData/Library/Preferences/x.sh", "AppData/Library/LaunchAgents/x.plist", "AppData/Documents/x.plist",
      ".ssh/authorized_keys", "AppData/.carryover/x.plist", ".carryover/journal.json", "AppDataX/Library/x.plist",
      "AppData/Library/Application Support/.a/b.plist", "AppData/Library/x.plist\0",
      "AppData/Library/Caches/x.sh", "AppData/Library/Caches/.x", "AppData/Library/Caches/a/x", "AppData/Library/x",
      "AppData/Library/Preferences/x", "AppData/Library/Application Support/x", "AppData/Library/Caches",
    ] {
      #expect(!scope.allows(path), "\(path)")
    }
  }

  @Test func `are a bare property list and the files beside it that belong to its app by their names`() {
    func scope(_ bundleID: String?) -> RunScope {
      var container = Container(kind: .propertyList, in: "/home/me", name: "prefs", bundleID: bundleID)
      container.companions = ["rsDefaultsPersistence.plist"]
      container.companionSuites = [.analytics]
      return RunScope(container)
    }
    for (path, known, unknown) in [
      ("prefs", true, true), ("rsDefaultsPersistence.plist", true, true), ("com.acme.shop.plist", true, false),
      ("com.acme.shop.analytics.KEY.plist", true, true), ("com.other.analytics.KEY.plist", false, true),
      ("other.plist", false, false), (".bashrc", false, false), (".x.analytics.KEY.plist", false, false),
      (".config/autostart/x.desktop", false, false), ("Library/x.plist", false, false),
      ("Library/Preferences/com.acme.shop.plist", false, false),
    ] {
      #expect(scope("com.acme.shop").allows(path) == known, "\(path)")
      #expect(scope(nil).allows(path) == unknown, "\(path)")
    }
  }
}
