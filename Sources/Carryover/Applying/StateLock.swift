import CarryoverSystem

/// A lock on the state folder of a container, which excludes other processes from writing to the container.
struct StateLock {
  let store: RunStore
  private let handle: OpenFile
  private let madeState: Bool
  private let madeRuns: Bool

  /// Acquires the lock without waiting, and creates the state folder if necessary.
  /// - Throws: `busy` with the holder's process id, or the reason that the folder cannot be used. Nothing is left
  ///   behind then.
  static func take(_ store: RunStore, _ files: DurableFiles) throws(RunError) -> StateLock {
    let madeState = try makeFolder(store.path, files)
    let handle: OpenFile
    do {
      handle = try files.fileSystem.lock(store.lock, mode: 0o600)
    } catch {
      if madeState { try? files.fileSystem.removeDirectory(store.path) }
      if case .busy(let holder) = error.reason { throw .busy(state: store.path, holder: holder) }
      throw .file(error, .nothingChanged)
    }
    do {
      let madeRuns = try makeFolder(store.runs, files)
      return StateLock(store: store, handle: handle, madeState: madeState, madeRuns: madeRuns)
    } catch {
      StateLock(store: store, handle: handle, madeState: madeState, madeRuns: false).release(files, keeping: false)
      throw error
    }
  }

  /// Releases the lock.
  /// - Parameter keeping: false after a run that changed nothing: an empty folder is removed.
  func release(_ files: DurableFiles, keeping: Bool) {
    let fileSystem = files.fileSystem
    if !keeping && madeRuns { try? fileSystem.removeDirectory(store.runs) }
    let empty = !keeping && madeState && (try? fileSystem.list(store.path)) == ["lock"]
    // The file is removed under the lock: a process that opened it earlier notices that it is no longer the lock.
    if empty { try? fileSystem.remove(store.lock) }
    try? fileSystem.close(handle)
    if empty { try? fileSystem.removeDirectory(store.path) }
  }

  /// Creates a folder that only this user can access. A run flushes its name to the disk.
  /// - Returns: whether the folder is new.
  private static func makeFolder(_ path: String, _ files: DurableFiles) throws(RunError) -> Bool {
    if try RunStore.isFolder(path, files.fileSystem) { return false }
    do {
      try files.fileSystem.makeDirectory(path, mode: 0o700)
    } catch {
      // Another process was faster; the lock decides.
      if error.reason == .system(SystemErrorNumber.exists.number), try RunStore.isFolder(path, files.fileSystem) {
        return false
      }
      throw .file(error, .nothingChanged)
    }
    return true
  }
}
