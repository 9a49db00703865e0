import CCarryoverSQLite
import Carryover
import CarryoverSystem

/// An untrusted SQLite database in memory, in the state in which SQLite would open it. SQLite itself opens no file, so
/// it writes, locks and creates nothing beside the database: a write-ahead log is added here.
struct DatabaseImage: Sendable {
  /// With what the log adds.
  let bytes: [UInt8]

  enum Failure: Error, Hashable {
    case unreadable(FileSystemError)
    /// The file is not a SQLite database. An encrypted database looks the same.
    case notDatabase
    /// A rollback journal is beside it: a change was interrupted. SQLite never gets the journal, because an untrusted
    /// journal can make SQLite delete any file on this machine.
    case unfinished
    /// The log does not match the database, or has an unknown version.
    case logNotUsable
  }

  /// - Parameter limit: the maximum number of bytes of the database, of its log and of both together.
  init(reading path: String, fileSystem: any FileSystem, limit: Int) throws(Failure) {
    try self.init(Self.read(path, fileSystem, limit: limit), of: path, fileSystem: fileSystem, limit: limit)
  }

  /// - Parameter bytes: the bytes of the database, without those of the log beside it.
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

  var size: Int { bytes.count }

  /// The maximum number of page requests for a query that reads every row once: many times the possible number. Pages
  /// with shared successors let a small file produce any number of long rows.
  var mostPageRequests: Int { 100_000 + bytes.count / Self.smallestPage * 10 }

  /// Opens the image with SQLite, read-only, while the closure runs; nil if SQLite does not accept it.
  func withConnection<Result, Failure>(_ body: (OpaquePointer) throws(Failure) -> Result) throws(Failure) -> Result? {
    try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      var opened: OpaquePointer?
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX
      let status = sqlite3_open_v2(":memory:", &opened, flags, nil)
      // SQLite returns a connection even if opening fails.
      defer { sqlite3_close(opened) }
      guard status == SQLITE_OK, let database = opened, let start = buffer.baseAddress else { return nil }
      let size = sqlite3_int64(buffer.count)
      // Without the other flags, SQLite neither frees, moves nor changes the bytes.
      let content = UnsafeMutablePointer(mutating: start)
      guard sqlite3_deserialize(database, "main", content, size, size, UInt32(SQLITE_DESERIALIZE_READONLY)) == SQLITE_OK
      else { return nil }
      return try body(database)
    }
  }

  static func isDatabase(_ bytes: [UInt8]) -> Bool { bytes.count >= headerSize && FileSignature(bytes) == .database }

  private static let headerSize = 100
  private static let smallestPage = 512

  private static func beside(
    _ path: String, _ suffix: String, _ fileSystem: any FileSystem, limit: Int
  ) throws(Failure) -> [UInt8]? {
    let path = path + suffix
    guard let status = try converting(try fileSystem.status(path), Failure.unreadable) else { return nil }
    if status.kind == .regular, status.size == 0 { return nil }
    let bytes = try read(path, fileSystem, limit: limit)
    return bytes.isEmpty ? nil : bytes
  }

  private static func read(_ path: String, _ fileSystem: any FileSystem, limit: Int) throws(Failure) -> [UInt8] {
    try converting(try fileSystem.read(path, limit: limit).bytes, Failure.unreadable)
  }
}

package enum DatabaseSupport {
  package static var version: String { String(cString: sqlite3_libversion()) }
}

/// A SQLite write-ahead log (sqlite.org/fileformat2.html): pages that replace those of the database. Like SQLite, it
/// ignores a log with a damaged header, and all frames after the first one with a wrong checksum.
struct WriteAheadLog {
  private let bytes: [UInt8]
  private let pageSize: Int
  private let isKnownVersion: Bool
  /// The frames up to the last commit, in order: the page number and the position of its content in the log.
  private var frames: [(page: Int, place: Int)] = []
  /// The number of pages in the database after the last commit; nil if there was none.
  private var pageCount: Int?

