/// The runs of a container and what of them still holds. Those of other containers do not count.
struct RunHistory {
  let store: RunStore
  let container: Container

  /// The newest run that carried something over or removed it, of which something holds, and that fits.
  func newestOriginal(
    where fits: (HistoricRun) -> Bool = { _ in true }
  ) throws(RunError) -> HistoricRun? {
    try newest { $0.record.kind != .rollback && fits($0) }
  }

  /// The newest run of which something holds, and that fits, be it a rollback. One that has not ended is none.
  func newest(where fits: (HistoricRun) -> Bool) throws(RunError) -> HistoricRun? {
    try newestWithStandings(where: fits)?.run
  }

  /// The same run, and what the runs after it have taken back.
  func newestWithStandings(
    where fits: (HistoricRun) -> Bool
  ) throws(RunError) -> (run: HistoricRun, standings: RunStandings)? {
    let own = RecordedContainer(container)
    var standings = RunStandings()
    for id in try store.ids() {
      // Nothing follows from what came with the container.
      guard let record = try store.recordUnlessForeign(id), record.belongs(to: own) else { continue }
      let run = standings.meet(record)
      if run.holds, fits(run) { return (run, standings) }
    }
    return nil
  }

  /// Whether a file was absent before a run, and everything that has changed it since is runs.
  /// - Parameter bytes: what the file contains now; not asked for where no run changed it.
  func made(_ path: String, now bytes: () throws(RunError) -> [UInt8]?) throws(RunError) -> Bool {
    let own = RecordedContainer(container)
    var later: RecordedState?
    for id in try store.ids() {
      guard let record = try store.recordUnlessForeign(id), record.belongs(to: own), record.state == .done,
        let file = record.files.first(where: { $0.path == path })
      else { continue }
      let left = if let later { file.after.hasContent(of: later) } else { file.after.matches(try bytes()) }
      guard left else { return false }
      if file.before == .absent { return true }
      later = file.before
    }
    return false
  }

  /// Every run, newest first, as far as their records can be read, and why the others cannot.
  func all() throws(RunError) -> (runs: [HistoricRun], problems: [RunError]) {
    let own = RecordedContainer(container)
    var standings = RunStandings()
    var runs: [HistoricRun] = []
    var problems: [RunError] = []
    for id in try store.ids() {
      do {
        guard let record = try store.record(id) else { continue }
        // If the state folder is inside the container, a record that names another container came along. List it too.
        guard record.belongs(to: own) || (own.root == nil && !record.isOwn) else { continue }
        runs.append(record.isOwn ? standings.meet(record) : HistoricRun(foreign: record))
      } catch {
        problems.append(error)
      }
    }
    return (runs, problems)
  }

  /// The keys that rollbacks which hold have taken back of any run.
  func takenBack(_ standings: RunStandings) -> Set<KeyPlace> {
    var places: Set<KeyPlace> = []
    for (earlier, undone) in standings.undone {
      guard let record = try? store.record(earlier) else {
        places.formUnion(undone)
        continue
      }
      // What takes a rollback back gives keys back; those are missing from what that rollback has undone already.
      if record.kind != .rollback { places.formUnion(undone.intersection(record.written)) }
    }
    return places
  }
}
