/// The file operations that Carryover uses, so that tests can make any of them fail.
///
/// Every operation is one system call or a loop over one, except that a confined file system first opens the folder.
/// Only `resolve` follows a symbolic link in the last component. Paths are absolute or relative to the working
/// directory.
package protocol FileSystem: Sendable {
  /// The user who owns new files; only 0 can give them to others.
  var user: UInt32 { get }

  /// The same file system, confined to some folders, which it keeps open. It opens a path inside them from there,
  /// follows no symbolic link in any component, and refuses every other path. Only `resolve` works as before.
  ///
  /// By default, returns the file system unchanged, without confining it.
  /// - Parameter folders: the folders' paths, as `resolve` returns them. If a path is in several, the first one
  ///   applies.
  /// - Throws: the system's error, or `unsafe`, if a folder cannot be opened.
  func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem

  /// Reads a whole regular file and its attributes, through one descriptor.
  /// - Throws: `tooLarge` over `limit` bytes, `notRegular` for anything but a regular file, or the system's error.
  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage
  /// Reads a part of a regular file; fewer bytes than requested if the file ends first.
  /// - Throws: `notRegular` for anything but a regular file, or the system's error.
  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
  /// The attributes of the file, folder or link at a path, without following the link; nil if nothing is there.
  func status(_ path: String) throws(FileSystemError) -> FileStatus?
  /// The names in a folder, sorted by their bytes, without `.` and `..`.
  func list(_ path: String) throws(FileSystemError) -> [String]
  /// The absolute path of an existing file or folder, without links, `.` and `..` in any component, including the last.
  /// - Throws: the system's error, also if nothing is there.
  func resolve(_ path: String) throws(FileSystemError) -> String

  /// Creates a file that must not exist yet, for writing.
  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile
  /// Writes all the bytes at the handle's position, and continues after short writes and interruptions.
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError)
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError)
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError)
  /// Flushes the file's bytes and attributes to the disk. A failed call is never repeated on the same handle.
  func synchronize(_ handle: OpenFile) throws(FileSystemError)
  func close(_ handle: OpenFile) throws(FileSystemError)

  /// Renames a file within one file system, atomically.
  /// - Throws: `unsupported` if the file system does not support a mode other than `replacing`; nothing was changed.
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError)
  func remove(_ path: String) throws(FileSystemError)
  /// Creates one folder; its parent must exist.
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError)
  func removeDirectory(_ path: String) throws(FileSystemError)
  /// Flushes the bytes of a file that other code has written to the disk.
  func synchronizeFile(_ path: String) throws(FileSystemError)
  /// Flushes a folder's entries to the disk.
  func synchronizeDirectory(_ path: String) throws(FileSystemError)
  /// Takes an exclusive lock on a file, and creates the file if it is missing; `close` releases the lock.
  /// - Parameter waiting: whether to wait until another process releases the lock.
  /// - Throws: `busy` if another process has the lock and this one does not wait.
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile
}

extension FileSystem {
  package func lock(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try lock(path, mode: mode, waiting: false)
  }

  /// Returns the file system unchanged: for file systems that no other process can change.
  package func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem { self }

  /// Reads the whole file and returns a part: for file systems in memory.
  package func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    Array(try read(path, limit: .max).bytes.dropFirst(max(0, offset)).prefix(max(0, count)))
  }
}

/// A file system that leaves to another one what it does not do itself.
package protocol FileSystemLayer: FileSystem {
  var base: any FileSystem { get }
  /// Called before each operation on a path that is left to the other one, except reading.
  /// - Throws: the error with which to refuse it.
  func check(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError)
}

extension FileSystemLayer {
  package func check(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError) {}

