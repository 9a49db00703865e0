import CarryoverSystem

extension Migrator {
  /// What taking a run back would do to its files as they are now, key by key. Writes nothing.
  ///
  /// Which keys the run changed is told by its copies of the files, not by its record.
  /// - Parameter runID: the run to take back, which may be a rollback; nil for the newest that applied or cleaned up and
  ///   of which something holds.
  /// - Throws: ``RunError``, among them `nothingToRollBack`, `noSuchRun`, `prunedRun` and `damagedBackup`.
  package func rollbackPlan(in container: Container, runID: String? = nil) throws(RunError) -> RollbackPlan {
    let store = try store(of: container)
    return try rollbackBasis(runID, container, store, DurableFiles(fileSystem)).plan(store)
  }

  /// The run to take back with its copies and files.
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
