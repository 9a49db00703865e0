/// What a folder's file system supports, found out in a temporary private folder.
package struct FileSystemProbe: Hashable, Sendable {
  /// Whether something works.
  package enum Answer: Hashable, Sendable {
    case works
    /// The file system does not support it.
    case unsupported
    case failed(FileSystemError)
  }

  /// Files can be made, written and removed.
  package var writing: Answer
  /// Files and folders can be flushed to the disk.
  package var synchronizing: Answer
  /// Two files can be exchanged atomically, so that no concurrent write is lost.
  package var exchanging: Answer
  /// A file can be renamed only if nothing has the new name.
  package var exclusive: Answer
  /// A file can have two hard links.
  package var hardLinks: Answer
  /// Permission bits and owner stay as they are set.
  package var attributes: Answer

  /// Tries everything in a folder.
  /// - Parameter link: creates a hard link to a file.
  package init(
    of folder: String, _ files: any FileSystem,
    link: (_ source: String, _ destination: String) throws(FileSystemError) -> Void
  ) {
    let name = (0..<8).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
    let place = FilePath.join(folder, ".carryover-doctor-\(name)")
    let (first, second, third) = (place + "/1", place + "/2", place + "/3")
    func answer(_ work: () throws(FileSystemError) -> Void) -> Answer {
      do {
        try work()
        return .works
      } catch {
        return error.reason == .unsupported ? .unsupported : .failed(error)
      }
    }
    writing = answer { () throws(FileSystemError) in try files.makeDirectory(place, mode: 0o700) }
    guard writing == .works else {
      (synchronizing, exchanging, exclusive, hardLinks, attributes) = (writing, writing, writing, writing, writing)
      return
    }
    var durable = DurableFiles(files)
    let owner = FileAttributes(mode: 0o640, owner: nil)
    writing = answer { () throws(FileSystemError) in
      for path in [first, second] {
        let handle = try files.create(path, mode: 0o600)
        do throws(FileSystemError) {
          try files.write(Array(path.utf8), to: handle)
          try files.setMode(owner.mode, of: handle)
        } catch {
          try? files.close(handle)
          throw error
        }
        try files.close(handle)
      }
    }
    synchronizing = answer { () throws(FileSystemError) in try durable.synchronizeFile(first) }
    attributes = answer { () throws(FileSystemError) in
      guard let status = try files.status(first), status.mode & 0o777 == owner.mode, status.user == files.user else {
        throw FileSystemError(.setMode, first, .unsupported)
      }
    }
    exchanging = answer { () throws(FileSystemError) in try files.rename(first, to: second, .exchanging) }
    exclusive = answer { () throws(FileSystemError) in try files.rename(second, to: third, .exclusive) }
    hardLinks = answer { () throws(FileSystemError) in try link(first, place + "/4") }
    let removal = answer { () throws(FileSystemError) in
      for name in try files.list(place) { try files.remove(place + "/" + name) }
      try files.removeDirectory(place)
    }
    if writing == .works { writing = removal }
  }
}

extension POSIXFileSystem {
  /// Finds out what the file system of a folder supports.
  package func probe(_ folder: String) -> FileSystemProbe {
    FileSystemProbe(of: folder, self) { (source, destination) throws(FileSystemError) in
      do throws(SystemErrorNumber) {
        try SystemCalls.linkFile(SystemPlace(source), SystemPlace(destination))
      } catch {
        let isMissing = error.isUnsupported || error == .notPermitted
        throw FileSystemError(.create, destination, isMissing ? .unsupported : .system(error.number))
      }
    }
  }

  /// Whether the system can open a folder without links in one call. Otherwise it is opened component by component,
  /// which is as safe but slower.
  package static var opensWithoutLinks: Bool {
    guard let descriptor = try? SystemCalls.openFolderAtOnce(SystemPlace("/")) else { return false }
    try? SystemCalls.closeFile(descriptor)
    return true
  }
}
