import Carryover
import CarryoverSystem

/// A stranger's SQLite database in memory, as it would be if SQLite had opened it where it lies.
///
/// Its bytes are read through the file system, and what is committed in a write-ahead log beside it is put into them
/// here: SQLite itself never opens a file, so nothing is written, locked or made beside the database.
struct DatabaseImage: Sendable {
  private let bytes: [UInt8]

  /// Why there is no image of a database.
  enum Failure: Error, Hashable {
    /// The database or its log could not be read.
    case unreadable(FileSystemError)
    /// The file is no SQLite database. An encrypted one looks like that.
    case notDatabase
    /// A rollback journal is beside it: a change was interrupted. SQLite never gets the journal, because an untrusted
    /// journal can make SQLite delete any file on this machine.
    case unfinished
    /// The log does not fit the database, or is of a version not known here.
    case logNotUsable
  }

  /// Reads the database at a path.
  /// - Parameter limit: the largest number of bytes, for the database, for its log and for both together as one.
  init(reading path: String, fileSystem: any FileSystem, limit: Int) throws(Failure) {
    var bytes = try Self.read(path, fileSystem, limit: limit)
    guard Self.isDatabase(bytes) else { throw .notDatabase }
    // SQLite replays a journal only when its first byte is there: a journal that is kept for reuse begins with zeros.
    if let journal = try Self.beside(path, "-journal", fileSystem, limit: limit), journal.first != 0 {
      throw .unfinished
    }
    if let log = try Self.beside(path, "-wal", fileSystem, limit: limit) {
      try WriteAheadLog(log)?.apply(to: &bytes, limit: limit)
      guard Self.isDatabase(bytes) else { throw .notDatabase }
    }
    // Marks it as one without a log, which SQLite would look for beside it.
    for place in [18, 19] where bytes[place] == 2 { bytes[place] = 1 }
    self.bytes = bytes
  }

  /// How many pages a statement may ask for that reads every row once: many times those that there can be. Pages that
  /// share what follows them make a small file give any number of long rows.
  var mostPageRequests: Int { 100_000 + bytes.count / Self.smallestPage * 10 }

  /// Gives the image to SQLite for as long as the body runs; nil where SQLite does not take it.
  func withConnection<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      try DatabaseConnection.open(buffer, body)
    }
  }

  /// Whether bytes begin like a database and have all of its header.
  static func isDatabase(_ bytes: [UInt8]) -> Bool { bytes.count >= headerSize && FileSignature(bytes) == .database }

  private static let headerSize = 100
  private static let smallestPage = 512

  /// What a file beside the database holds; nil where it is absent or empty.
  private static func beside(
    _ path: String, _ suffix: String, _ fileSystem: any FileSystem, limit: Int
  ) throws(Failure) -> [UInt8]? {
    let path = path + suffix
    do throws(FileSystemError) {
      guard let status = try fileSystem.status(path) else { return nil }
      if status.kind == .regular, status.size == 0 { return nil }
    } catch {
      throw .unreadable(error)
    }
    let bytes = try read(path, fileSystem, limit: limit)
    return bytes.isEmpty ? nil : bytes
  }

  private static func read(_ path: String, _ fileSystem: any FileSystem, limit: Int) throws(Failure) -> [UInt8] {
    do throws(FileSystemError) {
      return try fileSystem.read(path, limit: limit).bytes
    } catch {
      throw .unreadable(error)
    }
  }
}
