package import CarryoverSystem

/// A user's key in a file of its own, outside of any container: 64 hexadecimal digits, for its owner alone.
package struct StateKeyFile: StateKeySource {
  private let fileSystem: any FileSystem
  private let path: String?
  private let random: @Sendable () -> [UInt8]

  /// The key in a file.
  /// - Parameters:
  ///   - path: the file, absolute; nil where no place is known, so that nothing can be written.
  ///   - random: makes 32 random bytes that nobody can guess; the system's generator by default.
  package init(
    fileSystem: any FileSystem, path: String?,
    random: @escaping @Sendable () -> [UInt8] = { (0..<StateKey.length).map { _ in .random(in: .min ... .max) } }
  ) {
    self.fileSystem = fileSystem
    self.path = path
    self.random = random
  }

  /// Where a user's key is: `carryover/key` in `XDG_STATE_HOME`, or in `.local/state` of the home folder; nil where
  /// neither is an absolute path.
  package static func path(stateHome: String?, home: String?) -> String? {
    let folders = [stateHome, home.map { $0 + "/.local/state" }]
    return folders.compactMap { $0 }.first { $0.hasPrefix("/") }.map { $0 + "/carryover/key" }
  }

  /// The key; nil where none was made yet.
  package func existing() throws(StateKeyError) -> StateKey? {
    guard let path else { return nil }
    let image: FileImage
    do {
      guard try fileSystem.status(path) != nil else { return nil }
      image = try fileSystem.read(path, limit: 1024)
    } catch {
      if case .tooLarge = error.reason { throw .damaged(path: path) }
      throw .file(error)
    }
    guard image.status.user == fileSystem.user else { throw .otherOwner(path: path, user: image.status.user) }
    guard image.status.mode & 0o077 == 0 else { throw .notPrivate(path: path, mode: image.status.mode) }
    let text = String(decoding: image.bytes, as: UTF8.self)
    guard text.last == "\n", let key = [UInt8](hexadecimal: text.dropLast()).flatMap(StateKey.init) else {
      throw .damaged(path: path)
    }
    return key
  }

  /// The key, made now where there is none yet. Of two processes that make one, both get the one that stays.
  package func obtain() throws(StateKeyError) -> StateKey {
    if let key = try existing() { return key }
    guard let path else { throw .noPlace }
    var files = DurableFiles(fileSystem)
    do {
      try files.makeFolders(DurableFiles.folder(of: path))
      try write(Array((random().hexadecimal + "\n").utf8), to: path, &files)
    } catch {
      throw .file(error)
    }
    guard let key = try existing() else { throw .damaged(path: path) }
    return key
  }

  /// Writes the key, unless another process was quicker.
  private func write(_ bytes: [UInt8], to path: String, _ files: inout DurableFiles) throws(FileSystemError) {
    do {
      try files.writeExclusively(bytes, to: path)
    } catch {
      guard error.reason == .unsupported else { throw error }
      // Some file systems know no rename that refuses to replace; creating a file that must not exist they do.
      try files.write(bytes, to: path)
      try files.synchronizeFolder(DurableFiles.folder(of: path))
    }
  }
}
