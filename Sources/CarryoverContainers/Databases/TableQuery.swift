import CCarryoverSQLite
package import Carryover
import CarryoverSystem

/// A query over one table of an untrusted database, of limited work and without views, triggers, virtual tables and
/// functions.
struct TableQuery {
  /// The only table that the query may read.
  var table: String
  var statement: String
  var maximumSteps: Int
  var maximumRows = Int.max
  /// The maximum time for queries that read long values; nil if only steps count, the same on every machine.
  var maximumTime: Duration?
  /// The maximum size of a value, in bytes. A table with a larger value counts as damaged.
  var valueBytes: Int32 = 1_000_000
  /// The only pragma that the statement may use; nil for none.
  var pragma: String?

  enum Ending: Hashable {
    case finished
    /// Before the first row: the table or a column is missing, or the table is not an ordinary one.
    case notPossible
    case damaged
    case tooMuch
  }

  /// Reads the rows one by one. If SQLite itself counted them, a malicious file could make that single step last
  /// forever, and no handler could interrupt it.
  func run<Failure>(on image: DatabaseImage, _ row: (DatabaseRow) throws(Failure) -> Void) throws(Failure) -> Ending {
    var budget = QueryBudget(
      table: table, pragma: pragma, calls: maximumSteps / Self.stepsPerCall,
      deadline: maximumTime.map { ContinuousClock.now + $0 })
    let ending = try withUnsafeMutablePointer(to: &budget) { budget throws(Failure) in
      try image.withConnection { database throws(Failure) in
        guard restrict(database, budget) else { return Ending.damaged }
        return try rows(database, budget, mostPageRequests: image.mostPageRequests, row)
      }
    }
    return ending ?? .damaged
  }

  private func rows<Failure>(
    _ database: OpaquePointer, _ budget: UnsafeMutablePointer<QueryBudget>, mostPageRequests: Int,
    _ row: (DatabaseRow) throws(Failure) -> Void
  ) throws(Failure) -> Ending {
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    switch sqlite3_prepare_v2(database, statement, -1, &prepared, nil) {
    case SQLITE_OK: break
    case SQLITE_NOTADB, SQLITE_CORRUPT: return .damaged
    case SQLITE_INTERRUPT: return .tooMuch
    default: return .notPossible
    }
    guard let prepared else { return .notPossible }
    var count = 0
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW:
        guard count < maximumRows else { return .tooMuch }
        try row(DatabaseRow(statement: prepared))
      case SQLITE_DONE: return .finished
      case SQLITE_INTERRUPT: return .tooMuch
      default: return .damaged
      }
      // A row takes few steps, and SQLite calls the handler only within them.
      count += 1
      guard count % Self.stepsPerCall == 0 else { continue }
      if budget.pointee.isExhausted() || Self.pageRequests(database) > mostPageRequests { return .tooMuch }
    }
  }

  private static func pageRequests(_ database: OpaquePointer) -> Int {
    [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS].reduce(0) { sum, counter in
      var (count, highest): (Int32, Int32) = (0, 0)
      sqlite3_db_status(database, counter, &count, &highest, 0)
      return sum + Int(count)
    }
  }

  private func restrict(_ database: OpaquePointer, _ budget: UnsafeMutablePointer<QueryBudget>) -> Bool {
    sqlite3_progress_handler(database, Int32(Self.stepsPerCall), Self.isExhausted, budget)
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, valueBytes)
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 100_000)
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 50)
    sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 25_000)
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0)
    _ = csqlite_set_flag(database, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = csqlite_set_flag(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = csqlite_set_flag(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    _ = csqlite_set_flag(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    return sqlite3_drop_modules(database, nil) == SQLITE_OK
      && sqlite3_exec(database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", nil, nil, nil) == SQLITE_OK
      && sqlite3_set_authorizer(database, Self.authorize, budget) == SQLITE_OK
  }

  private static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32 = { context, action, table, _, _, through in
      switch action {
      case SQLITE_SELECT: return SQLITE_OK
      case SQLITE_READ:
        guard let table, let budget = context?.assumingMemoryBound(to: QueryBudget.self) else { return SQLITE_DENY }
        return through == nil && String(cString: table) == budget.pointee.table ? SQLITE_OK : SQLITE_DENY
      case SQLITE_PRAGMA:
        guard let table, let budget = context?.assumingMemoryBound(to: QueryBudget.self) else { return SQLITE_DENY }
        return String(cString: table) == budget.pointee.pragma ? SQLITE_OK : SQLITE_DENY
      default: return SQLITE_DENY
      }
    }

  private static let isExhausted: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
    guard let budget = context?.assumingMemoryBound(to: QueryBudget.self) else { return 1 }
    return budget.pointee.isExhausted() ? 1 : 0
  }

  private static let stepsPerCall = 1_000
}

private struct QueryBudget {
  let table: String
  let pragma: String?
  /// The remaining number of calls of the handler.
  var calls: Int
  let deadline: ContinuousClock.Instant?

  mutating func isExhausted() -> Bool {
    guard calls > 0 else { return true }
    calls -= 1
    return deadline.map { ContinuousClock.now >= $0 } ?? false
  }
}

struct DatabaseRow {
  fileprivate let statement: OpaquePointer
  /// The UTF-8 bytes of a text, as in the file; nil if the column has another type.
  func text(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let start = sqlite3_column_text(statement, column)
    else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  func size(_ column: Int32) -> Int { Int(sqlite3_column_bytes(statement, column)) }

  /// The size of a text or a blob, in bytes; 0 for a number, whose type asking for the size would change.
  func size(ofLong column: Int32) -> Int {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_TEXT, SQLITE_BLOB: size(column)
    default: 0
    }
  }

  func integer(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(statement, column)
  }

  func real(_ column: Int32) -> Double? {
    guard sqlite3_column_type(statement, column) == SQLITE_FLOAT else { return nil }
    return sqlite3_column_double(statement, column)
  }

  func blob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let start = sqlite3_column_blob(statement, column)
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }

  func value(_ column: Int32) -> PropertyListValue? {
    if let text = text(column) { return .string(String(decoding: text, as: UTF8.self)) }
    if let integer = integer(column) { return .integer(PropertyListInteger(integer)) }
    if let real = real(column) { return .real(PropertyListReal(real)) }
    return blob(column).map(PropertyListValue.data)
  }
}

/// Reads the key-value tables of an untrusted database, and makes databases for tests.
package enum KeyValueTables {
  /// The maximum number of rows in a table: far more than an SDK's settings.
  static let maximumRows = 10_000

  private struct TooMuch: Error {}

  /// The values of each table that the database has, by its label; null for one that is damaged or beyond the limits. A
  /// row without a key or a value is skipped. A table has no more bytes than its file, unless it has computed columns.
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

  static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
