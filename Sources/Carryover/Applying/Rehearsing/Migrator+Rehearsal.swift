package import CarryoverSystem
import PropertyLists

extension Migrator {
  /// Rehearses a migration on a copy: copies the files that the run reads and writes, applies the plan, verifies the
  /// result, rolls it back, and compares the copy with the container. Writes nothing to the container; creates no key.
  ///
  /// It refuses everything that an apply would refuse: a stale plan, missing decisions, a target with several hard
  /// links or another owner. A container in an archive or a backup is read from there.
  /// - Parameters:
  ///   - folder: the parent of the private folder for the copy, which is always removed.
  ///   - disk: the file system of that folder.
  ///   - goesOn: called between the steps. If it returns false, the result is nil.
  /// - Throws: ``RunError`` like `apply(_:decisions:in:onConflict:)`, without any change to the container.
  package func rehearse(
    _ plan: Plan, decisions: Decisions, of container: Container, in folder: String, on disk: any FileSystem,
    goesOn: () -> Bool = { true }
  ) throws(RunError) -> RehearsalReport? {
    let resolved = try ResolvedPlan(plan, decisions, onConflict: .fail)
    guard !resolved.changes.isEmpty else {
      let run = RunReport(kind: .apply, runID: nil, outcomes: resolved.outcomes, files: [])
      return RehearsalReport(run: run, steps: [], files: [])
    }
    let original = try RehearsalOriginal(resolved, container, self)
    let place = try RehearsalFolder(in: folder, disk)
    let report: RehearsalReport?
    do {
      let rehearsal = Rehearsal(resolved, of: original, in: place, like: self)
      report = try rehearsal.carryOut(decisions, goesOn: goesOn)
    } catch {
      try? place.remove()
      throw error
    }
    try place.remove()
    return report
  }
}

/// The current files of a container that a run would read or write.
struct RehearsalOriginal {
  let container: Container
  /// The state of each file by its path, including missing targets.
  private(set) var files: [StringByBytes: FileState] = [:]
  /// The targets of the run.
  let targets: [ResolvedTarget]
  /// The values that the plan depends on, except those that could not be read in the container.
  let basis: [PlanBasis]
  private let reader: DurableFiles

  /// Reads the files, and refuses everything that an apply would refuse.
  init(_ resolved: ResolvedPlan, _ container: Container, _ migrator: Migrator) throws(RunError) {
    targets = try resolved.targets()
    self.container = container
    reader = DurableFiles(migrator.fileSystem)
    if container.wrapper == nil {
      if let closed = migrator.closedState(of: container) { throw closed }
      if let occupied = migrator.occupiedStateFolder(of: container) {
        throw .unsafePath(occupied.path, occupied.kind == .symbolicLink ? .isLink : .wrongKind)
      }
    }
    var stores = ReadStores(reader, root: container.root)
    let stale = try stores.stale(resolved.plan.basis)
    guard stale.isEmpty else { throw .stalePlan(stale) }
    let paths = targets.map(\.path)
    try RunScope(container).check(paths)
    for path in paths { try Self.requireReplaceable(path, in: container, migrator) }
    for path in paths { files[path] = try Self.state(path, of: container, reader) }
    for path in resolved.plan.basis.map(\.store) + resolved.models where files[path] == nil {
      // A source behind a link, or one that cannot be read, does not exist for a plan.
      if let state = try? Self.state(path, of: container, reader), state != .absent { files[path] = state }
    }
    let known = files
    basis = resolved.plan.basis.filter { !$0.isFile || $0.value == nil || known[$0.store] != nil }
  }

  /// Throws if an apply would refuse a target because of its links or its owner.
  private static func requireReplaceable(
    _ path: String, in container: Container, _ migrator: Migrator
  ) throws(RunError) {
    let place = try ContainerPath.resolve(path, in: container.root, migrator.fileSystem)
    guard let status = place.status, container.wrapper == nil else { return }
    if status.links > 1 { throw .hardLinked(path: path, links: status.links) }
    let user = migrator.fileSystem.user
    guard user == 0 || status.user == user else { throw .ownerNotKept(path: place.absolute, user: status.user) }
  }

  /// The paths of all files, including the targets.
  var paths: [String] { files.keys.sorted().map(\.text) }

  /// The current state of a file of the container.
  func state(_ path: String) throws(RunError) -> FileState { try Self.state(path, of: container, reader) }

  private static func state(
    _ path: String, of container: Container, _ files: DurableFiles
  ) throws(RunError) -> FileState {
    let resolved = try ContainerPath.resolve(path, in: container.root, files.fileSystem)
    return resolved.status == nil ? .absent : try RunError.early(files.state(resolved.absolute))
  }
}
