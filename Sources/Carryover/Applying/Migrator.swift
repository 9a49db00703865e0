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
  let key: any StateKeySource
  let now: @Sendable () -> Moment
  /// The batch that each run is recorded with; nil for a run by itself.
  private(set) var batch: BatchID?

  /// A migrator.
  /// - Parameters:
  ///   - fileSystem: the file system of the containers.
  ///   - toolVersion: the version of the tool, for the records of runs.
  ///   - key: the key that seals journals and records, so that those of others are never acted upon. The first write
  ///     creates it; if that fails, nothing is written.
  ///   - now: returns the current moment; called once for each run.
  package init(
    fileSystem: any FileSystem, toolVersion: String, key: any StateKeySource, now: @escaping @Sendable () -> Moment
  ) {
    self.fileSystem = fileSystem
    self.toolVersion = toolVersion
    self.key = key
    self.now = now
  }

  /// The same migrator, which records each run with a batch.
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
  /// - Parameters:
  ///   - onConflict: what to do with undecided fields whose target has another value.
  /// - Throws: ``RunError``, whose aftermath says what was changed. Without an aftermath, nothing was.
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

  /// The changes to the targets, computed from the current files.
  private func edits(
    _ resolved: ResolvedPlan, _ targets: [ResolvedTarget], root: String, _ files: DurableFiles
  ) throws(RunError) -> [(target: TargetEdit, change: FileChange)] {
    var stores = ReadStores(files, root: root)
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
