package import CarryoverSystem

/// A file system in front of another one, which does what this one does not do itself.
package protocol ForwardingFileSystem: FileSystem {
  var base: any FileSystem { get }

  /// Called before each operation that can change the disk; its error is the operation's.
  func willWrite(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError)
  /// The base's name of a path.
  func place(of path: String) -> String
}

extension ForwardingFileSystem {
  package var user: UInt32 { base.user }

  package func willWrite(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError) {}
  package func place(of path: String) -> String { path }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    try base.read(place(of: path), limit: limit)
  }
  package func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try base.read(place(of: path), from: offset, count: count)
  }
  package func status(_ path: String) throws(FileSystemError) -> FileStatus? { try base.status(place(of: path)) }
  package func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(place(of: path)) }
  package func resolve(_ path: String) throws(FileSystemError) -> String { try base.resolve(place(of: path)) }
  package func close(_ handle: OpenFile) throws(FileSystemError) { try base.close(handle) }

  package func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try willWrite(.create, path)
    return try base.create(place(of: path), mode: mode)
  }
  package func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    try willWrite(.write, handle.path)
    try base.write(bytes, to: handle)
  }
  package func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try willWrite(.setOwner, handle.path)
    try base.setOwner(user, group, of: handle)
  }
  package func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try willWrite(.setMode, handle.path)
    try base.setMode(mode, of: handle)
  }
  package func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    try willWrite(.synchronize, handle.path)
    try base.synchronize(handle)
  }
  package func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try willWrite(.rename, source)
    try base.rename(place(of: source), to: place(of: destination), mode)
  }
  package func remove(_ path: String) throws(FileSystemError) {
    try willWrite(.remove, path)
    try base.remove(place(of: path))
  }
  package func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try willWrite(.makeDirectory, path)
    try base.makeDirectory(place(of: path), mode: mode)
  }
  package func removeDirectory(_ path: String) throws(FileSystemError) {
    try willWrite(.removeDirectory, path)
    try base.removeDirectory(place(of: path))
  }
  package func synchronizeFile(_ path: String) throws(FileSystemError) {
    try willWrite(.synchronize, path)
    try base.synchronizeFile(place(of: path))
  }
  package func synchronizeDirectory(_ path: String) throws(FileSystemError) {
    try willWrite(.synchronize, path)
    try base.synchronizeDirectory(place(of: path))
  }
  package func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try willWrite(.lock, path)
    return try base.lock(place(of: path), mode: mode, waiting: waiting)
  }
}
