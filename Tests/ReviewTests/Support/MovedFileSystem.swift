import Carryover
import CarryoverSystem

/// The real file system, with one folder under another name: recordings then name no temporary folder.
struct MovedFileSystem: FileSystem {
  let name: String
  let place: String
  private let files = POSIXFileSystem()

  init(_ name: String, at place: String) {
    self.name = name
    self.place = place
  }

  private func real(_ path: String) -> String { path.hasPrefix(name) ? place + path.dropFirst(name.count) : path }

  var user: UInt32 { files.user }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    try files.read(real(path), limit: limit)
  }
  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try files.read(real(path), from: offset, count: count)
  }
  func status(_ path: String) throws(FileSystemError) -> FileStatus? { try files.status(real(path)) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try files.list(real(path)) }
  func resolve(_ path: String) throws(FileSystemError) -> String {
    let resolved = try files.resolve(real(path))
    return resolved.hasPrefix(place) ? name + resolved.dropFirst(place.count) : resolved
  }
  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try files.create(real(path), mode: mode)
  }
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) { try files.write(bytes, to: handle) }
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try files.setOwner(user, group, of: handle)
  }
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try files.setMode(mode, of: handle)
  }
  func synchronize(_ handle: OpenFile) throws(FileSystemError) { try files.synchronize(handle) }
  func close(_ handle: OpenFile) throws(FileSystemError) { try files.close(handle) }
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try files.rename(real(source), to: real(destination), mode)
  }
  func remove(_ path: String) throws(FileSystemError) { try files.remove(real(path)) }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try files.makeDirectory(real(path), mode: mode)
  }
  func removeDirectory(_ path: String) throws(FileSystemError) { try files.removeDirectory(real(path)) }
  func synchronizeFile(_ path: String) throws(FileSystemError) { try files.synchronizeFile(real(path)) }
  func synchronizeDirectory(_ path: String) throws(FileSystemError) { try files.synchronizeDirectory(real(path)) }
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try files.lock(real(path), mode: mode, waiting: waiting)
  }
}
