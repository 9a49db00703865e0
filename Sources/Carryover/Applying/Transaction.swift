/// One run over any number of files: all of them are backed up and staged before the first is put in place, and on any
/// failure all of them are put back.
///
/// The lock is held by whoever makes a transaction.
struct Transaction {
  var files: DurableFiles
  let store: RunStore
  /// The container's root on this machine.
  let root: String
  let changes: [FileChange]
  var record: RunRecord
  /// How many of the changes may have been put in place.
  private var attempted = 0
  /// Whether the run's folder is this run's own; what stood there before it is somebody else's.
  private var madeRunFolder = false
  /// A look at the files once they stand in place, with the reader's own rules: path and problem of the first that fails.
  let verify: (FileChange, [UInt8]) -> VerificationProblem?

  init(
    files: DurableFiles, store: RunStore, root: String, changes: [FileChange], record: RunRecord,
    verify: @escaping (FileChange, [UInt8]) -> VerificationProblem? = { _, _ in nil }
  ) {
    self.files = files
    self.store = store
    self.root = root
    self.changes = changes
    self.record = record
    self.verify = verify
  }

  /// Carries the run out.
  /// - Throws: what went wrong, and whether every file is as it was.
  mutating func carryOut() throws(MigrationError) {
    do {
      try prepare()
      try stage()
    } catch {
      discard()
      throw error.error(.nothingChanged)
    }
    do {
      try commit()
      try verifyFiles()
      try complete()
    } catch {
      throw error.error(takeBack())
    }
  }

  /// The name under which a file waits beside its destination. It follows from the run's id and the file's number alone,
  /// so that a later command finds it after a crash.
  static func temporaryName(_ id: RunID, _ number: Int) -> String { ".carryover-\(id.text)-\(number).tmp" }

  // MARK: Preparing

  /// Writes the record and the backups, and brings them to the disk. The record comes first: it says what to clean up.
  private mutating func prepare() throws(RunFailure) {
    let folder = store.folder(record.id)
    try step { (files) throws(FileSystemError) in try files.fileSystem.makeDirectory(folder, mode: 0o700) }
    madeRunFolder = true
    try step { (files) throws(FileSystemError) in
      for side in RunStore.Side.allCases {
        try files.fileSystem.makeDirectory(folder + "/" + side.rawValue, mode: 0o700)
      }
    }
    try writeRecord(.applying)
    for (change, recorded) in zip(changes, record.files) {
      try keep(.before, change.before, recorded.before)
      try keep(.after, change.after, recorded.after)
    }
    let paths = RunStore.Side.allCases.map { folder + "/" + $0.rawValue } + [folder, store.runs]
    for path in paths {
      try step { (files) throws(FileSystemError) in try files.synchronizeFolder(path) }
    }
  }

  private mutating func keep(_ side: RunStore.Side, _ state: FileState, _ recorded: RecordedState) throws(RunFailure) {
    guard case .file(let bytes, _) = state, case .file(let name, _, _, _) = recorded else { return }
    let path = store.copy(side, name, of: record.id)
    try step { (files) throws(FileSystemError) in try files.write(bytes, to: path) }
    try readBack(path, bytes)
  }

  /// Writes each new file beside its destination, with its owner and mode, and reads it back.
  private mutating func stage() throws(RunFailure) {
    for (index, change) in changes.enumerated() {
      guard case .file(let bytes, let attributes) = change.after else { continue }
      try makeFolders(change)
      let destination = try resolve(change.path)
      let temporary = destination.folder + "/" + Self.temporaryName(record.id, index + 1)
      // A file that is there has an owner who must not lose it; a new one may stay ours.
      let ownerRequired = change.before != .absent
      do throws(FileSystemError) {
        try files.write(bytes, to: temporary, attributes: attributes, ownerRequired: ownerRequired)
      } catch  where error.operation == .setOwner && error.reason == .system(SystemErrorNumber.notPermitted.number) {
        throw .ownerNotKept(path: destination.absolute, user: attributes.owner?.user ?? 0)
      } catch {
        throw .file(error)
      }
      try readBack(temporary, bytes)
      try step { (files) throws(FileSystemError) in try files.synchronizeFolder(destination.folder) }
    }
  }

  private mutating func makeFolders(_ change: FileChange) throws(RunFailure) {
    for folder in change.folders {
      let resolved = try resolve(folder + "/x")
      guard resolved.missingFolders.last == folder else { continue }
      let parent = DurableFiles.folder(of: resolved.folder)
      try step { (files) throws(FileSystemError) in
        let mode = try files.fileSystem.status(parent)?.mode ?? 0o700
        try files.fileSystem.makeDirectory(resolved.folder, mode: mode & 0o777)
        try files.synchronizeFolder(parent)
      }
    }
  }

