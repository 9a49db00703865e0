import CSQLite

/// Makes databases for tests with the system's SQLite.
enum Database {
  struct Failure: Error { var message: String }

  /// Runs statements in a new or existing database.
  static func make(_ path: String, _ statements: [String]) throws {
    var opened: OpaquePointer?
    defer { sqlite3_close(opened) }
    guard sqlite3_open(path, &opened) == SQLITE_OK else { throw Failure(message: "cannot open \(path)") }
    for statement in statements where sqlite3_exec(opened, statement, nil, nil, nil) != SQLITE_OK {
      throw Failure(message: String(cString: sqlite3_errmsg(opened)))
    }
  }
}
