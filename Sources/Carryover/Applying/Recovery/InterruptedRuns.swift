import CarryoverSystem
public import PropertyLists

/// Recovers interrupted runs. A process that gets the lock does this before anything else.
struct InterruptedRuns {
  let store: RunStore
  let container: Container

  func journal() throws(RunError) -> Journal? {
    guard let journal = try store.readJournal(), !isElsewhere(journal) else { return nil }
    try requireOwn(journal)
    return journal
  }

  func exist() throws(RunError) -> Bool {
    if let journal = try store.readJournal() {
      if !isElsewhere(journal) { try requireOwn(journal) }
      return true
    }
    if try hasUnfinishedJournal() { return true }
    for id in try store.ids() {
      if try isUnrecorded(id) { return true }
      if let record = try ownRecord(id) { return record.state == .applying }
    }
    return false
  }

  /// A journal that came with the container is only shown, never acted upon.
  private func requireOwn(_ journal: Journal) throws(RunError) {
    guard let reason = journal.foreign else { return }
    throw .foreignJournal(ForeignRun(journal, reason, in: container, store))
  }

  /// Finishes the decided run, or rolls it back if it cannot be finished. Then removes the leftovers of all other runs.
  /// - Parameter keeping: whether to close a decided run without changing any file.
  /// - Throws: `interrupted` if another process has changed a file since. Nothing is changed then.
  @discardableResult
  func settle(_ files: inout DurableFiles, keeping: Bool = false) throws(RunError) -> [RecoveredRun] {
    guard let decided = try settleJournal(&files, keeping: keeping) else { return try tidyUp(&files, keeping: keeping) }
    // The decided run has ended, and an error now would hide that. The next recovery removes the rest.
    return [decided] + ((try? tidyUp(&files, keeping: keeping)) ?? [])
  }

  private func tidyUp(_ files: inout DurableFiles, keeping: Bool) throws(RunError) -> [RecoveredRun] {
    var recovered: [RecoveredRun] = []
    try removeUnfinishedJournal(files.fileSystem)
    for id in try store.ids() {
      if try isUnrecorded(id) {
        try removeUnrecorded(id, files.fileSystem)
        continue
      }
      guard let record = try ownRecord(id) else { continue }
      // Every run recovers earlier ones before it starts, so no older run can be undecided.
      guard record.state == .applying else { break }
      recovered.append(try settleUndecided(record, &files, keeping: keeping))
    }
    return recovered
  }

  private func settleJournal(_ files: inout DurableFiles, keeping: Bool) throws(RunError) -> RecoveredRun? {
    let found: (journal: Journal, record: RunRecord)?
    do {
      found = try decided()
    } catch {
      // The run is unknown, so its folder stays for the user to inspect.
      guard keeping, try mayBeForgotten(error) else { throw error }
      _ = try RunError.attempt(Discarded.move([store.journal], in: store.path, &files))
      return nil
    }
    guard let (journal, record) = found else { return nil }
    var recovery = JournalRecovery(store: store, scope: scope(of: record), journal: journal, record: record)
    let ending = keeping ? try recovery.keep(&files) : try recovery.carryOut(&files)
    return RecoveredRun(id: record.id.text, kind: record.kind, ending: ending, files: record.files.map(\.path))
  }

  /// Whether the user may close a journal without its run: one that cannot be read, or one whose container is no longer
  /// at its place.
  private func mayBeForgotten(_ error: RunError) throws(RunError) -> Bool {
    switch error {
    case .damagedJournal: return true
    case .interruptedElsewhere(_, let root?): return try RunStore.status(of: root, store.fileSystem) == nil
    default: return false
    }
  }