  package var user: UInt32 { base.user }
  package func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    try base.read(path, limit: limit)
  }
  package func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try base.read(path, from: offset, count: count)
  }
  package func status(_ path: String) throws(FileSystemError) -> FileStatus? { try base.status(path) }
  package func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(path) }
  package func resolve(_ path: String) throws(FileSystemError) -> String { try base.resolve(path) }
  package func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try check(path, .create)
    return try base.create(path, mode: mode)
  }
  package func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    try base.write(bytes, to: handle)
  }
  package func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try base.setOwner(user, group, of: handle)
  }
  package func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try base.setMode(mode, of: handle)
  }
  package func synchronize(_ handle: OpenFile) throws(FileSystemError) { try base.synchronize(handle) }
  package func close(_ handle: OpenFile) throws(FileSystemError) { try base.close(handle) }
  package func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try check(source, .rename)
    try check(destination, .rename)
    try base.rename(source, to: destination, mode)
  }
  package func remove(_ path: String) throws(FileSystemError) {
    try check(path, .remove)
    try base.remove(path)
  }
  package func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try check(path, .makeDirectory)
    try base.makeDirectory(path, mode: mode)
  }
  package func removeDirectory(_ path: String) throws(FileSystemError) {
    try check(path, .removeDirectory)
    try base.removeDirectory(path)
  }
  package func synchronizeFile(_ path: String) throws(FileSystemError) {
    try check(path, .synchronize)
    try base.synchronizeFile(path)
  }
  package func synchronizeDirectory(_ path: String) throws(FileSystemError) {
    try check(path, .synchronize)
    try base.synchronizeDirectory(path)
  }
  package func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try check(path, .lock)
    return try base.lock(path, mode: mode, waiting: waiting)
  }
}

/// What a rename does if a file exists at the destination.
package enum RenameMode: Sendable {
  case replacing
  case exclusive
  /// Exchanges the two files; both must exist.
  case exchanging
}

/// An open file. Only the file system that opened it can use it.
package struct OpenFile: Hashable, Sendable {
  package var number: Int32
  package var path: String

  package init(number: Int32, path: String) {
    self.number = number
    self.path = path
  }
}

package struct FileImage: Hashable, Sendable {
  package var bytes: [UInt8]
  package var status: FileStatus

  package init(bytes: [UInt8], status: FileStatus) {
    self.bytes = bytes
    self.status = status
  }
}

package struct FileStatus: Hashable, Sendable {
  package var kind: FileKind
  package var mode: UInt32
  package var user: UInt32
  package var group: UInt32
  package var size: Int64
  package var links: UInt64
  /// The file system's own number for it, which does not change when it is moved; 0 if there is none.
  package var number: UInt64
  /// The number of the device; together with the file's number it is unique.
  package var device: UInt64
  package var modified: Moment?
  /// When the content and when the attributes were changed, as exactly as the file system knows, in nanoseconds; 0 where
  /// it does not say. They only tell one state of a file from another.
  package var changes = Changes()

  package struct Changes: Hashable, Sendable {
    package var content: Int64 = 0
    package var attributes: Int64 = 0

    package init(content: Int64 = 0, attributes: Int64 = 0) { (self.content, self.attributes) = (content, attributes) }
  }

  package init(
    kind: FileKind, mode: UInt32, user: UInt32, group: UInt32, size: Int64, links: UInt64, number: UInt64 = 0,
    device: UInt64 = 0, modified: Moment? = nil
  ) {
    self.kind = kind
    self.mode = mode
    self.user = user
    self.group = group
    self.size = size
    self.links = links
    self.number = number
    self.device = device
    self.modified = modified
  }
}

package enum FileKind: String, Sendable {
  case regular, directory, symbolicLink, other
}

/// The current or the intended state of a path.
package enum FileState: Hashable {
  case absent
  case file(bytes: [UInt8], attributes: FileAttributes)

  package var bytes: [UInt8]? {
    if case .file(let bytes, _) = self { bytes } else { nil }
  }

  package var attributes: FileAttributes? {
    if case .file(_, let attributes) = self { attributes } else { nil }
  }

  package init(_ image: FileImage?) {
    guard let image else {
      self = .absent
      return
    }
    self = .file(bytes: image.bytes, attributes: FileAttributes(image.status))
  }
}

/// The attributes of a file that a run preserves.
package struct FileAttributes: Hashable {
  /// The permission bits, without set-user-id and its like.
  package var mode: UInt32
  package var owner: Owner?

  package init(mode: UInt32, owner: Owner?) {
    self.mode = mode & 0o777
    self.owner = owner
  }

  package init(_ status: FileStatus) {
    self.init(mode: status.mode, owner: Owner(user: status.user, group: status.group))
  }

  package struct Owner: Hashable {
    package var user: UInt32
    package var group: UInt32

    package init(user: UInt32, group: UInt32) {
      self.user = user
      self.group = group
    }
  }
}
