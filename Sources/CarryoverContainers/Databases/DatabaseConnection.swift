import CCarryoverSQLite

/// A SQLite connection to a database image in memory.
enum DatabaseConnection {
  /// Opens bytes as a read-only database while the closure runs; nil if SQLite does not accept them.
  static func open<Result, Failure>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX
    let status = sqlite3_open_v2(":memory:", &opened, flags, nil)
    // SQLite returns a connection even if opening fails.
    defer { sqlite3_close(opened) }
    guard status == SQLITE_OK, let database = opened, let start = bytes.baseAddress else { return nil }
    let size = sqlite3_int64(bytes.count)
    // Without the other flags, SQLite neither frees, moves nor changes the bytes.
    let content = UnsafeMutablePointer(mutating: start)
    guard sqlite3_deserialize(database, "main", content, size, size, UInt32(SQLITE_DESERIALIZE_READONLY)) == SQLITE_OK
    else { return nil }
    return try body(database)
  }
}

/// The library that reads databases.
package enum DatabaseSupport {
  /// Its version.
  package static var version: String { String(cString: sqlite3_libversion()) }
}
