import CarryoverSystem

/// One run over any number of files: all of them are replaced, or none.
///
/// First it prepares everything: a record, a backup and a copy of every new file, and each new file under a temporary
/// name in its own folder. Then one rename puts the journal in place, and the run is decided: from now on, any process
/// can finish it or roll it back. The caller holds the lock.
struct Transaction {
  var files: DurableFiles
  let store: RunStore
  let scope: RunScope
  let changes: [FileChange]
  var record: RunRecord
  private let operations: [FileOperation]
  /// The operations that may have changed their files, in order.
  private var begun: [FileOperation] = []
  /// Whether this run created its folder. An existing folder belongs to another run.
  private var madeRunFolder = false
  /// Checks each file once it is in place, with the reader's own rules. The bytes are nil for a removed file.
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

  mutating func carryOut() throws(RunError) {
    do {
      try prepare()
      for operation in operations { try operation.stage(&files) }
    } catch {
      discard()
      throw error.error(.nothingChanged)
    }
    do {
      try RunFailure.attempt(store.write(Journal(record), &files))
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
      // The run is complete, and its record says so; the next command only has to remove the journal.
      throw .file(error, .complete(run: record.id.text))
    }
  }

  // MARK: Preparing

  /// Writes the record and the copies to the disk. The record is first, because it lists what to clean up.
  private mutating func prepare() throws(RunFailure) {
    let folder = store.folder(record.id)
    try RunFailure.attempt(files.fileSystem.makeDirectory(folder, mode: 0o700))
    madeRunFolder = true
    for side in RunStore.Side.allCases {
      try RunFailure.attempt(files.fileSystem.makeDirectory(folder + "/" + side.rawValue, mode: 0o700))
    }
    try writeRecord(.applying)
    do { try store.requireOwned(record.id) } catch { throw .path(error) }
    for (change, recorded) in zip(changes, record.files) {
      try keep(.before, change.before, recorded.before)
      try keep(.after, change.after, recorded.after)
    }
    // The run's own folder is on the disk with the record. Its parents may be new, or left by an interrupted run.
    let sides = RunStore.Side.allCases.filter { side in changes.contains { $0[side] != .absent } }
    let paths = sides.map { folder + "/" + $0.rawValue }
    for path in paths + [store.runs, store.path, DurableFiles.folder(of: store.path)] {
      try RunFailure.attempt(files.synchronizeFolder(path))
    }
  }

  private mutating func keep(_ side: RunStore.Side, _ state: FileState, _ recorded: RecordedState) throws(RunFailure) {
    guard case .file(let bytes, _) = state, case .file(let name, _, _) = recorded else { return }
    let path = store.copy(side, name, of: record.id)
    try RunFailure.attempt(files.write(bytes, to: path))
    guard try RunFailure.attempt(files.state(path)).bytes == bytes else {
      throw .verification(path: path, .bytesDiffer)
    }
  }

  private mutating func writeRecord(_ state: RunRecord.State) throws(RunFailure) {
    record.state = state
    try RunFailure.attempt(store.write(record, &files))
  }

  // MARK: Putting in place

  private mutating func carryOut(_ operation: FileOperation) throws(RunFailure) {
    do {
      try operation.carryOut(&files)
    } catch {
      // Our file is not in place, so there is nothing to roll back.
      if case .changedMeanwhile = error { begun.removeLast() }
      throw error
    }
  }

  private mutating func verifyFiles() throws(RunFailure) {
    for operation in operations {
      let change = operation.change
      let path = try operation.destination(files).absolute
      let found = try RunFailure.attempt(files.state(path))
      guard found.bytes == change.after.bytes else { throw .verification(path: change.path, .bytesDiffer) }
      guard found.attributes?.mode == change.after.attributes?.mode else {
        throw .verification(path: change.path, .attributesDiffer)
      }
      if let problem = verify(change, found.bytes) { throw .verification(path: change.path, problem) }
    }
  }

  // MARK: Going back

  /// Restores every file that this run has changed, and then removes the run.
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
      // A record that says "done" without a journal would be a run in effect.
      if record.state == .done { try writeRecord(.applying) }
      // Until the journal is removed, the next command would finish the run.
      try RunFailure.attempt(store.removeJournal(&files))
    } catch {
      return .unfinished(run: record.id.text, backup: store.backup(of: record.id))
    }
    discard()
    return changed ? .takenBack : .nothingChanged
  }

  /// Removes the leftovers of this run: temporary files, created folders, its own folder. Errors are ignored, because
  /// the next command that writes removes the rest.
  private mutating func discard() {
    guard madeRunFolder else { return }
    try? Leftovers(store: store, scope: scope, record: record).remove(&files)
  }
}

extension FileOperation {
  static func operations(_ changes: [FileChange], of run: RunID, _ scope: RunScope) -> [FileOperation] {
    changes.enumerated().map { index, change in
      FileOperation(change: change, scope: scope, temporary: TemporaryName(run: run, number: index + 1))
    }
  }
}

extension [FileOperation] {
  /// The operations in order: writes first, then removals.
  var inOrder: [FileOperation] {
    filter { $0.change.after != .absent } + filter { $0.change.after == .absent }
  }
}

/// The failure of a run that had begun, before its effect on the container is known.
enum RunFailure: Error {
  case file(FileSystemError)
  case ownerNotKept(path: String, user: UInt32)
  case changedMeanwhile(path: String)
  case verification(path: String, VerificationProblem)
  case path(RunError)

  /// Runs a file operation, and converts its error.
  static func attempt<Result>(
    _ operation: @autoclosure () throws(FileSystemError) -> Result
  ) throws(RunFailure) -> Result {
    do {
      return try operation()
    } catch {
      throw .file(error)
    }
  }

  func error(_ aftermath: Aftermath) -> RunError {
    switch self {
    case .file(let error): .file(error, aftermath)
    case .ownerNotKept(let path, let user): .ownerNotKept(path: path, user: user)
    case .changedMeanwhile(let path): .changedMeanwhile(path: path, aftermath)
    case .verification(let path, let problem): .verification(path: path, problem, aftermath)
    case .path(.file(let error, _)): .file(error, aftermath)
    case .path(.unsafePath(let path, let problem)) where aftermath != .nothingChanged:
      .pathChanged(path, problem, aftermath)
    case .path(let error): error
    }
  }
}
