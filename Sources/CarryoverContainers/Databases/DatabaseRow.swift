import CCarryoverSQLite

/// A query's current row. It is not valid after the next step.
struct DatabaseRow {
  private let statement: OpaquePointer

  init(statement: OpaquePointer) { self.statement = statement }

  /// The UTF-8 bytes of a text, as in the file; nil if the column has another type.
  func text(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let start = sqlite3_column_text(statement, column)
    else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  /// The number of bytes of a column's text or blob.
  func size(_ column: Int32) -> Int { Int(sqlite3_column_bytes(statement, column)) }

  /// An integer; nil if the column has another type.
  func integer(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(statement, column)
  }

  /// A floating-point number; nil if the column has another type.
  func real(_ column: Int32) -> Double? {
    guard sqlite3_column_type(statement, column) == SQLITE_FLOAT else { return nil }
    return sqlite3_column_double(statement, column)
  }

  /// The bytes of a blob; nil if the column has another type.
  func blob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let start = sqlite3_column_blob(statement, column)
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}
