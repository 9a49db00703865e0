package import PropertyLists

/// A cleanup that holds, and what it has removed that was not put back since.
struct StandingCleanup {
  var record: RunRecord
  /// What stood at each place; a value too long for the record is not known.
  var removed: [KeyPlace: PropertyListValue?]
}

extension RunHistory {
  /// The cleanups of which something holds, newest first.
  /// - Parameter earlier: the run after which they came; nil for all of them.
  func cleanups(since earlier: RunID? = nil) throws(RunError) -> [StandingCleanup] {
    var cleanups: [StandingCleanup] = []
    _ = try newest { run in
      if let earlier, run.record.id <= earlier { return true }
      guard run.record.kind == .cleanup else { return false }
      var removed: [KeyPlace: PropertyListValue?] = [:]
      for field in run.record.fields {
        let place = run.record.place(field)
        if run.written.contains(place), !run.undone.contains(place) { removed[place] = .some(field.before?.value) }
      }
      cleanups.append(StandingCleanup(record: run.record, removed: removed))
      return false
    }
    return cleanups
  }
}

extension Migrator {
  /// The cleanups that removed legacy values because a file this run wrote held them, newest first: with the run taken
  /// back, nothing would hold them.
  func cleanupsThatRestOn(run: RunRecord, _ history: RunHistory) throws(RunError) -> [RunID] {
    let paths = Set(run.files.map(\.path))
    return try history.cleanups(since: run.id).filter { cleanup in
      guard !cleanup.removed.isEmpty else { return false }
      return cleanup.record.heldIn.map { paths.contains($0.path) } ?? true
    }.map(\.record.id)
  }

  /// Makes sure that taking a run back leaves no value without a place that holds it.
  /// - Throws: `cleanupRests`; `cleanupNotRepeated` for a run that took a cleanup back.
  func checkCleanups(takingBack run: RunRecord, _ history: RunHistory) throws(RunError) {
    let resting = try cleanupsThatRestOn(run: run, history)
    guard resting.isEmpty else { throw .cleanupRests(onRun: run.id.text, cleanups: resting.map(\.text)) }
    guard run.kind == .rollback, let earlier = run.rolledBack else { return }
    if try history.store.record(earlier)?.kind == .cleanup { throw .cleanupNotRepeated(run: run.id.text) }
  }

  /// What the cleanups that hold have removed, by place; empty where there is none. Writes nothing.
  ///
  /// A plan needs it to tell a value that was cleaned up from one that never was. Where a record is damaged or of a later
  /// version, nothing is known, and that keeps nobody from looking at the container; nor does something else in the
  /// place of the state folder.
  /// - Throws: ``RunError`` where the state folder cannot be read.
  package func removedByCleanups(in container: Container) throws(RunError) -> [KeyPlace: PropertyListValue] {
    guard occupiedStateFolder(of: container) == nil else { return [:] }
    let store = try store(of: container)
    let history = RunHistory(store: store, container: container)
    let cleanups: [StandingCleanup]
    do {
      cleanups = try history.cleanups()
    } catch {
      switch error {
      case .damagedRecord, .newerRecord: return [:]
      default: throw error
      }
    }
    var removed: [KeyPlace: PropertyListValue] = [:]
    for cleanup in cleanups {
      for (place, value) in cleanup.removed where removed[place] == nil { removed[place] = value }
    }
    return removed
  }
}
