import CCarryoverSQLite

/// The row a query stands at. It is gone when the next one is asked for.
struct DatabaseRow {
  private let statement: OpaquePointer

  init(statement: OpaquePointer) { self.statement = statement }

  /// The bytes of a text in UTF-8, as far as the file's own are any; nil where the column has something else.
  func text(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let start = sqlite3_column_text(statement, column)
    else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  /// A whole number; nil where the column has something else.
  func integer(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(statement, column)
  }

  /// The bytes of a blob; nil where the column has something else.
  func blob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let start = sqlite3_column_blob(statement, column)
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}
