import CCarryoverSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The error number of a system call that failed.
package struct SystemErrorNumber: Error, Equatable {
  package var number: Int32

  static let interrupted = SystemErrorNumber(number: EINTR)
  static let invalid = SystemErrorNumber(number: EINVAL)
  static let tooManyLinks = SystemErrorNumber(number: ELOOP)
  package static let noEntry = SystemErrorNumber(number: ENOENT)
  static let notFolder = SystemErrorNumber(number: ENOTDIR)
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
}

/// The system calls of the live file system, each with one typed error. Their names do not collide with the file
/// system's own methods.
enum SystemCalls {
  /// How a file is opened. Nothing opened here follows a link in the last component or survives an `exec`.
  enum Access {
    /// Reads; does not wait for the other end of a pipe.
    case reading
    /// Writes a file that must not exist.
    case creating
    /// Reads and writes, creating where needed.
    case locking
    /// Opens a folder.
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
    try check(place)
    while true {
      let descriptor = openat(
        place.folder, place.bytes, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
      if descriptor >= 0 { return descriptor }
      let failure = lastError()
      guard failure == .interrupted else { throw failure }
    }
  }

  /// Closes a descriptor. An interrupted close has still closed it.
  static func closeFile(_ descriptor: Int32) throws(SystemErrorNumber) {
    guard close(descriptor) != 0 else { return }
    let failure = lastError()
    guard failure == .interrupted else { throw failure }
  }

  /// Reads up to the buffer's size; 0 at the end of the file.
  static func readBytes(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemErrorNumber)
    -> Int
  {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      let failure = lastError()
      guard failure == .interrupted else { throw failure }
    }
  }

  /// Reads from an offset in the file, independent of the descriptor's position.
  static func readBytes(
    _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemErrorNumber) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      let failure = lastError()
      guard failure == .interrupted else { throw failure }
    }
  }

  /// Writes all the bytes, and continues after short writes and interruptions.
  static func writeBytes(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemErrorNumber) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SystemErrorNumber) in
      var rest = UnsafeRawBufferPointer(buffer)
      var fruitless = 0
      while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0 {
          let failure = lastError()
          guard failure == .interrupted else { throw failure }
        } else if count == 0 {
          // A write that writes nothing and reports no error could loop forever.
          fruitless += 1
          guard fruitless < 100 else { throw .inputOutput }
        } else {
          fruitless = 0
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
      }
    }
  }

  /// Empties a file.
  static func truncateFile(_ descriptor: Int32) throws(SystemErrorNumber) {
    try check(ftruncate(descriptor, 0))
  }

  static func attributes(of descriptor: Int32) throws(SystemErrorNumber) -> FileStatus {
    var status = stat()
    try check(fstat(descriptor, &status))
    return FileStatus(status)
  }

  static func attributes(at place: SystemPlace) throws(SystemErrorNumber) -> FileStatus {
    try check(place)
    var status = stat()
    try check(fstatat(place.folder, place.bytes, &status, AT_SYMLINK_NOFOLLOW))
    return FileStatus(status)
  }

  /// The real path of an existing file or folder.
  static func realPath(_ path: String) throws(SystemErrorNumber) -> String {
    try check(SystemPlace(path))
    guard let characters = realpath(SystemName.bytes(path), nil) else { throw lastError() }
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
    while true {
      if flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 { return }
      let failure = lastError()
      guard failure == .interrupted else { throw failure }
    }
  }

  static func renameFile(
    _ source: SystemPlace, _ destination: SystemPlace, _ mode: RenameMode
  ) throws(SystemErrorNumber) {
    try check(source)
    try check(destination)
    let (from, to) = (source.folder, destination.folder)
    switch mode {
    case .replacing: try check(renameat(from, source.bytes, to, destination.bytes))
    case .exclusive: try check(carryover_rename_exclusive(from, source.bytes, to, destination.bytes))
    case .exchanging: try check(carryover_rename_exchange(from, source.bytes, to, destination.bytes))
    }
  }

  static func removeFile(_ place: SystemPlace) throws(SystemErrorNumber) {
    try check(place)
    try check(unlinkat(place.folder, place.bytes, 0))
  }

  static func makeFolder(_ place: SystemPlace, _ mode: UInt32) throws(SystemErrorNumber) {
    try check(place)
    try check(mkdirat(place.folder, place.bytes, mode_t(truncatingIfNeeded: mode)))
  }

  static func removeFolder(_ place: SystemPlace) throws(SystemErrorNumber) {
    try check(place)
    try check(unlinkat(place.folder, place.bytes, AT_REMOVEDIR))
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

  /// The effective user of this process.
  static var user: UInt32 { geteuid() }

  /// The id of this process.
  static var processID: Int32 { getpid() }

  /// Whether there is a process with this id, even one that belongs to another user.
  static func isRunning(_ processID: Int32) -> Bool { kill(processID, 0) == 0 || errno != ESRCH }

  /// The system's text for an error number: "No space left on device".
  static func text(ofError number: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Refuses a path with a zero byte: the system would stop at it and use another file.
  static func check(_ place: SystemPlace) throws(SystemErrorNumber) {
    if place.path.utf8.contains(0) { throw .invalid }
  }

  private static func check(_ result: Int32) throws(SystemErrorNumber) {
    if result != 0 { throw lastError() }
  }

  static func lastError() -> SystemErrorNumber { SystemErrorNumber(number: errno) }
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
      let written = status.st_mtimespec
    #else
      let written = status.st_mtim
    #endif
    self.init(
      kind: kind, mode: UInt32(truncatingIfNeeded: status.st_mode & 0o7777), user: status.st_uid, group: status.st_gid,
      size: Int64(truncatingIfNeeded: status.st_size), links: UInt64(truncatingIfNeeded: status.st_nlink),
      number: UInt64(truncatingIfNeeded: status.st_ino), device: UInt64(truncatingIfNeeded: status.st_dev),
      modified: Moment(secondsSince1970: Int64(truncatingIfNeeded: written.tv_sec)))
  }
}
