import CarryoverSystem

extension Migrator {
  /// Rolls back a whole run: the newest apply or cleanup that is at least partly in effect, or a named run.
  ///
  /// See `rollback(_:only:decisions:onConflict:in:allowing:)`. An interrupted run is recovered first.
  /// - Parameters:
  ///   - runID: the run to roll back, which may be a rollback.
  ///   - allowed: the blocking findings to allow: `live.running-store` for a live container.
  /// - Throws: ``RunError``; among others `nothingToRollBack` and `rollbackConflict`, after which nothing has changed.
  package func rollback(
    in container: Container, runID: String? = nil, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> RunReport {
    let store = try store(of: container)
    // Without this check, a container that was never written to would get a state folder.
    guard !(try store.ids().isEmpty) else { throw .nothingToRollBack }
    let recovered = try settleInterrupted(container, allowing: allowed)
    var report = try rollback(rollbackPlan(in: container, runID: runID), in: container, allowing: allowed)
    report.recovered = recovered + report.recovered
    return report
  }

  /// Rolls back a run, or some of its keys, by a plan.
  ///
  /// If the whole run is rolled back, a file that is still as the run left it gets its earlier bytes, mode and owner,
  /// or is removed. Folders that were created for it are removed if they are empty. Every other file is edited key by
  /// key. A file that the run created is removed once it has no keys left.
  ///
  /// A rollback is a run, with a record and a backup of the replaced files. If nothing has to change, nothing is
  /// written.
  /// - Parameters:
  ///   - plan: the plan that the user saw and decided on. It is computed again first.
  ///   - only: the keys to roll back; nil for the whole run.
  ///   - decisions: the decisions for single keys.
  ///   - onConflict: what to do with undecided keys that have changed since.
  ///   - allowed: the blocking findings to allow: `live.running-store` for a live container.
  /// - Throws: ``RunError``; among others `rollbackConflict`, `rollbackUnreadable` and `stalePlan`, after which nothing
  ///   has changed.
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
      guard stale.isEmpty else { throw .stalePlan(stale, of: .rollback) }
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
