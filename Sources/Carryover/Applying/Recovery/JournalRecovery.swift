import CarryoverSystem

/// Finishes a decided run or rolls it back. It depends only on the files, so it may itself be interrupted at any point.
struct JournalRecovery {
  let store: RunStore
  let scope: RunScope
  let journal: Journal
  var record: RunRecord

  /// Finishes the run, or rolls it back if it cannot be finished.
  /// - Throws: `interrupted` if another process has changed a file since, `damagedCopy`, or the error that prevented
  ///   both. The journal stays then.
  mutating func carryOut(_ files: inout DurableFiles) throws(RunError) -> RecoveredRun.Ending {
    let operations = FileOperation.operations(try changes(), of: record.id, scope)
    try settleTemporaries(operations, &files)
    do throws(RunFailure) {
      try requireHeld(files)
      for operation in operations.inOrder { try complete(operation, &files) }
    } catch {
      if case .changedMeanwhile(let path) = error { throw interrupted([path]) }
      try takeBack(operations, after: error, &files)
      return .takenBack
    }
    try close(.done, &files)
    return .finished
  }

  /// Closes the run without changing any file.
  mutating func keep(_ files: inout DurableFiles) throws(RunError) -> RecoveredRun.Ending {
    if let changes = try? changes() {
      for operation in FileOperation.operations(changes, of: record.id, scope) {
        for operation in [operation, operation.reversed] { try? operation.settleTemporary(&files) }
      }
    } else {
      for (index, file) in journal.files.enumerated() { removeTemporaries(file, number: index + 1, &files) }
    }
    try close(.done, &files)
    return .kept
  }

  /// Removes the temporary files of a file whose copies cannot be read, if they are certainly the run's: they have the
  /// recorded content, or are beside the file that they were to replace.
  private func removeTemporaries(_ file: RecordedFile, number: Int, _ files: inout DurableFiles) {
    guard let place = try? scope.resolve(file.path, files.fileSystem), place.missingFolders.isEmpty,
      let standing = try? files.state(place.absolute)
    else { return }
    let name = TemporaryName(run: record.id, number: number)
    for (name, origin) in [(name, file.before), (name.other, file.after)] {
      let path = place.folder + "/" + name.text
      guard let bytes = try? files.state(path).bytes,
        file.before.matches(bytes) || file.after.matches(bytes) || origin.matches(standing.bytes)
      else { continue }
      try? files.fileSystem.remove(path)
    }
    try? files.synchronizeFolder(place.folder)
  }

  /// The changes, with the bytes of the run's copies.
  private func changes() throws(RunError) -> [FileChange] {
    var changes: [FileChange] = []
    for file in journal.files {
      changes.append(
        FileChange(
          path: file.path, before: try copy(.before, file.before), after: try copy(.after, file.after),
          folders: file.folders,
          mayBeOurs: record.kind == .apply && file.before == .absent))
    }
    return changes
  }

  private func copy(_ side: RunStore.Side, _ state: RecordedState) throws(RunError) -> FileState {
    do {
      return try store.state(side, state, of: record.id)
    } catch {
      switch error {
      case .damagedBackup(let path): throw .damagedCopy(run: record.id.text, path: path)
      case .file(let failure, _) where failure.reason == .system(SystemErrorNumber.noEntry.number):
        throw .damagedCopy(run: record.id.text, path: failure.path)
      default: throw error
      }
    }
  }

  /// Removes the leftovers of earlier attempts, and checks that each file may be changed.
  private func settleTemporaries(
    _ operations: [FileOperation], _ files: inout DurableFiles
  ) throws(RunError) {
    var foreign: [String] = []
    for operation in operations {
      do throws(RunFailure) {
        try operation.settleTemporary(&files)
        try operation.reversed.settleTemporary(&files)
        if try operation.standing(files) == .foreign { foreign.append(operation.change.path) }
      } catch {
        guard case .changedMeanwhile(let path) = error else { throw error.error(unfinished) }
        foreign.append(path)
      }
    }
    guard foreign.isEmpty else { throw interrupted(foreign) }
  }

  /// Checks that the file with a cleanup's values is unchanged: otherwise they may not be in any other place.
  private func requireHeld(_ files: DurableFiles) throws(RunFailure) {
    guard let held = record.heldIn else { return }
    do throws(RunError) {
      let path = try scope.resolve(held.path, files.fileSystem)
      let bytes = path.status == nil ? nil : try? files.state(path.absolute).bytes
      if let bytes, held.matches(bytes) { return }
    } catch {
      throw .path(error)
    }
    throw .verification(path: held.path, .bytesDiffer)
  }

  /// Performs an operation, or checks that it was performed.
  private func complete(_ operation: FileOperation, _ files: inout DurableFiles) throws(RunFailure) {
    guard try operation.standing(files) == .after else {
      try operation.stage(&files)
      return try operation.carryOut(&files)
    }
    // The file is in place, but its folder's entry may not be on the disk yet.
    try operation.synchronize(&files)
    try operation.removeFolders(&files)
  }

  private mutating func takeBack(
    _ operations: [FileOperation], after failure: RunFailure, _ files: inout DurableFiles
  ) throws(RunError) {
    do throws(RunFailure) {
      for operation in operations.inOrder.reversed() {
        try operation.settleTemporary(&files)
        try complete(operation.reversed, &files)
      }
    } catch {
      if case .changedMeanwhile(let path) = error { throw interrupted([path]) }
      throw failure.error(unfinished)
    }
    try close(.applying, &files)
    try Leftovers(store: store, scope: scope, record: record).remove(&files)
  }

  /// Updates the record if necessary, and removes the journal.
  private mutating func close(_ state: RunRecord.State, _ files: inout DurableFiles) throws(RunError) {
    do {
      if record.state != state {
        record.state = state
        try store.write(record, &files)
      }
      try store.removeJournal(&files)
    } catch {
      throw .file(error, unfinished)
    }
  }

  private func interrupted(_ paths: [String]) -> RunError {
    .interrupted(run: record.id.text, paths: paths, backup: backup)
  }

  private var unfinished: Aftermath { .unfinished(run: record.id.text, backup: backup) }

  private var backup: String { store.folder(record.id) + "/" + RunStore.Side.before.rawValue }
}
