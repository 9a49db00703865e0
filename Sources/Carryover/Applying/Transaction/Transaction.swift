import CarryoverSystem

/// One run over any number of files: all of them become new, or all of them stay old.
///
/// Everything is prepared beside the files first: a record, a backup and a copy of every new file, each new file under a
/// temporary name in its own folder. Then one rename puts the journal in place, and the run is decided: from there on,
/// a process that comes later can finish it or take it back without this one. The lock is held by whoever makes a
/// transaction.
struct Transaction {
  var files: DurableFiles
  let store: RunStore
  let scope: RunScope
  let changes: [FileChange]
  var record: RunRecord
  private let operations: [FileOperation]
  /// The operations that may have changed their files, in the order in which they were begun.
  private var begun: [FileOperation] = []
  /// Whether the run's folder is this run's own; what stood there before it is somebody else's.
  private var madeRunFolder = false
  /// A look at each file once it stands in place, with the reader's own rules; without bytes for one that is gone.
  let verify: (FileChange, [UInt8]?) -> VerificationProblem?

  init(
    files: DurableFiles, store: RunStore, scope: RunScope, changes: [FileChange], record: RunRecord,
    verify: @escaping (FileChange, [UInt8]?) -> VerificationProblem? = { _, _ in nil }
  ) {
    self.files = files
    self.store = store
    self.scope = scope
    self.changes = changes
    self.record = record
    self.verify = verify
    operations = FileOperation.operations(changes, of: record.id, scope)
  }

  /// Carries the run out.
  /// - Throws: what went wrong, and whether every file is as it was.
  mutating func carryOut() throws(RunError) {
    do {
      try prepare()
      for operation in operations { try operation.stage(&files) }
    } catch {
      discard()
      throw error.error(.nothingChanged)
    }
    do {
      try step { (files, store, record) throws(FileSystemError) in try store.write(Journal(record), &files) }
      for operation in operations.inOrder {
        begun.append(operation)
        try carryOut(operation)
      }
      try verifyFiles()
      try writeRecord(.done)
    } catch {
      throw error.error(takeBack())
    }
    do {
      try store.removeJournal(&files)
    } catch {
      // The run is complete and says so; the next command only has to remove the journal.
      throw .file(error, .complete(run: record.id.text))
    }
  }

  // MARK: Preparing

  /// Writes the record and the copies, and brings them to the disk. The record comes first: it says what to clean up.
  private mutating func prepare() throws(RunFailure) {
    let folder = store.folder(record.id)
    try step { (files, _, _) throws(FileSystemError) in try files.fileSystem.makeDirectory(folder, mode: 0o700) }
    madeRunFolder = true
    for side in RunStore.Side.allCases {
      try step { (files, _, _) throws(FileSystemError) in
        try files.fileSystem.makeDirectory(folder + "/" + side.rawValue, mode: 0o700)
      }
    }
    try writeRecord(.applying)
    do { try store.requireOwned(record.id) } catch { throw .path(error) }
    for (change, recorded) in zip(changes, record.files) {
      try keep(.before, change.before, recorded.before)
      try keep(.after, change.after, recorded.after)
    }
    // The run's own folder got there with the record. Those above it may be new, or made by a run that was cut off.
    let sides = RunStore.Side.allCases.filter { side in changes.contains { $0[side] != .absent } }
    let paths = sides.map { folder + "/" + $0.rawValue }
    for path in paths + [store.runs, store.path, DurableFiles.folder(of: store.path)] {
      try step { (files, _, _) throws(FileSystemError) in try files.synchronizeFolder(path) }
    }
  }

  private mutating func keep(_ side: RunStore.Side, _ state: FileState, _ recorded: RecordedState) throws(RunFailure) {
    guard case .file(let bytes, _) = state, case .file(let name, _, _) = recorded else { return }
    let path = store.copy(side, name, of: record.id)
    let found = try step { (files, _, _) throws(FileSystemError) in
      try files.write(bytes, to: path)
      return try files.state(path).bytes
    }
    guard found == bytes else { throw .verification(path: path, .bytesDiffer) }
  }

  private mutating func writeRecord(_ state: RunRecord.State) throws(RunFailure) {
    record.state = state
    try step { (files, store, record) throws(FileSystemError) in try store.write(record, &files) }
  }

  // MARK: Putting in place

  private mutating func carryOut(_ operation: FileOperation) throws(RunFailure) {
    do {
      try operation.carryOut(&files)
    } catch {
      // Nothing of ours is there, so there is nothing to take back.
      if case .changedMeanwhile = error { begun.removeLast() }
      throw error
    }
  }

  private mutating func verifyFiles() throws(RunFailure) {
    for operation in operations {
      let change = operation.change
      let path = try operation.destination(files).absolute
      let found = try operation.state(path, files)
      guard found.bytes == change.after.bytes else { throw .verification(path: change.path, .bytesDiffer) }
      guard found.attributes?.mode == change.after.attributes?.mode else {
        throw .verification(path: change.path, .attributesDiffer)
      }
      if let problem = verify(change, found.bytes) { throw .verification(path: change.path, problem) }
      files.tellVerified(path, size: found.bytes?.count)
    }
  }

  // MARK: Going back

  /// Puts every file back that this run has changed, and then forgets the run.
  private mutating func takeBack() -> Aftermath {
    var changed = false
    do {
      for operation in begun.reversed() {
        try operation.settleTemporary(&files)
        if try operation.standing(files) == .before { continue }
        changed = true
        try operation.reversed.stage(&files)
        try operation.reversed.carryOut(&files)
      }
      // A record that says "done" and no journal would be a run that holds.
      if record.state == .done { try writeRecord(.applying) }
      // Until the journal is gone, the next command would carry the run out after all.
      try step { (files, store, _) throws(FileSystemError) in try store.removeJournal(&files) }
    } catch {
      return unfinished
    }
    discard()
    return changed ? .takenBack : .nothingChanged
  }

  private var unfinished: Aftermath {
    .unfinished(run: record.id.text, backup: store.folder(record.id) + "/" + RunStore.Side.before.rawValue)
  }

  /// Removes what this run has left beside the files: temporaries, the folders it made, its own folder. Each as far as
  /// it goes: nothing here is needed, and what stays is removed by the next command that writes.
  private mutating func discard() {
    guard madeRunFolder else { return }
    try? Leftovers(store: store, scope: scope, record: record).remove(&files)
  }

  @discardableResult
  private mutating func step<Result>(
    _ body: (inout DurableFiles, RunStore, RunRecord) throws(FileSystemError) -> Result
  ) throws(RunFailure) -> Result {
    do {
      return try body(&files, store, record)
    } catch {
      throw .file(error)
    }
  }
}

extension FileOperation {
  /// The operations of a run, in the order of its files.
  static func operations(_ changes: [FileChange], of run: RunID, _ scope: RunScope) -> [FileOperation] {
    changes.enumerated().map { index, change in
      FileOperation(change: change, scope: scope, temporary: TemporaryName(run: run, number: index + 1))
    }
  }
}

extension [FileOperation] {
  /// What is written comes first, deletions last.
  var inOrder: [FileOperation] {
    filter { $0.change.after != .absent } + filter { $0.change.after == .absent }
  }
}
