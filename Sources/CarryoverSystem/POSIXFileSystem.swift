/// The file system of this machine.
///
/// A handle is a descriptor. Nothing else is kept between calls, so any thread can use a value. Only `resolve` follows
/// a symbolic link in a path's last component. The caller checks the others, unless the file system is confined.
package struct POSIXFileSystem: FileSystem {
  /// The folders to which the file system is confined; nil for none.
  private let held: HeldFolders?
  /// Whether it flushes to the disk.
  private let isDurable: Bool

  /// The live file system.
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

  /// The effective user of this process.
  package var user: UInt32 { SystemCalls.user }

  /// Reads a whole regular file and its attributes, through one descriptor.
  package func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    let descriptor = try openForReading(path)
    let outcome = contents(descriptor, path, limit: limit)
    // Nothing was written through it, so a close that fails loses nothing.
    try? SystemCalls.closeFile(descriptor)
    return try outcome.get()
  }

  /// Reads a part of a regular file; fewer bytes than requested if the file ends first.
  package func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    let descriptor = try openForReading(path)
    defer { try? SystemCalls.closeFile(descriptor) }
    let kind = try named(.read, path) { () throws(SystemErrorNumber) in
      try SystemCalls.attributes(of: descriptor).kind
    }
    guard kind == .regular else { throw FileSystemError(.read, path, .notRegular(kind)) }
    return try named(.read, path) { () throws(SystemErrorNumber) in
      try part(descriptor, from: max(0, offset), count: max(0, count))
    }
  }

  /// The attributes of the file, folder or link at a path, without following the link; nil if nothing is there.
  package func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    do {
      return try at(.inspect, path) { (place) throws(SystemErrorNumber) in
        try SystemCalls.attributes(at: place)
      }
    } catch {
      switch error.reason {
      case .system(SystemErrorNumber.noEntry.number), .system(SystemErrorNumber.notFolder.number): return nil
      default: throw error
      }
    }
  }

  /// The names in a folder, sorted by their bytes, without `.` and `..`.
  package func list(_ path: String) throws(FileSystemError) -> [String] {
    let names = try at(.list, path) { (place) throws(SystemErrorNumber) in
      try SystemCalls.names(inFolder: SystemCalls.openFile(place, .folder))
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The absolute path of an existing file or folder, without links, `.` and `..`.
  package func resolve(_ path: String) throws(FileSystemError) -> String {
    try named(.inspect, path) { () throws(SystemErrorNumber) in try SystemCalls.realPath(path) }
  }

  /// Creates a file that must not exist yet, for writing.
  package func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    let number = try at(.create, path) { (place) throws(SystemErrorNumber) in
      try SystemCalls.openFile(place, .creating, mode: mode)
    }
    return OpenFile(number: number, path: path)
  }

  /// Writes all the bytes at the handle's position, and continues after short writes and interruptions.
  package func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    try named(.write, handle.path) { () throws(SystemErrorNumber) in
      try SystemCalls.writeBytes(handle.number, bytes)
    }
  }

  /// Sets owner and group.
  package func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try named(.setOwner, handle.path) { () throws(SystemErrorNumber) in
      try SystemCalls.setOwner(handle.number, user, group)
    }
  }

  /// Sets the permission bits.
  package func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try named(.setMode, handle.path) { () throws(SystemErrorNumber) in
      try SystemCalls.setMode(handle.number, mode)
    }
  }

  /// Flushes the file's bytes and attributes to the disk: `fsync`, and `F_FULLFSYNC` on Darwin.
  package func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    guard isDurable else { return }
    try named(.synchronize, handle.path) { () throws(SystemErrorNumber) in
      try SystemCalls.synchronize(handle.number)
    }
  }

  /// Closes the handle and releases its lock.
  package func close(_ handle: OpenFile) throws(FileSystemError) {
    try named(.close, handle.path) { () throws(SystemErrorNumber) in
      try SystemCalls.closeFile(handle.number)
    }
  }

  /// Renames a file within one file system, atomically.
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

  /// Removes a file.
  package func remove(_ path: String) throws(FileSystemError) {
    try at(.remove, path) { (place) throws(SystemErrorNumber) in try SystemCalls.removeFile(place) }
  }

  /// Creates one folder; its parent must exist.
  package func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try at(.makeDirectory, path) { (place) throws(SystemErrorNumber) in try SystemCalls.makeFolder(place, mode) }
  }

  /// Removes an empty folder.
  package func removeDirectory(_ path: String) throws(FileSystemError) {
    try at(.removeDirectory, path) { (place) throws(SystemErrorNumber) in try SystemCalls.removeFolder(place) }
  }

  /// Flushes the bytes of a file that other code has written to the disk.
  package func synchronizeFile(_ path: String) throws(FileSystemError) {
    guard isDurable else { return }
    try at(.synchronize, path) { (place) throws(SystemErrorNumber) in
      let descriptor = try SystemCalls.openFile(place, .reading)
      defer { try? SystemCalls.closeFile(descriptor) }
      try SystemCalls.synchronize(descriptor)
    }
  }

  /// Flushes a folder's entries to the disk.
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
}

