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
  /// Checks, for each file that is in place, what the changes do not say.
  var verify: () -> VerificationProblem? = { nil }
  /// The operations that may have changed their files, in order.
  var begun: [FileOperation] = []
  /// Whether this run created its folder. An existing folder belongs to another run.
  var madeRunFolder = false

  private var operations: [FileOperation] { FileOperation.operations(changes, of: record.id, scope) }

  mutating func carryOut() throws(RunError) {
    do {
      try prepare()
      for operation in operations { try operation.stage(&files) }
    } catch {
      discard()
      throw error.after(.nothingChanged)
    }
    do {
      try RunError.attempt(store.write(Journal(record), &files))
      for operation in operations.inOrder {
        begun.append(operation)
        try carryOut(operation)
      }
      try verifyFiles()
      try writeRecord(.done)
    } catch {
      throw error.after(takeBack())
    }
    do {
      try files.removeFile(store.journal)
    } catch {
      // The run is complete, and its record says so; the next command only has to remove the journal.
      throw .file(error, .complete(run: record.id.text))
    }
  }

  /// Writes the record and the copies to the disk. The record is first, because it lists what to clean up.
  private mutating func prepare() throws(RunError) {
    let folder = store.folder(record.id)
    try RunError.attempt(files.fileSystem.makeDirectory(folder, mode: 0o700))
    madeRunFolder = true
    for side in RunStore.Side.allCases {
      try RunError.attempt(files.fileSystem.makeDirectory(folder + "/" + side.rawValue, mode: 0o700))
    }
    try writeRecord(.applying)
    try store.requireOwned(record.id)
    for (change, recorded) in zip(changes, record.files) {
      try keep(.before, change.before, recorded.before)
      try keep(.after, change.after, recorded.after)
    }
    // The run's own folder is on the disk with the record. Its parents may be new, or left by an interrupted run.
    let used = [RunStore.Side.before: changes.map(\.before), .after: changes.map(\.after)]
    let sides = RunStore.Side.allCases.filter { used[$0]?.contains { $0 != .absent } == true }
    let paths = sides.map { folder + "/" + $0.rawValue }
    for path in paths + [store.runs, store.path, FilePath.folder(of: store.path)] {
      try RunError.attempt(files.synchronizeFolder(path))
    }
  }

  private mutating func keep(_ side: RunStore.Side, _ state: FileState, _ recorded: RecordedState) throws(RunError) {
    guard case .file(let bytes, _) = state, case .file(let name, _, _) = recorded else { return }
    let path = store.copy(side, name, of: record.id)
    try RunError.attempt(files.write(bytes, to: path))
    guard try RunError.attempt(files.state(path)).bytes == bytes else {
      throw .verification(path: path, .bytesDiffer, .nothingChanged)
    }
  }

  private mutating func writeRecord(_ state: RunRecord.State) throws(RunError) {
    record.state = state
    try RunError.attempt(store.write(record, &files))
  }

  private mutating func carryOut(_ operation: FileOperation) throws(RunError) {
    do {
      try operation.carryOut(&files)
    } catch {
      // Our file is not in place, so there is nothing to roll back.
      if case .changedMeanwhile = error { begun.removeLast() }
      throw error
    }
  }

  private mutating func verifyFiles() throws(RunError) {
    for operation in operations {
      let change = operation.change
      let path = try operation.destination(files).absolute
      let found = try RunError.attempt(files.state(path))
      let problem: VerificationProblem? =
        if found.bytes != change.after.bytes {
          .bytesDiffer
        } else if found.attributes?.mode != change.after.attributes?.mode {
          .attributesDiffer
        } else {
          change.edit?.problem(in: found.bytes ?? []) ?? verify()
        }
      if let problem { throw .verification(path: change.path, problem, .nothingChanged) }
    }
  }

  private mutating func takeBack() -> Aftermath {
    do {
      let changed = try begun.takeBack(&files)
      // A record that says "done" without a journal would be a run in effect.
      try RunError.attempt(store.close(&record, .applying, &files))
      discard()
      return changed ? .takenBack : .nothingChanged
    } catch {
      return .unfinished(run: record.id.text, backup: store.backup(of: record.id))
    }
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
  /// Restores the files that these operations have changed, the last one first.
  /// - Returns: whether there were any.
  func takeBack(_ files: inout DurableFiles) throws(RunError) -> Bool {
    var changed = false
    for operation in reversed() {
      try operation.settleTemporary(&files)
      if try operation.standing(files) != .before { changed = true }
      try operation.reversed.complete(&files)
    }
    return changed
  }

  var inOrder: [FileOperation] { filter { $0.change.after != .absent } + filter { $0.change.after == .absent } }
}
