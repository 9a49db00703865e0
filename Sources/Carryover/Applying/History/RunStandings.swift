/// Works out what of each run still holds. Runs are met newest first: a rollback before the run it takes back, and what
/// takes a rollback back before the rollback.
struct RunStandings {
  /// The keys that the runs met so far have taken back, by run.
  private(set) var undone: [RunID: Set<KeyPlace>] = [:]
  /// Runs that were taken back by one that names no keys.
  private var whollyUndone: Set<RunID> = []

  /// The next older run, with what of it holds.
  mutating func meet(_ record: RunRecord) -> HistoricRun {
    let written = record.written
    let run = HistoricRun(
      record: record, written: written,
      undone: whollyUndone.contains(record.id) ? written : written.intersection(undone[record.id] ?? []),
      isWhollyUndone: whollyUndone.contains(record.id))
    if run.holds, let earlier = record.rolledBack, earlier < record.id {
      let named = record.takenBack
      if named.isEmpty { whollyUndone.insert(earlier) }
      undone[earlier, default: []].formUnion(named.subtracting(run.undone))
    }
    return run
  }
}

/// A run of a container's history.
struct HistoricRun {
  let record: RunRecord
  /// The keys it changed.
  let written: Set<KeyPlace>
  /// Those of them that later runs which hold have taken back.
  let undone: Set<KeyPlace>
  fileprivate let isWhollyUndone: Bool

  /// A run that came with the container.
  init(foreign record: RunRecord) {
    self.init(record: record, written: record.written, undone: [], isWhollyUndone: false)
  }

  fileprivate init(record: RunRecord, written: Set<KeyPlace>, undone: Set<KeyPlace>, isWhollyUndone: Bool) {
    self.record = record
    self.written = written
    self.undone = undone
    self.isWhollyUndone = isWhollyUndone
  }

  /// Whether it came to its end.
  var isComplete: Bool { record.state == .done }

  /// Whether something of it is in force.
  var holds: Bool { standing == .holds || standing == .partlyTakenBack }

  var standing: RunStanding {
    guard record.isOwn else { return .cameAlong }
    guard isComplete else { return .interrupted }
    if isWhollyUndone || (!written.isEmpty && undone == written) { return .takenBack }
    return undone.isEmpty ? .holds : .partlyTakenBack
  }
}

extension RunRecord {
  /// Where a field stands. A record of several files names the file of each.
  func place(_ field: RecordedField) -> KeyPlace {
    KeyPlace(file: field.file ?? files.first?.path ?? "", key: field.id)
  }

  /// The keys the run changed.
  var written: Set<KeyPlace> { Set(fields.filter(\.isWritten).map(place)) }

  /// The keys a rollback has dealt with: put back, or found as they had been before the run it takes back.
  var takenBack: Set<KeyPlace> {
    Set(fields.filter { $0.outcome == .restored || $0.outcome == .unchanged }.map(place))
  }
}

extension RecordedField {
  /// Whether the run changed the key.
  var isWritten: Bool { outcome == .migrated || outcome == .restored || before != after }
}
