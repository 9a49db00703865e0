@testable import CarryoverContainers

@Suite("Tables of databases") struct TableTests {
  let fixture = TemporaryFolder()
  fileprivate let path = "x/Library/Caches/shop.sqlite"
  private let name = "Library/Caches/shop.sqlite"

  init() throws { try fixture.makeFolder("x/Library/Caches") }

  private func store(_ limits: TableLimits = TableLimits()) throws -> Store {
    var opened = try ContainerOpener(fileSystem: POSIXFileSystem()).opened(fixture("x"))
    try opened.countUnread(tables: limits)
    return try #require(opened.container.store(name))
  }

  private func tables(_ statements: [String], _ limits: TableLimits = TableLimits()) throws -> DatabaseTables {
    try Database.make(fixture(path), statements)
    return try #require(try store(limits).tables)
  }

  private func table(_ statements: [String], _ limits: TableLimits = TableLimits()) throws -> DatabaseTable {
    let tables = try tables(statements, limits)
    #expect(tables.tables.count == 1)
    return try #require(tables.tables.first)
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `every type is read, whatever the encoding, and rows are named by their primary key`(_ encoding: String) throws {
    let table = try table([
      "PRAGMA encoding = '\(encoding)'", "CREATE TABLE t(id INTEGER PRIMARY KEY, v, \"od\"\"d\" TEXT)",
      "INSERT INTO t VALUES(5, 'é', NULL), (-9223372036854775808, 1.5, ''), (7, x'00ff', 'a'), "
        + "(9, -9223372036854775808, 'b'), (10, NULL, 'c')",
    ])
    let least = PropertyListValue.integer(PropertyListInteger(Int64.min))
    #expect(
      table.rows == [
        "-9223372036854775808": ["id": least, "v": .real(PropertyListReal(1.5)), "od\"d": ""],
        "5": ["id": 5, "v": "é", "od\"d": .null], "7": ["id": 7, "v": .data([0, 255]), "od\"d": "a"],
        "9": ["id": 9, "v": least, "od\"d": "b"], "10": ["id": 10, "v": .null, "od\"d": "c"],
      ])
    #expect(table.isComplete && table.rowWords == "5 rows" && table.isNamedByKey && table.problems.isEmpty)
    #expect(table.columns.map(\.name) == ["id", "v", "od\"d"] && table.columns.map(\.type) == ["INTEGER", "", "TEXT"])
  }

