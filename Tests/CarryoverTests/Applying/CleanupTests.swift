@Suite("Cleaning up") struct CleanupTests {
  private static let own: PropertyListDictionary = ["app.launches": 12, "app.name": "ünï", "app.list": ["a", 1, true]]

  private func migrated(
    standard: [(String, PropertyListValue)] = [], file: PropertyListDictionary = LegacyApp.clean,
    user: UInt32 = 501, also stores: [(String, PropertyListDictionary)] = []
  ) throws -> CleanupBox {
    var keys = PropertyListDictionary(entries: LegacyApp.clean.entries + Self.own.entries)
    for (key, value) in standard { keys[key] = value }
    let box = try CleanupBox(LegacyApp(standard: keys, file: file), user: user, also: stores)
    try box.apply()
    return box
  }

  @Test func `a second cleanup makes no write and takes no lock`() throws {
    let box = try migrated()
    try box.cleanup()
    let tree = box.fileSystem.tree("/")
    box.fileSystem.arm()
    let report = try box.cleanup()
    #expect(report.runID == nil)
    #expect(report.files == [])
    #expect(box.fileSystem.log.filter(\.operation.writes).isEmpty)
    #expect(box.fileSystem.tree("/") == tree)
  }

  @Test func `a run over three stores, one removed, and a rollback that restores bytes, mode and absence`() throws {
    let caches: PropertyListDictionary = ["rl_session_id": 1_763_640_000, "rl_anonymous_id": "another"]
    let box = try migrated(also: [(CleanupBox.cachesPath, caches)])
    let before = box.tree
    let report = try box.cleanup()
    #expect(
      report.files == [LegacyApp.standardPath, CleanupBox.cachesPath, CleanupBox.filePath], "deletions come last")
    #expect(box.keys(CleanupBox.filePath) == nil)
    #expect(box.keys(CleanupBox.cachesPath) == ["rl_anonymous_id"])
    let cleaned = box.tree
    #expect(cleaned != before)
    let back = try box.migrator.rollback(in: box.container, runID: report.runID)
    #expect(box.tree == before)
    #expect(back.outcomes.allSatisfy { $0.outcome == .restored && $0.file != nil })
    #expect(try box.cleanup().files == report.files, "what was taken back can be cleaned up again")
    #expect(box.tree == cleaned)
  }

  @Test func `the preferences stay even where nothing is left in them`() throws {
    let box = try CleanupBox(LegacyApp(file: nil))
    try box.apply()
    try box.cleanup()
    #expect(box.keys(LegacyApp.standardPath) == [])
  }

  @Test func `a value that changed since, in a legacy store or in the target, makes the plan stale`() throws {
    let box = try migrated()
    let plan = try box.cleanupPlan()
    var target = try #require(box.container.store(LegacyApp.targetPath)?.dictionary)
    let held = target["user_id"]
    target["user_id"] = nil
    try box.put(LegacyApp.targetPath, target)
    let tree = box.tree
    #expect(
      throws: RunError.stalePlan([PlanBasis(store: LegacyApp.targetPath, key: "user_id", value: held)])
    ) { try box.migrator.cleanup(plan, in: box.container) }
    #expect(box.tree == tree)
    target["user_id"] = held
    try box.put(LegacyApp.targetPath, target)
    let file = PropertyListDictionary(entries: LegacyApp.clean.entries + [.init(key: "rl_session_id", value: 5)])
    try box.put(CleanupBox.filePath, file)
    #expect(
      throws: RunError.stalePlan([
        PlanBasis(store: CleanupBox.filePath, key: "rl_session_id", value: 1_763_640_000)
      ]), "a second pair of a key would go too"
    ) { try box.migrator.cleanup(plan, in: box.container) }
  }

  @Test(arguments: [true, false])
  func `a target that loses a value while the files are replaced takes everything back`(onlyDeletes: Bool) throws {
    let standard: PropertyListDictionary? = onlyDeletes ? nil : LegacyApp.clean
    let tried = try CleanupBox(LegacyApp(standard: standard))
    try tried.apply()
    let cleanup = try tried.cleanupPlan()
    let container = tried.container
    let counting = CleanupBox(copying: tried)
    counting.fileSystem.arm()
    _ = try counting.migrator.cleanup(cleanup, in: container)
    let path = "/box/" + LegacyApp.targetPath
    let places = counting.fileSystem.log.enumerated().filter { $0.element.path == path }.map { $0.offset + 1 }
    let last = try #require(places.last, "the target is read again at the end")
    var plan = FaultPlan()
    plan.intrusions[last] = { state in
      let bytes = try? PropertyListDocument.encode(["other": 1], as: .binary)
      state.put(path, bytes ?? [], mode: 0o600, user: nil, links: 1)
    }
    let before = tried.tree
    tried.fileSystem.arm(plan)
    let error = #expect(throws: RunError.self) { try tried.migrator.cleanup(cleanup, in: container) }
    #expect(error?.aftermath == .takenBack)
    #expect(error?.description.contains("no longer has") == true)
    for path in [LegacyApp.standardPath, CleanupBox.filePath] {
      let isBack = tried.tree[path] == before[path]
      #expect(isBack, "\(path)")
    }
  }

  @Test(arguments: [true, false])
  func `files with several names, of somebody else, or behind a link are refused`(isOwn: Bool) throws {
    let path = isOwn ? CleanupBox.filePath : LegacyApp.standardPath
    let linked = try migrated()
    let bytes = try #require(linked.fileSystem.bytes("/box/" + path))
    linked.fileSystem.put("/box/" + path, bytes, mode: 0o600, links: 2)
    #expect(throws: RunError.hardLinked(path: path, links: 2)) { try linked.cleanup() }

    let foreign = try migrated()
    foreign.fileSystem.put("/box/" + path, bytes, mode: 0o644, user: 77)
    let tree = foreign.tree
    let error = #expect(throws: RunError.self) { try foreign.cleanup() }
    guard case .ownerNotKept(_, 77)? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(foreign.tree == tree)

    let behind = try migrated()
    let plan = try behind.cleanupPlan()
    let container = behind.container
    try behind.fileSystem.remove("/box/" + path)
    behind.fileSystem.putLink("/box/" + path)
    #expect(throws: RunError.unsafePath(path, .isLink)) { try behind.migrator.cleanup(plan, in: container) }
  }

  @Test func `an apply cannot be taken back while a cleanup rests on it, and a cleanup's rollback not at all`() throws {
    let box = try CleanupBox(LegacyApp())
    let apply = try #require(try box.apply().runID)
    let original = box.tree
    let cleanup = try #require(try box.cleanup().runID)
    let tree = box.tree
    let error = RunError.cleanupRests(onRun: apply, cleanups: [cleanup])
    #expect(throws: error) { try box.migrator.rollback(in: box.container, runID: apply) }
    #expect(error.description.contains("Roll “\(cleanup)” back first."))
    #expect(box.tree == tree)
    let report = try box.migrator.rollback(in: box.container)
    #expect(report.rolledBack == cleanup)
    let back = try #require(report.runID)
    #expect(box.tree == original)
    #expect(throws: RunError.cleanupNotRepeated(run: back)) {
      try box.migrator.rollback(in: box.container, runID: back)
    }
    #expect(try box.migrator.rollback(in: box.container).rolledBack == apply)
  }

  @Test func `a rollback that put an apply back bears a later cleanup as the apply did`() throws {
    let box = try CleanupBox(LegacyApp())
    try box.apply()
    let first = try #require(try box.migrator.rollback(in: box.container).runID)
    let second = try #require(try box.migrator.rollback(in: box.container, runID: first).runID)
    let cleanup = try #require(try box.cleanup().runID)
    #expect(throws: RunError.cleanupRests(onRun: second, cleanups: [cleanup])) {
      try box.migrator.rollback(in: box.container, runID: second)
    }
  }
}

