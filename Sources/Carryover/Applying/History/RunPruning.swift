/// Removes the copies of one run. The record says so first: whatever happens on the way, nobody counts on copies that
/// are not all there, and the next pruning finishes it.
struct RunPruning {
  let store: RunStore
  let record: RunRecord
  /// What the copies take, in bytes.
  let size: Int

  init(store: RunStore, record: RunRecord) {
    self.store = store
    self.record = record
    size = RunSize(of: record.id, store).copies
  }

  /// Whether copies of a pruned run are left.
  func isUnfinished() throws(MigrationError) -> Bool {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) { return true }
    return false
  }

  /// Makes sure that nothing stands among the copies that a run does not put there and that could not be removed.
  func check() throws(MigrationError) {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) {
      for name in try step({ (fileSystem) throws(FileSystemError) in try fileSystem.list(folder(side)) }) {
        let path = folder(side) + "/" + name
        let status = try step { (fileSystem) throws(FileSystemError) in try fileSystem.status(path) }
        if status?.kind == .directory { throw .unsafePath(path, .wrongKind) }
      }
    }
  }

  /// Marks the record, then removes the copies; each is on the disk before the next.
  func carryOut(_ files: inout DurableFiles) throws(MigrationError) {
    if !record.isPruned {
      var pruned = record
      pruned.isPruned = true
      do {
        try files.replace(store.recordPath(record.id), with: pruned.json)
      } catch {
        throw .file(error, .nothingChanged)
      }
    }
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) {
      try step { (fileSystem) throws(FileSystemError) in
        for name in try fileSystem.list(folder(side)) { try fileSystem.remove(folder(side) + "/" + name) }
        try fileSystem.removeDirectory(folder(side))
      }
    }
    do {
      try files.synchronizeFolder(store.folder(record.id))
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  private func folder(_ side: RunStore.Side) -> String { store.folder(record.id) + "/" + side.rawValue }

  @discardableResult
  private func step<Result>(
    _ body: (any FileSystem) throws(FileSystemError) -> Result
  ) throws(MigrationError) -> Result {
    do {
      return try body(store.fileSystem)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }
}
