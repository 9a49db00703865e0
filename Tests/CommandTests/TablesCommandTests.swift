@Suite("Tables of databases on the command line") struct TablesCommandTests {
  private let folder = TemporaryFolder()
  private var container: String { folder.path("Data") }

  /// Written by Python's own SQLite.
  private static let script = """
    import json, plistlib, sqlite3, sys
    with sqlite3.connect(sys.argv[1]) as database:
        database.execute("CREATE TABLE users(email TEXT PRIMARY KEY, settings, last_seen REAL, token TEXT) WITHOUT ROWID")
        database.executemany("INSERT INTO users VALUES(?, ?, ?, ?)", [
            ("ada@example.com", json.dumps({"flags": {"beta": True}}), 1763640000.5, "hush-hush"),
            ("bob\\x1b[2J@example.com", plistlib.dumps({"x": 1}, fmt=plistlib.FMT_BINARY), None, None)])
        database.execute("CREATE TABLE events(id INTEGER PRIMARY KEY, name)")
        database.executemany("INSERT INTO events VALUES(?, ?)", [(n, f"event {n}") for n in range(52310)])
    """

  init() throws {
    try folder.place("Data/Library/Preferences/com.acme.shop.plist", #"<plist><dict/></plist>"#.utf8)
    try FileManager.default.createDirectory(atPath: container + "/Documents", withIntermediateDirectories: true)
    try Tool.run("python3", ["-c", Self.script, container + "/Documents/shop.sqlite"]).ended()
  }

  @Test func `inspect shows tables, their columns and rows by their keys, and says how many were read`() throws {
    let result = try Tool.carryover("inspect", container, "--store", "shop.sqlite").ended()
    let lines = result.output.split(separator: "\n").map { line in line.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains { $0.hasPrefix("Documents/shop.sqlite · sqlite · ") && $0.hasSuffix(" · 2 tables") })
    #expect(lines.contains("events table first 1,000 of 52,310 rows · id INTEGER (key), name"))
    #expect(lines.contains("0 row id 0, name event 0") && lines.contains("… 980 more"), "\(result.output)")
    #expect(!result.output.contains("hush") && !result.output.contains("\u{1B}"))
    let all = try Tool.carryover("inspect", container, "--store", "shop.sqlite", "--key", "users", "--all").ended()
    let ada = try #require(all.output.split(separator: "\n").first { $0.contains(" row ") && $0.contains("ada@") })
    #expect(ada.contains("settings JSON object of 1 member in a string") && ada.contains("token (secret)"))
    #expect(!all.output.contains("hush") && !all.output.contains("\u{1B}"))
    #expect(all.output.contains("beta") && all.output.contains("2025-11-20 12:00:00 UTC"))
  }

  @Test func `a search finds text in the rows that were read, also packed; what it did not search is said`() throws {
    let found = try Tool.carryover("inspect", container, "--find", "beta").ended()
    #expect(found.output.contains(#"Documents/shop.sqlite: users."ada@example.com".settings.flags.beta"#))
    let missing = try Tool.carryover("inspect", container, "--find", "event 52000")
    #expect(missing.status == 1)
    #expect(
      missing.output.contains(
        "Rows of 1 table were not read: “events” in “Documents/shop.sqlite” (first 1,000 of 52,310 rows)."))
  }

  @Test func `JSON has the columns and the rows, and follows the schema`() throws {
    let result = try Tool.carryover("inspect", container, "--json").ended()
    let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    #expect(try SchemaCheck("inspect-1").problems(document) == [])
    let stores = try #require((document as? [String: Any])?["stores"] as? [[String: Any]])
    let store = try #require(stores.first { $0["format"] as? String == "sqlite" })
    let tables = try #require(store["tables"] as? [[String: Any]])
    #expect(tables.map { $0["name"] as? String } == ["users", "events"])
    #expect(tables[1]["rows"] as? Int == 52_310 && tables[1]["read"] as? Int == 1_000)
    #expect(tables[0]["rowsNamedBy"] as? String == "primary-key")
    #expect(!result.output.contains("hush"))
  }

  @Test func `redaction masks the values of rows, and the names that rows have from them`() throws {
    for arguments in [["inspect", container, "--redact", "--all"], ["inspect", container, "--redact", "--json"]] {
      let output = try Tool.carryover(arguments).ended().output
      #expect(!output.contains("ada@") && !output.contains("example.com") && !output.contains("event 7"))
      #expect(
        output.contains("users") && output.contains("email") && output.contains("‹email-"), "\(output.prefix(3000))")
    }
  }

  @Test func `a value of a row is printed, and not changed`() throws {
    func get(_ key: String) throws -> Tool.Result { try Tool.carryover("get", container, "shop.sqlite", key) }
    #expect(try get("events.1.name").ended().output == "event 1\n")
    #expect(try get(#"users."ada@example.com".settings.flags.beta"#).ended().output == "true\n")
    try get(#"users."ada@example.com".token"#).ended(1, saying: "is or contains a secret")
    try get("events.52000.name").ended(1, saying: "has no value", "first 10,000 of 52,310 rows")
    try Tool.carryover("set", container, "shop.sqlite", "events.1.name", "x", "--dry-run").ended(
      64, saying: "no property list or JSON file “shop.sqlite”", "SQLite databases are read-only.")
  }

  @Test func `a secret in a primary key is shown nowhere`() throws {
    let script = """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute("CREATE TABLE sessions(token TEXT PRIMARY KEY, user)")
          database.execute("INSERT INTO sessions VALUES('hunter2', 'ada')")
      """
    try Tool.run("python3", ["-c", script, container + "/Documents/keys.sqlite"]).ended()
    for arguments in [["inspect", container, "--all"], ["inspect", container, "--redact", "--all"]] {
      let output = try Tool.carryover(arguments).ended().output
      #expect(output.contains("sessions") && !output.contains("hunter2"), "\(output)")
    }
    let shown = try Tool.carryover("inspect", container, "--store", "keys.sqlite", "--all").ended().output
    #expect(shown.contains("hidden f52fbd32b2b3") && shown.contains("ada") && shown.contains("(secret)"), "\(shown)")
    try Tool.carryover("get", container, "keys.sqlite", #"sessions."hidden f52fbd32b2b3".user"#).ended(printing: "ada")
  }

  @Test func `a database in an archive is read for inspecting`() throws {
    let archive = folder.path("a.tar.gz")
    try Tool.run("tar", ["-C", folder.path(""), "-czf", archive, "Data"]).ended()
    let result = try Tool.carryover("inspect", archive, "--find", "event 12").ended()
    #expect(result.output.contains("Documents/shop.sqlite: events.12.name"))
  }
}
