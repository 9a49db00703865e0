import CCarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

package struct SystemErrorNumber: Error, Equatable {
  package var number: Int32

  static let interrupted = SystemErrorNumber(number: EINTR)
  static let invalid = SystemErrorNumber(number: EINVAL)
  static let tooManyLinks = SystemErrorNumber(number: ELOOP)
  package static let noEntry = SystemErrorNumber(number: ENOENT)
  package static let notFolder = SystemErrorNumber(number: ENOTDIR)
  static let wouldBlock = SystemErrorNumber(number: EWOULDBLOCK)
  static let deadlock = SystemErrorNumber(number: EDEADLK)
  static let noSuchCall = SystemErrorNumber(number: ENOSYS)
  static let denied = SystemErrorNumber(number: EACCES)
  package static let notPermitted = SystemErrorNumber(number: EPERM)
  package static let exists = SystemErrorNumber(number: EEXIST)
  package static let inputOutput = SystemErrorNumber(number: EIO)
  static let notEmpty = SystemErrorNumber(number: ENOTEMPTY)

  /// Whether the system or the file system does not support the call; nothing was tried.
  var isUnsupported: Bool { number == EINVAL || number == ENOSYS || number == ENOTSUP || number == EOPNOTSUPP }

  /// What a user can do, in a few words.
  var remedy: String {
    switch number {
    case EACCES, EPERM: "check its permissions and those of its folder, and who owns them"
    case ENOENT, ENOTDIR: "check the path"
    case ENOSPC: "free some space on that disk and try again"
    case EDQUOT: "free some of your quota on that disk and try again"
    case EFBIG: "raise the limit on the size of files (ulimit -f), or copy the files to another disk"
    case EROFS: "copy it to a disk that can be written to"
    case EIO: "check that disk; the data on it may be damaged"
    case EMFILE, ENFILE: "close some programs and try again"
    case ELOOP: "replace the symbolic links on that path with folders"
    case EEXIST: "move the existing file away"
    case ENAMETOOLONG: "move it to a shorter path"
    case EXDEV: "keep that folder on one disk"
    case EDEADLK: "finish the current change before you start another"
    case ENOTEMPTY: "check what is still in it"
    default: "try again; if it happens again, check the disk"
    }
  }
}

/// A place for a system call: a path, and the folder from which it starts unless it is absolute.
struct SystemPlace {
  /// The folder's descriptor; `AT_FDCWD` for the working directory.
  var folder: Int32
  var path: String

  /// Refuses a path with a zero byte: the system would stop at it and use another file.
  var bytes: [CChar] {
    get throws(SystemErrorNumber) {
      if path.utf8.contains(0) { throw .invalid }
      return SystemName.bytes(path)
    }
  }

  init(_ path: String) { self.init(path, in: AT_FDCWD) }

  init(_ path: String, in folder: Int32) {
    self.folder = folder
    self.path = path
  }
}

