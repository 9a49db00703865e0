import CCarryoverSQLite

@testable import CarryoverContainers

@Suite("A database with a write-ahead log beside it") struct WriteAheadTests {
  let fixture = TemporaryFolder()
  /// The rows as the image has them; nil where there is no image or it cannot be read.
  private func rows(_ path: String, limit: Int = 64 << 20) -> [String]? {
    guard let image = try? DatabaseImage(reading: path, fileSystem: GuardedFileSystem(), limit: limit) else {
      return nil
    }
    let query = TableQuery(
      table: "events", statement: "SELECT id, message FROM main.events ORDER BY id", maximumSteps: 10_000_000,
      maximumTime: .seconds(60))
    var rows: [String] = []
    let ending = query.run(on: image) { row in
      rows.append("\(row.integer(0) ?? -1) \(row.text(1).map { String(decoding: $0, as: UTF8.self) } ?? "none")")
    }
    return ending == .finished ? rows : nil
  }

  private func rowsOfSQLite(_ name: String) throws -> [String]? {
    let copy = "copy-\(UUID().uuidString)"
    try fixture.makeFolder(copy)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: fixture(name + suffix)) {
      try FileManager.default.copyItem(atPath: fixture(name + suffix), toPath: fixture(copy + "/db" + suffix))
    }
    return try? Database.rows(fixture(copy + "/db"), "SELECT id, message FROM events ORDER BY id")
  }

  /// Makes a database with transactions of all sizes, and takes it with its log while it is still open.
  private func make(_ name: String, _ random: inout SeededGenerator, pageSize: Int) throws {
    let live = "live-\(UUID().uuidString)"
    try fixture.makeFolder(live)
    let database = try Database(fixture(live + "/db"))
    try database.run([
      "PRAGMA page_size = \(pageSize)", "PRAGMA journal_mode = WAL",
      "PRAGMA wal_autocheckpoint = \([0, 5, 1_000][Int(random.next() % 3)])", "PRAGMA cache_size = 10",
      "PRAGMA auto_vacuum = \(random.next() % 2)",
      "CREATE TABLE events(id INTEGER PRIMARY KEY, message TEXT)",
    ])
    for _ in 0..<(1 + random.next() % 12) {
      try database.run(["BEGIN"])
      for _ in 0..<(random.next() % 8) { try database.run([statement(&random)]) }
      try database.run([random.next() % 4 == 0 ? "ROLLBACK" : "COMMIT"])
      if random.next() % 6 == 0 { try database.run(["VACUUM"]) }
    }
    // What is not committed has gone to the log too, since the cache is small.
    if random.next() % 2 == 0 { try database.run(["BEGIN", insert(300, 200), insert(300, 900)]) }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: fixture(live + "/db" + suffix), toPath: fixture(name + suffix))
    }
  }

  private func statement(_ random: inout SeededGenerator) -> String {
    let number = random.next() % 100
    return switch random.next() % 4 {
    case 0: "DELETE FROM events WHERE id % \(number % 7 + 2) = 0"
    case 1: "UPDATE events SET message = message || '\(number)' WHERE id % \(number % 5 + 2) = 1"
    default: insert(number, Int(random.next() % 3_000))
    }
  }

  private func insert(_ count: some BinaryInteger, _ length: Int) -> String {
    "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < \(count)) "
      + "INSERT INTO events(message) SELECT hex(zeroblob(\(length / 2))) || i FROM n"
  }

  @Test(arguments: 0..<(Extent.isFull ? 24 : 8))
  func `Random transactions give the rows that SQLite itself reads`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 7_919 &+ 1)
    try make("db", &random, pageSize: [512, 1_024, 4_096, 65_536][seed % 4])
    let expected = try #require(try rowsOfSQLite("db"))
    #expect(rows(fixture("db")) == expected)
  }

  @Test(arguments: 0..<6)
  func `A log that is cut or changed anywhere gives the rows that SQLite itself reads`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 104_729 &+ 5)
    try make("db", &random, pageSize: [512, 4_096][seed % 2])
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture("db-wal"))))
    for round in 0..<12 {
      var log = whole
      if round % 2 == 0 {
        log.removeLast(Int(random.next() % UInt64(max(1, log.count))))
      } else if !log.isEmpty {
        // Half of the changes hit the header and the first frame's.
        let span = random.next() % 2 == 0 ? 56 : log.count
        log[Int(random.next() % UInt64(min(span, log.count)))] ^= 1 << UInt8(random.next() % 8)
      }
      try fixture.write("db-wal", log)
      #expect(rows(fixture("db")) == (try rowsOfSQLite("db")), "round \(round)")
    }
  }

  @Test func `A log of a machine with the other byte order is read as well`() throws {
    try makeTwoRows()
    let log = [UInt8](try Data(contentsOf: URL(filePath: fixture("db-wal"))))
    for bigEndian in [false, true] {
      try fixture.write("db-wal", LogMaker.signed(log, bigEndian: bigEndian))
      #expect(rows(fixture("db")) == ["1 a", "2 b"])
      #expect(try rowsOfSQLite("db") == ["1 a", "2 b"])
    }
  }

  @Test func `A log with right checksums and impossible sizes is refused without being believed`() throws {
    try makeTwoRows()
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture("db-wal"))))
    // Every frame says that the database has four thousand million pages.
    var huge = whole
    for place in LogMaker.frames(whole) { huge.replaceSubrange((place + 4)..<(place + 8), with: [255, 255, 255, 255]) }
    try fixture.write("db-wal", LogMaker.signed(huge, bigEndian: false))
    #expect(rows(fixture("db")) == nil)
    // A page far behind the end that the commit tells is passed over.
    var far = whole
    let first = try #require(LogMaker.frames(whole).first)
    far.replaceSubrange(first..<(first + 4), with: [255, 255, 255, 255])
    try fixture.write("db-wal", LogMaker.signed(far, bigEndian: false))
    #expect(rows(fixture("db")) == (try rowsOfSQLite("db")))
    // A page size that is not the database's.
    var other = whole
    other.replaceSubrange(8..<12, with: [0, 0, 2, 0])
    try fixture.write("db-wal", LogMaker.signed(other, bigEndian: false))
    #expect(rows(fixture("db")) != ["1 a", "2 b"])
    // A version that is not known, which SQLite refuses too.
    var version = whole
    version[7] &+= 1
    try fixture.write("db-wal", LogMaker.signed(version, bigEndian: false))
    #expect(rows(fixture("db")) == nil)
    #expect(try rowsOfSQLite("db") == nil)
  }

  @Test func `Database and log are read within the limit, alone and together`() throws {
    try makeTwoRows()
    #expect(rows(fixture("db"), limit: 1_000) == nil)
    #expect(try rows(fixture("db"), limit: Data(contentsOf: URL(filePath: fixture("db"))).count) == nil)
    #expect(rows(fixture("db")) == ["1 a", "2 b"])
  }

  @Test func `A link or a folder in the log's place is not read`() throws {
    try makeTwoRows()
    try FileManager.default.moveItem(atPath: fixture("db-wal"), toPath: fixture("log"))
    #expect(rows(fixture("db")) != ["1 a", "2 b"])
    try fixture.link("db-wal", to: fixture("log"))
    #expect(rows(fixture("db")) == nil)
    try FileManager.default.removeItem(atPath: fixture("db-wal"))
    try fixture.makeFolder("db-wal")
    #expect(rows(fixture("db")) == nil)
  }

  @Test func `A journal stands for a change that was cut off, unless it begins with zeros`() throws {
    try Database.make(
      fixture("db"), ["CREATE TABLE events(id INTEGER PRIMARY KEY, message TEXT)", "INSERT INTO events VALUES(1, 'a')"])
    try fixture.write("db-journal", [])
    #expect(rows(fixture("db")) == ["1 a"])
    try fixture.write("db-journal", [UInt8](repeating: 0, count: 512))
    #expect(rows(fixture("db")) == ["1 a"])
    try fixture.write("db-journal", [0xD9, 0xD5])
    #expect(throws: DatabaseImage.Failure.unfinished) {
      _ = try DatabaseImage(reading: fixture("db"), fileSystem: POSIXFileSystem(), limit: 1 << 20)
    }
  }

  private func makeTwoRows() throws {
    try fixture.makeFolder("live")
    let database = try Database(fixture("live/db"))
    try database.run([
      "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0",
      "CREATE TABLE events(id INTEGER PRIMARY KEY, message TEXT)", "INSERT INTO events VALUES(1, 'a'), (2, 'b')",
    ])
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: fixture("live/db" + suffix), toPath: fixture("db" + suffix))
    }
  }
}

/// Writes logs that no SQLite writes.
enum LogMaker {
  static func frames(_ log: [UInt8]) -> [Int] { Array(stride(from: 32, to: log.count, by: 24 + Int(number(log, 8)))) }

  static func signed(_ log: [UInt8], bigEndian: Bool) -> [UInt8] {
    var log = log
    var sums: (UInt32, UInt32) = (0, 0)
    func add(_ range: Range<Int>) {
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        let left = number(log, place)
        let right = number(log, place + 4)
        sums.0 = sums.0 &+ (bigEndian ? left : left.byteSwapped) &+ sums.1
        sums.1 = sums.1 &+ (bigEndian ? right : right.byteSwapped) &+ sums.0
      }
    }
    func write(_ value: UInt32, _ place: Int) {
      for index in 0..<4 { log[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - index * 8)) }
    }
    log[3] = bigEndian ? 0x83 : 0x82
    add(0..<24)
    write(sums.0, 24)
    write(sums.1, 28)
    let size = Int(number(log, 8))
    for place in frames(log) where place + 24 + size <= log.count {
      add(place..<(place + 8))
      add((place + 24)..<(place + 24 + size))
      write(sums.0, place + 16)
      write(sums.1, place + 20)
    }
    return log
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
