/// The few file operations Carryover makes, so that tests can fail any of them.
///
/// Every operation is one system call or a loop over one, besides the opening of the folder it is made in where the file
/// system is confined. None but `resolve` follows a symbolic link in the last component. Paths are absolute or relative to
/// the working directory.
package protocol FileSystem: Sendable {
  /// The user whose files are made here; 0 may give them to others.
  var user: UInt32 { get }

  /// The same file system, confined to some folders, which it holds open. It opens a path in them from there, follows
  /// no symbolic link in any component, and refuses every other path. Only `resolve` works as before.
  ///
  /// By default returns the file system unchanged, without confining it.
  /// - Parameter folders: their paths as `resolve` gives them, the one that counts first where a path lies in several.
  /// - Throws: why a folder cannot be opened: the system's error, or `unsafe`.
  func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem

  /// Reads a whole regular file and its attributes, through one descriptor.
  /// - Throws: `tooLarge` over `limit` bytes, `notRegular` for anything but a regular file, or the system's error.
  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage
  /// Reads a part of a regular file: fewer bytes than asked for where the file ends before.
  /// - Throws: `notRegular` for anything but a regular file, or the system's error.
  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
  /// The attributes of what stands at a path, a link itself included; nil where nothing does.
  func status(_ path: String) throws(FileSystemError) -> FileStatus?
  /// The names in a folder, sorted by their bytes, without `.` and `..`.
  func list(_ path: String) throws(FileSystemError) -> [String]
  /// The absolute path of what stands at a path, without links, `.` and `..` in any component, the last included.
  /// - Throws: the system's error, also where nothing stands there.
  func resolve(_ path: String) throws(FileSystemError) -> String

  /// Creates a file that must not exist yet, for writing.
  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile
  /// Writes all the bytes at the handle's position, going on after short writes and interruptions.
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError)
  /// Sets owner and group.
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError)
  /// Sets the permission bits.
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError)
  /// Brings the file's bytes and attributes to the disk. A failed call is never repeated on the same handle.
  func synchronize(_ handle: OpenFile) throws(FileSystemError)
  /// Closes the handle.
  func close(_ handle: OpenFile) throws(FileSystemError)

  /// Gives a file another name, within one file system, atomically.
  /// - Throws: `unsupported` where the mode is not `replacing` and the file system does not have it; nothing was tried.
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError)
  /// Removes a file.
  func remove(_ path: String) throws(FileSystemError)
  /// Makes one folder; its parent must exist.
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError)
  /// Removes an empty folder.
  func removeDirectory(_ path: String) throws(FileSystemError)
  /// Brings the bytes of a file that somebody else has written to the disk.
  func synchronizeFile(_ path: String) throws(FileSystemError)
  /// Brings a folder's entries to the disk.
  func synchronizeDirectory(_ path: String) throws(FileSystemError)
  /// Takes an exclusive lock on a file, creating it where needed; `close` releases it.
  /// - Parameter waiting: whether to wait for the holder.
  /// - Throws: `busy` when another process holds it and this one does not wait.
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile
}

extension FileSystem {
  /// Takes an exclusive lock on a file, creating it where needed, without waiting.
  /// - Throws: `busy` when another process holds it.
  package func lock(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try lock(path, mode: mode, waiting: false)
  }

  /// The file system as it is: for those that nobody else can change.
  package func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem { self }

  /// A part of a file that is read as a whole: for file systems that have it in memory.
  package func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    Array(try read(path, limit: .max).bytes.dropFirst(max(0, offset)).prefix(max(0, count)))
  }
}

/// What a rename does with a file that stands at the destination.
package enum RenameMode: Sendable {
  /// It is replaced.
  case replacing
  /// The rename fails: nothing may stand there.
  case exclusive
  /// The two change places; both must be there.
  case exchanging
}

/// An open file. Only the file system that made it can use it.
package struct OpenFile: Hashable, Sendable {
  /// The file system's own number for it.
  package var number: Int32
  /// The path it was opened with, for errors.
  package var path: String

  /// A handle from its parts.
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

  /// An image from its parts.
  package init(bytes: [UInt8], status: FileStatus) {
    self.bytes = bytes
    self.status = status
  }
}

/// The attributes of what stands at a path.
package struct FileStatus: Hashable, Sendable {
  /// What it is.
  package var kind: FileKind
  /// The permission bits.
  package var mode: UInt32
  /// The owner.
  package var user: UInt32
  /// The group.
  package var group: UInt32
  /// The size in bytes.
  package var size: Int64
  /// How many names the file has.
  package var links: UInt64
  /// The file system's own number for it, which it keeps when it is moved within it; 0 where there is none.
  package var number: UInt64
  /// The number of the device, which together with the file's tells it from every other.
  package var device: UInt64
  /// When its content was last written; nil where that is not known.
  package var modified: Moment?

  /// Attributes from their parts.
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

/// What stands at a path.
package enum FileKind: String, Sendable {
  case regular, directory, symbolicLink, other
}

/// Why a file operation failed.
public struct FileSystemError: Error, Hashable, Sendable {
  /// What failed.
  package var operation: Operation
  /// On which path.
  public var path: String
  /// Why.
  package var reason: Reason

  /// The operations, in words that fit "could not … PATH".
  package enum Operation: String, Sendable {
    case read, list, inspect, create, write, synchronize, close, rename, remove, lock
    case setOwner = "set the owner of"
    case setMode = "set the mode of"
    case makeDirectory = "make the folder"
    case removeDirectory = "remove the folder"
  }

  /// Why an operation failed.
  package enum Reason: Hashable, Sendable {
    /// The system's error number.
    case system(Int32)
    /// Another process holds the lock; its id where the lock says so.
    case busy(holder: Int32?)
    /// The file is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    /// It is not a regular file.
    case notRegular(FileKind)
    /// The path leads, or may lead, out of the folders to which the file system is confined.
    case unsafe(UnsafePath)
    /// The file system has no such operation, and nothing was tried.
    case unsupported
    /// It lies in an archive or a backup, which is only read.
    case readOnlyTree
    /// The backup lists the file without having its content.
    case notInBackup
    /// The archive has the file, and more than is kept of archives.
    case beyondArchiveLimit

    /// Whether the system refused it to this user.
    package var isDenied: Bool {
      self == .system(SystemErrorNumber.denied.number) || self == .system(SystemErrorNumber.notPermitted.number)
    }
  }

  /// An error from its parts.
  package init(_ operation: Operation, _ path: String, _ reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }
}

/// Why a path is refused.
package enum UnsafePath: String, Hashable, Sendable {
  /// It is absolute, empty, or has a component that is empty, `.`, `..` or holds a null byte.
  case malformed
  /// A component before the last is a symbolic link.
  case throughLink
  /// The last component is a symbolic link.
  case isLink
  /// A component before the last is no folder, or the last is no regular file.
  case wrongKind
}
