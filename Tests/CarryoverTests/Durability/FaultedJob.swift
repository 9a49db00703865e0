@testable import Carryover

struct FaultedJob: Sendable, CustomTestStringConvertible {
  enum Work: String {
    case apply, rollback, cleanup
    case severalFiles = "several files"
    case severalFilesBack = "several files back"
    case severalRecipes = "several recipes"
    case severalRecipesBack = "several recipes back"
  }

  var work: Work
  var target: PropertyListFormat?
  var hasRenameModes = true

  var testDescription: String {
    "\(work.rawValue), target \(target.map { "\($0)" } ?? "absent")" + (hasRenameModes ? "" : ", plain rename only")
  }

  static let all =
    [
      FaultedJob(work: .apply, target: .binary), FaultedJob(work: .apply),
      FaultedJob(work: .rollback, target: .binary), FaultedJob(work: .rollback),
      FaultedJob(work: .cleanup, target: .binary),
    ] + severalFiles
  static let severalFiles = [
    FaultedJob(work: .severalFiles, target: .binary), FaultedJob(work: .severalFilesBack, target: .binary),
    FaultedJob(work: .severalRecipes), FaultedJob(work: .severalRecipesBack),
  ]
  /// What is tried with most combinations of faults: in the short form, an apply, a rollback and a
  /// cleanup of one file, an apply to several and a rollback of several recipes.
  static let chosen = DurabilityTests.strikesWithAll ? all : [all[1], all[2], all[4], severalFiles[0], severalFiles[3]]
  var isChosen: Bool { Self.chosen.contains { $0.testDescription == testDescription } }
  /// Those after which a file stands: all but the one that takes the only file away.
  static let leavingFiles = chosen.filter { $0.work != .rollback || $0.target != nil }
  /// Each job, and those that are chosen on a file system that can only rename by replacing, too.
  static let onEveryFileSystem =
    all
    + chosen.map { job in
      var job = job
      job.hasRenameModes = false
      return job
    }

  /// Where the run of several files creates one, in two folders that it makes.
  static let createdPath = "AppData/Documents/Analytics/settings.plist"
  var paths: [String] {
    switch work {
    case .apply, .rollback: [SampleBox.targetPath]
    case .cleanup: [Self.preferencesPath, SampleBox.sourcePath]
    case .severalFiles, .severalFilesBack: [SampleBox.targetPath, Self.createdPath, SampleBox.sourcePath]
    case .severalRecipes, .severalRecipesBack: [SampleBox.targetPath, Self.preferencesPath]
    }
  }

  func start() throws -> MemoryFileSystem {
    // Where several files are at stake the process may give files away, so that owners are at stake too.
    let fileSystem = MemoryFileSystem(user: paths.count > 1 ? 0 : 501)
    let box = SampleBox(root: "/box") { fileSystem.put("/box/" + $0, $1, mode: $2, user: 501) }
    try box.putSource()
    if let target { try box.putTarget(target, mode: 0o640) }
    if !hasRenameModes { fileSystem.takeRenameModesAway() }
    switch work {
    case .apply, .severalFiles: break
    case .cleanup:
      try apply(fileSystem, box.plan(target: fileSystem.target))
      let preferences = try SampleBox.bytes(SampleBox.legacy + [("com.acme.theme", "dark")])
      try box.put(Self.preferencesPath, preferences, 0o644)
    case .rollback: try apply(fileSystem, box.plan(target: fileSystem.target))
    case .severalRecipes: try putPerson(box)
    case .severalRecipesBack:
      try putPerson(box)
      try apply(fileSystem, Self.withPerson(box.plan(target: fileSystem.target)))
    case .severalFilesBack: try changeFiles(fileSystem)
    }
    return fileSystem
  }

  /// Does the job; `plan` is the one made before anything went wrong.
  func run(_ fileSystem: any FileSystem, _ plan: Plan) throws {
    switch work {
    case .apply: try apply(fileSystem, plan)
    case .severalRecipes: try apply(fileSystem, Self.withPerson(plan))
    case .rollback, .severalFilesBack, .severalRecipesBack:
      _ = try fileSystem.migrator.rollback(in: Self.container)
    case .severalFiles: try changeFiles(fileSystem)
    case .cleanup:
      _ = try fileSystem.migrator.cleanup(Self.cleanupPlan(plan), in: Self.container)
    }
  }