  private func decided() throws(RunError) -> (journal: Journal, record: RunRecord)? {
    guard let journal = try store.readJournal() else { return nil }
    guard !isElsewhere(journal) else {
      throw .interruptedElsewhere(run: journal.run.text, root: journal.container.root)
    }
    try requireOwn(journal)
    try RunScope(container, journal.container).check(journal.files.map(\.path))
    let run = DisplayText.harmless(journal.run.text)
    let record: RunRecord?
    do {
      record = try store.record(journal.run)
    } catch {
      guard case .damagedRecord(_, let reason) = error else { throw error }
      throw .damagedJournal(
        path: store.journal, reason: "The record of the run it names, \(run), cannot be read. \(reason)")
    }
    guard let record else {
      throw .damagedJournal(path: store.journal, reason: "The run it names, \(run), has no record.")
    }
    guard record.isOwn, record.files == journal.files else {
      throw .damagedJournal(
        path: store.journal, reason: "The record of the run it names, \(run), is not the one that the run wrote.")
    }
    return (journal, record)
  }

  private func settleUndecided(
    _ record: RunRecord, _ files: inout DurableFiles, keeping: Bool
  ) throws(RunError) -> RecoveredRun {
    // Without a journal no file was replaced, unless the user removed the journal; then the backup must stay. It must
    // also stay if the user closes a run whose journal cannot be read: the run and then another process may have
    // written a file that differs from its old content.
    let inPlace = try filesInPlace(record, files, orForeign: keeping)
    if !inPlace.isEmpty {
      guard keeping || inPlace.count == record.files.count else {
        throw .interrupted(run: record.id.text, paths: inPlace, backup: store.backup(of: record.id))
      }
      var recovery = JournalRecovery(store: store, scope: scope(of: record), journal: Journal(record), record: record)
      _ = try recovery.keep(&files)
      return RecoveredRun(
        id: record.id.text, kind: record.kind, ending: keeping ? .kept : .finished, files: record.files.map(\.path))
    }
    // A removed journal must not reappear after a power cut without its run.
    try RunError.attempt(files.synchronizeFolder(store.path))
    try Leftovers(store: store, scope: scope(of: record), record: record).remove(&files)
    return RecoveredRun(id: record.id.text, kind: record.kind, ending: .discarded, files: record.files.map(\.path))
  }

  /// The files that have the run's new content but not the old one.
  /// - Parameter orForeign: whether files with neither content count too.
  private func filesInPlace(_ record: RunRecord, _ files: DurableFiles, orForeign: Bool) throws(RunError) -> [String] {
    let scope = scope(of: record)
    var paths: [String] = []
    for file in record.files {
      let bytes = try scope.resolve(file.path, files.fileSystem).state(files).bytes
      if !file.before.matches(bytes), orForeign || file.after.matches(bytes) { paths.append(file.path) }
    }
    return paths
  }

  private func scope(of record: RunRecord) -> RunScope { RunScope(container, record.container) }

  /// The record of this user's run of this container. Other containers that share the state folder recover their own
  /// runs.
  private func ownRecord(_ id: RunID) throws(RunError) -> RunRecord? {
    guard let record = try store.ownRecord(id), record.belongs(to: RecordedContainer(container)) else { return nil }
    return record
  }

  private func isUnrecorded(_ id: RunID) throws(RunError) -> Bool {
    guard try RunStore.status(of: store.folder(id), store.fileSystem)?.kind == .directory else { return false }
    do {
      return try RunStore.status(of: store.recordPath(id), store.fileSystem) == nil
    } catch {
      // The user's own run never creates a folder that the user cannot read.
      guard case .file(let failure, _) = error, failure.reason.isDenied, store.isClosed(id) else { throw error }
      return false
    }
  }

  /// Whether a decided run changes files below another root. Containers with the same root finish each other's runs; a
  /// state folder that came with a container must not lead out of it.
  private func isElsewhere(_ journal: Journal) -> Bool {
    // A state folder inside a container is not shared, regardless of its journal.
    guard let root = RecordedContainer(container).root else { return false }
    return journal.container.root != root
  }

