import CSQLite

/// Counts the rows of one table of a stranger's database, with the system's SQLite.
///
/// The file is opened as immutable: nothing is written, locked or created, and a log beside it is not replayed. Views,
/// triggers, virtual tables and functions are out of the statement's reach, and the work is bounded.
enum EventCounter {
  /// The rows of the table `events`.
  /// - Parameter maximumSteps: how many steps SQLite's machine may take.
  /// - Returns: nil when there is no such table, when the file is no database (an encrypted one looks like that) or is
  ///   damaged, and when counting takes too long.
  static func count(path: String, maximumSteps: Int) -> Int? {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX
    let status = sqlite3_open_v2(uri(path), &opened, flags, nil)
    // SQLite gives a connection even where opening fails.
    defer { sqlite3_close(opened) }
    guard status == SQLITE_OK, let database = opened else { return nil }
    return count(database, maximumSteps: maximumSteps)
  }

  /// The same for a database that is in memory.
  static func count(image: [UInt8], maximumSteps: Int) -> Int? {
    guard image.count > 100 else { return nil }
    var image = image
    // A database that was last written with a log says so, and one in memory has no place for a log.
    for place in 18...19 where image[place] == 2 { image[place] = 1 }
    return image.withUnsafeMutableBufferPointer { buffer in
      var opened: OpaquePointer?
      let status = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
      defer { sqlite3_close(opened) }
      guard status == SQLITE_OK, let database = opened else { return nil }
      let size = Int64(buffer.count)
      let flags = UInt32(SQLITE_DESERIALIZE_READONLY)
      guard sqlite3_deserialize(database, "main", buffer.baseAddress, size, size, flags) == SQLITE_OK else { return nil }
      return count(database, maximumSteps: maximumSteps)
    }
  }

  private static func count(_ database: OpaquePointer, maximumSteps: Int) -> Int? {
    guard restrict(database) else { return nil }
    var budget = StepBudget(calls: maximumSteps / stepsPerCall, deadline: ContinuousClock.now + .seconds(2))
    return withUnsafeMutablePointer(to: &budget) { budget in
      sqlite3_progress_handler(database, Int32(stepsPerCall), isExhausted, budget)
      defer { sqlite3_progress_handler(database, 0, nil, nil) }
      return rows(database, budget)
    }
  }

  /// Goes through the rows one by one. `count(*)` would do so in a single step, which nothing can interrupt, and a
  /// crafted file can make that step last for ever.
  private static func rows(_ database: OpaquePointer, _ budget: UnsafeMutablePointer<StepBudget>) -> Int? {
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    guard sqlite3_prepare_v2(database, "SELECT 1 FROM main.events", -1, &prepared, nil) == SQLITE_OK,
      let statement = prepared
    else { return nil }
    var count = 0
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: count += 1
      case SQLITE_DONE: return count
      default: return nil
      }
      // A row takes a few steps, and SQLite asks the handler only inside them.
      if count % stepsPerCall == 0, budget.pointee.isExhausted() { return nil }
    }
  }

  private static func restrict(_ database: OpaquePointer) -> Bool {
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1_000_000)
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
      && sqlite3_set_authorizer(database, authorize, nil) == SQLITE_OK
  }

  /// Lets the statement read the table itself and nothing else.
  private static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32 = { _, action, table, _, _, through in
      switch action {
      case SQLITE_SELECT: return SQLITE_OK
      case SQLITE_READ:
        let isTable = table.map { String(cString: $0) == "events" } ?? false
        return isTable && through == nil ? SQLITE_OK : SQLITE_DENY
      default: return SQLITE_DENY
      }
    }

  private static let isExhausted: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
    guard let budget = context?.assumingMemoryBound(to: StepBudget.self) else { return 1 }
    return budget.pointee.isExhausted() ? 1 : 0
  }

  /// A path as SQLite's URI: everything but plain characters is written as `%XX`.
  private static func uri(_ path: String) -> String {
    var text = "file:"
    // Two slashes at the start would name a host.
    for byte in (path.hasPrefix("/") ? "//" + path : "./" + path).utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
    return text + "?mode=ro&immutable=1"
  }

  private static let stepsPerCall = 1_000
}

/// How much more work a count may take.
private struct StepBudget {
  /// How many more times the handler may be asked.
  var calls: Int
  /// When it ends whatever the work was: a step has no upper bound of its own.
  let deadline: ContinuousClock.Instant

  mutating func isExhausted() -> Bool {
    guard calls > 0, ContinuousClock.now < deadline else { return true }
    calls -= 1
    return false
  }
}
