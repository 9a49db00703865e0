/// The file system as a run uses it: each step leaves a file or folder on the disk itself, and the synchronizations are
/// counted, because they are what a run costs.
package struct DurableFiles {
  package let fileSystem: any FileSystem
  /// How many synchronizations were asked for.
  package private(set) var synchronizations = 0

  package init(_ fileSystem: any FileSystem) { self.fileSystem = fileSystem }

  /// Writes a new file and brings it to the disk. On failure the file is removed again.
  ///
  /// - Parameter ownerRequired: whether to fail when the file cannot be given to its owner; it stays ours otherwise.
  package mutating func write(
    _ bytes: [UInt8], to path: String, attributes: FileAttributes? = nil, ownerRequired: Bool = false
  ) throws(FileSystemError) {
    let handle = try fileSystem.create(path, mode: 0o600)
    do {
      try fileSystem.write(bytes, to: handle)
      if let attributes { try give(attributes, to: handle, ownerRequired: ownerRequired) }
      synchronizations += 1
      try fileSystem.synchronize(handle)
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

  /// Replaces a file through a temporary beside it, which is read back first, and brings the folder to the disk.
  ///
  /// - Parameters:
  ///   - name: the temporary's path; nil means one that follows from the file's, for those who write alone.
  ///   - attributes: the new file's; nil for one that its owner alone can read.
  ///   - mode: whether a file that stands there is replaced, or has the replacement fail.
  package mutating func replace(
    _ path: String, with bytes: [UInt8], through name: String? = nil, attributes: FileAttributes? = nil,
    _ mode: RenameMode = .replacing
  ) throws(FileSystemError) {
    let temporary = name ?? Self.temporary(of: path)
    if try fileSystem.status(temporary) != nil { try fileSystem.remove(temporary) }
    try write(bytes, to: temporary, attributes: attributes)
    do throws(FileSystemError) {
      guard try state(temporary).bytes == bytes else {
        throw FileSystemError(.write, temporary, .system(SystemErrorNumber.inputOutput.number))
      }
      try fileSystem.rename(temporary, to: path, mode)
    } catch {
      try? fileSystem.remove(temporary)
      throw error
    }
    try synchronizeFolder(Self.folder(of: path))
  }

  /// Writes a new file through a temporary beside it, unless somebody is quicker: what stands at the path then stays.
  package mutating func writeExclusively(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    let folder = Self.folder(of: path)
    let temporary = FilePath.join(folder, StoreTemporary.new)
    try write(bytes, to: temporary)
    do throws(FileSystemError) {
      try fileSystem.rename(temporary, to: path, .exclusive)
    } catch {
      try? fileSystem.remove(temporary)
      guard try fileSystem.status(path) != nil else { throw error }
    }
    // The quicker one's file is relied on as one's own is.
    try synchronizeFolder(folder)
  }

  /// Removes a folder, unless something stands in it, and brings that to the disk.
  package mutating func removeFolderIfEmpty(_ path: String) throws(FileSystemError) {
    guard try fileSystem.status(path) != nil, try fileSystem.list(path).isEmpty else { return }
    do {
      try fileSystem.removeDirectory(path)
    } catch {
      // Somebody was quicker and put something into it.
      guard error.reason == .system(SystemErrorNumber.notEmpty.number) else { throw error }
      return
    }
    try synchronizeFolder(Self.folder(of: path))
  }

  /// Brings a file that somebody else has written to the disk, and its name too.
  package mutating func synchronizeFile(_ path: String) throws(FileSystemError) {
    synchronizations += 1
    try fileSystem.synchronizeFile(path)
    try synchronizeFolder(Self.folder(of: path))
  }

  /// Brings a folder's entries to the disk.
  package mutating func synchronizeFolder(_ path: String) throws(FileSystemError) {
    synchronizations += 1
    try fileSystem.synchronizeDirectory(path)
  }

  /// What stands at a path; a missing file is a state, not an error.
  package func state(_ path: String) throws(FileSystemError) -> FileState {
    guard try fileSystem.status(path) != nil else { return .absent }
    return FileState(try fileSystem.read(path, limit: Self.largestFile))
  }

  /// The folder a path stands in.
  package static func folder(of path: String) -> String { FilePath.folder(of: path) }

  /// The name under which a file's successor is written.
  package static func temporary(of path: String) -> String { path + ".tmp" }

  /// The largest file that a run changes or keeps a copy of, in bytes.
  package static let largestFile = 128 << 20

  private func give(
    _ attributes: FileAttributes, to handle: OpenFile, ownerRequired: Bool
  ) throws(FileSystemError) {
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
}

extension DurableFiles {
  /// Makes a folder and every one on the way to it that is missing, each for its owner alone and each on the disk before
  /// the next.
  /// - Throws: the system's error; `notRegular` for something that is no folder where one is to be.
  package mutating func makeFolders(_ path: String) throws(FileSystemError) {
    var missing: [String] = []
    var folder = path
    while try fileSystem.status(folder) == nil {
      missing.append(folder)
      let parent = Self.folder(of: folder)
      guard parent != folder else { break }
      folder = parent
    }
    for folder in missing.reversed() {
      do {
        try fileSystem.makeDirectory(folder, mode: 0o700)
      } catch {
        // Somebody was quicker.
        guard try fileSystem.status(folder)?.kind == .directory else { throw error }
      }
      try synchronizeFolder(Self.folder(of: folder))
    }
  }
}
