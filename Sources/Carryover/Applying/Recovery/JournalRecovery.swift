import CarryoverSystem
import PropertyLists

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
    do throws(RunError) {
      try requireHeld(files)
      for operation in operations.inOrder { try operation.complete(&files) }
    } catch {
      if case .changedMeanwhile(let path, _) = error { throw interrupted([path]) }
      try takeBack(operations, after: error, &files)
      return .takenBack
    }
    try close(.done, &files)
    return .finished
  }

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
  private func settleTemporaries(_ operations: [FileOperation], _ files: inout DurableFiles) throws(RunError) {
    var foreign: [String] = []
    for operation in operations {
      do throws(RunError) {
        try operation.settleTemporary(&files)
        try operation.reversed.settleTemporary(&files)
        if try operation.standing(files) == .foreign { foreign.append(operation.change.path) }
      } catch {
        guard case .changedMeanwhile(let path, _) = error else { throw error.after(unfinished) }
        foreign.append(path)
      }
    }
    guard foreign.isEmpty else { throw interrupted(foreign) }
  }

  /// Checks that the file with a cleanup's values is unchanged: otherwise they may not be in any other place.
  private func requireHeld(_ files: DurableFiles) throws(RunError) {
    guard let held = record.heldIn else { return }
    let path = try scope.resolve(held.path, files.fileSystem)
    let bytes = path.status == nil ? nil : try? files.state(path.absolute).bytes
    guard let bytes, held.matches(bytes) else { throw .verification(path: held.path, .bytesDiffer, .nothingChanged) }
  }

  private mutating func takeBack(
    _ operations: [FileOperation], after failure: RunError, _ files: inout DurableFiles
  ) throws(RunError) {
    do throws(RunError) {
      _ = try operations.inOrder.takeBack(&files)
    } catch {
      if case .changedMeanwhile(let path, _) = error { throw interrupted([path]) }
      throw failure.after(unfinished)
    }
    try close(.applying, &files)
    try Leftovers(store: store, scope: scope, record: record).remove(&files)
  }

  private mutating func close(_ state: RunRecord.State, _ files: inout DurableFiles) throws(RunError) {
    do {
      try store.close(&record, state, &files)
    } catch {
      throw .file(error, unfinished)
    }
  }

  private func interrupted(_ paths: [String]) -> RunError {
    .interrupted(run: record.id.text, paths: paths, backup: backup)
  }

  private var unfinished: Aftermath { .unfinished(run: record.id.text, backup: backup) }
  private var backup: String { store.backup(of: record.id) }
}

/// The changes of a run to the files of a container. Once the journal is in the state folder, the run is decided: it
/// will be finished or rolled back as a whole.
struct Journal: Hashable {
  var run: RunID
  /// The container, because several can share a state folder.
  var container: RecordedContainer
  var files: [RecordedFile]
  /// The reason that the journal is not the user's own, by its seal; nil if it is.
  var foreign: ForeignReason?

  init(_ record: RunRecord) {
    run = record.id
    container = record.container
    files = record.files
  }

  static let schema = "carryover.journal/1"

  /// The journal to write, without its seal. For people who read it, it also contains the name of each temporary file.
  var document: JSONValue {
    let operations = files.enumerated().map { index, file in
      let name = TemporaryName(run: run, number: index + 1).text
      return file.json.adding([JSONMember("temporary", name.json)])
    }
    return .object(["schema": Self.schema, "run": run, "container": container, "operations": operations])
  }

  init(_ bytes: [UInt8], path: String, foreign: (JSONValue) -> ForeignReason?) throws(RunError) {
    do {
      let reader = try RecordReader(bytes, path: path)
      try self.init(reader)
      self.foreign = foreign(reader.root)
    } catch {
      guard case .damagedRecord(_, let reason) = error else { throw error }
      throw .damagedJournal(path: path, reason: reason)
    }
  }

  private init(_ reader: RecordReader) throws(RunError) {
    try reader.require([Self.schema], ["carryover.journal/"])
    run = try reader.parsed("run") { RunID($0) }
    container = try RecordedContainer(reader.object("container"))
    files = try reader.files("operations")
    guard !files.isEmpty else { throw reader.damage("operations") }
  }
}