struct CleanupBox {
  static let root = "/box"
  static let filePath = "AppData/Library/rsDefaultsPersistence.plist"
  static let cachesPath = "AppData/Library/Caches/rsDefaultsPersistence.plist"

  let fileSystem: MemoryFileSystem
  let paths: [String]

  init(_ app: LegacyApp, user: UInt32 = 501, also stores: [(String, PropertyListDictionary)] = []) throws {
    fileSystem = MemoryFileSystem(user: user)
    var app = app
    app.otherStores += try stores.map { try Store($0, $1, as: .xml) }
    let modes: [UInt32] = [0o600, 0o640, 0o644, 0o664]
    let container = try app.container()
    for (index, store) in container.stores.enumerated() {
      guard case .document(let document) = store.content else { continue }
      fileSystem.put(Self.root + "/" + store.path, document.bytes, mode: modes[index % modes.count])
    }
    paths = [LegacyApp.standardPath, Self.filePath, Self.cachesPath, LegacyApp.targetPath]
  }

  init(copying other: CleanupBox) {
    fileSystem = MemoryFileSystem(copying: other.fileSystem)
    paths = other.paths
  }

  var container: Container { Container(fileSystem.stores(paths, in: Self.root), kind: .xcappdata, in: Self.root) }

  var migrator: Migrator { fileSystem.migrator }

  func options() throws -> PlannerOptions {
    PlannerOptions(
      parameters: [RecipeParameter.writeKey.name: LegacyApp.writeKey],
      settled: try migrator.settled(in: container, target: LegacyApp.targetPath),
      removed: try migrator.removedByCleanups(in: container))
  }

  func plan() throws -> Plan { Planner(.rudderStackObjC).plan(container, now: LegacyApp.now, options: try options()) }

  func cleanupPlan() throws -> CleanupPlan {
    Planner(.rudderStackObjC).cleanupPlan(container, now: LegacyApp.now, options: try options())
  }

  @discardableResult
  func apply(_ decisions: Decisions = [:]) throws -> RunReport {
    try migrator.apply(try plan(), decisions: decisions, in: container)
  }

  @discardableResult
  func cleanup(only: Set<KeyPlace>? = nil) throws -> RunReport {
    try migrator.cleanup(try cleanupPlan(), only: only, in: container)
  }

  var tree: [String: TreeEntry] { fileSystem.tree(Self.root, excluding: ".carryover") }

  func keys(_ path: String) -> [String]? { container.store(path)?.dictionary?.keys }

  func put(_ path: String, _ dictionary: PropertyListDictionary) throws {
    let bytes = try PropertyListDocument.encode(.dictionary(dictionary), as: .binary)
    fileSystem.put(Self.root + "/" + path, bytes, mode: 0o600)
  }
}
