package import CarryoverSystem

/// A user's key in its own file, outside of any container: 64 hexadecimal digits. Only its owner can read it.
package struct StateKeyFile: StateKeySource {
  private let fileSystem: any FileSystem
  private let path: String?
  private let random: @Sendable () -> [UInt8]

  /// The key in a file.
  /// - Parameters:
  ///   - path: the absolute path of the file; nil if it is unknown, so that nothing can be written.
  ///   - random: returns 32 secret random bytes; the system's generator by default.
  package init(
    fileSystem: any FileSystem, path: String?,
    random: @escaping @Sendable () -> [UInt8] = { (0..<StateKey.length).map { _ in .random(in: .min ... .max) } }
  ) {
    self.fileSystem = fileSystem
    self.path = path
    self.random = random
  }

  /// The default path of a user's key: `carryover/key` in `XDG_STATE_HOME`, or in `.local/state` of the home folder;
  /// nil if neither is an absolute path.
  package static func path(stateHome: String?, home: String?) -> String? {
    let folders = [stateHome, home.map { $0 + "/.local/state" }]
    return folders.compactMap { $0 }.first { $0.hasPrefix("/") }.map { $0 + "/carryover/key" }
  }

  /// The key; nil if there is none yet.
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

  /// The key. Creates one if there is none. If two processes do so at the same time, both get the same key.
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

  /// Writes the key, unless another process was faster.
  private func write(_ bytes: [UInt8], to path: String, _ files: inout DurableFiles) throws(FileSystemError) {
    do {
      try files.writeExclusively(bytes, to: path)
    } catch {
      guard error.reason == .unsupported else { throw error }
      // Some file systems have no rename that refuses to replace a file, but can create a file exclusively.
      try files.write(bytes, to: path)
      try files.synchronizeFolder(DurableFiles.folder(of: path))
    }
  }
}