/// The system calls of the live file system, each with one typed error. Their names do not collide with the file
/// system's own methods.
package enum SystemCalls {
  /// How a file is opened. Nothing opened here follows a link in the last component or survives an `exec`.
  enum Access {
    /// Reads; does not wait for the other end of a pipe.
    case reading
    case creating
    /// Reads and writes, creating where needed.
    case locking
    case folder
  }

  static func openFile(_ place: SystemPlace, _ access: Access, mode: UInt32 = 0) throws(SystemErrorNumber) -> Int32 {
    let flags =
      switch access {
      case .reading: O_RDONLY | O_NONBLOCK | O_NOCTTY
      case .creating: O_WRONLY | O_CREAT | O_EXCL
      case .locking: O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY
      case .folder: O_RDONLY | O_DIRECTORY
      }
    let path = try place.bytes
    return try repeated {
      openat(place.folder, path, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
    }
  }

  /// Closes a descriptor. An interrupted close has still closed it.
  static func closeFile(_ descriptor: Int32) throws(SystemErrorNumber) {
    guard close(descriptor) != 0 else { return }
    let failure = lastError()
    guard failure == .interrupted else { throw failure }
  }

  /// Reads up to the buffer's size; 0 at the end of the file.
  package static func readBytes(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemErrorNumber) -> Int { try repeated { read(descriptor, buffer.baseAddress, buffer.count) } }

  /// Reads from an offset in the file, independent of the descriptor's position.
  static func readBytes(
    _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemErrorNumber) -> Int {
    try repeated { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  /// Writes all the bytes, and continues after short writes and interruptions.
  package static func writeBytes(
    _ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(SystemErrorNumber) {
    var rest = UnsafeRawBufferPointer(bytes)
    var fruitless = 0
    while !rest.isEmpty {
      let count = try repeated { write(descriptor, rest.baseAddress, rest.count) }
      // A write that writes nothing and reports no error could loop forever.
      fruitless = count == 0 ? fruitless + 1 : 0
      guard fruitless < 100 else { throw .inputOutput }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  package static func writeBytes(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemErrorNumber) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SystemErrorNumber) in try writeBytes(descriptor, buffer) }
  }

  static func truncateFile(_ descriptor: Int32) throws(SystemErrorNumber) { try check(ftruncate(descriptor, 0)) }

  static func attributes(of descriptor: Int32) throws(SystemErrorNumber) -> FileStatus {
    var status = stat()
    try check(fstat(descriptor, &status))
    return FileStatus(status)
  }

  static func attributes(at place: SystemPlace) throws(SystemErrorNumber) -> FileStatus {
    let path = try place.bytes
    var status = stat()
    try check(fstatat(place.folder, path, &status, AT_SYMLINK_NOFOLLOW))
    return FileStatus(status)
  }

  static func realPath(_ path: String) throws(SystemErrorNumber) -> String {
    guard let characters = realpath(try SystemPlace(path).bytes, nil) else { throw lastError() }
    defer { free(characters) }
    return SystemName.text(characters)
  }

  static func setOwner(_ descriptor: Int32, _ user: UInt32, _ group: UInt32) throws(SystemErrorNumber) {
    try check(fchown(descriptor, user, group))
  }

  static func setMode(_ descriptor: Int32, _ mode: UInt32) throws(SystemErrorNumber) {
    try check(fchmod(descriptor, mode_t(truncatingIfNeeded: mode)))
  }

  /// Flushes a descriptor's data to the disk. Called only once: after a failure, the kernel may have dropped the data
  /// and would report success the second time.
  static func synchronize(_ descriptor: Int32) throws(SystemErrorNumber) {
    #if canImport(Darwin)
      // fsync on Darwin stops at the drive's cache. File systems without the stronger call say so, having done nothing.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
      let failure = lastError()
      guard failure.number == ENOTSUP || failure.number == EINVAL || failure.number == ENOTTY else { throw failure }
    #endif
    try check(fsync(descriptor))
  }

  static func lockExclusively(_ descriptor: Int32, waiting: Bool) throws(SystemErrorNumber) {
    _ = try repeated { flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) }
  }

  static func renameFile(
    _ source: SystemPlace, _ destination: SystemPlace, _ mode: RenameMode
  ) throws(SystemErrorNumber) {
    let (old, new) = (try source.bytes, try destination.bytes)
    switch mode {
    case .replacing: try check(renameat(source.folder, old, destination.folder, new))
    case .exclusive: try check(carryover_rename_exclusive(source.folder, old, destination.folder, new))
    case .exchanging: try check(carryover_rename_exchange(source.folder, old, destination.folder, new))
    }
  }

  static func removeFile(_ place: SystemPlace) throws(SystemErrorNumber) {
    try check(unlinkat(place.folder, try place.bytes, 0))
  }

  static func makeFolder(_ place: SystemPlace, _ mode: UInt32) throws(SystemErrorNumber) {
    try check(mkdirat(place.folder, try place.bytes, mode_t(truncatingIfNeeded: mode)))
  }

  static func removeFolder(_ place: SystemPlace) throws(SystemErrorNumber) {
    try check(unlinkat(place.folder, try place.bytes, AT_REMOVEDIR))
  }

  /// The names in a folder, without `.` and `..`, in the folder's own order. Closes the descriptor.
  static func names(inFolder descriptor: Int32) throws(SystemErrorNumber) -> [String] {
    guard let stream = fdopendir(descriptor) else {
      let failure = lastError()
      _ = close(descriptor)
      throw failure
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw lastError() }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) { characters in
          SystemName.text(characters)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  static var user: UInt32 { geteuid() }

  static var processID: Int32 { getpid() }

  /// Whether there is a process with this id, even one that belongs to another user.
  static func isRunning(_ processID: Int32) -> Bool { kill(processID, 0) == 0 || errno != ESRCH }

  /// The system's text for an error number: "No space left on device".
  static func text(ofError number: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func check(_ result: Int32) throws(SystemErrorNumber) {
    if result != 0 { throw lastError() }
  }

  /// The result of a call that is made again whenever a signal interrupts it.
  private static func repeated<Number: SignedInteger>(_ call: () -> Number) throws(SystemErrorNumber) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      let failure = lastError()
      guard failure == .interrupted else { throw failure }
    }
  }

  static func lastError() -> SystemErrorNumber { SystemErrorNumber(number: errno) }

  /// Opens a folder to reach its contents, following no link in any component.
  ///
  /// If the system has no call for that, or forbids it, opens each component from the one before it.
  /// - Parameters:
  ///   - place: a path without `.`, `..` and empty components.
  ///   - walking: whether to avoid that call anyway.
  /// - Throws: `tooManyLinks` for a link.
  static func openFolder(_ place: SystemPlace, walking: Bool) throws(SystemErrorNumber) -> Int32 {
    if !walking {
      do {
        return try openFolderAtOnce(place)
      } catch {
        // Some sandboxes answer an unknown call with the second error.
        guard error == .noSuchCall || error == .notPermitted else { throw error }
      }
    }
    return try walk(place)
  }

  static func openFolderAtOnce(_ place: SystemPlace) throws(SystemErrorNumber) -> Int32 {
    let path = try place.bytes
    return try repeated { carryover_open_nofollow(place.folder, path) }
  }

  private static func walk(_ place: SystemPlace) throws(SystemErrorNumber) -> Int32 {
    var reached = place.folder
    let top = place.path.utf8.first == FilePath.slash ? ["/"] : []
    for name in top + FilePath.components(place.path) {
      let previous = reached
      defer { if previous != place.folder { try? closeFile(previous) } }
      reached = try step(SystemPlace(name, in: previous))
    }
    return reached
  }

  private static func step(_ place: SystemPlace) throws(SystemErrorNumber) -> Int32 {
    let path = try place.bytes
    do {
      return try repeated { carryover_open_component(place.folder, path) }
    } catch {
      // A link is not a folder; systems differ in which of the two errors they report.
      guard error == .notFolder, let kind = try? attributes(at: place).kind, kind == .symbolicLink else { throw error }
      throw .tooManyLinks
    }
  }
}

extension FileStatus {
  fileprivate init(_ status: stat) {
    let kind: FileKind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    #if canImport(Darwin)
      let (written, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (written, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      kind: kind, mode: UInt32(truncatingIfNeeded: status.st_mode & 0o7777), user: status.st_uid, group: status.st_gid,
      size: Int64(truncatingIfNeeded: status.st_size), links: UInt64(truncatingIfNeeded: status.st_nlink),
      number: UInt64(truncatingIfNeeded: status.st_ino), device: UInt64(truncatingIfNeeded: status.st_dev),
      modified: Moment(secondsSince1970: Int64(truncatingIfNeeded: written.tv_sec)))
    changes = Changes(content: Self.nanoseconds(written), attributes: Self.nanoseconds(changed))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ Int64(truncatingIfNeeded: time.tv_nsec)
  }
}
