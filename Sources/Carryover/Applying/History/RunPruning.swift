import CarryoverSystem

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
  func isUnfinished() throws(RunError) -> Bool {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) { return true }
    return false
  }

  /// Makes sure that nothing stands among the copies that a run does not put there and that could not be removed.
  func check() throws(RunError) {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) {
      for name in try RunError.early(store.fileSystem.list(folder(side))) {
        let path = folder(side) + "/" + name
        let status = try RunStore.status(of: path, store.fileSystem)
        if status?.kind == .directory { throw .unsafePath(path, .wrongKind) }
      }
    }
  }

  /// Marks the record, then removes the copies; each is on the disk before the next.
  /// - Throws: `file` with `partlyPruned`: some of it, or of the runs before it, may be done.
  func carryOut(_ files: inout DurableFiles) throws(RunError) {
    do throws(FileSystemError) {
      try mark(&files)
      for side in RunStore.Side.allCases where try files.fileSystem.status(folder(side)) != nil {
        for name in try files.fileSystem.list(folder(side)) { try files.fileSystem.remove(folder(side) + "/" + name) }
        try files.fileSystem.removeDirectory(folder(side))
      }
      try files.synchronizeFolder(store.folder(record.id))
    } catch {
      throw .file(error, .partlyPruned)
    }
  }

  private func mark(_ files: inout DurableFiles) throws(FileSystemError) {
    guard !record.isPruned else { return }
    var pruned = record
    pruned.isPruned = true
    try store.write(pruned, &files)
  }

  private func folder(_ side: RunStore.Side) -> String { store.folder(record.id) + "/" + side.rawValue }
}
