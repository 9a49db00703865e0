public import PropertyLists

/// One JSON file that survives crashes and bad bytes: it is replaced atomically, and what cannot be read is set aside, never
/// deleted and never taken for nothing.
public struct JSONFile: Sendable {
  /// What was found.
  public enum Content: Sendable {
    /// There is no file.
    case absent
    /// Its value, and its bytes as they are.
    case value(JSONValue, bytes: [UInt8])
    /// It is no JSON; it was moved to this path.
    case setAside(path: String, JSONError)
  }

  /// The file's path.
  public let path: String
  private let fileSystem: any FileSystem
  private let limit: Int

  /// A file at a path; its folder must exist.
  /// - Parameter limit: the largest file that is read, in bytes.
  public init(_ path: String, fileSystem: any FileSystem = POSIXFileSystem(), limit: Int = 64 << 20) {
    self.path = path
    self.fileSystem = fileSystem
    self.limit = limit
  }

  /// The file's value, where it has one; changes nothing.
  /// - Throws: ``JSONFileError`` where it cannot be read, is larger than the limit, or is no JSON.
  public func read() throws(JSONFileError) -> (value: JSONValue, bytes: [UInt8])? {
    let bytes: [UInt8]
    do {
      guard try fileSystem.status(path) != nil else { return nil }
      bytes = try fileSystem.read(path, limit: limit).bytes
    } catch {
      throw .file(error)
    }
    do {
      return (try JSONText(bytes: bytes).value, bytes)
    } catch {
      throw .corrupt(path: path, error)
    }
  }

  /// The file's value; one that is no JSON is moved beside itself, under a name made of its bytes.
  /// - Throws: ``JSONFileError/file(_:)`` where it cannot be read or moved. It stands where it did then.
  public func load() throws(JSONFileError) -> Content {
    do throws(JSONFileError) {
      return try read().map { .value($0.value, bytes: $0.bytes) } ?? .absent
    } catch {
      guard case .corrupt(_, let why) = error else { throw error }
      do {
        let aside = path + ".corrupt-" + Checksum.text(try fileSystem.read(path, limit: limit).bytes)
        // The same bytes may have been set aside before.
        try fileSystem.rename(path, to: aside, .replacing)
        var files = DurableFiles(fileSystem)
        try files.synchronizeFolder(DurableFiles.folder(of: path))
        return .setAside(path: aside, why)
      } catch {
        throw .file(error)
      }
    }
  }

  /// Replaces the file, atomically and durably.
  /// - Throws: ``JSONFileError/file(_:)``; the old file stands.
  public func save(_ value: JSONValue) throws(JSONFileError) { try save(bytes: Array(value.text().utf8)) }

  /// Replaces the file by bytes that are kept as they are.
  /// - Throws: ``JSONFileError/file(_:)``; the old file stands.
  public func save(bytes: [UInt8]) throws(JSONFileError) {
    do {
      var files = DurableFiles(fileSystem)
      try files.replace(path, with: bytes)
    } catch {
      throw .file(error)
    }
  }

  /// Removes the file; nothing happens where there is none.
  /// - Throws: ``JSONFileError/file(_:)``.
  public func remove() throws(JSONFileError) {
    do {
      guard try fileSystem.status(path) != nil else { return }
      try fileSystem.remove(path)
      var files = DurableFiles(fileSystem)
      try files.synchronizeFolder(DurableFiles.folder(of: path))
    } catch {
      throw .file(error)
    }
  }
}

/// Why a JSON file could not be read or written.
public enum JSONFileError: Error, Hashable, Sendable {
  /// The file system said no.
  case file(FileSystemError)
  /// The file is no JSON.
  case corrupt(path: String, JSONError)
}

extension JSONFileError: CustomStringConvertible {
  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .corrupt(let path, let error):
      "\(DisplayText.quoted(path)) is no JSON: \(error.reason); restore it from a copy."
    }
  }
}