  /// Removes the folder of a run that was interrupted before its record was written. A folder with any other content is
  /// not removed.
  private func removeUnrecorded(_ id: RunID, _ fileSystem: any FileSystem) throws(RunError) {
    let folder = store.folder(id)
    guard try store.isFolder(folder) else { return }
    do {
      var names = try fileSystem.list(folder)
      for side in RunStore.Side.allCases.map(\.rawValue) where names.contains(side) {
        guard try fileSystem.status(folder + "/" + side)?.kind == .directory,
          try fileSystem.list(folder + "/" + side).isEmpty
        else { return }
      }
      names.removeAll { name in RunStore.Side.allCases.contains { $0.rawValue == name } || name == "record.json.tmp" }
      guard names.isEmpty else { return }
      for name in try fileSystem.list(folder) {
        let path = folder + "/" + name
        if name == "record.json.tmp" { try fileSystem.remove(path) } else { try fileSystem.removeDirectory(path) }
      }
      try fileSystem.removeDirectory(folder)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  private var unfinishedJournal: String { DurableFiles.temporary(of: store.journal) }

  private func hasUnfinishedJournal() throws(RunError) -> Bool {
    guard try store.isThere() else { return false }
    return try RunStore.status(of: unfinishedJournal, store.fileSystem) != nil
  }

  private func removeUnfinishedJournal(_ fileSystem: any FileSystem) throws(RunError) {
    guard try RunStore.status(of: unfinishedJournal, fileSystem) != nil else { return }
    try RunError.attempt(fileSystem.remove(unfinishedJournal))
  }
}

extension Migrator {
  /// Recovers an interrupted run: finishes it, or rolls it back if it cannot be finished. Then removes the leftovers of
  /// runs that were not decided. Writes nothing if no run was interrupted.
  ///
  /// Every method that writes does this first.
  package func recover(
    in container: Container, keeping: Bool = false, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> [RecoveredRun] {
    let store = try store(of: container)
    let interrupted = InterruptedRuns(store: store, container: container)
    do {
      guard try interrupted.exist() else { return [] }
    } catch {
      guard keeping, case .damagedJournal = error else { throw error }
    }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      try InterruptedRuns(store: store, container: container).settle(&files, keeping: keeping)
    }
  }

  /// The decided run that was interrupted, so that some files may have their old and others their new content; nil if
  /// there is none. Writes nothing.
  package func runToRecover(in container: Container) throws(RunError) -> InterruptedRun? {
    let store = try store(of: container)
    guard let journal = try InterruptedRuns(store: store, container: container).journal() else { return nil }
    return InterruptedRun(id: journal.run.text, files: journal.files.map(\.path))
  }
}

package struct InterruptedRun: Hashable, Sendable, CustomStringConvertible {
  package var id: String
  package var files: [String]

  package var description: String {
    "Run \(DisplayText.harmless(id)) was interrupted: \(files.map(DisplayText.quoted).joined(separator: ", ")) may "
      + "have old or new content. Run carryover recover first; every command that writes does so too."
  }
}

/// An interrupted run that was recovered.
public struct RecoveredRun: Hashable, Sendable, CustomStringConvertible, Described, JSONConvertible {
  /// The run's id.
  public var id: String
  package var kind: RunKind
  /// The result of the recovery.
  public var ending: Ending
  /// The run's files, relative to the container's root.
  public var files: [String]

  /// The result of a recovery. The raw value is the word in JSON output.
  public enum Ending: String, Sendable, JSONConvertible {
    /// The run was finished: every file has its new content.
    case finished
    /// The run could not be finished and was rolled back: every file has its old content.
    case takenBack = "taken-back"
    /// The run had not changed any file yet. Its temporary files were removed.
    case discarded
    /// The caller closed the run, and no file was changed.
    case kept
  }

  package var json: JSONValue { .object(["run": id, "kind": kind, "ending": ending, "files": files]) }

  package var words: String {
    let run = "Run \(DisplayText.harmless(id)), \(kind.phrase),"
    let names = files.map(DisplayText.quoted).joined(separator: ", ")
    return switch ending {
    case .finished: "\(run) was interrupted and is now finished: \(names)."
    case .takenBack:
      "\(run) was interrupted, could not be finished and was rolled back: \(names) \(files.count == 1 ? "is as it was" : "are as they were") before it."
    case .discarded: "\(run) was interrupted before it changed anything; its temporary files were removed."
    case .kept: "\(run) is closed: \(names) \(files.count == 1 ? "was" : "were") not changed, and its backup remains."
    }
  }
}

extension RunKind {
  fileprivate var phrase: String { ([.apply, .edit].contains(self) ? "an " : "a ") + rawValue }
}
