/// File operations that are durable when they return. They count the flushes to the disk, which determine what a run
/// costs.
package struct DurableFiles {
  package let fileSystem: any FileSystem
  package private(set) var synchronizations = 0
  private let isDurable: Bool

  /// - Parameter isDurable: whether to flush files and folders; false only for what nobody needs after a power cut.
  package init(_ fileSystem: any FileSystem, isDurable: Bool = true) {
    (self.fileSystem, self.isDurable) = (fileSystem, isDurable)
  }

  /// Writes a new file and flushes it to the disk. On failure, removes the file again.
  ///
  /// - Parameter ownerRequired: whether to fail if the file cannot be given to its owner; otherwise it stays ours.
  package mutating func write(
    _ bytes: [UInt8], to path: String, attributes: FileAttributes? = nil, ownerRequired: Bool = false
  ) throws(FileSystemError) {
    let handle = try fileSystem.create(path, mode: 0o600)
    do {
      try fileSystem.write(bytes, to: handle)
      if let attributes { try give(attributes, to: handle, ownerRequired: ownerRequired) }
      if isDurable {
        synchronizations += 1
        try fileSystem.synchronize(handle)
      }
    } catch {
      try? fileSystem.close(handle)
      try? fileSystem.remove(path)
      throw error
    }
    do {
      try fileSystem.close(handle)
    } catch {
      try? fileSystem.remove(path)
      throw error
    }
  }

  /// Replaces a file through a temporary file beside it, which is read back first, and flushes the folder to the disk.
  ///
  /// - Parameters:
  ///   - name: the temporary file's path; nil derives one from the file's path, if no other code writes the file.
  ///   - attributes: the new file's; nil for a file that only its owner can read.
  ///   - mode: whether to replace an existing file or to fail; a file system that cannot tell replaces it.
  package mutating func replace(
    _ path: String, with bytes: [UInt8], through name: String? = nil, attributes: FileAttributes? = nil,
    _ mode: RenameMode = .replacing
  ) throws(FileSystemError) {
    let temporary = name ?? Self.temporary(of: path)
    if try fileSystem.status(temporary) != nil { try fileSystem.remove(temporary) }
    try write(bytes, to: temporary, attributes: attributes)
    do throws(FileSystemError) {
      let written = try state(temporary).bytes
      guard written == bytes else {
        let number = written == nil ? SystemErrorNumber.noEntry : .inputOutput
        throw FileSystemError(.write, temporary, .system(number.number))
      }
      do throws(FileSystemError) {
        try fileSystem.rename(temporary, to: path, mode)
      } catch  where error.reason == .unsupported {
        try fileSystem.rename(temporary, to: path, .replacing)
      }
    } catch {
      try? fileSystem.remove(temporary)
      throw error
    }
    try synchronizeFolder(FilePath.folder(of: path))
  }

  /// Writes a new file through a temporary file beside it. A file that another process creates first stays.
  package mutating func writeExclusively(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    let folder = FilePath.folder(of: path)
    let temporary = FilePath.join(folder, StoreTemporary.new)
    try write(bytes, to: temporary)
    do throws(FileSystemError) {
      try fileSystem.rename(temporary, to: path, .exclusive)
    } catch {
      try? fileSystem.remove(temporary)
      guard try fileSystem.status(path) != nil else { throw error }
    }
    // The other process's file is relied on, too.
    try synchronizeFolder(folder)
  }

  package mutating func removeFolderIfEmpty(_ path: String) throws(FileSystemError) {
    guard try fileSystem.status(path) != nil, try fileSystem.list(path).isEmpty else { return }
    do {
      try fileSystem.removeDirectory(path)
    } catch {
      // Another process has put something into it.
      guard error.reason == .system(SystemErrorNumber.notEmpty.number) else { throw error }
      return
    }
    try synchronizeFolder(FilePath.folder(of: path))
  }

  /// Flushes a file that other code has written to the disk, and its name too.
  package mutating func synchronizeFile(_ path: String) throws(FileSystemError) {
    synchronizations += 1
    try fileSystem.synchronizeFile(path)
    try synchronizeFolder(FilePath.folder(of: path))
  }

  package mutating func synchronizeFolder(_ path: String) throws(FileSystemError) {
    guard isDurable else { return }
    synchronizations += 1
    try fileSystem.synchronizeDirectory(path)
  }

  /// The state of a path; a missing file is a state, not an error.
  package func state(_ path: String) throws(FileSystemError) -> FileState {
    guard try fileSystem.status(path) != nil else { return .absent }
    return FileState(try fileSystem.read(path, limit: Self.largestFile))
  }

  /// The bytes of a file; nil if there is none, or if another process removes it meanwhile.
  package func bytes(of path: String, limit: Int) throws(FileSystemError) -> [UInt8]? {
    do {
      return try fileSystem.status(path) == nil ? nil : fileSystem.read(path, limit: limit).bytes
    } catch  where error.isMissing {
      return nil
    }
  }

  /// Removes a file, and flushes that to the disk; does nothing if there is none.
  package mutating func removeFile(_ path: String) throws(FileSystemError) {
    do {
      guard try fileSystem.status(path) != nil else { return }
      try fileSystem.remove(path)
    } catch  where error.isMissing {
      return
    }
    try synchronizeFolder(FilePath.folder(of: path))
  }

  package static func temporary(of path: String) -> String { path + ".tmp" }

  /// The largest file that a run changes or backs up, in bytes.
  package static let largestFile = 128 << 20

  private func give(_ attributes: FileAttributes, to handle: OpenFile, ownerRequired: Bool) throws(FileSystemError) {
    // The mode comes last, because giving a file away may clear some of its bits.
    if let owner = attributes.owner, let status = try fileSystem.status(handle.path),
      FileAttributes(status).owner != owner
    {
      do {
        try fileSystem.setOwner(owner.user, owner.group, of: handle)
      } catch {
        guard !ownerRequired, error.reason == .system(SystemErrorNumber.notPermitted.number) else { throw error }
      }
    }
    try fileSystem.setMode(attributes.mode, of: handle)
  }

  /// Creates a folder and its missing parents. Only the owner can read them, and each is on the disk before the next.
  /// - Throws: the system's error; `notRegular` if something in the path is not a folder.
  package mutating func makeFolders(_ path: String) throws(FileSystemError) {
    var missing: [String] = []
    var folder = path
    while try fileSystem.status(folder) == nil {
      missing.append(folder)
      let parent = FilePath.folder(of: folder)
      guard parent != folder else { break }
      folder = parent
    }
    for folder in missing.reversed() {
      do {
        try fileSystem.makeDirectory(folder, mode: 0o700)
      } catch {
        // Another process has created it.
        guard try fileSystem.status(folder)?.kind == .directory else { throw error }
      }
      try synchronizeFolder(FilePath.folder(of: folder))
    }
  }
}

