package import CarryoverSystem
import PropertyLists

/// Applies plans to containers and rolls runs back. No other type changes an app's files in a container.
///
/// After any interruption, every file of a run has its old or its new bytes. A backup is on the disk before the first
/// file is replaced. Only a cleanup removes legacy keys, after it has proved that the target contains the removed
/// values. Extended attributes and access control lists of the target are not preserved.
package struct Migrator: Sendable {
  let fileSystem: any FileSystem
  let toolVersion: String
  /// Seals journals and records, so that those of others are never acted upon. The first write creates the key.
  let key: any StateKeySource
  let now: @Sendable () -> Moment
  private(set) var batch: BatchID?

  package init(
    fileSystem: any FileSystem, toolVersion: String, key: any StateKeySource, now: @escaping @Sendable () -> Moment
  ) {
    self.fileSystem = fileSystem
    self.toolVersion = toolVersion
    self.key = key
    self.now = now
  }

  package func recording(_ batch: BatchID) -> Migrator {
    var migrator = self
    migrator.batch = batch
    return migrator
  }

  /// Writes the changes of a plan and its decisions to the container's target. If there are several targets, all are
  /// written or none.
  ///
  /// If the plan changes nothing, nothing is written and no lock is used, unless an interrupted run has to be
  /// recovered.
  package func apply(
    _ plan: Plan, decisions: Decisions, in container: Container, onConflict: ConflictPolicy = .fail
  ) throws(RunError) -> RunReport {
    let resolved = try ResolvedPlan(plan, decisions, onConflict: onConflict)
    guard !resolved.changes.isEmpty else {
      let recovered = try settleInterrupted(container, allowing: plan.allowed)
      return RunReport(kind: .apply, runID: nil, outcomes: resolved.outcomes, files: [], recovered: recovered)
    }
    let targets = try resolved.targets()
    // Before anything is recorded: a record of files that no run may change could not be recovered.
    for target in targets { _ = try ContainerPath.components(target.path) }
    try RunScope(container).check(targets.map(\.path))
    return try locked(container, allowing: plan.allowed) { (store, files) throws(RunError) in
      let recovered = try InterruptedRuns(store: store, container: container).settle(&files)
      let edits = try edits(resolved, targets, root: container.root, files)
      let changes = edits.map(\.change)
      let record = try newRecord(
        .apply, container, plan.recipe, and: plan.otherRecipes, resolved.recorded, changes, store)
      var transaction = Transaction(
        files: files, store: store, scope: RunScope(container), changes: changes, record: record,
        verify: { change, bytes in
          edits.first { $0.change.path.hasSameBytes(as: change.path) }?.target.problem(in: bytes ?? [])
        })
      defer { files = transaction.files }
      try transaction.carryOut()
      return RunReport(
        kind: .apply, runID: record.id.text, outcomes: resolved.outcomes, files: targets.map(\.path),
        synchronizations: transaction.files.synchronizations, recovered: recovered)
    }
  }

  private func edits(
    _ resolved: ResolvedPlan, _ targets: [ResolvedTarget], root: String, _ files: DurableFiles
  ) throws(RunError) -> [(target: TargetEdit, change: FileChange)] {
    var stores = ReadStores(files: files, root: root)
    for target in targets {
      let store = try stores.store(target.path)
      if let links = store.image?.status.links, links > 1 { throw .hardLinked(path: target.path, links: links) }
      if let problem = store.problem { throw .unreadable(path: target.path, reason: problem) }
    }
    var stale = try stores.stale(resolved.plan.basis)
    var known = Set(stale)
    for target in targets {
      let index = try stores.store(target.path).index
      for change in target.changes where index?[change.key] != change.before {
        let entry = PlanBasis(store: target.path, key: change.key, value: change.before)
        if known.insert(entry).inserted { stale.append(entry) }
      }
    }
    guard stale.isEmpty else { throw .stalePlan(stale) }
    var edits: [(target: TargetEdit, change: FileChange)] = []
    for target in targets { edits.append(try edit(resolved, target, &stores)) }
    return edits
  }

  private func edit(
    _ resolved: ResolvedPlan, _ target: ResolvedTarget, _ stores: inout ReadStores
  ) throws(RunError) -> (target: TargetEdit, change: FileChange) {
    let (store, path) = (try stores.store(target.path), target.path)
    let edit = try TargetEdit(
      store.file, path: path, changes: target.changes, forms: target.forms, format: target.format)
    if let problem = edit.problem(in: edit.bytes) { throw .verification(path: path, problem, .nothingChanged) }
    let attributes: FileAttributes
    if let status = store.image?.status {
      attributes = FileAttributes(status)
    } else {
      attributes = try newAttributes(resolved, &stores)
    }
    let change = FileChange(
      path: path, before: FileState(store.image), after: FileState(bytes: edit.bytes, attributes: attributes),
      folders: store.resolved.missingFolders, mayBeOurs: store.image == nil)
    return (edit, change)
  }
}

