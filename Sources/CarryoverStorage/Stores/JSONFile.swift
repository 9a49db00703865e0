package import CarryoverSystem
package import PropertyLists

/// A JSON file that survives crashes and damage: it is replaced atomically, and an unreadable file is set aside, never
/// deleted and never treated as missing.
///
/// Only the owner can read the file, and the folders that are created for it. A symbolic link in the file's place is
/// refused. Several threads and processes may write at the same time: the last write wins. Set the file aside in one
/// process at a time, because a valid file that is written meanwhile would be moved instead.
package struct JSONFile: Sendable {
  package let path: String
  private let fileSystem: any FileSystem
  private let limit: Int

  /// - Parameter limit: the largest file that is read, in bytes.
  package init(_ path: String, fileSystem: any FileSystem = POSIXFileSystem(), limit: Int = 64 << 20) {
    self.path = path
    self.fileSystem = fileSystem
    self.limit = limit
  }

  package func read() throws(JSONFileError) -> (value: JSONValue, bytes: [UInt8])? {
    guard let bytes = try readBytes() else { return nil }
    let value = try converting(try JSONText(bytes: bytes).value) { (error: JSONError) in
      JSONFileError.corrupt(path: path, error.withoutText)
    }
    return (value, bytes)
  }

  package func readBytes() throws(JSONFileError) -> [UInt8]? {
    try converting(try DurableFiles(fileSystem).bytes(of: path, limit: limit), JSONFileError.file)
  }

  /// Moves the file beside itself, under a name with a checksum of its bytes. Files that were set aside before are
  /// kept: equal bytes share one file, others get a new name.
  /// - Returns: the new path.
  package func setAside() throws(JSONFileError) -> String {
    do throws(FileSystemError) {
      let bytes = try asideBytes()
      let stem = path + ".corrupt-" + (bytes.map(Checksum.text) ?? "large")
      for number in 1...Self.mostAside {
        let aside = number == 1 ? stem : "\(stem)-\(number)"
        guard try isFree(aside, for: bytes) else { continue }
        try fileSystem.rename(path, to: aside, .replacing)
        var files = DurableFiles(fileSystem)
        try files.synchronizeFolder(FilePath.folder(of: path))
        return aside
      }
      throw FileSystemError(.rename, path, .system(SystemErrorNumber.exists.number))
    } catch {
      throw .file(error)
    }
  }

  package func save(_ value: JSONValue) throws(JSONFileError) { try save(bytes: Array(value.text().utf8)) }

  /// Replaces the file, atomically and durably.
  /// - Throws: ``JSONFileError/file(_:)``; the file is then the old one or the new one.
  package func save(bytes: [UInt8]) throws(JSONFileError) {
    do throws(FileSystemError) {
      if bytes.count > limit { throw FileSystemError(.write, path, .tooLarge(limit: limit)) }
      if let status = try fileSystem.status(path), status.kind != .regular {
        throw FileSystemError(.write, path, .notRegular(status.kind))
      }
      let folder = FilePath.folder(of: path)
      var files = DurableFiles(fileSystem)
      try files.makeFolders(folder)
      StoreTemporary.removeLeftOvers(in: folder, fileSystem)
      try files.replace(path, with: bytes, through: FilePath.join(folder, StoreTemporary.new))
    } catch {
      throw .file(error)
    }
  }

  package func remove() throws(JSONFileError) {
    do {
      var files = DurableFiles(fileSystem)
      try files.removeFile(path)
    } catch {
      throw .file(error)
    }
  }

  private func asideBytes() throws(FileSystemError) -> [UInt8]? {
    do throws(FileSystemError) {
      return try fileSystem.read(path, limit: limit).bytes
    } catch {
      guard case .tooLarge = error.reason else { throw error }
      return nil
    }
  }

  /// Whether a path has no file, or one with the same bytes.
  private func isFree(_ path: String, for bytes: [UInt8]?) throws(FileSystemError) -> Bool {
    guard let status = try fileSystem.status(path) else { return true }
    guard let bytes, status.kind == .regular, status.size == bytes.count else { return false }
    return try fileSystem.read(path, limit: limit).bytes == bytes
  }

  /// Far more often than a file is ever damaged.
  private static let mostAside = 1000
}

package enum JSONFileError: Error, Hashable, Sendable, CustomStringConvertible {
  case file(FileSystemError)
  case corrupt(path: String, JSONError)

  /// Whether the file itself is the cause, so that it can be set aside.
  package var isDamage: Bool {
    switch self {
    case .corrupt: true
    case .file(let error): if case .tooLarge = error.reason { true } else { false }
    }
  }

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .corrupt(let path, let error):
      "\(DisplayText.quoted(path)) is not valid JSON. \(error) Restore it from a copy."
    }
  }
}
