import Carryover
import CarryoverSystem

/// An untrusted SQLite database in memory, in the state in which SQLite would open it.
///
/// Carryover reads the bytes through the file system and adds the committed pages of a write-ahead log itself. SQLite
/// opens no file, so it writes, locks and creates nothing beside the database.
struct DatabaseImage: Sendable {
  private let bytes: [UInt8]

  /// The reason that a database has no image.
  enum Failure: Error, Hashable {
    /// The database or its log could not be read.
    case unreadable(FileSystemError)
    /// The file is not a SQLite database. An encrypted database looks the same.
    case notDatabase
    /// A rollback journal is beside it: a change was interrupted. SQLite never gets the journal, because an untrusted
    /// journal can make SQLite delete any file on this machine.
    case unfinished
    /// The log does not match the database, or has an unknown version.
    case logNotUsable
  }

  /// Reads the database at a path.
  /// - Parameter limit: the maximum number of bytes of the database, of its log and of both together.
  init(reading path: String, fileSystem: any FileSystem, limit: Int) throws(Failure) {
    try self.init(Self.read(path, fileSystem, limit: limit), of: path, fileSystem: fileSystem, limit: limit)
  }

  /// The database at a path whose bytes have been read, with the log beside it.
  init(_ bytes: [UInt8], of path: String, fileSystem: any FileSystem, limit: Int) throws(Failure) {
    var bytes = bytes
    guard Self.isDatabase(bytes) else { throw .notDatabase }
    // SQLite replays a journal only if its first byte is not zero: a journal for reuse begins with zeros.
    if let journal = try Self.beside(path, "-journal", fileSystem, limit: limit), journal.first != 0 {
      throw .unfinished
    }
    if let log = try Self.beside(path, "-wal", fileSystem, limit: limit) {
      try WriteAheadLog(log)?.apply(to: &bytes, limit: limit)
      guard Self.isDatabase(bytes) else { throw .notDatabase }
    }
    // Marks the database as one without a log. SQLite would otherwise look for the log.
    for place in [18, 19] where bytes[place] == 2 { bytes[place] = 1 }
    self.bytes = bytes
  }

  /// The number of bytes.
  var size: Int { bytes.count }

  /// The maximum number of page requests for a query that reads every row once: many times the possible number. Pages
  /// with shared successors let a small file produce any number of long rows.
  var mostPageRequests: Int { 100_000 + bytes.count / Self.smallestPage * 10 }

  /// Opens the image with SQLite while the closure runs; nil if SQLite does not accept it.
  func withConnection<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      try DatabaseConnection.open(buffer, body)
    }
  }

  /// Whether bytes begin like a database and contain its whole header.
  static func isDatabase(_ bytes: [UInt8]) -> Bool { bytes.count >= headerSize && FileSignature(bytes) == .database }

  private static let headerSize = 100
  private static let smallestPage = 512

  /// The content of a file beside the database; nil if it is missing or empty.
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
