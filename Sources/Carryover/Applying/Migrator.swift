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
      let recovered = try recover(in: container, allowing: plan.allowed)
      return RunReport(kind: .apply, runID: nil, outcomes: resolved.outcomes, files: [], recovered: recovered)
    }
    let targets = try resolved.targets()
    // Before anything is recorded: a record of files that no run may change could not be recovered.
    for target in targets { _ = try ContainerPath.components(target.path) }
    try RunScope(container).check(targets.map(\.path))
    let losses = plan.losses(ofRun: decisions, onConflict: onConflict)
    var report = try carryOut(container, allowing: plan.allowed) { (store, files) throws(RunError) in
      let changes = try changes(resolved, targets, root: container.root, files)
      let record = try newRecord(
        .apply, container, plan.recipe, and: plan.otherRecipes, resolved.recorded, changes, store)
      return PreparedRun(record: record, changes: changes, outcomes: resolved.outcomes)
    }
    report.losses = losses
    return report
  }

  private func changes(
    _ resolved: ResolvedPlan, _ targets: [ResolvedTarget], root: String, _ files: DurableFiles
  ) throws(RunError) -> [FileChange] {
    var stores = ReadStores(files: files, root: root)
    try stores.requireEditable(targets.map(\.path))
    var stale = try stores.stale(resolved.plan.basis)
    for target in targets {
      let file = try stores.store(target.path).parsed
      for change in target.changes where file[change.key] != change.before {
        stale.append(PlanBasis(store: target.path, key: change.key, value: change.before))
      }
    }
    guard stale.isEmpty else { throw .stalePlan(stale.distinct { $0 }) }
    var changes: [FileChange] = []
    for target in targets {
      let store = try stores.store(target.path)
      let edit = try TargetEdit(
        store.parsed.file, path: target.path, changes: target.changes, forms: target.forms, format: target.format)
      // A new target gets the owner and mode of the app's own files, so that the app can read it.
      var model = store.image?.status
      for path in resolved.models where model == nil { model = try stores.store(path).image?.status }
      let attributes = model.map { FileAttributes($0) } ?? FileAttributes(mode: 0o600, owner: nil)
      changes.append(
        try FileChange(
          edit, before: FileState(store.image), attributes: attributes, folders: store.resolved.missingFolders,
          mayBeOurs: store.image == nil))
    }
    return changes
  }

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

  /// Recovers interrupted runs, prepares a run from the current files, and carries it out, under the container's lock.
  func carryOut(
    _ container: Container, allowing allowed: Set<FindingCode>,
    _ prepare: (RunStore, inout DurableFiles) throws(RunError) -> PreparedRun
  ) throws(RunError) -> RunReport {
    try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      let recovered = try InterruptedRuns(store: store, container: container).settle(&files)
      let run = try prepare(store, &files)
      var transaction = Transaction(
        files: files, store: store, scope: RunScope(container), changes: run.changes, record: run.record,
        verify: run.verify)
      defer { files = transaction.files }
      try transaction.carryOut()
      return RunReport(
        kind: run.record.kind, runID: run.record.id.text, outcomes: run.outcomes, files: run.changes.map(\.path),
        rolledBack: run.record.rolledBack?.text, synchronizations: transaction.files.synchronizations,
        recovered: recovered, removed: run.changes.filter { $0.after == .absent }.map(\.path),
        created: run.changes.filter { $0.before == .absent }.map(\.path))
    }
  }

  /// Runs work that writes, under the container's lock. No other method writes.
  func locked<Result>(
    _ container: Container, allowing allowed: Set<FindingCode>,
    _ body: (RunStore, inout DurableFiles) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    try container.requireWritable(allowing: allowed)
    let folders = [container.root, FilePath.folder(of: container.stateDirectory)]
    let fileSystem = try RunError.attempt(fileSystem.confined(to: folders))
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
    var seal: StateSeal?
    if let known = try converting(try key(), RunError.stateKey) {
      seal = try RunError.attempt(StateSeal(known, of: container.root, fileSystem))
    }
    return RunStore(fileSystem: fileSystem, path: container.stateDirectory, seal: seal)
  }

  func newRecord(
    _ kind: RunKind, _ container: Container, _ recipe: RecipeReference?, and otherRecipes: [RecipeReference] = [],
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
}

package struct AppliedRun: Hashable, Sendable {
  package var id: String
  package var moment: Moment
  package var files: [String]
  /// The written fields that were not rolled back since, in the order of the run: `RECIPE/FIELD` in a run of several
  /// recipes, otherwise the key.
  package var fields: [Field.ID]
}

struct PreparedRun {
  let record: RunRecord
  let changes: [FileChange]
  let outcomes: [FieldOutcome]
  /// See ``Transaction/verify``.
  var verify: () -> VerificationProblem? = { nil }
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
