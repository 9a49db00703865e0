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
  /// Sets owner and group.
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError)
  /// Sets the permission bits.
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError)
  /// Flushes the file's bytes and attributes to the disk. A failed call is never repeated on the same handle.
  func synchronize(_ handle: OpenFile) throws(FileSystemError)
  /// Closes the handle.
  func close(_ handle: OpenFile) throws(FileSystemError)

  /// Renames a file within one file system, atomically.
  /// - Throws: `unsupported` if the file system does not support a mode other than `replacing`; nothing was changed.
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError)
  /// Removes a file.
  func remove(_ path: String) throws(FileSystemError)
  /// Creates one folder; its parent must exist.
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError)
  /// Removes an empty folder.
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
  /// Takes an exclusive lock on a file without waiting, and creates the file if it is missing.
  /// - Throws: `busy` if another process has the lock.
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

/// What a rename does if a file exists at the destination.
package enum RenameMode: Sendable {
  /// Replaces it.
  case replacing
  /// Fails.
  case exclusive
  /// Exchanges the two files; both must exist.
  case exchanging
}

/// An open file. Only the file system that opened it can use it.
package struct OpenFile: Hashable, Sendable {
  /// The file system's own number for it.
  package var number: Int32
  /// The path it was opened with, for errors.
  package var path: String

  package init(number: Int32, path: String) {
    self.number = number
    self.path = path
  }
}

/// A regular file as it was read.
package struct FileImage: Hashable, Sendable {
  /// Its bytes.
  package var bytes: [UInt8]
  /// Its attributes.
  package var status: FileStatus

  package init(bytes: [UInt8], status: FileStatus) {
    self.bytes = bytes
    self.status = status
  }
}

/// The attributes of a file or folder.
package struct FileStatus: Hashable, Sendable {
  /// Its type.
  package var kind: FileKind
  /// The permission bits.
  package var mode: UInt32
  /// The owner.
  package var user: UInt32
  /// The group.
  package var group: UInt32
  /// The size in bytes.
  package var size: Int64
  /// The number of the file's hard links.
  package var links: UInt64
  /// The file system's own number for it, which does not change when it is moved; 0 if there is none.
  package var number: UInt64
  /// The number of the device; together with the file's number it is unique.
  package var device: UInt64
  /// When its content was last written; nil if that is unknown.
  package var modified: Moment?

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

/// The type of a file.
package enum FileKind: String, Sendable {
  case regular, directory, symbolicLink, other
}

/// Why a file operation failed.
public struct FileSystemError: Error, Hashable, Sendable {
  /// The operation that failed.
  package var operation: Operation
  /// The path of the file or folder.
  public var path: String
  /// The reason for the failure.
  package var reason: Reason

  /// The operations, in words that fit "could not … PATH".
  package enum Operation: String, Sendable {
    case read, list, inspect, create, write, synchronize, close, rename, remove, lock
    case setOwner = "set the owner of"
    case setMode = "set the mode of"
    case makeDirectory = "make the folder"
    case removeDirectory = "remove the folder"
  }

  /// A reason for the failure.
  package enum Reason: Hashable, Sendable {
    /// The system's error number.
    case system(Int32)
    /// Another process has the lock; its id if the lock file contains it.
    case busy(holder: Int32?)
    /// The file is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    /// It is not a regular file.
    case notRegular(FileKind)
    /// The path leads, or may lead, outside the folders to which the file system is confined.
    case unsafe(UnsafePath)
    /// The file system does not support the operation; nothing was tried.
    case unsupported
    /// It is in a read-only archive or backup.
    case readOnlyTree
    /// The backup lists the file but does not contain it.
    case notInBackup
    /// The archive contains the file, but its content is not read in the archive itself: the archive is too large, or
    /// nothing reads such files.
    case beyondArchiveLimit

    /// Whether the system denied this user the operation.
    package var isDenied: Bool {
      self == .system(SystemErrorNumber.denied.number) || self == .system(SystemErrorNumber.notPermitted.number)
    }
  }

  /// Creates an error of an operation on a path.
  package init(_ operation: Operation, _ path: String, _ reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }
}

/// Why a confined file system refuses a path.
package enum UnsafePath: String, Hashable, Sendable {
  /// It is absolute, empty, or has a component that is empty, `.`, `..` or contains a null byte.
  case malformed
  /// A component before the last is a symbolic link.
  case throughLink
  /// The last component is a symbolic link.
  case isLink
  /// A component before the last is not a folder, or the last is not a regular file.
  case wrongKind
}

extension FileSystem {
  /// The canonical path: the real path of the folder that contains it, with the last component unchanged.
  ///
  /// A link in the last component is kept, for code that refuses links. If the last component is `.` or `..`, which
  /// cannot be a link, the whole path is resolved. The folder must exist, but the path need not.
  /// - Throws: the system's error, with the original path.
  package func location(of path: String) throws(FileSystemError) -> String {
    do {
      guard let last = path.utf8.lastIndex(where: { $0 != FilePath.slash }) else { return try resolve(path) }
      let trimmed = String(path[..<path.utf8.index(after: last)])
      let name = FilePath.name(of: trimmed)
      if name == "." || name == ".." { return try resolve(trimmed) }
      return FilePath.join(try resolve(FilePath.folder(of: trimmed)), name)
    } catch {
      throw FileSystemError(error.operation, path, error.reason)
    }
  }
}

/// Paths of this machine as text, compared byte by byte: a combining mark after a slash does not hide the slash.
package enum FilePath {
  package static let slash = UInt8(ascii: "/")

  /// The folder that contains a path.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: slash) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component; the path itself if it has none.
  package static func name(of path: String) -> String {
    path.utf8.split(separator: slash).last.map { String(Substring($0)) } ?? path
  }

  /// The components of a path.
  package static func components(_ path: String, omittingEmpty: Bool = true) -> [String] {
    path.utf8.split(separator: slash, omittingEmptySubsequences: omittingEmpty).map { String(Substring($0)) }
  }

  /// A name in a folder.
  package static func join(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/" + name : folder + "/" + name
  }

  /// The path from a folder to a path inside it: empty for the folder itself; nil for a path outside it, or with an
  /// empty component, `.` or `..` on the way, which may lead out again.
  static func below(_ folder: String, _ path: String) -> String? {
    guard isWithin(path, folder) else { return nil }
    let below = path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
    let isPlain =
      below.isEmpty
      || below.split(separator: slash, omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
      }
    return isPlain ? String(below) : nil
  }

  /// Whether a path is a folder or inside it; both must be canonical.
  package static func isWithin(_ path: String, _ folder: String) -> Bool {
    guard path.utf8.starts(with: folder.utf8) else { return false }
    return folder == "/" || path.utf8.count == folder.utf8.count
      || path.utf8.dropFirst(folder.utf8.count).first == slash
  }
}

extension FileSystem {
  /// The kind of the item at a path below a folder; nil if there is none, or if a folder on the way is something else,
  /// such as a link.
  package func kind(at path: String, below folder: String) -> FileKind? {
    var place = folder
    var kind: FileKind?
    for part in path.split(separator: "/") {
      guard place == folder || kind == .directory else { return nil }
      place = FilePath.join(place, String(part))
      kind = (try? status(place))?.kind
    }
    return kind
  }
}
