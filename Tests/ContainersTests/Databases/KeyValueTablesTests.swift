@testable import CarryoverContainers

@Suite("Key-value tables of databases") struct KeyValueTablesTests {
  let fixture = TemporaryFolder()
  private let path = "x/Library/acme.db"

  init() throws { try fixture.makeFolder("x/Library") }

  private func store(_ tables: [KeyValueTable] = [KeyValueTable("store", key: "key", value: "value")]) throws -> Store {
    var options = ContainerOptions()
    options.files = tables.map { StoreFile(["Library/acme.db"], table: $0) }
    return try #require(try fixture.open("x", options).stores.first { $0.path == "Library/acme.db" })
  }

  private func tables(_ store: Store) throws -> PropertyListDictionary {
    guard case .database(let tables) = store.content else { throw CocoaError(.fileReadCorruptFile) }
    return tables
  }

  @Test func `every type of value is read, and a row without a key or a value is left out`() throws {
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

  @Test func `a table and columns with any name are read as they are named, and run no statement`() throws {
    let name = #"a"; DROP TABLE b; --'"#
    let quoted = name.replacingOccurrences(of: "\"", with: "\"\"")
    try Database.make(
      fixture(path),
      ["CREATE TABLE b(x)", "CREATE TABLE \"\(quoted)\"(\"\(quoted)\", v)", "INSERT INTO \"\(quoted)\" VALUES('k', 1)"])
    let read = try tables(store([KeyValueTable(name, key: name, value: "v")]))
    #expect(read["\(name) (\(name), v)"] == .dictionary(["k": 1]))
    #expect(try Database.rows(fixture(path), "SELECT count(*) FROM b") == ["0"])
  }

  @Test(arguments: [
    "CREATE VIEW store AS SELECT 'k' AS key, 1 AS value", "CREATE TABLE other(key, value)",
    "CREATE TABLE store(a, b)",
    "CREATE VIEW store AS WITH RECURSIVE n(key) AS (VALUES(1) UNION ALL SELECT key+1 FROM n) SELECT key, key AS value FROM n",
  ])
  func `a view, a table that is missing, and one without the columns have no values`(_ statement: String) throws {
    try Database.make(fixture(path), [statement])
    #expect(try tables(store()).isEmpty)
  }

  @Test func `computed columns that expand to more than the file are not read, but the other tables are`() throws {
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

  @Test func `other columns of a table are another reading of it`() throws {
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

  @Test func `more rows than an SDK has make the table unreadable`() throws {
    let rows = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < 10001)"
    try Database.make(
      fixture(path), ["CREATE TABLE store(key TEXT, value)", rows + " INSERT INTO store SELECT 'k' || i, i FROM n"])
    #expect(try tables(store())["store"] == .null)
  }

  @Test func `a mutated database neither crashes nor hangs`() throws {
    try Database.make(
      fixture(path),
      ["CREATE TABLE store(key TEXT PRIMARY KEY NOT NULL, value)", "INSERT INTO store VALUES('a', 'x'), ('b', 2)"])
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture(path))))
    var random = SeededGenerator(seed: 7)
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

@Suite("Stores without a name, and what is not read") struct UnnamedStoreTests {
  let fixture = TemporaryFolder()
  private let async = "Library/Application Support/com.acme.shop/RCTAsyncLocalStorage_V1/"
  private func archive() throws -> [UInt8] { try KeyedArchive.encode(["id": "u-1"]) }

  private func unread(_ path: String, _ limits: ContainerLimits = ContainerLimits()) throws -> UnreadFiles {
    var opened = try ContainerOpener(fileSystem: POSIXFileSystem()).opened(fixture(path))
    try opened.countUnread(limits: limits)
    return try #require(opened.container.unread)
  }

  @Test func `Files without an extension are stores if they begin like a property list or JSON`() throws {
    let support = "x/Library/Application Support/"
    try fixture.write(support + "io.branch/BNCPreferences", archive())
    try fixture.write("x/Library/.identity", "{\"id\": 1}".utf8)
    try fixture.write("x/Documents/deep/list", " [ {\"a\": 1}]".utf8)
    try fixture.write(
      "x/Library/Preferences/xml", "<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist><dict/></plist>".utf8)
    try fixture.write(support + "cut", "bplist00".utf8)
    let others = [
      "log": "[2024-01-01] begin", "lines": "{\"a\":1}\n{\"b\":2}", "page": "<!DOCTYPE html>\n<html></html>",
      "text": "abc",
      "brace": "{ not JSON", "empty": "", "named.dat": "{\"a\":1}", "map": "<map><int/></map>",
    ]
    for (name, text) in others { try fixture.write(support + name, text.utf8) }
    try fixture.write("x/Library/Caches/response", "{\"a\":1}".utf8)
    #expect(mkfifo(fixture(support + "pipe"), 0o600) == 0)
    try fixture.write("outside", "{\"secret\":1}".utf8)
    try fixture.link(support + "link", to: fixture("outside"))
    let container = try fixture.open("x")
    #expect(
      container.stores.map(\.path) == [
        "Documents/deep/list", "Library/.identity", "Library/Application Support/cut",
        "Library/Application Support/io.branch/BNCPreferences", "Library/Preferences/xml",
      ])
    #expect(container.stores.filter { $0.problem != nil }.map(\.name) == ["cut"])