/// The name of a temporary file. No two writes share a name, and it contains the id of the process that writes.
package enum StoreTemporary {
  /// Distinguishes this process from an earlier one with the same id.
  private static let token = String(UInt32.random(in: .min ... .max), radix: 16)
  private static let prefix = ".carryover-store-"
  private static let suffix = ".tmp"

  package static var new: String {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    return "\(prefix)\(SystemCalls.processID)-\(token)-\(number)\(suffix)"
  }

  /// Removes the leftovers of killed writes from a folder. A failure does not matter: the next call tries again.
  package static func removeLeftOvers(in folder: String, _ fileSystem: any FileSystem) {
    for file in (try? fileSystem.list(folder)) ?? [] where isLeftOver(file) {
      try? fileSystem.remove(FilePath.join(folder, file))
    }
  }

  /// Whether a file is the temporary file of a process that no longer runs.
  static func isLeftOver(_ file: String) -> Bool {
    guard file.hasPrefix(prefix), file.hasSuffix(suffix) else { return false }
    let parts = file.dropFirst(prefix.count).dropLast(suffix.count).split(separator: "-")
    guard parts.count == 3, let process = Int32(parts[0]) else { return false }
    return process == SystemCalls.processID ? parts[1] != token : !SystemCalls.isRunning(process)
  }
}
