@testable import CarryoverContainers

@Suite("Events the legacy SDK had not sent") struct UnsentEventsTests {
  let fixture = TemporaryFolder()
  private let name = "Library/rl_persistence.sqlite"
  private let table = "CREATE TABLE events(id INTEGER PRIMARY KEY AUTOINCREMENT, message TEXT, updated INTEGER)"

  init() throws { try fixture.makeFolder("x/Library") }

  private func rows(_ count: Int) -> String {
    "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < \(count)) "
      + "INSERT INTO events(message, updated) SELECT '{\"event\":\"' || i || '\"}', i FROM n"
  }

  private func database(_ statements: [String]) throws { try Database.make(fixture("x/" + name), statements) }

  private func count(_ limits: ContainerLimits = ContainerLimits()) throws -> Int? {
    let events = try fixture.open("x", ContainerOptions(limits: limits)).unsentEvents
    #expect(events.map(\.path) == [name])
    return events.first?.count
  }

  @Test func `The rows of every database in the known places are counted, by path`() throws {
    let places = [
      "Documents/rl_persistence.sqlite", "Library/Application Support/rl_persistence.sqlite",
      "Library/Caches/rl_persistence_encrypted.sqlite", "Library/rl_persistence.sqlite",
    ]
    for (number, path) in places.enumerated() {
      try fixture.makeFolder("x/" + (path as NSString).deletingLastPathComponent)
      try Database.make(fixture("x/" + path), [table, rows(number + 1)])
    }
    let expected = zip(places, 1...).map { UnsentEvents(path: $0, count: $1) }
    #expect(try fixture.open("x").unsentEvents == expected)
  }

  @Test func `An empty table has none, and a hundred thousand rows are counted`() throws {
    try database([table])
    #expect(try count() == 0)
    try database([rows(100_000)])
    #expect(try count() == 100_000)
  }

  @Test(
    "Rows with bit 2 of the status are sent, in databases since 1.14.0; before, every row waits",
    arguments: [([2, 2, 3, 0], 1), ([0, 1], 2), ([3], 0), ([2, 6], 0), ([1, 4, 5], 3)])
  func status(_ statuses: [Int], _ unsent: Int) throws {
    try database([
      "CREATE TABLE events(id INTEGER PRIMARY KEY AUTOINCREMENT, message TEXT NOT NULL, updated INTEGER NOT NULL, "
        + "status INTEGER DEFAULT 0, dm_processed INTEGER DEFAULT 0)"
    ])
    try database(statuses.map { "INSERT INTO events(message, updated, status) VALUES('{}', 1, \($0))" })
    #expect(try count() == unsent)
    try database(["INSERT INTO events(message, updated, status) VALUES('{}', 1, NULL)"])
    #expect(try count() == unsent + 1, "a status that is missing says nothing")
  }