extension RunStore {
  func readJournal() throws(RunError) -> Journal? {
    guard try isThere() else { return nil }
    let image: FileImage
    do {
      guard try fileSystem.status(journal) != nil else { return nil }
      image = try fileSystem.read(journal, limit: Self.largestRecord)
    } catch {
      switch error.reason {
      case let reason where reason.isDenied: throw .damagedJournal(path: journal, reason: error.description)
      case .tooLarge, .notRegular: throw .damagedJournal(path: journal, reason: error.description)
      default: throw .file(error, .nothingChanged)
      }
    }
    return try Journal(image.bytes, path: journal) { foreignReason(of: $0, image) }
  }

  /// Writes the journal. Once its name is on the disk, the run is decided.
  func write(_ journal: Journal, _ files: inout DurableFiles) throws(FileSystemError) {
    try files.replace(self.journal, with: sealed(journal.document))
  }

  /// Ends a run in a state. Until the journal is removed, the next command would finish the run.
  func close(
    _ record: inout RunRecord, _ state: RunRecord.State, _ files: inout DurableFiles
  ) throws(FileSystemError) {
    if record.state != state {
      record.state = state
      try write(record, &files)
    }
    try files.removeFile(journal)
  }
}

/// The leftovers of a run that changed nothing: temporary files, folders for new files, and the run's own folder.
struct Leftovers {
  let store: RunStore
  let scope: RunScope
  let record: RunRecord

  func remove(_ files: inout DurableFiles) throws(RunError) {
    try checkRunFolder(files.fileSystem)
    var failure: RunError?
    for (index, file) in record.files.enumerated() {
      do {
        try removeTemporaries(file, number: index + 1, &files)
        if file.before == .absent { try removeFolders(file, &files) }
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    try RunError.attempt(removeRunFolder(&files))
  }

  private func removeTemporaries(_ file: RecordedFile, number: Int, _ files: inout DurableFiles) throws(RunError) {
    let destination = try scope.resolve(file.path, files.fileSystem)
    guard destination.missingFolders.isEmpty else { return }
    let name = TemporaryName(run: record.id, number: number)
    do {
      for path in [name, name.other].map({ destination.folder + "/" + $0.text })
      where try files.fileSystem.status(path) != nil { try files.fileSystem.remove(path) }
      // Also if none is left: a removal that is not on the disk could be undone by a power cut, without a record.
      try files.synchronizeFolder(destination.folder)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  private func removeFolders(_ file: RecordedFile, _ files: inout DurableFiles) throws(RunError) {
    for folder in file.folders.reversed() {
      let path = try scope.resolve(folder: folder, onTheWayTo: file.path, files.fileSystem).folder
      try RunError.attempt(files.removeFolderIfEmpty(path))
    }
  }

  /// Throws if the run's folder contains something else that could not be removed.
  private func checkRunFolder(_ fileSystem: any FileSystem) throws(RunError) {
    let sides = RunStore.Side.allCases.map(\.rawValue)
    let folder = store.folder(record.id)
    var intruder: String?
    do {
      for path in [folder] + sides.map({ folder + "/" + $0 }) {
        guard try fileSystem.status(path)?.kind == .directory else { continue }
        for name in try fileSystem.list(path) where path != folder || !sides.contains(name) {
          if try fileSystem.status(path + "/" + name)?.kind == .directory { intruder = name }
        }
      }
    } catch {
      throw .file(error, .nothingChanged)
    }
    if let intruder {
      throw .damagedRecord(
        path: store.recordPath(record.id),
        reason: "The folder \(DisplayText.quoted(intruder)) is among the run's copies.")
    }
  }

  private func removeRunFolder(_ files: inout DurableFiles) throws(FileSystemError) {
    let fileSystem = files.fileSystem
    let folder = store.folder(record.id)
    guard try fileSystem.status(folder) != nil else { return }
    try store.removeCopies(of: record.id, fileSystem)
    for name in try fileSystem.list(folder) where name != "record.json" { try fileSystem.remove(folder + "/" + name) }
    // The record is last on the disk too: copies without a record would belong to no run.
    try files.synchronizeFolder(folder)
    let recordPath = store.recordPath(record.id)
    if try fileSystem.status(recordPath) != nil { try fileSystem.remove(recordPath) }
    try fileSystem.removeDirectory(folder)
  }
}