  private mutating func readBack(_ path: String, _ bytes: [UInt8]) throws(RunFailure) {
    let found = try step { (files) throws(FileSystemError) in try files.state(path) }
    guard found.bytes == bytes else { throw .verification(path: path, .bytesDiffer) }
  }

  // MARK: Putting in place

  private mutating func commit() throws(RunFailure) {
    for (index, change) in changes.enumerated() {
      let destination = try resolve(change.path)
      let standing = try step { (files) throws(FileSystemError) in try files.state(destination.absolute) }
      guard standing.bytes == change.before.bytes else { throw .changedMeanwhile(path: change.path) }
      let temporary = destination.folder + "/" + Self.temporaryName(record.id, index + 1)
      attempted = index + 1
      try step { (files) throws(FileSystemError) in
        if change.after == .absent {
          try files.fileSystem.remove(destination.absolute)
        } else {
          try files.fileSystem.rename(temporary, to: destination.absolute, .replacing)
        }
        try files.synchronizeFolder(destination.folder)
      }
      if change.after == .absent { try removeFolders(change) }
    }
  }

  /// Removes the folders that were made for a file, where nothing else stands in them by now.
  private mutating func removeFolders(_ change: FileChange) throws(RunFailure) {
    for folder in change.folders.reversed() {
      let path = try resolve(folder + "/x").folder
      try step { (files) throws(FileSystemError) in
        guard try files.fileSystem.status(path) != nil, try files.fileSystem.list(path).isEmpty else { return }
        try files.fileSystem.removeDirectory(path)
        try files.synchronizeFolder(DurableFiles.folder(of: path))
      }
    }
  }

  private mutating func verifyFiles() throws(RunFailure) {
    for change in changes {
      let destination = try resolve(change.path)
      let found = try step { (files) throws(FileSystemError) in try files.state(destination.absolute) }
      guard found.bytes == change.after.bytes else { throw .verification(path: change.path, .bytesDiffer) }
      guard found.attributes?.mode == change.after.attributes?.mode else {
        throw .verification(path: change.path, .attributesDiffer)
      }
      if let bytes = found.bytes, let problem = verify(change, bytes) {
        throw .verification(path: change.path, problem)
      }
    }
  }

  private mutating func complete() throws(RunFailure) {
    try writeRecord(.done)
  }

  private mutating func writeRecord(_ state: RunRecord.State) throws(RunFailure) {
    record.state = state
    let bytes = record.json
    let path = store.recordPath(record.id)
    try step { (files) throws(FileSystemError) in try files.replace(path, with: bytes) }
  }
}

extension Transaction {
  // MARK: Going back

  /// Puts every file back that this run has changed.
  mutating func takeBack() -> Aftermath {
    var changed = false
    do {
      for (index, change) in changes.enumerated().prefix(attempted).reversed() {
        let destination = try resolve(change.path)
        let standing = try step { (files) throws(FileSystemError) in try files.state(destination.absolute) }
        if standing.bytes == change.before.bytes { continue }
        guard standing.bytes == change.after.bytes else { throw RunFailure.changedMeanwhile(path: change.path) }
        changed = true
        try putBack(change, number: index + 1)
      }
    } catch {
      return .changed(backup: store.folder(record.id) + "/" + RunStore.Side.before.rawValue)
    }
    discard()
    return changed ? .takenBack : .nothingChanged
  }

  private mutating func putBack(_ change: FileChange, number: Int) throws(RunFailure) {
    guard case .file(let bytes, let attributes) = change.before else {
      let path = try resolve(change.path).absolute
      return try step { (files) throws(FileSystemError) in
        try files.fileSystem.remove(path)
        try files.synchronizeFolder(DurableFiles.folder(of: path))
      }
    }
    try makeFolders(change)
    let destination = try resolve(change.path)
    let temporary = destination.folder + "/" + Self.temporaryName(record.id, number)
    try step { (files) throws(FileSystemError) in
      if try files.fileSystem.status(temporary) != nil { try files.fileSystem.remove(temporary) }
      try files.write(bytes, to: temporary, attributes: attributes)
      try files.fileSystem.rename(temporary, to: destination.absolute, .replacing)
      try files.synchronizeFolder(destination.folder)
    }
  }

  /// Removes what this run has left beside the files: temporaries, the folders it made, its own folder. Each as far as
  /// it goes: nothing here is needed, and what stays is removed by the next command that writes.
  mutating func discard() {
    guard madeRunFolder else { return }
    try? Leftovers(store: store, root: root, record: record).remove(&files)
  }

  private func resolve(_ path: String) throws(RunFailure) -> ResolvedPath {
    do {
      return try ContainerPath.resolve(path, in: root, files.fileSystem)
    } catch {
      throw .path(error)
    }
  }

  @discardableResult
  private mutating func step<Result>(
    _ body: (inout DurableFiles) throws(FileSystemError) -> Result
  ) throws(RunFailure) -> Result {
    do {
      return try body(&files)
    } catch {
      throw .file(error)
    }
  }
}
