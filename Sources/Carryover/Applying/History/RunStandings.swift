/// Determines the effect of each run. Runs are added newest first, so a rollback precedes the run that it rolled back.
struct RunStandings {
  /// The keys that the added runs have rolled back, by run.
  private(set) var undone: [RunID: Set<KeyPlace>] = [:]
  /// The runs that were rolled back as a whole, by a run that names no keys.
  private var whollyUndone: Set<RunID> = []

  /// Adds the next older run, and returns it with its effect.
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
  /// The changed keys.
  let written: Set<KeyPlace>
  /// The changed keys that later runs in effect have rolled back.
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

  /// Whether the run is complete.
  var isComplete: Bool { record.state == .done }

  /// Whether the run is at least partly in effect.
  var holds: Bool { standing == .holds || standing == .partlyTakenBack }

  var standing: RunStanding {
    guard record.isOwn else { return .cameAlong }
    guard isComplete else { return .interrupted }
    if isWhollyUndone || (!written.isEmpty && undone == written) { return .takenBack }
    return undone.isEmpty ? .holds : .partlyTakenBack
  }
}

extension RunRecord {
  /// The key and file of a field. A record of several files names the file of each field.
  func place(_ field: RecordedField) -> KeyPlace {
    KeyPlace(file: field.file ?? files.first?.path ?? "", key: field.id)
  }

  /// The changed keys.
  var written: Set<KeyPlace> { Set(fields.filter(\.isWritten).map(place)) }

  /// The keys that a rollback has handled: restored, or found with their earlier value.
  var takenBack: Set<KeyPlace> {
    Set(fields.filter { $0.outcome == .restored || $0.outcome == .unchanged }.map(place))
  }
}

extension RecordedField {
  /// Whether the run changed the key.
  var isWritten: Bool { outcome == .migrated || outcome == .restored || before != after }
}
