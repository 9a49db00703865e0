import PropertyLists

/// The runs of a container, and their effect. Runs of other containers do not count.
struct RunHistory {
  let store: RunStore
  let container: Container

  func newestOriginal() throws(RunError) -> HistoricRun? { try newest { $0.record.kind != .rollback } }

  /// The newest matching run that is at least partly in effect, including rollbacks. Interrupted runs do not count.
  func newest(where fits: (HistoricRun) -> Bool) throws(RunError) -> HistoricRun? {
    try newestWithStandings(where: fits)?.run
  }

  /// The same run, and the keys that later runs rolled back.
  func newestWithStandings(
    where fits: (HistoricRun) -> Bool
  ) throws(RunError) -> (run: HistoricRun, standings: RunStandings)? {
    var standings = RunStandings()
    return try first { (record) throws(RunError) in
      let run = standings.meet(record)
      return run.holds && fits(run) ? (run, standings) : nil
    }
  }

  /// Whether the user has made a run, in effect or not. Interrupted runs and rollbacks do not count.
  var hasRuns: Bool {
    get throws(RunError) {
      try first { (record) throws(RunError) -> Bool? in
        record.state == .done && record.kind != .rollback ? true : nil
      } ?? false
    }
  }

  /// The first result of a closure for the user's own runs, newest first. Runs that came with the container have no
  /// effect.
  private func first<Result>(_ find: (RunRecord) throws(RunError) -> Result?) throws(RunError) -> Result? {
    let own = RecordedContainer(container)
    for id in try store.ids() {
      guard let record = try store.recordUnlessForeign(id), record.belongs(to: own) else { continue }
      if let found = try find(record) { return found }
    }
    return nil
  }

  /// Whether a file did not exist before a run, and only runs have changed it since.
  /// - Parameters:
  ///   - fields: of a file that the legacy SDK writes, too, and that may have existed: only runs have changed it since
  ///     the first one, before which it had a value of no field. Nil for another file.
  ///   - bytes: returns the current bytes of the file. Not called if no run changed it.
  func made(
    _ path: String, sharing fields: [Field]? = nil, now bytes: () throws(RunError) -> [UInt8]?
  ) throws(RunError) -> Bool {
    var later: RecordedState?
    // Whether a key had a value before the oldest run that was met.
    var hadValue: [StringByBytes: Bool] = [:]
    let isMade = try first { (record) throws(RunError) -> Bool? in
      guard record.state == .done, let file = record.files.first(where: { $0.path.hasSameBytes(as: path) }) else {
        return nil
      }
      let left = if let later { file.after.hasContent(of: later) } else { file.after.matches(try bytes()) }
      later = file.before
      guard left else { return false }
      for field in record.fields where field.isWritten {
        let place = record.place(field)
        if place.file.hasSameBytes(as: path) { hadValue[place.key] = field.before != nil }
      }
      return file.before == .absent ? true : nil
    }
    guard isMade == nil, later != nil, let fields else { return isMade ?? false }
    return fields.allSatisfy { field in
      hadValue[field.key].map { !$0 } ?? (field.current == nil)
    }
  }

  /// Whether a file that a run found did not exist before earlier runs, only they changed it, and none of them is in
  /// effect. A record that cannot be read says nothing of it.
  func madeByUndoneRuns(_ file: RecordedFile, before run: RunID) -> Bool {
    var standings = RunStandings()
    var later = file.before
    let isMade = try? first { (record) throws(RunError) -> Bool? in
      let earlier = standings.meet(record)
      guard record.id < run, record.state == .done,
        let changed = record.files.first(where: { $0.path.hasSameBytes(as: file.path) })
      else { return nil }
      let isRollback = record.kind == .rollback
      guard changed.after.hasContent(of: later), isRollback || !earlier.holds else { return false }
      later = changed.before
      return later == .absent && !isRollback ? true : nil
    }
    return isMade ?? false
  }

