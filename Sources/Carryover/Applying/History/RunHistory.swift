/// The runs of a container that still hold: complete, and not taken back. Those of other containers do not count.
struct RunHistory {
  let store: RunStore
  let container: Container
  let files: DurableFiles

  /// The newest apply run that holds and that fits.
  func newestApply(where fits: (RunRecord) -> Bool = { _ in true }) throws(MigrationError) -> RunRecord? {
    try newest { $0.kind == .apply && fits($0) }
  }

  /// The newest run that holds and that fits, be it a rollback.
  ///
  /// A run whose process ended before it could say so counts as complete when every file stands as it meant to leave it.
  func newest(where fits: (RunRecord) -> Bool) throws(MigrationError) -> RunRecord? {
    let own = RecordedContainer(container)
    var takenBack: Set<RunID> = []
    for id in try store.ids() where !takenBack.contains(id) {
      guard let record = try store.record(id), record.belongs(to: own), record.state == .done else { continue }
      // Newest first: a rollback is met before the run it takes back, and what takes a rollback back before the rollback.
      if let earlier = record.rolledBack { takenBack.insert(earlier) }
      if fits(record) { return record }
    }
    return nil
  }
}