  @Test func `a table without rowid, a key of several columns, and one without a key have names that differ`() throws {
    let tables = try tables([
      "CREATE TABLE a(n TEXT, k, v, PRIMARY KEY(k, n)) WITHOUT ROWID",
      "INSERT INTO a VALUES('x', 1, 'a'), ('x', '1', 'b'), ('1, x', 1, 'c'), ('it''s', x'01', 'd'), ('NULL', 1.5, 'e')",
      "CREATE TABLE b(v)", "INSERT INTO b(rowid, v) VALUES(3, 'three'), (9, 'nine')",
      "CREATE TABLE c(rowid, _rowid_, v)", "INSERT INTO c(oid, v) VALUES(4, 'four')",
      "CREATE TABLE d(rowid, _ROWID_, oid)", "INSERT INTO d VALUES(1, 2, 3), (1, 2, 3)",
      "CREATE TABLE e(k TEXT PRIMARY KEY, v)", "INSERT INTO e VALUES(NULL, 1), (NULL, 2), ('NULL', 3), ('12', 4)",
    ])
    let names = Dictionary(uniqueKeysWithValues: tables.tables.map { ($0.name, $0.rows.keys) })
    #expect(
      names["a"].map(Set.init) == ["1, x", "'1', x", "1, '1, x'", "x'01', it's", "1.5, 'NULL'"], "\(names["a"] ?? [])")
    #expect(names["b"] == ["3", "9"] && names["c"] == ["4"] && names["d"] == ["row 1", "row 2"])
    #expect(names["e"] == ["NULL", "NULL (row 2)", "'NULL'", "'12'"], "\(names["e"] ?? [])")
    #expect(tables.table("b")?.rows["9"] == ["v": "nine"] && tables.table("b")?.isNamedByKey == false)
  }

  @Test func `a secret in a primary key is not in the name of its row`() throws {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"
    let tables = try tables([
      "CREATE TABLE sessions(token TEXT PRIMARY KEY, user)",
      "INSERT INTO sessions VALUES('hunter2', 'ada'), ('hunter3', 'bob'), (NULL, 'eve')",
      "CREATE TABLE kept(id INTEGER, value TEXT, PRIMARY KEY(id, value))", "INSERT INTO kept VALUES(7, '\(token)')",
    ])
    #expect(tables.table("sessions")?.rows.keys == ["hidden f52fbd32b2b3", "hidden fb8c2e2b85ca", "NULL"])
    #expect(tables.table("sessions")?.rows["hidden f52fbd32b2b3"] == ["token": "hunter2", "user": "ada"])
    let kept = try #require(tables.table("kept")?.rows.keys.first)
    #expect(kept.hasPrefix("7, hidden ") && !kept.contains("eyJ"), "\(kept)")
  }

  @Test func `the first thousand rows are read, and the others counted, up to a limit`() throws {
    let statements = [
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v)",
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < 52310) INSERT INTO t SELECT i, 'v' || i FROM n",
    ]
    let table = try table(statements)
    #expect(table.rows.count == 1000 && table.rows["1000"] == ["id": 1000, "v": "v1000"])
    #expect(table.rowWords == "first 1,000 of 52,310 rows" && !table.isComplete)
    let limited = try #require(try store(TableLimits(rows: 10, countedRows: 20_000)).tables?.tables.first)
    #expect(limited.rowWords == "first 10 of more than 20,000 rows")
    let small = try #require(try store(TableLimits(keptBytes: 1000)).tables?.tables.first)
    #expect(small.rows.count == 7 && small.rowWords == "first 7 of 52,310 rows")
  }

  @Test func `what commits is in the log is read, and what does not is not`() throws {
    let database = try Database(fixture(path))
    try database.run([
      "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", "CREATE TABLE t(id INTEGER PRIMARY KEY, v)",
      "INSERT INTO t VALUES(1, 'one')", "BEGIN", "INSERT INTO t VALUES(2, 'two')",
    ])
    #expect(try store().tables?.tables.first?.rows == ["1": ["id": 1, "v": "one"]])
    try database.run(["COMMIT"])
    var opened = try ContainerOpener(fileSystem: POSIXFileSystem()).opened(fixture("x"))
    try opened.countUnread()
    #expect(opened.container.store(name)?.tables?.tables.first?.rows.keys == ["1", "2"])
    #expect(opened.container.unread?.count == 0, "the log and its index belong to the database")
  }

  @Test func `nothing that a file defines runs: views, triggers, virtual tables, computed columns, defaults`() throws {
    let tables = try tables([
      "CREATE TABLE t(a, twice AS (a * 2) VIRTUAL, kept AS (a || '!') STORED, big AS (hex(zeroblob(a))) VIRTUAL)",
      "INSERT INTO t VALUES(21)", "CREATE VIEW v AS SELECT load_extension('x'), a FROM t",
      "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n) SELECT i FROM n",
      "CREATE VIRTUAL TABLE words USING fts5(text)", "INSERT INTO words VALUES('hello')",
      "CREATE TABLE log(what)", "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES('ran'); END",
      "ALTER TABLE t ADD COLUMN later DEFAULT 'by default'",
      "CREATE INDEX i ON t(upper(a)) WHERE a > 0",
    ])
    let table = try #require(tables.table("t"))
    #expect(table.rows == ["1": ["a": 21, "kept": "21!", "later": "by default"]])
    #expect(table.problems == ["Table “t”: columns “twice”, “big” not read."])
    #expect(tables.table("log")?.rows.isEmpty == true && tables.table("v") == nil && tables.table("words") == nil)
    #expect(tables.table("words_content")?.rows["1"] == ["id": 1, "c0": "hello"])
    #expect(tables.notices == ["1 virtual table was not read: “words”.", "2 views were not read."])
  }

  @Test func `a value that is too long is left out and said, and the others of its row are read`() throws {
    let table = try table([
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v BLOB, w)",
      "INSERT INTO t VALUES(1, zeroblob(5000000), 'here'), (2, x'01', 'too'), (3, 'x', CAST(zeroblob(2000000) AS TEXT))",
    ])
    #expect(
      table.rows == [
        "1": ["id": 1, "w": "here"], "2": ["id": 2, "v": .data([1]), "w": "too"], "3": ["id": 3, "v": "x"],
      ])
    #expect(table.problems == ["Table “t”: 2 values are too long and were not read."])
  }

  @Test func `columns and tables beyond the limits are named`() throws {
    let columns = (1...120).map { "c\($0)" }.joined(separator: ", ")
    let tables = try tables(["CREATE TABLE t(\(columns))", "INSERT INTO t(c1, c120) VALUES(1, 2)", "CREATE TABLE u(a)"])
    #expect(tables.table("t")?.columns.count == 100 && tables.table("t")?.skipped.count == 20)
    #expect(
      tables.problems == ["Table “t”: columns “c101”, “c102”, “c103”, “c104”, “c105” and 15 more not read."])
    #expect(try store(TableLimits(tables: 1)).tables?.notices == ["1 table was not read: “u”."])
  }

  @Test func `a damaged database neither crashes nor hangs, and shows the rows before the damage`() throws {
    try Database.make(
      fixture(path),
      [
        "PRAGMA page_size = 512", "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID", "CREATE TABLE u(a, b)",
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < 200) INSERT INTO t SELECT 'k' || i, i FROM n",
        "INSERT INTO u SELECT v, hex(zeroblob(v * 10)) FROM t",
      ])
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture(path))))
    var random = SeededGenerator(seed: 11)
    var damaged = 0
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0..<5 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next() >> 13)
      }
      try fixture.write(path, bytes)
      var opened = try ContainerOpener(fileSystem: POSIXFileSystem()).opened(fixture("x"))
      try opened.countUnread()
      guard let store = opened.container.store(name) else { continue }
      if store.problem != nil || store.tables?.tables.contains(where: { $0.count == .unknown }) == true { damaged += 1 }
    }
    #expect(damaged > 0 && damaged < 200, "\(damaged)")
  }

  @Test func `ten million rows are bounded in time`() throws {
    let rows = Extent.isFull ? 10_000_000 : 1_200_000
    try Database.make(
      fixture(path),
      [
        "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "CREATE TABLE t(v)",
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < \(rows)) INSERT INTO t SELECT 1 FROM n",
      ])
    let start = ContinuousClock.now
    let table = try #require(try store().tables?.tables.first)
    #expect(table.rows.count == 1000 && table.rowWords.hasPrefix("first 1,000 of more than "), "\(table.rowWords)")
    #expect(ContinuousClock.now - start < .seconds(6))
  }

  @Test func `planning reads no database, and recipes' tables stay what recipes read`() throws {
    try Database.make(fixture(path), ["CREATE TABLE store(key, value)", "INSERT INTO store VALUES('k', 'v')"])
    let guarded = GuardedFileSystem()
    let container = try ContainerOpener(fileSystem: guarded).open(fixture("x"))
    #expect(!guarded.read.contains(fixture(path)) && container.store(name) == nil)
    var options = ContainerOptions()
    options.files = [
      StoreFile(["Library/Caches/shop.sqlite"], table: KeyValueTable("store", key: "key", value: "value"))
    ]
    var opened = try ContainerOpener(fileSystem: POSIXFileSystem()).opened(fixture("x"), options: options)
    try opened.countUnread()
    let store = try #require(opened.container.store(name))
    guard case .database(let read) = store.content else { throw CocoaError(.fileReadCorruptFile) }
    #expect(read["store"] == ["k": "v"] && store.tables?.table("store")?.rows["1"] == ["key": "k", "value": "v"])
  }

  @Test func `a recipe's database whose tables cannot be listed is unreadable, and has no null values`() throws {
    try Database.make(fixture(path), ["CREATE TABLE store(key, value)", "INSERT INTO store VALUES('k', 'v')"])
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: fixture(path))))
    // The header of the first page, which is the root of the list of tables.
    for place in 100..<140 { bytes[place] = 0xFF }
    try fixture.write(path, bytes)
    var options = ContainerOptions()
    options.files = [
      StoreFile(["Library/Caches/shop.sqlite"], table: KeyValueTable("store", key: "key", value: "value"))
    ]
    var opened = try ContainerOpener(fileSystem: POSIXFileSystem()).opened(fixture("x"), options: options)
    try opened.countUnread()
    let store = try #require(opened.container.store(name))
    #expect(store.problem?.contains("tables cannot be listed") == true && InspectedValue(store) == nil)
    #expect(throws: ChangeError.self) { try opened.container.value(store: "shop.sqlite", key: "store") }
  }
}

extension TableTests {
  @Test func `a database in an archive is only read if its tables are wanted`() throws {
    try Database.make(fixture(path), ["CREATE TABLE t(id INTEGER PRIMARY KEY, v)", "INSERT INTO t VALUES(1, 'one')"])
    try Packer.pack(
      fixture("a.zip"),
      "content['AppData/Library/Caches/shop.db'] = open('\(fixture(path))', 'rb').read()\nzip(content.items())")
    for isWanted in [true, false] {
      var options = ContainerOptions()
      options.readsTables = isWanted
      var opened = try ContainerOpener(fileSystem: POSIXFileSystem()).opened(fixture("a.zip"), options: options)
      try opened.countUnread()
      let store = opened.container.store("AppData/Library/Caches/shop.db")
      #expect(store?.tables?.table("t")?.rows == (isWanted ? ["1": ["id": 1, "v": "one"]] : nil))
    }
  }
}