  /// Reads a log; nil if SQLite would treat it as empty.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > Self.headerSize, bytes.number(at: 0) & ~1 == Self.mark else { return nil }
    let size = bytes.number(at: 8)
    guard (512...65_536).contains(size), size.nonzeroBitCount == 1 else { return nil }
    var sum = WriteAheadChecksum(isBigEndian: bytes.number(at: 0) & 1 == 1)
    sum.add(bytes, 0..<24)
    guard sum.agrees(with: bytes, at: 24) else { return nil }
    self.bytes = bytes
    pageSize = Int(size)
    isKnownVersion = bytes.number(at: 4) == Self.version
    if isKnownVersion { readFrames(sum) }
  }

  private mutating func readFrames(_ header: WriteAheadChecksum) {
    var sum = header
    var committed = 0
    var place = Self.headerSize
    while bytes.count - place >= Self.frameHeaderSize + pageSize {
      let content = place + Self.frameHeaderSize
      let page = bytes.number(at: place)
      guard page > 0, bytes[(place + 8)..<(place + 16)] == bytes[16..<24] else { break }
      sum.add(bytes, place..<(place + 8))
      sum.add(bytes, content..<(content + pageSize))
      guard sum.agrees(with: bytes, at: place + 16) else { break }
      frames.append((page: Int(page), place: content))
      let count = bytes.number(at: place + 4)
      if count > 0 {
        committed = frames.count
        pageCount = Int(count)
      }
      place = content + pageSize
    }
    frames.removeLast(frames.count - committed)
  }

  /// Copies the committed pages into the bytes of a database, which gets at most `limit` bytes.
  func apply(to database: inout [UInt8], limit: Int) throws(DatabaseImage.Failure) {
    guard isKnownVersion else { throw .logNotUsable }
    guard let pageCount else { return }
    let size = pageCount.multipliedReportingOverflow(by: pageSize)
    guard !size.overflow, size.partialValue <= limit else { throw .logNotUsable }
    guard Self.pageSize(ofDatabase: firstPage ?? database[...]) == pageSize else { throw .logNotUsable }
    if database.count > size.partialValue {
      database.removeLast(database.count - size.partialValue)
    } else {
      // A page that was created and freed in one transaction is in neither file, and never read.
      database.append(contentsOf: repeatElement(0, count: size.partialValue - database.count))
    }
    // If the database has shrunk, the log has frames of removed pages.
    for frame in frames where frame.page <= pageCount {
      let start = (frame.page - 1) * pageSize
      database.replaceSubrange(start..<(start + pageSize), with: bytes[frame.place..<(frame.place + pageSize)])
    }
  }

  private var firstPage: ArraySlice<UInt8>? {
    frames.last { $0.page == 1 }.map { bytes[$0.place..<($0.place + pageSize)] }
  }

  /// The page size in a database's header, in which 1 means 65,536.
  private static func pageSize(ofDatabase header: ArraySlice<UInt8>) -> Int? {
    let field = header.dropFirst(16).prefix(2)
    guard field.count == 2, let high = field.first, let low = field.last else { return nil }
    let size = Int(high) << 8 | Int(low)
    return size == 1 ? 65_536 : size
  }

  private static let mark: UInt32 = 0x377F_0682
  private static let version: UInt32 = 3_007_000
  private static let headerSize = 32
  private static let frameHeaderSize = 24
}

private struct WriteAheadChecksum {
  /// The byte order of the words, which the log chooses. The checksums themselves are always big-endian.
  let isBigEndian: Bool
  var first: UInt32 = 0
  var second: UInt32 = 0

  /// Adds a range whose length is a multiple of 8.
  mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
    var place = range.lowerBound
    while place < range.upperBound {
      let left = bytes.number(at: place)
      let right = bytes.number(at: place + 4)
      first = first &+ (isBigEndian ? left : left.byteSwapped) &+ second
      second = second &+ (isBigEndian ? right : right.byteSwapped) &+ first
      place += 8
    }
  }

  func agrees(with bytes: [UInt8], at place: Int) -> Bool {
    bytes.number(at: place) == first && bytes.number(at: place + 4) == second
  }
}

extension [UInt8] {
  /// The big-endian number in the four bytes at a position, which must exist.
  fileprivate func number(at place: Int) -> UInt32 {
    UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16 | UInt32(self[place + 2]) << 8 | UInt32(self[place + 3])
  }
}
