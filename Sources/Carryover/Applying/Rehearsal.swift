package import CarryoverSystem

package struct RehearsalReport: Hashable, Sendable {
  package var run: RunReport
  /// The copied files and the targets; empty if nothing had to be written.
  package var files: [String]
  /// What differs from the container after the rollback, as sentences.
  package var problems: [String]
}

extension Migrator {
  /// Rehearses a migration: copies the files that the run reads and writes, applies the plan to the copy, rolls it back,
  /// and compares the copy with the container. Writes nothing to the container; creates no key.
  ///
  /// It refuses everything that an apply would refuse: a stale plan, missing decisions, a target with several hard
  /// links or another owner. A container in an archive or a backup is read from there.
  /// - Parameters:
  ///   - folder: an empty private folder for the copy, which the caller removes.
  ///   - goesOn: called between the steps. If it returns false, the result is nil.
  package func rehearse(
    _ plan: Plan, decisions: Decisions, of container: Container, in folder: String, on disk: any FileSystem,
    goesOn: () -> Bool = { true }
  ) throws(RunError) -> RehearsalReport? {
    let resolved = try ResolvedPlan(plan, decisions, onConflict: .fail)
    guard !resolved.changes.isEmpty else {
      let run = RunReport(kind: .apply, runID: nil, outcomes: resolved.outcomes, files: [])
      return RehearsalReport(run: run, files: [], problems: [])
    }
    let files = try filesToRehearse(resolved, in: container)
    let paths = files.keys.sorted().map(\.text)
    // On the disk, not live, and without earlier runs, whose effect is in the plan.
    var (copy, copiedPlan) = (container, resolved.plan)
    (copy.root, copy.wrapper, copy.liveness) = (FilePath.join(folder, "container"), nil, nil)
    copy.stateDirectory = FilePath.join(copy.root, ".carryover")
    // What could not be read in the container is not in the copy.
    copiedPlan.basis = resolved.plan.basis.filter { !$0.isFile || $0.value == nil || files[$0.store] != nil }
    var place = DurableFiles(disk)
    try RunError.attempt(place.makeFolders(copy.root))
    for path in paths {
      guard goesOn() else { return nil }
      guard case .file(let bytes, let attributes)? = files[path] else { continue }
      let file = FilePath.join(copy.root, path)
      try RunError.attempt(place.makeFolders(FilePath.folder(of: file)))
      try RunError.attempt(place.write(bytes, to: file, attributes: FileAttributes(mode: attributes.mode, owner: nil)))
    }
    guard goesOn() else { return nil }
    // A key for the copy alone.
    let copyKey = StateKey(StateKey.random()) ?? key
    let migrator = Migrator(fileSystem: disk, toolVersion: toolVersion, key: copyKey, now: now)
    let run = try migrator.apply(copiedPlan, decisions: decisions, in: copy)
    guard goesOn() else { return nil }
    _ = try migrator.rollback(in: copy)
    var problems: [String] = []
    for path in paths {
      let (old, new) = (files[path] ?? .absent, try RunError.attempt(place.state(FilePath.join(copy.root, path))))
      if old.bytes != new.bytes || old.attributes?.mode != new.attributes?.mode {
        problems.append("After the rollback, \(DisplayText.quoted(path)) is not as it was.")
      }
    }
    return RehearsalReport(run: run, files: paths, problems: problems)
  }

  /// The current state of each file that a run would read or write, including missing targets.
  private func filesToRehearse(
    _ resolved: ResolvedPlan, in container: Container
  ) throws(RunError) -> [StringByBytes: FileState] {
    if container.wrapper == nil {
      if let closed = closedState(of: container) { throw closed }
      if let occupied = occupiedStateFolder(of: container) {
        throw .unsafePath(occupied.path, occupied.kind == .symbolicLink ? .isLink : .wrongKind)
      }
    }
    let reader = DurableFiles(fileSystem)
    var stores = ReadStores(files: reader, root: container.root)
    let stale = try stores.stale(resolved.plan.basis)
    guard stale.isEmpty else { throw .stalePlan(stale) }
    let targets = try resolved.targets().map(\.path)
    try RunScope(container).check(targets)
    var files: [StringByBytes: FileState] = [:]
    for path in targets {
      let place = try ContainerPath.resolve(path, in: container.root, fileSystem)
      if let status = place.status, container.wrapper == nil {
        if status.links > 1 { throw .hardLinked(path: path, links: status.links) }
        guard [0, status.user].contains(fileSystem.user) else {
          throw .ownerNotKept(path: place.absolute, user: status.user)
        }
      }
      files[path] = try place.state(reader)
    }
    for path in resolved.plan.basis.map(\.store) + resolved.models where files[path] == nil {
      // A source behind a link, or one that cannot be read, does not exist for a plan.
      let place = try? ContainerPath.resolve(path, in: container.root, fileSystem)
      if let state = try? place?.state(reader), state != .absent { files[path] = state }
    }
    return files
  }
}
