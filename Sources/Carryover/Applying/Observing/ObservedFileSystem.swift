import CarryoverSystem

/// A file system that reports its operations, except reads.
///
/// Every run with an observer uses it, so every write is reported.
struct ObservedFileSystem: FileSystem {
  let base: any FileSystem
  /// The container's root on this machine.
  let root: String
  /// The container's state folder on this machine.
  let state: String
  let observer: FileOperationObserver

  var user: UInt32 { base.user }

  func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem {
    ObservedFileSystem(base: try base.confined(to: folders), root: root, state: state, observer: observer)
  }

  /// Reports that a file was read back.
  func tellVerified(_ path: String, size: Int?) { tell(.verify, path, size: size) }

  // MARK: Looking

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage { try base.read(path, limit: limit) }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try base.read(path, from: offset, count: count)
  }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? { try base.status(path) }

  func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(path) }

  func resolve(_ path: String) throws(FileSystemError) -> String { try base.resolve(path) }

  // MARK: Writing a file; only the bytes or the failure are reported

  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try telling(.write, path, onlyFailure: true) { () throws(FileSystemError) in try base.create(path, mode: mode) }
  }

  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    try telling(.write, handle.path, size: bytes.count) { () throws(FileSystemError) in
      try base.write(bytes, to: handle)
    }
  }

  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try telling(.write, handle.path, onlyFailure: true) { () throws(FileSystemError) in
      try base.setOwner(user, group, of: handle)
    }
  }

  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try telling(.write, handle.path, onlyFailure: true) { () throws(FileSystemError) in
      try base.setMode(mode, of: handle)
    }
  }

  func close(_ handle: OpenFile) throws(FileSystemError) {
    try telling(.write, handle.path, onlyFailure: true) { () throws(FileSystemError) in try base.close(handle) }
  }

  // MARK: Everything else

  func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    try telling(.synchronize, handle.path) { () throws(FileSystemError) in try base.synchronize(handle) }
  }

  func synchronizeFile(_ path: String) throws(FileSystemError) {
    try telling(.synchronize, path) { () throws(FileSystemError) in try base.synchronizeFile(path) }
  }

  func synchronizeDirectory(_ path: String) throws(FileSystemError) {
    try telling(.synchronizeFolder, path) { () throws(FileSystemError) in try base.synchronizeDirectory(path) }
  }

  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try telling(mode == .exchanging ? .exchange : .rename, source, destination: destination) {
      () throws(FileSystemError) in
      try base.rename(source, to: destination, mode)
    }
  }

  func remove(_ path: String) throws(FileSystemError) {
    try telling(.remove, path) { () throws(FileSystemError) in try base.remove(path) }
  }

  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try telling(.makeFolder, path) { () throws(FileSystemError) in try base.makeDirectory(path, mode: mode) }
  }

  func removeDirectory(_ path: String) throws(FileSystemError) {
    try telling(.removeFolder, path) { () throws(FileSystemError) in try base.removeDirectory(path) }
  }

  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try telling(.lock, path) { () throws(FileSystemError) in try base.lock(path, mode: mode, waiting: waiting) }
  }

  // MARK: Telling

  private func telling<Result>(
    _ action: FileOperationEvent.Action, _ path: String, destination: String? = nil, size: Int? = nil,
    onlyFailure: Bool = false, _ body: () throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    do {
      let result = try body()
      if !onlyFailure { tell(action, path, destination: destination, size: size) }
      return result
    } catch {
      // If an operation is not supported, another way is tried and reported.
      if error.reason != .unsupported { tell(action, path, destination: destination, size: nil, failure: error) }
      throw error
    }
  }

  private func tell(
    _ action: FileOperationEvent.Action, _ path: String, destination: String? = nil, size: Int? = nil,
    failure: FileSystemError? = nil
  ) {
    observer(
      FileOperationEvent(
        action, shown(path), purpose: purpose(path), destination: destination.map(shown), size: size,
        failure: failure))
  }

  private func shown(_ path: String) -> String {
    if path == root { return "." }
    return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  private func purpose(_ path: String) -> FileOperationEvent.Purpose {
    guard path.hasPrefix(state + "/") else {
      if path == state { return .other }
      let name = path.split(separator: "/").last ?? ""
      return name.hasPrefix(".carryover-") && name.hasSuffix(".tmp") ? .temporary : .file
    }
    let parts = path.dropFirst(state.count + 1).split(separator: "/")
    switch (parts.count, parts.last ?? "") {
    case (1, "lock"): return .lock
    case (1, let name) where name.hasPrefix("journal.json"): return .journal
    case (3, let name) where name.hasPrefix("record.json"): return .record
    case (4, _): return parts[2] == RunStore.Side.before.rawValue ? .backup : .copy
    default: return .other
    }
  }
}

extension DurableFiles {
  /// Reports to the observer that a file was read back and is correct.
  func tellVerified(_ path: String, size: Int?) {
    (fileSystem as? ObservedFileSystem)?.tellVerified(path, size: size)
  }
}
