/// Runs whose process ended before they did. Whoever holds the lock settles them before doing anything else.
struct InterruptedRuns {
  let store: RunStore
  let container: Container
  private var root: String { container.root }

  init(store: RunStore, container: Container) {
    self.store = store
    self.container = container
  }

  /// Whether there is a run to settle. Records that cannot be read are not, and are left to a command that needs them.
  func exist(_ files: DurableFiles) throws(MigrationError) -> Bool {
    for id in try store.ids() {
      guard let record = try? store.record(id) else { continue }
      if isInterrupted(record) { return true }
    }
    return false
  }

  /// Completes every run whose files all stand as it meant to leave them, and removes every one that changed nothing.
  ///
  /// A run whose files are neither was overtaken by somebody else's change; it and its backup stay, for a person to
  /// judge, and only what it left beside the files goes.
  /// - Throws: `interrupted` for such a run, once the others are settled.
  func settle(_ files: inout DurableFiles) throws(MigrationError) {
    var overtaken: MigrationError?
    for id in try store.ids() {
      guard var record = try store.record(id) else {
        try removeUnrecorded(id, files.fileSystem)
        continue
      }
      guard isInterrupted(record) else { continue }
      switch try standing(record, files) {
      case .after: try complete(&record, &files)
      case .before: try Leftovers(store: store, root: root, record: record).remove(&files)
      case nil:
        try Leftovers(store: store, root: root, record: record).removeKeptTemporaries(&files)
        overtaken =
          overtaken
          ?? .interrupted(
            run: record.id.text, paths: try overtakenPaths(record, files),
            backup: store.folder(record.id) + "/" + RunStore.Side.before.rawValue)
      }
    }
    if let overtaken { throw overtaken }
  }

  /// Whether a run has not ended. Those of other containers that share the state folder are left to these.
  private func isInterrupted(_ record: RunRecord) -> Bool {
    record.state == .applying && record.belongs(to: RecordedContainer(container))
  }

  /// On which side all files of a run stand; nil where they stand on different ones, or on neither. A run that makes no
  /// difference counts as one that has ended.
  func standing(_ record: RunRecord, _ files: DurableFiles) throws(MigrationError) -> RunStore.Side? {
    var sides = Set(RunStore.Side.allCases)
    for file in record.files {
      let bytes = try bytes(file, files)
      if !file.before.matches(bytes) { sides.remove(.before) }
      if !file.after.matches(bytes) { sides.remove(.after) }
    }
    return sides.contains(.after) ? .after : sides.first
  }

  /// The files that are neither as a run found them nor as it meant to leave them; all of them, where each is one of
  /// the two and they do not agree.
  private func overtakenPaths(_ record: RunRecord, _ files: DurableFiles) throws(MigrationError) -> [String] {
    var paths: [String] = []
    for file in record.files {
      let bytes = try bytes(file, files)
      if !file.before.matches(bytes), !file.after.matches(bytes) { paths.append(file.path) }
    }
    return paths.isEmpty ? record.files.map(\.path) : paths
  }

  private func bytes(_ file: RecordedFile, _ files: DurableFiles) throws(MigrationError) -> [UInt8]? {
    let path = try ContainerPath.resolve(file.path, in: root, files.fileSystem)
    do {
      return path.status == nil ? nil : try files.state(path.absolute).bytes
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  private func complete(_ record: inout RunRecord, _ files: inout DurableFiles) throws(MigrationError) {
    let leftovers = Leftovers(store: store, root: root, record: record)
    try leftovers.removeTemporaries(&files)
    try leftovers.removeFoldersOfAbsentFiles(&files)
    record.state = .done
    for file in record.files {
      let path = try ContainerPath.resolve(file.path, in: root, files.fileSystem)
      guard path.missingFolders.isEmpty else { continue }
      do {
        try files.synchronizeFolder(path.folder)
      } catch {
        throw .file(error, .nothingChanged)
      }
    }
    do {
      try files.replace(store.recordPath(record.id), with: record.json)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  /// Removes the folder of a run that ended before its record was written. With anything in it that such a run does not
  /// leave, it is somebody else's business.
  private func removeUnrecorded(_ id: RunID, _ fileSystem: any FileSystem) throws(MigrationError) {
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
}
