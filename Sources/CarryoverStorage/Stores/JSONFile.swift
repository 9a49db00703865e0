package import CarryoverSystem
package import PropertyLists

/// One JSON file that survives crashes and bad bytes: it is replaced atomically, and what cannot be read is set aside, never
/// deleted and never taken for nothing.
///
/// The file is made for its owner alone, as are the folders on the way to it that are missing. Links are not followed: one
/// in the file's place is refused. Any number of threads and processes may write at once: the last write wins, as a whole.
/// One at a time is to set the file aside, which cannot be told from a good one that comes meanwhile.
package struct JSONFile: Sendable {
  /// What was found.
  package enum Content: Sendable {
    /// There is no file.
    case absent
    /// Its value, and its bytes as they are.
    case value(JSONValue, bytes: [UInt8])
    /// It cannot be used; it was moved to this path.
    case setAside(path: String, JSONFileError)
  }

  /// The file's path.
  package let path: String
  private let fileSystem: any FileSystem
  private let limit: Int

  /// A file at a path.
  /// - Parameter limit: the largest file that is read, in bytes.
  package init(_ path: String, limit: Int = 64 << 20) { self.init(path, fileSystem: POSIXFileSystem(), limit: limit) }

  /// A file of a file system's.
  package init(_ path: String, fileSystem: any FileSystem, limit: Int = 64 << 20) {
    self.path = path
    self.fileSystem = fileSystem
    self.limit = limit
  }

  /// The file's value, where it has one; changes nothing.
  /// - Throws: ``JSONFileError`` where it cannot be read, is larger than the limit, or is no JSON.
  package func read() throws(JSONFileError) -> (value: JSONValue, bytes: [UInt8])? {
    guard let bytes = try readBytes() else { return nil }
    do {
      return (try JSONText(bytes: bytes).value, bytes)
    } catch {
      throw .corrupt(path: path, error.withoutText)
    }
  }

  /// The file's bytes, whatever they are; nil where there is no file.
  /// - Throws: ``JSONFileError/file(_:)`` where it cannot be read or is larger than the limit.
  package func readBytes() throws(JSONFileError) -> [UInt8]? {
    do {
      guard try fileSystem.status(path) != nil else { return nil }
      return try fileSystem.read(path, limit: limit).bytes
    } catch {
      // Another process may have removed the file since.
      if error.isMissing { return nil }
      throw .file(error)
    }
  }

  /// The file's value; what is no JSON, or larger than the limit, is moved beside itself.
  /// - Throws: ``JSONFileError/file(_:)`` where it cannot be read or moved. It stands where it did then.
  package func load() throws(JSONFileError) -> Content {
    do throws(JSONFileError) {
      return try read().map { .value($0.value, bytes: $0.bytes) } ?? .absent
    } catch {
      guard error.isDamage else { throw error }
      return .setAside(path: try setAside(), error)
    }
  }

  /// Moves the file beside itself, under a name made of its bytes. Nothing that was set aside before is lost: bytes that
  /// are there already are kept once, others get a name of their own.
  /// - Returns: where it stands now.
  /// - Throws: ``JSONFileError/file(_:)``; the file stands where it did.
  package func setAside() throws(JSONFileError) -> String {
    do {
      return try moveAside()
    } catch {
      throw .file(error)
    }
  }

  /// Replaces the file, atomically and durably.
  /// - Throws: ``JSONFileError/file(_:)``; the old file stands.
  package func save(_ value: JSONValue) throws(JSONFileError) { try save(bytes: Array(value.text().utf8)) }

  /// Replaces the file by bytes that are kept as they are.
  /// - Throws: ``JSONFileError/file(_:)``; the old file stands.
  package func save(bytes: [UInt8]) throws(JSONFileError) {
    do throws(FileSystemError) {
      if bytes.count > limit { throw FileSystemError(.write, path, .tooLarge(limit: limit)) }
      if let status = try fileSystem.status(path), status.kind != .regular {
        throw FileSystemError(.write, path, .notRegular(status.kind))
      }
      let folder = DurableFiles.folder(of: path)
      var files = DurableFiles(fileSystem)
      try files.makeFolders(folder)
      StoreTemporary.removeLeftOvers(in: folder, fileSystem)
      try files.replace(path, with: bytes, through: FilePath.join(folder, StoreTemporary.new))
    } catch {
      throw .file(error)
    }
  }

  /// Removes the file; nothing happens where there is none.
  /// - Throws: ``JSONFileError/file(_:)``.
  package func remove() throws(JSONFileError) {
    do {
      guard try fileSystem.status(path) != nil else { return }
      try fileSystem.remove(path)
      var files = DurableFiles(fileSystem)
      try files.synchronizeFolder(DurableFiles.folder(of: path))
    } catch {
      throw .file(error)
    }
  }

  private func moveAside() throws(FileSystemError) -> String {
    let bytes = try asideBytes()
    let stem = path + ".corrupt-" + (bytes.map(Checksum.text) ?? "large")
    for number in 1...Self.mostAside {
      let aside = number == 1 ? stem : "\(stem)-\(number)"
      guard try isFree(aside, for: bytes) else { continue }
      try fileSystem.rename(path, to: aside, .replacing)
      var files = DurableFiles(fileSystem)
      try files.synchronizeFolder(DurableFiles.folder(of: path))
      return aside
    }
    throw FileSystemError(.rename, path, .system(SystemErrorNumber.exists.number))
  }

  /// The bytes that are moved; nil where there are too many.
  private func asideBytes() throws(FileSystemError) -> [UInt8]? {
    do throws(FileSystemError) {
      return try fileSystem.read(path, limit: limit).bytes
    } catch {
      guard case .tooLarge = error.reason else { throw error }
      return nil
    }
  }

  /// Whether nothing stands at a path, or the same bytes.
  private func isFree(_ path: String, for bytes: [UInt8]?) throws(FileSystemError) -> Bool {
    guard let status = try fileSystem.status(path) else { return true }
    guard let bytes, status.kind == .regular, status.size == bytes.count else { return false }
    return try fileSystem.read(path, limit: limit).bytes == bytes
  }

  /// Far more than damages a file meets in its life.
  private static let mostAside = 1000
}

/// Why a JSON file could not be read or written.
package enum JSONFileError: Error, Hashable, Sendable {
  /// The file system said no.
  case file(FileSystemError)
  /// The file is no JSON.
  case corrupt(path: String, JSONError)

  /// Whether the file itself is the reason, so that it can be set aside.
  package var isDamage: Bool {
    switch self {
    case .corrupt: true
    case .file(let error): if case .tooLarge = error.reason { true } else { false }
    }
  }
}

extension JSONFileError: CustomStringConvertible {
  /// What happened, where, and what to do.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .corrupt(let path, let error):
      "\(DisplayText.quoted(path)) is not valid JSON. \(error) Restore it from a copy."
    }
  }
}