  @Test func `A database that cannot be told is named without a number`() throws {
    try fixture.write("x/" + name, [])
    #expect(try count() == nil)
    try fixture.write("x/" + name, (0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
    #expect(try count() == nil)
    try FileManager.default.removeItem(atPath: fixture("x/" + name))
    try database(["CREATE TABLE other(a)"])
    #expect(try count() == nil)
  }

  @Test func `A database cut anywhere is counted no higher than it was, or not at all`() throws {
    try database([table, rows(2_000)])
    let whole = try Data(contentsOf: URL(filePath: fixture("x/" + name)))
    #expect(try count() == 2_000)
    for length in stride(from: 0, to: whole.count, by: 997) {
      try fixture.write("x/" + name, whole.prefix(length))
      if let count = try count() { #expect(count <= 2_000) }
    }
  }

  @Test func `A mutated database neither crashes nor hangs`() throws {
    try database([table, "CREATE INDEX i ON events(updated)", rows(300)])
    let whole = [UInt8](try Data(contentsOf: URL(filePath: fixture("x/" + name))))
    var random = SeededGenerator(seed: 20_251_121)
    var told = 0
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<4 {
        // Half of the changes hit the headers of pages, where the structure is.
        let page = Int(random.next() % UInt64(max(1, whole.count / 4_096))) * 4_096
        let span: UInt64 = random.next() % 2 == 0 ? 128 : 4_096
        let position = page + Int(random.next() % span)
        if bytes.indices.contains(position) { bytes[position] = UInt8(truncatingIfNeeded: random.next() >> 13) }
      }
      try fixture.write("x/" + name, bytes)
      if try count(ContainerLimits(databaseSteps: 1_000_000)) != nil { told += 1 }
    }
    #expect(told > 0)
    #expect(told < 300)
  }

  @Test func `A view that never ends, a virtual table and a trigger are no events`() throws {
    let endless = "CREATE VIEW events AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n) SELECT i FROM n"
    try database([endless])
    #expect(try count() == nil)
    try database(["DROP VIEW events", "CREATE VIEW events AS SELECT 1 AS i"])
    #expect(try count() == nil)
    try database(["DROP VIEW events", "CREATE TABLE rows(a)", "CREATE VIEW events AS SELECT a FROM rows"])
    #expect(try count() == nil)
    try database([
      "DROP VIEW events", "PRAGMA writable_schema = ON",
      "INSERT INTO sqlite_schema VALUES('table', 'events', 'events', 0, 'CREATE VIRTUAL TABLE events USING fts5(a)')",
    ])
    #expect(try count() == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A tree of pages that share their branches unfolds without end and is given up`() throws {
    try database(["PRAGMA page_size = 512", "PRAGMA auto_vacuum = NONE", "CREATE TABLE events(m)"])
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: fixture("x/" + name))))
    try #require(bytes.count == 1_024)
    // The table's root is page 2. Each of these pages has the next one as all of its children.
    bytes.removeLast(512)
    let levels = 16
    for page in 2..<(2 + levels) { bytes += Self.interiorPage(child: UInt32(page + 1)) }
    bytes += Self.leafPage
    bytes[28..<32] = [0, 0, 0, UInt8(bytes.count / 512)]
    try fixture.write("x/" + name, bytes)
    #expect(try count(ContainerLimits(databaseSteps: 3_000_000)) == nil)