extension POSIXFileSystem {
  /// Calls a closure with the place of a path.
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
      try named(operation, path) { () throws(SystemErrorNumber) in try body(place) }
    }
  }

  private func named<Result>(
    _ operation: FileSystemError.Operation, _ path: String, _ body: () throws(SystemErrorNumber) -> Result
  ) throws(FileSystemError) -> Result {
    do {
      return try body()
    } catch {
      throw FileSystemError(operation, path, .system(error.number))
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
    let locked = try named(.lock, path) { () throws(SystemErrorNumber) in try SystemCalls.attributes(of: number) }
    guard locked.kind == .regular else { throw FileSystemError(.lock, path, .notRegular(locked.kind)) }
    let standing = try? at(.lock, path) { (place) throws(SystemErrorNumber) in try SystemCalls.attributes(at: place) }
    guard let standing, standing.number == locked.number, standing.device == locked.device else { return false }
    // Only for the other process's error message: a lock without an id in it works as well. A file that is more than a
    // lock, or that has another hard link, came with the container and is not changed.
    if !waiting, locked.links == 1, locked.size <= 64 {
      try? SystemCalls.truncateFile(number)
      try? SystemCalls.writeBytes(number, Array("\(SystemCalls.processID)\n".utf8))
    }
    return true
  }

  /// The process whose id is in a lock file.
  private func holder(_ path: String) -> Int32? {
    guard let image = try? read(path, limit: 64) else { return nil }
    let digits = image.bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }
    return Int32(String(decoding: digits, as: UTF8.self))
  }
}

extension POSIXFileSystem {
  /// The bytes and attributes of an open file.
  func contents(_ descriptor: Int32, _ path: String, limit: Int) -> Result<FileImage, FileSystemError> {
    do throws(SystemErrorNumber) {
      let status = try SystemCalls.attributes(of: descriptor)
      guard status.kind == .regular else { return .failure(FileSystemError(.read, path, .notRegular(status.kind))) }
      guard status.size <= Int64(limit) else { return .failure(FileSystemError(.read, path, .tooLarge(limit: limit))) }
      guard let bytes = try bytes(descriptor, expected: Int(status.size), limit: limit) else {
        return .failure(FileSystemError(.read, path, .tooLarge(limit: limit)))
      }
      return .success(FileImage(bytes: bytes, status: status))
    } catch {
      return .failure(FileSystemError(.read, path, .system(error.number)))
    }
  }

  /// The bytes of an open file from an offset.
  func part(_ descriptor: Int32, from offset: Int, count: Int) throws(SystemErrorNumber) -> [UInt8] {
    var failure: SystemErrorNumber?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemErrorNumber) {
        while filled < count {
          let free = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[filled..<count]))
          let read = try SystemCalls.readBytes(
            descriptor, at: offset.addingReportingOverflow(filled).partialValue, into: free)
          guard read > 0 else { return }
          filled += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Everything up to the end of the file, whose size may have changed since it was read; nil if over the limit.
  private func bytes(_ descriptor: Int32, expected: Int, limit: Int) throws(SystemErrorNumber) -> [UInt8]? {
    var bytes: [UInt8] = []
    // One byte more than expected, so that the usual file ends inside the first chunk.
    var chunk = expected.addingReportingOverflow(1).partialValue
    while true {
      var failure: SystemErrorNumber?
      var atEnd = false
      let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
        do throws(SystemErrorNumber) {
          while count < chunk {
            let free = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count..<chunk]))
            let read = try SystemCalls.readBytes(descriptor, into: free)
            guard read > 0 else { return atEnd = true }
            count += read
          }
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      guard bytes.count <= limit else { return nil }
      if atEnd { return bytes }
      chunk = 1 << 16
    }
  }
}
