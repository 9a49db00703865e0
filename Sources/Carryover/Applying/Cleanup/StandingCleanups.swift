package import PropertyLists

/// A cleanup in effect, and the values that it removed and no later run restored.
struct StandingCleanup {
  var record: RunRecord
  /// The value at each place; nil if it was too long for the record.
  var removed: [KeyPlace: PropertyListValue?]
}

extension RunHistory {
  /// The cleanups that are at least partly in effect, newest first.
  /// - Parameter earlier: only cleanups after this run; nil for all.
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
  /// The cleanups that removed legacy values because a file of this run contains them, newest first. If the run were
  /// rolled back, no file would contain them.
  func cleanupsThatRestOn(run: RunRecord, _ history: RunHistory) throws(RunError) -> [RunID] {
    let paths = Set(bytesOf: run.files.map(\.path))
    return try history.cleanups(since: run.id).filter { cleanup in
      guard !cleanup.removed.isEmpty else { return false }
      return cleanup.record.heldIn.map { paths.contains($0.path) } ?? true
    }.map(\.record.id)
  }

  /// Checks that rolling back a run leaves every value in at least one place.
  /// - Throws: `cleanupRests`; `cleanupNotRepeated` for a run that rolled a cleanup back.
  func checkCleanups(takingBack run: RunRecord, _ history: RunHistory) throws(RunError) {
    let resting = try cleanupsThatRestOn(run: run, history)
    guard resting.isEmpty else { throw .cleanupRests(onRun: run.id.text, cleanups: resting.map(\.text)) }
    guard run.kind == .rollback, let earlier = run.rolledBack else { return }
    if try history.store.record(earlier)?.kind == .cleanup { throw .cleanupNotRepeated(run: run.id.text) }
  }

  /// The values that cleanups in effect removed, by place; empty if there are none. Writes nothing.
  ///
  /// A plan needs these to distinguish a removed value from one that never existed. If a record is damaged or of a
  /// later version, or if something else is in the place of the state folder, the result is empty, so that the
  /// container can still be opened.
  /// - Throws: ``RunError`` if the state folder cannot be read.
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
