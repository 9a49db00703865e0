import CarryoverSystem

/// The leftovers of a run that changed nothing: temporary files, folders for new files, and the run's own folder.
struct Leftovers {
  let store: RunStore
  let scope: RunScope
  let record: RunRecord

  /// Removes all leftovers. The record is last, because it lists them.
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
    try RunError.early(removeRunFolder(&files))
  }

  private func removeTemporaries(
    _ file: RecordedFile, number: Int, _ files: inout DurableFiles
  ) throws(RunError) {
    let destination = try scope.resolve(file.path, files.fileSystem)
    guard destination.missingFolders.isEmpty else { return }
    let name = TemporaryName(run: record.id, number: number)
    do {
      for path in [name, name.other].map({ destination.folder + "/" + $0.text })
      where try files.fileSystem.status(path) != nil {
        try files.fileSystem.remove(path)
      }
      // Also if none is left: a removal that is not on the disk could be undone by a power cut, without a record.
      try files.synchronizeFolder(destination.folder)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  private func removeFolders(_ file: RecordedFile, _ files: inout DurableFiles) throws(RunError) {
    for folder in file.folders.reversed() {
      let path = try scope.resolve(folder: folder, onTheWayTo: file.path, files.fileSystem).folder
      try RunError.early(files.removeFolderIfEmpty(path))
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
    for side in RunStore.Side.allCases {
      let copies = folder + "/" + side.rawValue
      guard try fileSystem.status(copies)?.kind == .directory else { continue }
      for name in try fileSystem.list(copies) { try fileSystem.remove(copies + "/" + name) }
      try fileSystem.removeDirectory(copies)
    }
    for name in try fileSystem.list(folder) where name != "record.json" {
      try fileSystem.remove(folder + "/" + name)
    }
    // The record is last on the disk too: copies without a record would belong to no run.
    try files.synchronizeFolder(folder)
    let recordPath = store.recordPath(record.id)
    if try fileSystem.status(recordPath) != nil { try fileSystem.remove(recordPath) }
    try fileSystem.removeDirectory(folder)
  }
}