  private func putPerson(_ box: SampleBox) throws {
    try box.put(Self.preferencesPath, SampleBox.bytes([("person", Self.oldPerson), ("com.acme.theme", "dark")]), 0o644)
  }

  private static let oldPerson: PropertyListValue = #"{"name":"Ada","age":"36"}"#

  private static func withPerson(_ plan: Plan) throws -> Plan {
    var container = container
    container.stores.append(try Store(preferencesPath, ["person": oldPerson]))
    let person = Planner(.person).plan(container, now: plan.now)
    try #require(person.fields.map(\.status) == [.ready])
    return try Plan(plan, and: [person])
  }

  private static let preferencesPath = "AppData/Library/Preferences/com.acme.shop.plist"

  private static func cleanupPlan(_ plan: Plan) -> CleanupPlan {
    let entries = [preferencesPath, SampleBox.sourcePath].flatMap { path in
      SampleBox.legacy.map { key, value in
        CleanupEntry(
          id: KeyPlace(file: path, key: key), value: value, verdict: .removable(heldBy: plan.fields.map(\.id)))
      }
    }
    return CleanupPlan(
      recipe: plan.recipe, container: plan.container, target: plan.target,
      stores: [
        CleanupStore(id: preferencesPath, isOwn: false, problem: nil),
        CleanupStore(id: SampleBox.sourcePath, isOwn: true, problem: nil),
      ], entries: entries,
      basis: entries.map { PlanBasis(store: $0.id.file, key: $0.id.key, value: $0.value) }
        + plan.fields.map { PlanBasis(store: SampleBox.targetPath, key: $0.id, value: $0.current) })
  }

  func recover(_ fileSystem: any FileSystem) throws { _ = try fileSystem.migrator.recover(in: Self.container) }

  static var container: Container {
    var container = SampleBox(root: "/box") { _, _, _ in }.container
    container.stores = [Store(path: createdPath, content: .unreadable("It is made by the run."))]
    return container
  }

  private func apply(_ fileSystem: any FileSystem, _ plan: Plan) throws {
    _ = try fileSystem.migrator.apply(plan, decisions: [:], in: Self.container)
  }

  private func changeFiles(_ fileSystem: any FileSystem) throws(RunError) {
    try fileSystem.migrator.locked(Self.container, allowing: []) { (store, files) throws(RunError) in
      _ = try InterruptedRuns(store: store, container: Self.container).settle(&files)
      let changes = try changes(files)
      let recipe = RecipeReference(id: "rudderstack-objc", version: 1, title: "RudderStack Obj-C → Swift")
      let record = try fileSystem.migrator.newRecord(.apply, Self.container, recipe, [], changes, store)
      var transaction = Transaction(
        files: files, store: store, scope: RunScope(Self.container), changes: changes, record: record)
      defer { files = transaction.files }
      try transaction.carryOut()
    }
  }

  private func changes(_ files: DurableFiles) throws(RunError) -> [FileChange] {
    var changes: [FileChange] = []
    for path in paths {
      let place = try ContainerPath.resolve(path, in: Self.container.root, files.fileSystem)
      let standing: FileState
      do {
        standing = try files.state(place.absolute)
      } catch {
        throw .file(error, .nothingChanged)
      }
      let attributes = standing.attributes ?? FileAttributes(mode: 0o644, owner: .init(user: 501, group: 501))
      let after: FileState =
        path == SampleBox.sourcePath
        ? .absent : FileState.file(bytes: Array("new \(path)".utf8), attributes: attributes)
      changes.append(FileChange(path: path, before: standing, after: after, folders: place.missingFolders))
    }
    return changes
  }
}

/// Where a recovery stops on purpose and touches nothing, because only a person can tell what should be. It is counted by
/// itself in the table; one that no longer happens fails the suite, so that it goes.
enum DocumentedStops {
  static let all = [
    // A copy of the run's that cannot be read: the files may be on both sides, and nothing says that the other copies
    // are sound.
    "is missing or damaged"
  ]

  static func entry(_ problem: String) -> String? { all.first { problem.contains($0) } }
}
