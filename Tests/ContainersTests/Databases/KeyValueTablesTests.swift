import Carryover
import CarryoverContainers
import Foundation
import PropertyLists
import Testing

@Suite("Key-value tables of databases")
struct KeyValueTablesTests {
  let fixture: Fixture
  private let path = "x/Library/acme.db"

  init() throws {
    fixture = try Fixture()
    try fixture.makeFolder("x/Library")
  }

  private func store(_ tables: [KeyValueTable] = [KeyValueTable("store", key: "key", value: "value")]) throws -> Store {
    var options = ContainerOptions()
    options.files = tables.map { StoreFile(["Library/acme.db"], table: $0) }
    return try #require(try fixture.open("x", options).stores.first { $0.path == "Library/acme.db" })
  }

  private func tables(_ store: Store) throws -> PropertyListDictionary {
    guard case .database(let tables) = store.content else { throw CocoaError(.fileReadCorruptFile) }
    return tables
  }

  @Test("every type of value is read, and a row without a key or a value is left out")
  func types() throws {
    try Database.make(
      fixture(path),
      [
        "CREATE TABLE store(key TEXT, value)",
        "INSERT INTO store VALUES('t', 'é'), ('i', -9223372036854775808), ('r', 1.5), ('d', x'00ff'), ('n', NULL), (NULL, 1)",
      ])
    let expected: PropertyListDictionary = [
      "t": "é", "i": .integer(PropertyListInteger(Int64.min)), "r": .real(PropertyListReal(1.5)), "d": .data([0, 255]),
    ]
    #expect(try tables(store())["store"] == .dictionary(expected))
  }

  @Test("a table and columns with any name are read as they are named, and run no statement")
  func names() throws {
    let name = #"a"; DROP TABLE b; --'"#
    let quoted = name.replacingOccurrences(of: "\"", with: "\"\"")
    try Database.make(
      fixture(path),
      ["CREATE TABLE b(x)", "CREATE TABLE \"\(quoted)\"(\"\(quoted)\", v)", "INSERT INTO \"\(quoted)\" VALUES('k', 1)"])
    let read = try tables(store([KeyValueTable(name, key: name, value: "v")]))
    #expect(read["\(name) (\(name), v)"] == .dictionary(["k": 1]))
    #expect(try Database.rows(fixture(path), "SELECT count(*) FROM b") == ["0"])
  }

  @Test(
    "a view, a table that is missing, and one without the columns have no values",
    arguments: [
      "CREATE VIEW store AS SELECT 'k' AS key, 1 AS value", "CREATE TABLE other(key, value)",
      "CREATE TABLE store(a, b)",
      "CREATE VIEW store AS WITH RECURSIVE n(key) AS (VALUES(1) UNION ALL SELECT key+1 FROM n) SELECT key, key AS value FROM n",
    ])
  func absent(_ statement: String) throws {
    try Database.make(fixture(path), [statement])
    #expect(try tables(store()).isEmpty)
  }

  @Test("computed columns that expand to more than the file are not read, but the other tables are")
  func expanding() throws {
    try Database.make(
      fixture(path),
      [
        "CREATE TABLE other(key TEXT, value)", "INSERT INTO other VALUES('k', 1)",
        "CREATE TABLE store(key TEXT, a TEXT, value TEXT AS (\(Array(repeating: "a", count: 30).joined(separator: "||"))))",
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < 500) "
          + "INSERT INTO store(key, a) SELECT 'k' || i, hex(zeroblob(400)) FROM n",
      ])
    let both = [KeyValueTable("store", key: "key", value: "value"), KeyValueTable("other", key: "key", value: "value")]
    let read = try tables(store(both))
    #expect(read["store"] == .null)
    #expect(read["other"] == .dictionary(["k": 1]))
  }

  @Test("other columns of a table are another reading of it")
  func columns() throws {
    try Database.make(
      fixture(path),
      [
        "CREATE TABLE store(key, value, k2, v2)",
        "INSERT INTO store VALUES('device_id', 'wrong', 'device_id', 'right')",
      ])
    let read = try tables(
      store([KeyValueTable("store", key: "key", value: "value"), KeyValueTable("store", key: "k2", value: "v2")]))
    #expect(read["store"] == .dictionary(["device_id": "wrong"]))
    #expect(read["store (k2, v2)"] == .dictionary(["device_id": "right"]))
  }

  @Test("more rows than an SDK has make the table unreadable")
  func tooMany() throws {
    let rows = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < 10001)"
    try Database.make(
      fixture(path), ["CREATE TABLE store(key TEXT, value)", rows + " INSERT INTO store SELECT 'k' || i, i FROM n"])
    #expect(try tables(store())["store"] == .null)
  }

  @Test("a mutated database neither crashes nor hangs")
  func mutated() throws {
    try Database.make(
      fixture(path),
      ["CREATE TABLE store(key TEXT PRIMARY KEY NOT NULL, value)", "INSERT INTO store VALUES('a', 'x'), ('b', 2)"])
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture(path))))
    var random = LinearCongruence(seed: 7)
    var readable = 0
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next() >> 13)
      }
      try fixture.write(path, bytes)
      if case .database(let tables) = try store().content, case .dictionary? = tables["store"] { readable += 1 }
    }
    #expect(readable > 0 && readable < 300)
  }
}