/// An apply or a cleanup that is at least partly in effect.
package struct AppliedRun: Hashable, Sendable {
  package var id: String
  package var moment: Moment
  package var files: [String]
  /// The written fields that were not rolled back since, in the order of the run: `RECIPE/FIELD` in a run of several
  /// recipes, otherwise the key.
  package var fields: [Field.ID]
}

extension Migrator {
  /// The run that a rollback would roll back; nil if there is none. Writes nothing.
  ///
  /// It does not check whether the run's files have changed since; the rollback does.
  package func lastRun(in container: Container) throws(RunError) -> AppliedRun? {
    let store = try store(of: container)
    let history = RunHistory(store: store, container: container)
    guard let run = try history.newestOriginal() else { return nil }
    let record = run.record
    return AppliedRun(
      id: record.id.text, moment: record.moment, files: record.files.map(\.path),
      fields: record.fields.filter { $0.isWritten && !run.undone.contains(record.place($0)) }.map(\.name))
  }
}

/// The result of a rehearsal: a migration that was applied to a copy and rolled back there.
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
    try RunError.early(place.makeFolders(copy.root))
    for path in paths {
      guard goesOn() else { return nil }
      guard case .file(let bytes, let attributes)? = files[path] else { continue }
      let file = FilePath.join(copy.root, path)
      try RunError.early(place.makeFolders(FilePath.folder(of: file)))
      try RunError.early(place.write(bytes, to: file, attributes: FileAttributes(mode: attributes.mode, owner: nil)))
    }
    guard goesOn() else { return nil }
    // A key for the copy alone.
    let random = (0..<StateKey.length).map { _ in UInt8.random(in: .min ... .max) }
    let migrator = Migrator(fileSystem: disk, toolVersion: toolVersion, key: StateKey(random) ?? key, now: now)
    let run = try migrator.apply(copiedPlan, decisions: decisions, in: copy)
    guard goesOn() else { return nil }
    _ = try migrator.rollback(in: copy)
    var problems: [String] = []
    for path in paths {
      let (old, new) = (files[path] ?? .absent, try RunError.early(place.state(FilePath.join(copy.root, path))))
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

extension ResolvedPath {
  fileprivate func state(_ files: DurableFiles) throws(RunError) -> FileState {
    status == nil ? .absent : try RunError.early(files.state(absolute))
  }
}

extension Migrator {
  /// Runs work that writes, under the container's lock. No other method writes.
  func locked<Result>(
    _ container: Container, allowing allowed: Set<FindingCode>,
    _ body: (RunStore, inout DurableFiles) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    try container.requireWritable(allowing: allowed)
    let fileSystem = try confined(container)
    var files = DurableFiles(fileSystem)
    let store = try store(of: container, fileSystem, key: key.obtain())
    if let user = store.closedOwner { throw .stateClosed(path: store.path, user: user) }
    let lock = try StateLock.take(store, files)
    do {
      let result = try body(lock.store, &files)
      lock.release(files, keeping: true)
      return result
    } catch {
      lock.release(files, keeping: false)
      throw error
    }
  }

  /// The state folder of a container, for reading.
  func store(of container: Container) throws(RunError) -> RunStore {
    // Without a state folder, no key is needed.
    let isThere = try RunStore.status(of: container.stateDirectory, fileSystem) != nil
    return try store(of: container, fileSystem, key: isThere ? key.existing() : nil)
  }

  /// The error for a state folder that another user has closed to this one; nil otherwise. The history of such a
  /// container is unknown, and every write is refused.
  package func closedState(of container: Container) -> RunError? {
    let store = RunStore(fileSystem: fileSystem, path: container.stateDirectory, seal: nil)
    return store.closedOwner.map { .stateClosed(path: store.path, user: $0) }
  }

  private func store(
    of container: Container, _ fileSystem: any FileSystem, key: @autoclosure () throws(StateKeyError) -> StateKey?
  ) throws(RunError) -> RunStore {
    let known: StateKey?
    do {
      known = try key()
    } catch {
      throw .stateKey(error)
    }
    var seal: StateSeal?
    if let known { seal = try RunError.early(StateSeal(known, of: container.root, fileSystem)) }
    return RunStore(fileSystem: fileSystem, path: container.stateDirectory, seal: seal)
  }

  private func confined(_ container: Container) throws(RunError) -> any FileSystem {
    let folders = [container.root, FilePath.folder(of: container.stateDirectory)]
    return try RunError.early(fileSystem.confined(to: folders))
  }

  /// Recovers interrupted runs. Writes nothing if there are none.
  func settleInterrupted(
    _ container: Container, allowing allowed: Set<FindingCode>
  ) throws(RunError) -> [RecoveredRun] {
    let store = try store(of: container)
    guard try InterruptedRuns(store: store, container: container).exist() else { return [] }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      try InterruptedRuns(store: store, container: container).settle(&files)
    }
  }

  func newRecord(
    _ kind: RunKind, _ container: Container, _ recipe: RecipeReference, and otherRecipes: [RecipeReference] = [],
    _ fields: [RecordedField], _ changes: [FileChange], _ store: RunStore, takingBack rolledBack: RunID? = nil
  ) throws(RunError) -> RunRecord {
    let moment = now()
    // Runs that came with the container may have any number.
    let ids = try store.ids()
    guard ids.count < RunStore.mostRuns else { throw .tooManyRuns(path: store.runs, limit: RunStore.mostRuns) }
    var next = RunID(moment, after: try store.newestOwn()?.id)
    while let taken = next, ids.contains(taken) { next = RunID(moment, after: taken) }
    guard let id = next else { throw .tooManyRuns(path: store.runs, limit: RunID.highest) }
    let record = RunRecord(
      id: id, kind: kind, state: .applying,
      container: RecordedContainer(container), moment: moment, recipe: recipe,
      otherRecipes: otherRecipes, tool: toolVersion, rolledBack: rolledBack, fields: fields,
      files: changes.enumerated().map { RecordedFile($0.element, number: $0.offset + 1) }, batch: batch)
    try record.checkReadable(path: store.recordPath(record.id))
    return record
  }

  /// The owner and mode of a new target: those of the app's own files, so that the app can read it.
  func newAttributes(_ resolved: ResolvedPlan, _ stores: inout ReadStores) throws(RunError) -> FileAttributes {
    for model in resolved.models {
      if let status = try stores.store(model).image?.status { return FileAttributes(status) }
    }
    return FileAttributes(mode: 0o600, owner: nil)
  }
}

extension Container {
  /// Checks that the container may be written to. An archive or a backup never may; the data of a simulator or of a Mac
  /// only if the finding is allowed, as for a plan.
  package func requireWritable(allowing allowed: Set<FindingCode>) throws(RunError) {
    try requireUnwrapped()
    guard let liveness, !allowed.contains(.liveRunningStore) else { return }
    throw .blocked([Finding(.liveRunningStore(liveness))])
  }

  package func requireUnwrapped() throws(RunError) {
    if let wrapper { throw .wrapped(wrapper) }
  }
}
