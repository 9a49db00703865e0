import CarryoverSystem

/// Removes the copies of a run. The record is marked first, so an incomplete set of copies is never used, and the next
/// pruning removes the rest.
struct RunPruning {
  let store: RunStore
  let record: RunRecord
  /// The size of the copies, in bytes.
  let size: Int

  init(store: RunStore, record: RunRecord) {
    self.store = store
    self.record = record
    size = RunSize(of: record.id, store).copies
  }

  /// Whether a pruned run still has copies.
  func isUnfinished() throws(RunError) -> Bool {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) { return true }
    return false
  }

  /// Throws if the folders of the copies contain something else that could not be removed.
  func check() throws(RunError) {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) {
      for name in try RunError.early(store.fileSystem.list(folder(side))) {
        let path = folder(side) + "/" + name
        let status = try RunStore.status(of: path, store.fileSystem)
        if status?.kind == .directory { throw .unsafePath(path, .wrongKind) }
      }
    }
  }

  /// Marks the record, then removes the copies. Each step is on the disk before the next.
  /// - Throws: `file` with `partlyPruned`: some copies of this or of earlier runs may be removed.
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
