import CarryoverSystem

extension Migrator {
  /// Takes back the whole of the newest run that applied or cleaned up and of which something holds, or of a named one.
  ///
  /// See `rollback(_:only:decisions:onConflict:in:allowing:)`; a run that was interrupted is settled first.
  /// - Parameters:
  ///   - runID: the run to take back, which may be a rollback.
  ///   - allowed: what is allowed by name: `live.running-store`, for a live container.
  /// - Throws: ``RunError``, among them `nothingToRollBack` and `rollbackConflict`, with which nothing was changed.
  package func rollback(
    in container: Container, runID: String? = nil, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> RunReport {
    let store = try store(of: container)
    // Without this look, a container that was never written to would get a state folder.
    guard !(try store.ids().isEmpty) else { throw .nothingToRollBack }
    let recovered = try settleInterrupted(container, allowing: allowed)
    var report = try rollback(rollbackPlan(in: container, runID: runID), in: container, allowing: allowed)
    report.recovered = recovered + report.recovered
    return report
  }

  /// Takes back a run, or some of its keys, as a plan shows it.
  ///
  /// Where the whole run is asked for, a file that is as the run left it becomes what it was: bytes, mode, owner or
  /// absence, and the folders made for it go if nothing else stands in them. Every other file is edited key by key, and
  /// keeps everything else. A file that the run made goes once none of its keys is left in it, nor any other.
  ///
  /// A rollback is a run itself, with a record and a backup of what it replaced. One that changes nothing is reported as
  /// such without touching anything.
  /// - Parameters:
  ///   - plan: what was shown and decided on; it is made again first.
  ///   - only: the keys to take back; nil for the whole run.
  ///   - decisions: what becomes of single keys.
  ///   - onConflict: what becomes of keys that were changed since and for which there is no decision.
  ///   - allowed: what is allowed by name: `live.running-store`, for a live container.
  /// - Throws: ``RunError``, among them `rollbackConflict`, `rollbackUnreadable` and `stalePlan`, with which nothing
  ///   was changed.
  package func rollback(
    _ plan: RollbackPlan, only: Set<KeyPlace>? = nil, decisions: RollbackDecisions = [:],
    onConflict: ConflictPolicy = .fail, in container: Container, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> RunReport {
    let decided = try RollbackResolution(plan, only: only, decisions: decisions, onConflict: onConflict)
    try decided.check()
    guard decided.changesFiles else {
      return RunReport(
        kind: .rollback, runID: nil, outcomes: decided.outcomes, files: [], rolledBack: plan.run.id)
    }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      let recovered = try InterruptedRuns(store: store, container: container).settle(&files)
      let basis = try rollbackBasis(plan.run.id, container, store, files)
      let fresh = basis.plan(store)
      let stale = fresh.stale(plan, only: only)
      guard stale.isEmpty else { throw .stalePlan(stale) }
      let resolved = try RollbackResolution(fresh, only: only, decisions: decisions, onConflict: onConflict)
      try resolved.check()
      let edits = try RollbackChanges(basis, resolved)
      let record = try newRecord(
        .rollback, container, basis.run.record.recipe, and: basis.run.record.otherRecipes, resolved.recorded,
        edits.changes, store, takingBack: basis.run.record.id)
      var transaction = Transaction(
        files: files, store: store, scope: RunScope(container), changes: edits.changes, record: record,
        verify: edits.problem)
      defer { files = transaction.files }
      try transaction.carryOut()
      return RunReport(
        kind: .rollback, runID: record.id.text, outcomes: resolved.outcomes, files: edits.changes.map(\.path),
        rolledBack: plan.run.id, synchronizations: transaction.files.synchronizations,
        recovered: recovered)
    }
  }
}
