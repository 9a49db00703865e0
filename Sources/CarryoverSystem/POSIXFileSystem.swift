/// The file system of this machine.
///
/// A handle is a descriptor. Nothing else is kept between calls, so any thread can use a value. Only `resolve` follows
/// a symbolic link in a path's last component. The caller checks the others, unless the file system is confined.
package struct POSIXFileSystem: FileSystem {
  private let held: HeldFolders?
  private let isDurable: Bool

  /// - Parameter isDurable: whether to flush to the disk; no only for files that nobody needs after a power cut.
  package init(isDurable: Bool = true) { self.init(nil, isDurable: isDurable) }

  private init(_ held: HeldFolders?, isDurable: Bool) {
    self.held = held
    self.isDurable = isDurable
  }

  /// The same file system, confined to some folders, which stay open as long as a copy of the result exists.
  package func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem {
    try confined(to: folders, walking: false)
  }

  /// - Parameter walking: whether to open folders component by component even on systems that can do it in one call.
  package func confined(to folders: [String], walking: Bool) throws(FileSystemError) -> POSIXFileSystem {
    POSIXFileSystem(try HeldFolders(folders, walking: walking), isDurable: isDurable)
  }

  package var user: UInt32 { SystemCalls.user }

  package func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    let descriptor = try openForReading(path)
    // Nothing was written through it, so a close that fails loses nothing.
    defer { try? SystemCalls.closeFile(descriptor) }
    let status = try named(.read, path, try SystemCalls.attributes(of: descriptor))
    guard status.kind == .regular else { throw FileSystemError(.read, path, .notRegular(status.kind)) }
    guard status.size <= Int64(limit),
      let bytes = try named(.read, path, try bytes(descriptor, expected: Int(status.size), limit: limit))
    else { throw FileSystemError(.read, path, .tooLarge(limit: limit)) }
    return FileImage(bytes: bytes, status: status)
  }

  package func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    let descriptor = try openForReading(path)
    defer { try? SystemCalls.closeFile(descriptor) }
    let kind = try named(.read, path, try SystemCalls.attributes(of: descriptor).kind)
    guard kind == .regular else { throw FileSystemError(.read, path, .notRegular(kind)) }
    return try named(.read, path, try part(descriptor, from: max(0, offset), count: max(0, count)))
  }

  package func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    do {
      return try at(.inspect, path, SystemCalls.attributes(at:))
    } catch  where error.reason.isAbsence {
      return nil
    }
  }

  package func list(_ path: String) throws(FileSystemError) -> [String] {
    let names = try at(.list, path) { (place) throws(SystemErrorNumber) in
      try SystemCalls.names(inFolder: SystemCalls.openFile(place, .folder))
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package func resolve(_ path: String) throws(FileSystemError) -> String {
    try named(.inspect, path, try SystemCalls.realPath(path))
  }

  package func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    let number = try at(.create, path) { (place) throws(SystemErrorNumber) in
      try SystemCalls.openFile(place, .creating, mode: mode)
    }
    return OpenFile(number: number, path: path)
  }

  package func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    try named(.write, handle.path, try SystemCalls.writeBytes(handle.number, bytes))
  }

  package func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try named(.setOwner, handle.path, try SystemCalls.setOwner(handle.number, user, group))
  }

  package func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try named(.setMode, handle.path, try SystemCalls.setMode(handle.number, mode))
  }

  /// Flushes the file's bytes and attributes to the disk: `fsync`, and `F_FULLFSYNC` on Darwin.
  package func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    guard isDurable else { return }
    try named(.synchronize, handle.path, try SystemCalls.synchronize(handle.number))
  }

  package func close(_ handle: OpenFile) throws(FileSystemError) {
    try named(.close, handle.path, try SystemCalls.closeFile(handle.number))
  }

  package func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try reach(source, .rename) { (from) throws(FileSystemError) in
      try reach(destination, .rename) { (to) throws(FileSystemError) in
        do throws(SystemErrorNumber) {
          try SystemCalls.renameFile(from, to, mode)
        } catch {
          guard mode == .replacing || !error.isUnsupported else { throw FileSystemError(.rename, source, .unsupported) }
          throw FileSystemError(.rename, source, .system(error.number))
        }
      }
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try at(.remove, path, SystemCalls.removeFile)
  }

  package func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try at(.makeDirectory, path) { (place) throws(SystemErrorNumber) in try SystemCalls.makeFolder(place, mode) }
  }

  package func removeDirectory(_ path: String) throws(FileSystemError) {
    try at(.removeDirectory, path, SystemCalls.removeFolder)
  }

  package func synchronizeFile(_ path: String) throws(FileSystemError) {
    guard isDurable else { return }
    try at(.synchronize, path) { (place) throws(SystemErrorNumber) in
      let descriptor = try SystemCalls.openFile(place, .reading)
      defer { try? SystemCalls.closeFile(descriptor) }
      try SystemCalls.synchronize(descriptor)
    }
  }

  package func synchronizeDirectory(_ path: String) throws(FileSystemError) {
    guard isDurable else { return }
    try at(.synchronize, path) { (place) throws(SystemErrorNumber) in
      let descriptor = try SystemCalls.openFile(place, .folder)
      defer { try? SystemCalls.closeFile(descriptor) }
      do throws(SystemErrorNumber) {
        try SystemCalls.synchronize(descriptor)
      } catch  where error == .invalid {
        // The file system has no such operation for folders and has tried nothing.
      }
    }
  }

  /// Takes an exclusive lock on a file, and creates the file if it is missing. Without waiting, writes this process's
  /// id into it.
  package func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    // The last owner may remove the file between our opening and our locking it; the lock would then be on a file that
    // no other process can find.
    for _ in 0..<16 {
      let number = try at(.lock, path) { (place) throws(SystemErrorNumber) in
        try SystemCalls.openFile(place, .locking, mode: mode)
      }
      do {
        if try takeLock(number, path, waiting: waiting) { return OpenFile(number: number, path: path) }
      } catch {
        try? SystemCalls.closeFile(number)
        throw error
      }
      try? SystemCalls.closeFile(number)
    }
    throw FileSystemError(.lock, path, .busy(holder: nil))
  }

  private func reach<Result>(
    _ path: String, _ operation: FileSystemError.Operation, _ body: (SystemPlace) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    guard let held else { return try body(SystemPlace(path)) }
    return try held.reach(path, operation, body)
  }

  private func at<Result>(
    _ operation: FileSystemError.Operation, _ path: String, _ body: (SystemPlace) throws(SystemErrorNumber) -> Result
  ) throws(FileSystemError) -> Result {
    try reach(path, operation) { (place) throws(FileSystemError) in
      try named(operation, path, try body(place))
    }
  }

  private func named<Result>(
    _ operation: FileSystemError.Operation, _ path: String,
    _ body: @autoclosure () throws(SystemErrorNumber) -> Result
  ) throws(FileSystemError) -> Result {
    try converting(try body()) { (error: SystemErrorNumber) in
      FileSystemError(operation, path, .system(error.number))
    }
  }

  private func openForReading(_ path: String) throws(FileSystemError) -> Int32 {
    try reach(path, .read) { (place) throws(FileSystemError) in
      do throws(SystemErrorNumber) {
        return try SystemCalls.openFile(place, .reading)
      } catch {
        // A link and a chain of links give the same error number; only the first is at the path itself.
        if error == .tooManyLinks, let kind = try? SystemCalls.attributes(at: place).kind,
          kind == .symbolicLink
        {
          throw FileSystemError(.read, path, .notRegular(kind))
        }
        throw FileSystemError(.read, path, .system(error.number))
      }
    }
  }

  /// Whether the lock was taken on the file that is still at the path.
  private func takeLock(_ number: Int32, _ path: String, waiting: Bool) throws(FileSystemError) -> Bool {
    do {
      try SystemCalls.lockExclusively(number, waiting: waiting)
    } catch {
      guard error == .wouldBlock else { throw FileSystemError(.lock, path, .system(error.number)) }
      throw FileSystemError(.lock, path, .busy(holder: holder(path)))
    }
    let locked = try named(.lock, path, try SystemCalls.attributes(of: number))
    guard locked.kind == .regular else { throw FileSystemError(.lock, path, .notRegular(locked.kind)) }
    let standing = try? at(.lock, path, SystemCalls.attributes(at:))
    guard let standing, standing.number == locked.number, standing.device == locked.device else { return false }
    // Only for the other process's error message: a lock without an id in it works as well. A file that is more than a
    // lock, or that has another hard link, came with the container and is not changed.
    if !waiting, locked.links == 1, locked.size <= 64 {
      try? SystemCalls.truncateFile(number)
      try? SystemCalls.writeBytes(number, Array("\(SystemCalls.processID)\n".utf8))
    }
    return true
  }

  private func holder(_ path: String) -> Int32? {
    guard let image = try? read(path, limit: 64) else { return nil }
    let digits = image.bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }
    return Int32(String(decoding: digits, as: UTF8.self))
  }

  func part(_ descriptor: Int32, from offset: Int, count: Int) throws(SystemErrorNumber) -> [UInt8] {
    try bytes(atMost: count) { (filled, free) throws(SystemErrorNumber) in
      try SystemCalls.readBytes(descriptor, at: offset.addingReportingOverflow(filled).partialValue, into: free)
    }
  }

  /// Everything up to the end of the file, whose size may have changed since it was read; nil if over the limit.
  private func bytes(_ descriptor: Int32, expected: Int, limit: Int) throws(SystemErrorNumber) -> [UInt8]? {
    var bytes: [UInt8] = []
    // One byte more than expected, so that the usual file ends inside the first chunk.
    var chunk = expected.addingReportingOverflow(1).partialValue
    while true {
      let part = try self.bytes(atMost: chunk) { (_, free) throws(SystemErrorNumber) in
        try SystemCalls.readBytes(descriptor, into: free)
      }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      guard bytes.count <= limit else { return nil }
      if part.count < chunk { return bytes }
      chunk = 1 << 16
    }
  }

  /// The bytes that some reads return, until one returns none.
  /// - Parameter read: reads into a buffer behind some bytes.
  private func bytes(
    atMost count: Int, _ read: (Int, UnsafeMutableRawBufferPointer) throws(SystemErrorNumber) -> Int
  ) throws(SystemErrorNumber) -> [UInt8] {
    var failure: SystemErrorNumber?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemErrorNumber) {
        while filled < count {
          let free = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
          let count = try read(filled, UnsafeMutableRawBufferPointer(free))
          guard count > 0 else { return }
          filled += count
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// Open folders to which a file system is confined.
///
/// Each use follows a path from its open folder and through no link. Even if other code replaces a part of the path
/// meanwhile, nothing outside is reached; a renamed folder stays the same folder.
struct HeldFolders: Sendable {
  private var folders: [HeldFolder] = []
  private let walking: Bool

  /// Opens folders by their canonical paths; a folder inside another one needs no descriptor of its own.
  /// - Parameter walking: whether to open component by component even on systems that can do it in one call.
  init(_ paths: [String], walking: Bool) throws(FileSystemError) {
    self.walking = walking
    for path in paths where !folders.contains(where: { FilePath.isWithin(path, $0.path) }) {
      folders.append(try HeldFolder(path, walking: walking))
    }
  }

  /// Calls a closure with the place of a path, relative to the folder that contains its last component.
  /// - Throws: `unsafe` for a path outside the folders, and for one that leads through a link.
  func reach<Result>(
    _ path: String, _ operation: FileSystemError.Operation, _ body: (SystemPlace) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    guard let held = folders.first(where: { FilePath.isWithin(path, $0.path) }),
      let below = FilePath.below(held.path, path)
    else { throw FileSystemError(operation, path, .unsafe(.malformed)) }
    guard !below.isEmpty else { return try body(SystemPlace(".", in: held.descriptor)) }
    let folder = FilePath.folder(of: below)
    guard folder != "." else { return try body(SystemPlace(below, in: held.descriptor)) }
    let parent = try Self.open(SystemPlace(folder, in: held.descriptor), walking: walking, path, operation)
    defer { try? SystemCalls.closeFile(parent) }
    return try body(SystemPlace(FilePath.name(of: below), in: parent))
  }

  fileprivate static func open(
    _ place: SystemPlace, walking: Bool, _ path: String, _ operation: FileSystemError.Operation
  ) throws(FileSystemError) -> Int32 {
    try converting(try SystemCalls.openFolder(place, walking: walking)) { (error: SystemErrorNumber) in
      FileSystemError(operation, path, error == .tooManyLinks ? .unsafe(.throughLink) : .system(error.number))
    }
  }
}

/// A folder that is open as long as this object exists.
private final class HeldFolder: Sendable {
  let path: String
  let descriptor: Int32

  init(_ path: String, walking: Bool) throws(FileSystemError) {
    self.path = path
    guard FilePath.below("/", path) != nil else { throw FileSystemError(.inspect, path, .unsafe(.malformed)) }
    descriptor = try HeldFolders.open(SystemPlace(path), walking: walking, path, .inspect)
  }

  deinit { try? SystemCalls.closeFile(descriptor) }
}
