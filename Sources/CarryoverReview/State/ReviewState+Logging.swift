import Carryover

extension ReviewState {
  /// Notes that a run was asked for.
  mutating func noteStart(_ kind: RunKind) {
    switch kind {
    case .rollback: log.add(.run, "Asked to roll back run \(draft?.plan.run.id ?? "?")", at: now)
    default: log.add(.run, "You asked to apply \(counted(pendingChanges.count, "key"))", at: now)
    }
  }

  /// Notes how a run ended.
  mutating func note(_ result: Result<RunReport, ReviewFailure>) {
    switch result {
    case .failure(let failure): log.add(.failure, failure.message, at: now)
    case .success(let report):
      for run in report.recovered { noteRecovered(run) }
      log.add(.run, Self.sentence(report), at: now)
    }
  }

  /// Notes a run that had been interrupted and was brought to its end.
  mutating func noteRecovered(_ run: RecoveredRun) {
    log.add(.run, String(run.words.dropLast()), at: now)
  }

  private static func sentence(_ report: RunReport) -> String {
    guard let id = report.runID else { return "Nothing had to be written" }
    let files = report.files.joined(separator: ", ")
    let calls = counted(report.synchronizations, "fsync call")
    let syncs = report.synchronizations > 0 ? "; flushed to disk with \(calls)" : ""
    switch report.kind {
    case .rollback: return "Run \(id) rolled back run \(report.rolledBack ?? "?"): \(files)\(syncs)"
    default:
      let written = report.outcomes.count { $0.outcome == .migrated }
      return "Run \(id) wrote \(counted(written, "key")) to \(files)\(syncs)"
    }
  }
}
