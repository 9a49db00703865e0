import CarryoverSystem

extension Migrator {
  /// The effect of rolling back a run on its current files, key by key. Writes nothing.
  ///
  /// The changed keys come from the run's copies of the files, not from its record.
  /// - Parameter runID: the run to roll back, which may be a rollback; nil for the newest apply or cleanup that is at
  ///   least partly in effect.
  /// - Throws: ``RunError``; among others `nothingToRollBack`, `noSuchRun`, `prunedRun` and `damagedBackup`.
  package func rollbackPlan(in container: Container, runID: String? = nil) throws(RunError) -> RollbackPlan {
    let store = try store(of: container)
    return try rollbackBasis(runID, container, store, DurableFiles(fileSystem)).plan(store)
  }

  /// The run to roll back, with its copies and files.
  func rollbackBasis(
    _ runID: String?, _ container: Container, _ store: RunStore, _ files: DurableFiles
  ) throws(RunError) -> RollbackBasis {
    let history = RunHistory(store: store, container: container)
    let found =
      if let runID {
        try history.newest { $0.record.id.text == runID }
      } else {
        try history.newestOriginal()
      }
    guard let found else {
      guard let runID else { throw .nothingToRollBack }
      if let id = RunID(runID), let reason = try store.record(id)?.foreign {
        throw .foreignRun(runID, reason)
      }
      throw .noSuchRun(runID)
    }
    try checkCleanups(takingBack: found.record, history)
    return try RollbackBasis(found, store, RunScope(container, found.record.container), files)
  }
}
