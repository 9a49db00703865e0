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
