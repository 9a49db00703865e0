extension Migrator {
  /// The interrupted run that came with a container, which is not acted upon until somebody decides; nil where there is
  /// none. Writes nothing.
  /// - Throws: ``MigrationError``, among them `damagedJournal`.
  public func foreignRun(in container: Container) throws(MigrationError) -> ForeignRun? {
    let store = try store(of: container)
    do {
      _ = try InterruptedRuns(store: store, container: container).journal()
      return nil
    } catch {
      if case .foreignJournal(let run) = error { return run }
      throw error
    }
  }

  /// Makes a run that came with a container the user's own: from then on it is recovered or rolled back as any other.
  /// No file outside of the state folder changes by that.
  ///
  /// Ask somebody first, who has seen ``foreignRun(in:)`` or the history. A run is refused if it names a file that no
  /// recipe could write in this container, or if its copies are not what it recorded.
  /// - Parameters:
  ///   - runID: the run to adopt; nil for the interrupted one that has a journal.
  ///   - allowed: what is allowed by name: `live.running-store`, for a live container.
  /// - Throws: ``MigrationError``, among them `nothingToDecide`, `outsideStores`, `damagedJournal` and `damagedCopy`.
  public func adopt(
    in container: Container, runID: String? = nil, allowing allowed: Set<FindingCode> = []
  ) throws(MigrationError) {
    try locked(container, allowing: allowed) { (store, files) throws(MigrationError) in
      let found = try ForeignState(store, container, runID)
      guard !found.isOwn, found.id != nil || found.hasJournal else { throw .nothingToDecide(run: runID) }
      guard var record = found.record else {
        throw .damagedJournal(path: store.journal, reason: "It does not go with the record of the run it names.")
      }
      record.files = try found.verifiedFiles(record)
      do throws(FileSystemError) {
        // The journal comes last: until it is sealed, nothing is done because of it.
        try store.write(record, &files)
        if found.hasJournal { try store.write(Journal(record), &files) }
      } catch {
        throw .file(error, .nothingChanged)
      }
    }
  }

  /// Moves a run that came with a container aside, with its journal, into `discarded` in the state folder. Nothing is
  /// deleted, and no file outside of the state folder changes.
  /// - Parameters:
  ///   - runID: the run; nil for the one that the journal names. One that cannot be read can be named too.
  ///   - allowed: what is allowed by name: `live.running-store`, for a live container.
  /// - Returns: the folder that it was moved to.
  /// - Throws: ``MigrationError``, among them `nothingToDecide`, also for a run of the user's own.
  public func discard(
    in container: Container, runID: String? = nil, allowing allowed: Set<FindingCode> = []
  ) throws(MigrationError) -> String {
    try locked(container, allowing: allowed) { (store, files) throws(MigrationError) in
      let found = try ForeignState(store, container, runID)
      guard !found.isOwn, found.hasJournal || found.id != nil else { throw .nothingToDecide(run: runID) }
      do throws(FileSystemError) {
        // The journal goes last: until then, the run can still be discarded as a whole.
        let journal = found.hasJournal ? [store.journal] : []
        return try Discarded.move(
          (found.id.map { [store.folder($0)] } ?? []) + journal, in: store.path, &files)
      } catch {
        throw .file(error, .nothingChanged)
      }
    }
  }
}

/// What of a state folder somebody has to decide about: a run and maybe its journal.
private struct ForeignState {
  let store: RunStore
  let container: Container
  /// The run; nil where the journal that names it cannot be read.
  var id: RunID?
  var record: RunRecord?
  var hasJournal = false
  /// Whether it is the user's own, and nobody has to decide.
  var isOwn = false

  init(_ store: RunStore, _ container: Container, _ runID: String?) throws(MigrationError) {
    self.store = store
    self.container = container
    let journal: Journal?
    do {
      journal = try store.readJournal()
      hasJournal = journal != nil
    } catch {
      guard case .damagedJournal = error, runID == nil else { throw error }
      hasJournal = true
      return
    }
    if let runID {
      guard let named = RunID(runID), try store.ids().contains(named) else { throw .noSuchRun(runID) }
      id = named
      hasJournal = journal?.run == named
    } else {
      id = journal?.run
    }
    guard let id else { return }
    do {
      record = try store.record(id)
    } catch {
      // Such a run can be moved aside, and nothing else.
      guard case .damagedRecord = error else { throw error }
    }
    let origins = [record?.origin, hasJournal ? journal?.origin : nil].compactMap { $0 }
    isOwn = !origins.isEmpty && origins.allSatisfy { $0 == .own }
    // What somebody was shown is the journal's word; a record that says something else must not take its place.
    if hasJournal, journal?.files != record?.files { record = nil }
  }

  /// The files of a run, after a look at everything that a run of the user's own would be trusted in: their places and
  /// the bytes of their copies.
  func verifiedFiles(_ record: RunRecord) throws(MigrationError) -> [RecordedFile] {
    let scope = RunScope(container)
    try scope.check(record.files.map(\.path) + (record.heldIn.map { [$0.path] } ?? []))
    guard record.belongs(to: RecordedContainer(container)) else {
      throw .interruptedElsewhere(run: record.id.text, root: record.container?.root)
    }
    guard !record.isPruned else { return record.files }
    var files = record.files
    for index in files.indices {
      files[index].before = try verified(.before, files[index].before, record)
      files[index].after = try verified(.after, files[index].after, record)
    }
    return files
  }

  private func verified(
    _ side: RunStore.Side, _ state: RecordedState, _ record: RunRecord
  ) throws(MigrationError) -> RecordedState {
    guard case .file(let name, let attributes, _) = state else { return .absent }
    do {
      let bytes = try store.state(side, state, of: record.id).bytes ?? []
      return .file(name: name, attributes: attributes, digest: ContentDigest(bytes))
    } catch {
      switch error {
      case .damagedBackup(let path): throw .damagedCopy(run: record.id.text, path: path)
      case .file(let failure, _): throw .damagedCopy(run: record.id.text, path: failure.path)
      default: throw error
      }
    }
  }
}
