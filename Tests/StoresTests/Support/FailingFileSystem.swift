/// The real file system, until the n-th operation that writes; from there on a disk that fails, is full, or can only be
/// read. Other processes can have a moment before each operation.
final class FailingFileSystem: FileSystemLayer, @unchecked Sendable {
  let base: any FileSystem = POSIXFileSystem()
  private let lock = NSLock()
  private var left: Int
  private let number: Int32
  private let isOnce: Bool
  private let before: @Sendable (FileSystemError.Operation, _ path: String) -> Void
  private var asked = 0

  /// - Parameters:
  ///   - after: how many operations that write are done.
  ///   - number: the system's error number of those that come then.
  ///   - once: whether only one fails.
  ///   - before: runs before each status, read, rename (with the destination) and lock.
  init(
    after: Int = .max, _ number: Int32 = EIO, once isOnce: Bool = false,
    before: @escaping @Sendable (FileSystemError.Operation, _ path: String) -> Void = { _, _ in }
  ) {
    left = after
    self.number = number
    self.isOnce = isOnce
    self.before = before
  }

  var changes: Int { lock.withLock { asked } }

  var hasFailed: Bool { lock.withLock { left < 0 } }

  func check(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError) {
    let fails = lock.withLock {
      asked += 1
      left -= 1
      return isOnce ? left == -1 : left < 0
    }
    if fails { throw FileSystemError(operation, path, .system(number)) }
  }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    before(.read, path)
    return try base.read(path, limit: limit)
  }
  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    before(.inspect, path)
    return try base.status(path)
  }
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    do throws(FileSystemError) {
      try check(handle.path, .write)
    } catch {
      // A disk that is full has taken some.
      try base.write(Array(bytes.prefix(bytes.count / 2)), to: handle)
      throw error
    }
    try base.write(bytes, to: handle)
  }
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try check(handle.path, .setOwner)
    try base.setOwner(user, group, of: handle)
  }
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try check(handle.path, .setMode)
    try base.setMode(mode, of: handle)
  }
  func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    try check(handle.path, .synchronize)
    try base.synchronize(handle)
  }
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try check(source, .rename)
    before(.rename, destination)
    try base.rename(source, to: destination, mode)
  }
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    before(.lock, path)
    // A lock whose file is there changes nothing.
    if try base.status(path) == nil { try check(path, .lock) }
    return try base.lock(path, mode: mode, waiting: waiting)
  }
}