  /// All runs with readable records, newest first, and the errors of the other records.
  func all() throws(RunError) -> (runs: [HistoricRun], problems: [RunError]) {
    let own = RecordedContainer(container)
    var standings = RunStandings()
    var runs: [HistoricRun] = []
    var problems: [RunError] = []
    for id in try store.ids() {
      do {
        guard let record = try store.record(id) else { continue }
        // If the state folder is inside the container, a record of another container came with it. List it too.
        guard record.belongs(to: own) || (own.root == nil && !record.isOwn) else { continue }
        runs.append(record.isOwn ? standings.meet(record) : HistoricRun(record: record, written: record.written))
      } catch {
        problems.append(error)
      }
    }
    return (runs, problems)
  }

  /// The keys in which runs in effect left a value, except those that were rolled back.
  func written() throws(RunError) -> [KeyPlace: RunID] {
    var standings = RunStandings()
    var written: [KeyPlace: RunID] = [:]
    _ = try first { (record) throws(RunError) -> Bool? in
      guard standings.meet(record).holds, record.kind == .apply else { return nil }
      // A value that a run kept is one that it did not write.
      for field in record.fields
      where [.migrated, .unchanged].contains(field.outcome) && field.after != nil && !field.isKept {
        let place = record.place(field)
        let isUndone = standings.undone[record.id]?.contains(place) == true
        if !isUndone, written[place] == nil { written[place] = record.id }
      }
      return nil
    }
    return written
  }

  /// The keys that rollbacks in effect rolled back, of any run.
  func takenBack(_ standings: RunStandings) -> Set<KeyPlace> {
    var places: Set<KeyPlace> = []
    for (earlier, undone) in standings.undone {
      guard let record = try? store.record(earlier) else {
        places.formUnion(undone)
        continue
      }
      // Rolling back a rollback returns its keys, so these are missing from what the rollback has undone.
      if record.kind != .rollback { places.formUnion(undone.intersection(record.written)) }
    }
    return places
  }
}

/// Determines the effect of each run. Runs are added newest first, so a rollback precedes the run that it rolled back.
struct RunStandings {
  private(set) var undone: [RunID: Set<KeyPlace>] = [:]
  /// The runs that were rolled back as a whole, by a run that names no keys.
  private var whollyUndone: Set<RunID> = []

  mutating func meet(_ record: RunRecord) -> HistoricRun {
    let written = record.written
    let isWhollyUndone = whollyUndone.contains(record.id)
    let run = HistoricRun(
      record: record, written: written,
      undone: isWhollyUndone ? written : written.intersection(undone[record.id] ?? []),
      isWhollyUndone: isWhollyUndone)
    if run.holds, let earlier = record.rolledBack, earlier < record.id {
      let named = record.takenBack
      if named.isEmpty { whollyUndone.insert(earlier) }
      undone[earlier, default: []].formUnion(named.subtracting(run.undone))
    }
    return run
  }
}

struct HistoricRun {
  let record: RunRecord
  let written: Set<KeyPlace>
  var undone: Set<KeyPlace> = []
  fileprivate var isWhollyUndone = false

  var isComplete: Bool { record.state == .done }

  var holds: Bool { standing == .holds || standing == .partlyTakenBack }

  var standing: RunStanding {
    guard record.isOwn else { return .cameAlong }
    guard isComplete else { return .interrupted }
    if isWhollyUndone || (!written.isEmpty && undone == written) { return .takenBack }
    return undone.isEmpty ? .holds : .partlyTakenBack
  }
}

extension RunRecord {
  func place(_ field: RecordedField) -> KeyPlace {
    KeyPlace(file: field.file ?? files.first?.path ?? "", key: field.id)
  }

  var written: Set<KeyPlace> { Set(fields.filter(\.isWritten).map(place)) }

  var takenBack: Set<KeyPlace> { Set(fields.filter { $0.outcome == .restored || $0.outcome == .unchanged }.map(place)) }
}

extension RecordedField {
  var isWritten: Bool { outcome == .migrated || outcome == .restored || before != after }
}
