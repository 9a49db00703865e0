extension Migrator {
  /// Removes the backups of runs, which frees their space. The records stay, but the runs can no longer be rolled back.
  ///
  /// Also removes what an interrupted call has left. If there is nothing to remove, nothing is written.
  /// - Parameters:
  ///   - ids: the ids of the runs, which may include pruned runs.
  ///   - allowed: the blocking findings to allow: `live.running-store` for a live container.
  /// - Throws: ``RunError``; `noRunToPrune` for a run that does not exist or is not complete. Nothing was removed then.
  package func prune(
    in container: Container, runs ids: [String], allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> PruneReport {
    let store = try store(of: container)
    _ = try settleInterrupted(container, allowing: allowed)
    guard !(try prunings(ids, container, store).isEmpty) else { return PruneReport(runs: [], freed: 0) }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      try InterruptedRuns(store: store, container: container).settle(&files)
      var report = PruneReport(runs: [], freed: 0)
      let prunings = try prunings(ids, container, store)
      for pruning in prunings { try pruning.check() }
      for pruning in prunings {
        try pruning.carryOut(&files)
        report.runs.append(pruning.record.id.text)
        report.freed = RunSize.sum(report.freed, pruning.size)
      }
      return report
    }
  }

  /// The runs with backups to remove, newest first.
  private func prunings(
    _ ids: [String], _ container: Container, _ store: RunStore
  ) throws(RunError) -> [RunPruning] {
    let history = RunHistory(store: store, container: container)
    let runs = try history.all().runs.filter { $0.isComplete && $0.record.isOwn }
    let known = Set(runs.map(\.record.id.text))
    if let unknown = ids.first(where: { !known.contains($0) }) { throw .noRunToPrune(unknown) }
    let asked = Set(ids)
    var prunings: [RunPruning] = []
    for run in runs where run.record.isPruned || asked.contains(run.record.id.text) {
      let pruning = RunPruning(store: store, record: run.record)
      if run.record.isPruned, !(try pruning.isUnfinished()) { continue }
      prunings.append(pruning)
    }
    return prunings
  }
}
