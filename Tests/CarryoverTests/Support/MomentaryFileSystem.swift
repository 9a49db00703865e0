import Carryover
import CarryoverStorage
import CarryoverSystem

/// The real file system, with somebody who has a moment right before each operation, or before one of them.
struct MomentaryFileSystem: FileSystem {
  private let real: POSIXFileSystem
  private let walking: Bool
  private let pass: @Sendable () -> Void

  /// - Parameters:
  ///   - walking: whether it is confined without the call that opens a folder in one step.
  ///   - number: the number of the operation, from 0; nil for each.
  init(walking: Bool = false, before number: Int?, _ moment: @escaping @Sendable () -> Void) {
    let count = MomentCount()
    self.init(POSIXFileSystem(), walking: walking) {
      let passed = count.next()
      if number == nil || number == passed { moment() }
    }
  }

  private init(_ real: POSIXFileSystem, walking: Bool, _ pass: @escaping @Sendable () -> Void) {
    self.real = real
    self.walking = walking
    self.pass = pass
  }

  private var base: POSIXFileSystem {
    pass()
    return real
  }

  func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem {
    MomentaryFileSystem(try base.confined(to: folders, walking: walking), walking: walking, pass)
  }

  var user: UInt32 { real.user }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage { try base.read(path, limit: limit) }
  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try base.read(path, from: offset, count: count)
  }
  func status(_ path: String) throws(FileSystemError) -> FileStatus? { try base.status(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(path) }
  func resolve(_ path: String) throws(FileSystemError) -> String { try base.resolve(path) }
  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try base.create(path, mode: mode)
  }
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) { try base.write(bytes, to: handle) }
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try base.setOwner(user, group, of: handle)
  }
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) { try base.setMode(mode, of: handle) }
  func synchronize(_ handle: OpenFile) throws(FileSystemError) { try base.synchronize(handle) }
  func close(_ handle: OpenFile) throws(FileSystemError) { try base.close(handle) }
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try base.rename(source, to: destination, mode)
  }
  func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) { try base.makeDirectory(path, mode: mode) }
  func removeDirectory(_ path: String) throws(FileSystemError) { try base.removeDirectory(path) }
  func synchronizeFile(_ path: String) throws(FileSystemError) { try base.synchronizeFile(path) }
  func synchronizeDirectory(_ path: String) throws(FileSystemError) { try base.synchronizeDirectory(path) }
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try base.lock(path, mode: mode, waiting: waiting)
  }
}

final class MomentCount: Sendable {
  private let count = Locked(0)

  var passed: Int { count.withLock { $0 } }

  /// The number of the present one, from 0.
  @discardableResult
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count - 1
    }
  }
}
