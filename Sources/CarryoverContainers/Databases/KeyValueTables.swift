import CCarryoverSQLite
package import Carryover
import CarryoverSystem
package import PropertyLists

/// Reads the key-value tables of an untrusted database, and makes databases for tests.
package enum KeyValueTables {
  /// The maximum number of rows in a table: far more than an SDK's settings.
  static let maximumRows = 10_000

  private struct TooMuch: Error {}

  /// The values of each table that the database has, by the table's label; null for one that is damaged or beyond the
  /// limits. A row without a key, or without a value, is skipped.
  ///
  /// A table has no more bytes than its file. One with computed columns could have any number of them.
  static func read(
    _ tables: [KeyValueTable], of image: DatabaseImage, _ limits: ContainerLimits
  ) -> PropertyListDictionary {
    var read: [PropertyListDictionary.Entry] = []
    for table in tables {
      // Without “t.”, SQLite would read the name of a missing column as text.
      let query = TableQuery(
        table: table.name,
        statement: "SELECT t.\(quoted(table.key)), t.\(quoted(table.value)) FROM main.\(quoted(table.name)) AS t",
        maximumSteps: limits.databaseSteps, maximumRows: maximumRows)
      var entries: [PropertyListDictionary.Entry] = []
      var bytesLeft = image.size
      let ending = try? query.run(on: image) { row throws(TooMuch) in
        bytesLeft -= row.size(0) + row.size(1)
        guard bytesLeft >= 0 else { throw TooMuch() }
        guard let key = row.text(0), let value = row.value(1) else { return }
        entries.append(.init(key: String(decoding: key, as: UTF8.self), value: value))
      }
      switch ending {
      case .finished: read.append(.init(key: table.label, value: .dictionary(PropertyListDictionary(entries: entries))))
      case .notPossible: continue
      case .damaged, .tooMuch, nil: read.append(.init(key: table.label, value: .null))
      }
    }
    return PropertyListDictionary(entries: read)
  }

  /// A database with these tables; nil if SQLite refuses a name or a value.
  package static func bytes(of tables: [(table: KeyValueTable, rows: PropertyListDictionary)]) -> [UInt8]? {
    var opened: OpaquePointer?
    defer { sqlite3_close(opened) }
    guard sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nil) == SQLITE_OK,
      let database = opened
    else { return nil }
    for (table, rows) in tables {
      let columns = "\(quoted(table.key)), \(quoted(table.value))"
      guard sqlite3_exec(database, "CREATE TABLE \(quoted(table.name)) (\(columns))", nil, nil, nil) == SQLITE_OK
      else { return nil }
      for row in rows.entries {
        guard let key = literal(.string(row.key)), let value = literal(row.value) else { return nil }
        let statement = "INSERT INTO \(quoted(table.name)) (\(columns)) VALUES (\(key), \(value))"
        guard sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK else { return nil }
      }
    }
    var size: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(database, "main", &size, 0) else { return nil }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }

  private static func literal(_ value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): "'" + text.replacing("'", with: "''") + "'"
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "1" : "0"
    case .data(let bytes): "x'" + bytes.hexadecimal + "'"
    default: nil
    }
  }

  /// A name in a statement. It can have any characters.
  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}

extension DatabaseRow {
  /// The value of a column as a property list has it; nil for NULL.
  fileprivate func value(_ column: Int32) -> PropertyListValue? {
    if let text = text(column) { return .string(String(decoding: text, as: UTF8.self)) }
    if let integer = integer(column) { return .integer(PropertyListInteger(integer)) }
    if let real = real(column) { return .real(PropertyListReal(real)) }
    return blob(column).map(PropertyListValue.data)
  }
}