    let unread = try unread("x")
    #expect(unread.count == others.count + 1 && !unread.isCut && unread.unknown == 0)
    #expect(
      unread.data.map(\.path) == [
        "Library/Application Support/lines", "Library/Application Support/named.dat", "Library/Caches/response",
      ])
  }

  @Test func `JSON in Library and suites in folders are stores`() throws {
    try fixture.write("x/Library/state.json", "{\"id\": 1}".utf8)
    try fixture.write("x/Library/Preferences/com.acme/identity.plist", plist: ["id": "u-1"])
    try fixture.write("x/AppGroups/g/Library/Preferences/a/b.plist", plist: ["id": "u-2"])
    let container = try fixture.open("x")
    #expect(container.store("Library/state.json")?.isJSON == true)
    #expect(container.store("Library/Preferences/com.acme/identity.plist")?.dictionary?["id"] == "u-1")
    #expect(container.store("AppGroups/g/Library/Preferences/a/b.plist")?.dictionary?["id"] == "u-2")
    #expect(try unread("x") == UnreadFiles())
  }

  @Test func `The values of AsyncStorage are stores, also those that are not JSON`() throws {
    let names = (0..<3).map { String(repeating: "\($0)", count: 32) }
    try fixture.write("x/" + async + "manifest.json", "{\"a\": null}".utf8)
    try fixture.write("x/" + async + names[0], "{\"user\": \"u-1\"}".utf8)
    try fixture.write("x/" + async + names[1], "\"text\"".utf8)
    try fixture.write("x/" + async + names[2], "eyJhbGciOi".utf8)
    try fixture.write("x/" + async + "other", "text".utf8)
    let container = try fixture.open("x")
    #expect(container.stores.map(\.name) == names + ["manifest.json"])
    #expect(container.store(async + names[0])?.isJSON == true && container.store(async + names[1])?.isJSON == true)
    #expect(container.reason(async + names[2])?.hasSuffix("is text that is not JSON, so it is not shown.") == true)
  }

  @Test func `What is not read is counted, with what looks like data, and not what was read`() throws {
    try fixture.makePackage("p")
    try Database.make(fixture("p/AppData/Library/rl_persistence.sqlite"), ["CREATE TABLE events(m)"])
    #expect(try unread("p") == UnreadFiles())
    try fixture.write("p/AppData/tmp/a\u{1B}[2J.bin", archive())
    try fixture.makeFolder("p/AppData/Library/Caches")
    try Database.make(fixture("p/AppData/Library/Caches/b.db"), ["CREATE TABLE t(m)"])
    try fixture.write("p/.carryover/runs/1/a", "{\"a\":1}".utf8)
    try fixture.write("p/AppData/.DS_Store", [])
    try fixture.write("p/AppData/Documents/c.jpg", [0xFF, 0xD8])
    let unread = try unread("p")
    #expect(unread.count == 2 && unread.data.map(\.form) == [.propertyList])
    #expect(
      unread.sentence == "2 other files were not read; 1 looks like data: "
        + "“AppData/tmp/aU+001B[2J.bin” (property list), “AppData/Documents/c.jpg”.")
  }

  @Test func `However many files there are, the cost is bounded, and that is said`() throws {
    try fixture.makeFolder("x/Library")
    for number in 0..<30 { try fixture.write("x/Documents/\(number)", "{\"a\":1}".utf8) }
    try fixture.write("x/Documents/a.json", "{}".utf8)
    #expect(try fixture.open("x", ContainerOptions(limits: ContainerLimits(others: 10))).stores.count == 11)
    let stores = try fixture.open("x", ContainerOptions(limits: ContainerLimits(stores: 3)))
    #expect(stores.stores.count == 3 && stores.store("Documents/a.json") != nil, "stores with names come first")
    #expect(try unread("x", ContainerLimits(others: 10)).isCut)
    try fixture.write("y/Library/b.bin", "{\"a\":1}".utf8)
    for number in 0..<30 { try fixture.write("y/Library/\(number).bin", "x".utf8) }
    let sentence = try self.unread("y", ContainerLimits(others: 10)).sentence
    #expect(sentence?.hasPrefix("More than 9 other files were not read") == true, "\(sentence ?? "")")
  }

  @Test func `In an archive, the same files are stores; the others are counted`() throws {
    try Packer.pack(
      fixture("a.zip"),
      """
      content["AppData/Library/state"] = b'{"id": 1}'
      content["AppData/Library/Application Support/io.branch/list"] = plist(a=1)
      content["AppData/Library/Caches/a/fsCachedData/1"] = b'{"id": 1}'
      zip(content.items())
      """)
    let container = try fixture.open("a.zip")
    #expect(container.store("AppData/Library/state")?.isJSON == true)
    #expect(container.store("AppData/Library/Application Support/io.branch/list")?.dictionary?["a"] == 1)
    let unread = try unread("a.zip")
    #expect(unread.count == 3 && unread.unknown == 3)
    let sentence = try #require(unread.sentence)
    #expect(sentence.hasPrefix("3 other files were not read: “AppData/"), "\(sentence)")
    #expect(sentence.hasSuffix("”. Their content was not examined."), "\(sentence)")
  }
}
