import CarryoverSystem

/// The right to write to a container: its state folder, locked against other processes.
struct StateLock {
  let store: RunStore
  private let handle: OpenFile
  private let madeState: Bool
  private let madeRuns: Bool

  /// Takes the lock without waiting, making the state folder where there is none.
  /// - Throws: `busy` with the holder's process id, or why the folder cannot be used; nothing is left behind then.
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

  /// Gives the lock up.
  /// - Parameter keeping: false after a run that changed nothing: what was made for it goes, unless something is in it.
  func release(_ files: DurableFiles, keeping: Bool) {
    let fileSystem = files.fileSystem
    if !keeping && madeRuns { try? fileSystem.removeDirectory(store.runs) }
    let empty = !keeping && madeState && (try? fileSystem.list(store.path)) == ["lock"]
    // The file goes while we hold it: whoever opened it before finds out that it is nobody's any more.
    if empty { try? fileSystem.remove(store.lock) }
    try? fileSystem.close(handle)
    if empty { try? fileSystem.removeDirectory(store.path) }
  }

  /// Makes a folder for ourselves alone. A run brings its name to the disk, because whoever made it may not have.
  /// - Returns: whether it was made, and not there already.
  private static func makeFolder(_ path: String, _ files: DurableFiles) throws(RunError) -> Bool {
    if try RunStore.isFolder(path, files.fileSystem) { return false }
    do {
      try files.fileSystem.makeDirectory(path, mode: 0o700)
    } catch {
      // Another process was quicker; the lock decides between us.
      if error.reason == .system(SystemErrorNumber.exists.number), try RunStore.isFolder(path, files.fileSystem) {
        return false
      }
      throw .file(error, .nothingChanged)
    }
    return true
  }
}
