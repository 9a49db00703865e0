package import CarryoverSystem

extension Migrator {
  /// Makes a migration on a copy: copies the files that the run reads and writes, applies the plan, verifies it, rolls it
  /// back, and compares the copy with the container. Writes nothing in the container and makes no key.
  ///
  /// What an apply would refuse is refused here: a stale plan, missing decisions, a target with several hard links or
  /// another owner. A container in an archive or a backup is read from there.
  /// - Parameters:
  ///   - folder: where the private folder of the copy is made. It is removed in any case.
  ///   - disk: the file system of that folder.
  ///   - goesOn: asked between the steps; nil is returned once it says no.
  /// - Throws: ``RunError`` as `apply(_:decisions:in:onConflict:)`, with which nothing was changed.
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

/// The files of a container that a run would read or write, as they are.
struct RehearsalOriginal {
  let container: Container
  /// The state of each file by its path; of a target also where it is absent.
  private(set) var files: [String: FileState] = [:]
  /// What the run writes.
  let targets: [ResolvedTarget]
  /// What the plan rests on and can be compared on a copy: not what could not be read in the container either.
  let basis: [PlanBasis]
  private let reader: DurableFiles

  /// Reads the files, and refuses what an apply would refuse.
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
      // A source that is behind a link, or that cannot be read, is none for a plan.
      if let state = try? Self.state(path, of: container, reader), state != .absent { files[path] = state }
    }
    let known = files
    basis = resolved.plan.basis.filter { !$0.isFile || $0.value == nil || known[$0.store] != nil }
  }

  /// Makes sure that an apply would not refuse a target for its links or its owner.
  private static func requireReplaceable(
    _ path: String, in container: Container, _ migrator: Migrator
  ) throws(RunError) {
    let place = try ContainerPath.resolve(path, in: container.root, migrator.fileSystem)
    guard let status = place.status, container.wrapper == nil else { return }
    if status.links > 1 { throw .hardLinked(path: path, links: status.links) }
    let user = migrator.fileSystem.user
    guard user == 0 || status.user == user else { throw .ownerNotKept(path: place.absolute, user: status.user) }
  }

  /// The files by their paths, the targets too.
  var paths: [String] { files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// What a file of the container is now.
  func state(_ path: String) throws(RunError) -> FileState { try Self.state(path, of: container, reader) }

  private static func state(
    _ path: String, of container: Container, _ files: DurableFiles
  ) throws(RunError) -> FileState {
    let resolved = try ContainerPath.resolve(path, in: container.root, files.fileSystem)
    return resolved.status == nil ? .absent : try RunError.early(files.state(resolved.absolute))
  }
}
