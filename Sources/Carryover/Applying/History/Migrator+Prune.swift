extension Migrator {
  /// Removes the copies of the files of runs, which frees their space; the records stay. Such a run cannot be taken back
  /// any more.
  ///
  /// What an earlier call has left behind because it was interrupted goes too. Where there is nothing to remove, nothing
  /// is written.
  /// - Parameters:
  ///   - ids: the runs. Those that were pruned already may be among them.
  ///   - allowed: what is allowed by name: `live.running-store`, for a live container.
  /// - Throws: ``RunError``, among them `noRunToPrune` for a run that is not there or did not come to its end; nothing
  ///   was removed then.
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

  /// What there is to remove, newest first.
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
