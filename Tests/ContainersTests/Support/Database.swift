import CCarryoverSQLite

/// Makes databases for tests with the system's SQLite.
final class Database {
  struct Failure: Error { var message: String }

  private let connection: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw Failure(message: "cannot open \(path)")
    }
    connection = opened
  }

  deinit { sqlite3_close(connection) }

  func run(_ statements: [String]) throws {
    for statement in statements where sqlite3_exec(connection, statement, nil, nil, nil) != SQLITE_OK {
      throw Failure(message: String(cString: sqlite3_errmsg(connection)))
    }
  }

  func rows(_ query: String) throws -> [String] {
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    guard sqlite3_prepare_v2(connection, query, -1, &prepared, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(connection)))
    }
    var rows: [String] = []
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(prepared)).map { column in
            sqlite3_column_text(prepared, column).map { String(cString: $0) } ?? "none"
          }.joined(separator: " "))
      case SQLITE_DONE: return rows
      default: throw Failure(message: String(cString: sqlite3_errmsg(connection)))
      }
    }
  }

  static func make(_ path: String, _ statements: [String]) throws { try Database(path).run(statements) }

  static func rows(_ path: String, _ query: String) throws -> [String] { try Database(path).rows(query) }
}
