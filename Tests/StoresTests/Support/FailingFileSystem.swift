import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem

import class Foundation.NSLock

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The real file system, until the n-th operation that writes; from there on a disk that fails, is full, or can only be
/// read. Other processes can have a moment before each operation.
final class FailingFileSystem: FileSystem, @unchecked Sendable {
  private let real = POSIXFileSystem()
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

  private func check(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError) {
    let fails = lock.withLock {
      asked += 1
      left -= 1
      return isOnce ? left == -1 : left < 0
    }
    if fails { throw FileSystemError(operation, path, .system(number)) }
  }

  var user: UInt32 { real.user }
  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    before(.read, path)
    return try real.read(path, limit: limit)
  }
  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    before(.inspect, path)
    return try real.status(path)
  }
  func list(_ path: String) throws(FileSystemError) -> [String] { try real.list(path) }
  func resolve(_ path: String) throws(FileSystemError) -> String { try real.resolve(path) }
  func close(_ handle: OpenFile) throws(FileSystemError) { try real.close(handle) }

  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try check(.create, path)
    return try real.create(path, mode: mode)
  }
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    do throws(FileSystemError) {
      try check(.write, handle.path)
    } catch {
      // A disk that is full has taken some.
      try real.write(Array(bytes.prefix(bytes.count / 2)), to: handle)
      throw error
    }
    try real.write(bytes, to: handle)
  }
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try check(.setOwner, handle.path)
    try real.setOwner(user, group, of: handle)
  }
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try check(.setMode, handle.path)
    try real.setMode(mode, of: handle)
  }
  func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    try check(.synchronize, handle.path)
    try real.synchronize(handle)
  }
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try check(.rename, source)
    before(.rename, destination)
    try real.rename(source, to: destination, mode)
  }
  func remove(_ path: String) throws(FileSystemError) {
    try check(.remove, path)
    try real.remove(path)
  }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try check(.makeDirectory, path)
    try real.makeDirectory(path, mode: mode)
  }
  func removeDirectory(_ path: String) throws(FileSystemError) {
    try check(.removeDirectory, path)
    try real.removeDirectory(path)
  }
  func synchronizeFile(_ path: String) throws(FileSystemError) {
    try check(.synchronize, path)
    try real.synchronizeFile(path)
  }
  func synchronizeDirectory(_ path: String) throws(FileSystemError) {
    try check(.synchronize, path)
    try real.synchronizeDirectory(path)
  }
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    before(.lock, path)
    // A lock whose file is there changes nothing.
    if try real.status(path) == nil { try check(.lock, path) }
    return try real.lock(path, mode: mode, waiting: waiting)
  }
}
