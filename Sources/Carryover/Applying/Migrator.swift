package import CarryoverSystem
import PropertyLists

/// Applies plans to containers and takes runs back. It alone writes.
///
/// Every file of a run is byte for byte the old one or the new one, whatever happens on the way; a backup is on the disk
/// before the first file is replaced. Legacy files are modified by a cleanup alone, which proves first that the target
/// holds what it removes. Neither extended attributes nor access control
/// lists of the target are kept.
package struct Migrator: Sendable {
  let fileSystem: any FileSystem
  let toolVersion: String
  let key: any StateKeySource
  let observer: FileOperationObserver?
  let now: @Sendable () -> Moment

  /// A migrator.
  /// - Parameters:
  ///   - fileSystem: where the containers are.
  ///   - toolVersion: what the records of runs name as their writer.
  ///   - key: what journals and records are sealed with, so that those of somebody else are never acted upon. It is made
  ///     when something is written first; where that fails nothing is written.
  ///   - observer: is told of everything that is done to the file system, in order.
  ///   - now: the present moment, asked once for each run.
  package init(
    fileSystem: any FileSystem, toolVersion: String, key: any StateKeySource,
    observer: FileOperationObserver? = nil, now: @escaping @Sendable () -> Moment
  ) {
    self.fileSystem = fileSystem
    self.toolVersion = toolVersion
    self.key = key
    self.observer = observer
    self.now = now
  }

  /// The same migrator with somebody who is told of everything it does to the file system, in order.
  package func observed(by observer: @escaping FileOperationObserver) -> Migrator {
    Migrator(fileSystem: fileSystem, toolVersion: toolVersion, key: key, observer: observer, now: now)
  }

  /// Writes what a plan and its decisions make of a container's target; of several recipes' targets, all or none.
  ///
  /// A plan that changes nothing is reported as such without touching anything, not even to take the lock, unless an
  /// earlier run was interrupted and something of it is left.
  /// - Parameters:
  ///   - onConflict: what becomes of undecided fields whose target holds another value.
  /// - Throws: ``RunError``; it says whether anything was changed. Without an aftermath nothing was.
  package func apply(
    _ plan: Plan, decisions: Decisions, in container: Container, onConflict: ConflictPolicy = .fail
  ) throws(RunError) -> RunReport {
    let resolved = try ResolvedPlan(plan, decisions, onConflict: onConflict)
    guard !resolved.changes.isEmpty else {
      let recovered = try settleInterrupted(container, allowing: plan.allowed)
      return RunReport(kind: .apply, runID: nil, outcomes: resolved.outcomes, files: [], recovered: recovered)
    }
    let targets = try resolved.targets()
    return try locked(container, allowing: plan.allowed) { (store, files) throws(RunError) in
      let recovered = try InterruptedRuns(store: store, container: container).settle(&files)
      let edits = try edits(resolved, targets, root: container.root, files)
      let changes = edits.map(\.change)
      let record = try newRecord(
        .apply, container, plan.recipe, and: plan.otherRecipes, resolved.recorded, changes, store)
      var transaction = Transaction(
        files: files, store: store, scope: RunScope(container), changes: changes, record: record,
        verify: { change, bytes in
          edits.first { $0.change.path == change.path }?.target.problem(in: bytes ?? [])
        })
      defer { files = transaction.files }
      try transaction.carryOut()
      return RunReport(
        kind: .apply, runID: record.id.text, outcomes: resolved.outcomes, files: targets.map(\.path),
        synchronizations: transaction.files.synchronizations, recovered: recovered)
    }
  }

  /// The changes to the targets, made from the files as they are now.
  private func edits(
    _ resolved: ResolvedPlan, _ targets: [ResolvedTarget], root: String, _ files: DurableFiles
  ) throws(RunError) -> [(target: TargetEdit, change: FileChange)] {
    var stores = ReadStores(files, root: root)
    for target in targets {
      let store = try stores.store(target.path)
      if let links = store.image?.status.links, links > 1 { throw .hardLinked(path: target.path, links: links) }
      if store.image != nil, store.document?.dictionary == nil {
        throw .unreadable(path: target.path, reason: store.problem ?? "Its root is not a dictionary.")
      }
    }
    var stale = try stores.stale(resolved.plan.basis)
    for target in targets {
      let index = try stores.store(target.path).index
      for change in target.changes where index?[change.key] != change.before {
        let entry = PlanBasis(store: target.path, key: change.key, value: change.before)
        if !stale.contains(entry) { stale.append(entry) }
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
    let edit = try TargetEdit(store.document, path: path, changes: target.changes, forms: target.forms)
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