    // With one level it is an ordinary tree, so that it is the sharing that was refused above.
    bytes[1_024..<1_536] = Self.leafPage[...]
    try fixture.write("x/" + name, bytes)
    #expect(try count() == 70)
  }

  @Test(.timeLimit(.minutes(1))) func `Long rows that share their pages are given up as well`() throws {
    try database(["PRAGMA page_size = 512", "PRAGMA auto_vacuum = NONE", "CREATE TABLE events(m, status)"])
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: fixture("x/" + name))).prefix(512))
    // Each page has the next one as all of its children, and every row goes on in one chain of pages.
    let (levels, chain) = (3, 1_900)
    let first = 2 + levels + 1
    for page in 2..<(2 + levels) { bytes += Self.interiorPage(child: UInt32(page + 1)) }
    bytes += Self.longRows(overflow: UInt32(first), pages: chain)
    for page in first..<(first + chain) {
      let next = UInt32(page + 1 == first + chain ? 0 : page + 1)
      bytes += withUnsafeBytes(of: next.bigEndian, Array.init) + [UInt8](repeating: 0, count: 508)
    }
    bytes.replaceSubrange(28..<32, with: withUnsafeBytes(of: UInt32(bytes.count / 512).bigEndian, Array.init))
    try fixture.write("x/" + name, bytes)
    #expect(try count() == nil)

    // The same rows without the sharing above them are counted.
    bytes.replaceSubrange(512..<1_024, with: bytes[512 * (first - 2)..<512 * (first - 1)])
    try fixture.write("x/" + name, bytes)
    #expect(try count() == 10)
  }

  /// A leaf of 512 bytes with ten rows, each with a text that fills a chain of pages, and a status behind it.
  private static func longRows(overflow: UInt32, pages: Int) -> [UInt8] {
    // 39 bytes of each row are on the leaf; its header has 5.
    let payload = 39 + 508 * pages
    let header = [5] + varint(2 * (payload - 6) + 12) + [1]
    let cell =
      varint(payload) + [1] + header + [UInt8](repeating: 0, count: 39 - header.count)
      + withUnsafeBytes(of: overflow.bigEndian, Array.init)
    let start = 512 - 10 * cell.count
    var page: [UInt8] = [13, 0, 0, 0, 10, UInt8(start >> 8), UInt8(start & 255), 0]
    for row in 0..<10 {
      let place = start + row * cell.count
      page += [UInt8(place >> 8), UInt8(place & 255)]
    }
    page += [UInt8](repeating: 0, count: start - page.count)
    for _ in 0..<10 { page += cell }
    return page
  }

  /// A number as SQLite writes it: seven bits a byte, the high ones first.
  private static func varint(_ number: Int) -> [UInt8] {
    var bytes = [UInt8(number & 127)]
    var rest = number >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 127 | 128), at: 0)
      rest >>= 7
    }
    return bytes
  }

  @Test func `A million rows are counted, and of more the number is not told, on any machine`() throws {
    let most = 1_000_000
    try database([
      "CREATE TABLE events(a)",
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i < \(most)) INSERT INTO events SELECT 1 FROM n",
    ])
    #expect(try count() == most)
    try database(["INSERT INTO events VALUES(1)"])
    #expect(try count() == nil)
  }

  @Test func `Counting ends after the allowed steps`() throws {
    try database([table, rows(50_000)])
    #expect(try count(ContainerLimits(databaseSteps: 2_000)) == nil)
    #expect(try count(ContainerLimits(databaseSteps: 0)) == nil)
  }

  /// A page of 512 bytes with 69 cells and a last pointer, all to one child.
  private static func interiorPage(child: UInt32) -> [UInt8] {
    let cells = 69
    var page = [UInt8](repeating: 0, count: 512)
    let pointer = (0..<4).map { UInt8(truncatingIfNeeded: child >> UInt32(24 - 8 * $0)) }
    let start = 512 - cells * 5
    page[0..<12] = [5, 0, 0, 0, UInt8(cells), UInt8(start >> 8), UInt8(start & 255), 0] + pointer
    for cell in 0..<cells {
      let offset = start + cell * 5
      page[12 + cell * 2] = UInt8(offset >> 8)
      page[13 + cell * 2] = UInt8(offset & 255)
      page[offset..<(offset + 5)] = pointer + [UInt8(cell + 1)]
    }
    return page
  }

  private static let leafPage: [UInt8] = {
    var page = [UInt8](repeating: 0, count: 512)
    page[0..<10] = [13, 0, 0, 0, 1, 0x01, 0xFC, 0, 0x01, 0xFC]
    page[508..<512] = [2, 1, 2, 0]
    return page
  }()

  @Test func `Events that wait in a log beside the database are counted, and no file is made`() throws {
    try fixture.makeFolder("live")
    let database = try Database(fixture("live/db"))
    try database.run(["PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", table, rows(3)])
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: fixture("live/db" + suffix), toPath: fixture("x/" + name + suffix))
    }
    let before = try fixture.listing()
    #expect(try count() == 3)
    #expect(try fixture.listing() == before)
    #expect(before["x/" + name + "-wal"] != nil)
  }

  @Test func `With a change to the database cut off, the number is not told`() throws {
    try database([table, rows(3)])
    try fixture.write("x/" + name + "-wal", [1])
    #expect(try count() == 3)
    try fixture.write("x/" + name + "-journal", [1])
    #expect(try count() == nil)
  }

  @Test func `A link or a pipe in a database's place is named and not opened`() throws {
    try Database.make(fixture("real.sqlite"), [table, rows(5)])
    try fixture.link("x/" + name, to: fixture("real.sqlite"))
    #expect(try count() == nil)
    try FileManager.default.removeItem(atPath: fixture("x/" + name))
    #expect(mkfifo(fixture("x/" + name), 0o600) == 0)
    #expect(try count() == nil)
    try fixture.makeFolder("outside")
    try Database.make(fixture("outside/rl_persistence.sqlite"), [table])
    try fixture.link("x/Documents", to: fixture("outside"))
    #expect(try fixture.open("x").unsentEvents.map(\.path) == [name])
  }

  @Test func `Signs with a meaning in a URI are only letters in a path`() throws {
    let folder = "a?mode=rwc&b#c%20d é"
    try fixture.makeFolder(folder + "/Library")
    try Database.make(fixture(folder + "/" + name), [table, rows(2)])
    #expect(try fixture.open(folder).unsentEvents == [UnsentEvents(path: name, count: 2)])
  }
}
