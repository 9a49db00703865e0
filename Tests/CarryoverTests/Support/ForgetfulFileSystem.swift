import Carryover
import CarryoverStorage
import CarryoverSystem

/// A file system that takes a file by one name and never has it: its making and removal succeed, and nothing is there.
struct ForgetfulFileSystem: FileSystem {
  let base: MemoryFileSystem
  /// The name that is never there.
  let forgotten: String

  var user: UInt32 { base.user }

  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    if destination == forgotten { return try base.remove(source) }
    try base.rename(source, to: destination, mode)
  }

  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try base.create(path, mode: mode)
  }

  func remove(_ path: String) throws(FileSystemError) {
    if path == forgotten { return }
    try base.remove(path)
  }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage { try base.read(path, limit: limit) }
  func status(_ path: String) throws(FileSystemError) -> FileStatus? { try base.status(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(path) }
  func resolve(_ path: String) throws(FileSystemError) -> String { try base.resolve(path) }
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) { try base.write(bytes, to: handle) }
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try base.setOwner(user, group, of: handle)
  }
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) { try base.setMode(mode, of: handle) }
  func synchronize(_ handle: OpenFile) throws(FileSystemError) { try base.synchronize(handle) }
  func close(_ handle: OpenFile) throws(FileSystemError) { try base.close(handle) }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) { try base.makeDirectory(path, mode: mode) }
  func removeDirectory(_ path: String) throws(FileSystemError) { try base.removeDirectory(path) }
  func synchronizeFile(_ path: String) throws(FileSystemError) { try base.synchronizeFile(path) }
  func synchronizeDirectory(_ path: String) throws(FileSystemError) { try base.synchronizeDirectory(path) }
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try base.lock(path, mode: mode, waiting: waiting)
  }
}
