@Suite("Comparing by command") struct DiffTests {
  private let folder = TemporaryFolder()

  private func flat(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  @Test func `the status tells whether the stores differ, and lines say how`() throws {
    let (monday, tuesday) = (
      try folder.app(
        ["gone": "x", "traits": #"{"plan": "free"}"#, "seen": 1_763_640_000, "rl_auth_token": "hush-1"], named: "Monday"
      ),
      try folder.app(
        [
          "traits": #"{"plan":"pro"}"#, "seen": 1_763_726_400, "rl_auth_token": "hush-2", "n\u{1B}[2J": 1,
          "AppleLanguages": ["de"],
        ], named: "Tuesday")
    )
    let found = try Tool.carryover("diff", monday, tuesday)
    found.ended(2)
    let output = flat(found.output)
    for line in [
      "5 values differ in 1 of 1 store. 1 key of Apple's frameworks also differs; --all lists it.",
      "~ Library/Preferences/com.acme.shop.plist", "- gone x", "~ traits.plan free → pro",
      "~ seen 1763640000 (2025-11-20 12:00:00 UTC) → 1763726400 (2025-11-21 12:00:00 UTC)",
      "~ rl_auth_token (secret) → (secret)", #"+ "n\u{1B}[2J" 1"#,
    ] { #expect(output.contains(line), "\(found.output)") }
    #expect(!found.output.contains("hush") && !found.output.contains("\u{1B}"))
    try Tool.carryover("diff", monday, monday).ended(printing: "No differences.")
    try Tool.carryover("diff", monday, tuesday, "--store", "com.acme.shop.plist", "--all").ended(
      2, printing: "AppleLanguages")
    try Tool.carryover("diff", monday, tuesday, "--ignore", "*").ended(
      printing: "No differences to list. 1 key of Apple's frameworks differs;", "5 differences are ignored.")
    try Tool.carryover("diff", monday, tuesday, "--store", "x.plist").ended(64, saying: "has a store x.plist")
    try Tool.carryover("diff", monday).ended(64, saying: "--before")
    try Tool.carryover("diff", monday, folder.path("nowhere")).ended(1, saying: "nowhere")
    let masked = try Tool.carryover("diff", monday, tuesday, "--redact")
    masked.ended(2, printing: "traits.plan")
    #expect(!masked.output.contains("free") && !masked.output.contains("2025-11-20"))
  }

  @Test func `the JSON form suits its schema and keeps secrets`() throws {
    let keys: [String: Any] = [
      "t": #"{"a": [1, 2], "rl_auth_token": "hush-1"}"#, "d": Date(timeIntervalSince1970: 1_763_640_000),
    ]
    let (old, new) = (
      try folder.app(keys, named: "Old"),
      try folder.app(["t": #"{"a": [1, 3], "rl_auth_token": "hush-2"}"#, "d": Data([1])], named: "New")
    )
    try folder.place("Saved/New/Library/Preferences/damaged.plist", Data("bplist00".utf8))
    let result = try Tool.carryover("diff", old, new, "--json")
    let document = try result.ended(2).json("diff-1")
    #expect(!result.output.contains("hush"))
    let stores = try #require(document["stores"] as? [[String: Any]])
    #expect(stores.compactMap { $0["change"] as? String } == ["changed", "added"])
    #expect(stores.last?["whole"] as? Bool == true)
    let values = try #require(stores.first?["values"] as? [[String: Any]])
    #expect(Set(values.compactMap { $0["text"] as? String }) == ["t.a[1]", "t.rl_auth_token", "d"])
    #expect(values.contains { $0["secret"] as? Bool == true })
    let redacted = try Tool.carryover("diff", old, new, "--json", "--redact").json("diff-1")
    #expect(redacted["redacted"] as? Bool == true)
    #expect(try Tool.carryover("diff", old, old, "--json").json("diff-1")["equal"] as? Bool == true)
  }

  @Test func `files of any form are compared`() throws {
    let list: [String: Any] = ["a": 1]
    for (name, format) in [("a.plist", PropertyListSerialization.PropertyListFormat.binary), ("b.plist", .xml)] {
      try folder.place(name, PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
    }
    let (one, other) = (folder.path("a.plist"), folder.path("b.plist"))
    try Tool.carryover("diff", one, other).ended(printing: "No differences.")
    try Tool.carryover("diff", one, other, "--exact").ended(
      2, printing: "1 of 1 store differs only in order or format.", "same values in another order or format")
    let app = try folder.app(["a": 2])
    try folder.place(
      "com.acme.shop.plist", PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
    try Tool.carryover("diff", folder.path("com.acme.shop.plist"), app).ended(2, printing: "1  →  2")
    try Tool.carryover("diff", one, app).ended(64, saying: "no store named “a.plist”")
  }

  @Test func `JSON text has the type that inspect shows`() throws {
    let (old, new) = (try folder.app(["a": "[1]", "b": "[1]"]), try folder.app(["a": "x", "b": 1], named: "New"))
    let output = flat(try Tool.carryover("diff", old, new).ended(2).output)
    #expect(output.contains("~ a JSON array of 1 element in a string → x"), "\(output)")
    #expect(output.contains("~ b JSON array of 1 element in a string → integer 1"), "\(output)")
  }

  @Test func `of stores that cannot be read, the reason is said, and they are counted as stores`() throws {
    let (old, new) = (try folder.app(["a": 1], named: "Old"), try folder.app(["a": 2], named: "New"))
    let path = "Library/Preferences/link.plist"
    try folder.place("Saved/New/" + path, Data("<plist><dict>".utf8))
    let output = flat(try Tool.carryover("diff", old, new).ended(2).output)
    #expect(output.contains("1 value differs in 1 of 2 stores. 1 of 2 stores differs as a whole."), "\(output)")
    let problem = try #require(
      ((try Tool.carryover("diff", old, new, "--json").json("diff-1")["stores"] as? [[String: Any]])?
        .first { $0["path"] as? String == path })?["problemAfter"] as? String)
    #expect(output.contains("+ \(path): cannot be read " + problem), "\(output)")
    try folder.place("Saved/Old/" + path, Data("<plist><array>".utf8))
    let differing = flat(try Tool.carryover("diff", old, new).ended(2).output)
    #expect(differing.contains("~ \(path): cannot be read, and its bytes differ") && differing.contains(problem))
  }

  @Test func `texts that look the same are shown by their scalars`() throws {
    let (old, new) = (
      try folder.app(["a": "caf\u{E9}"], named: "Old"), try folder.app(["a": "cafe\u{301}"], named: "New")
    )
    let output = flat(try Tool.carryover("diff", old, new).ended(2).output)
    #expect(output.contains(#"~ a caf\u{E9} → cafe\u{301}"#), "\(output)")
  }

  @Test func `a moment that both values can be read as is shown once`() throws {
    let (old, new) = (try folder.app(["t": 1_763_640_000_123]), try folder.app(["t": 1_763_640_000_456], named: "New"))
    let output = flat(try Tool.carryover("diff", old, new).ended(2).output)
    #expect(output.contains("~ t 1763640000123 → 1763640000456 (2025-11-20 12:00:00 UTC)"), "\(output)")
  }

  private func database(_ value: String, times count: Int, in app: String) throws {
    let script = """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute("CREATE TABLE t(k INTEGER PRIMARY KEY, v)")
          database.execute("INSERT INTO t VALUES(1, ?)", (sys.argv[2] * int(sys.argv[3]),))
      """
    try Tool.run("python3", ["-c", script, app + "/Library/shop.sqlite", value, "\(count)"]).ended()
  }

  @Test func `values of tables that are too long to compare are said`() throws {
    let (old, new) = (try folder.app(["k": 1], named: "Old"), try folder.app(["k": 1], named: "New"))
    try database("a", times: 2 << 20, in: old)
    try database("b", times: 2 << 20, in: new)
    try Tool.carryover("diff", old, new).ended(
      1, printing: "No differences in what was read.", "compared in part", "1 value is too long")
    let document = try Tool.carryover("diff", old, new, "--json").ended(1).json("diff-1")
    #expect((document["notRead"] as? [[String: Any]])?.count == 1)
    #expect((document["notCompared"] as? [[String: Any]])?.count == 1 && document["equal"] as? Bool == false)
    let same = try Tool.carryover("diff", old, old, "--json").ended().json("diff-1")
    #expect(same["notRead"] == nil && same["equal"] as? Bool == true)
  }

  @Test func `--before reads the databases of both states`() throws {
    let app = try folder.app(["k": "old"])
    try database("a", times: 1, in: app)
    try Tool.carryover("set", app, "com.acme.shop.plist", "k", "new", "--yes").ended()
    let run = try #require(try Tool.runs(of: app).first?["id"] as? String)
    let document = try Tool.carryover("diff", app, "--before", run, "--json").ended(2).json("diff-1")
    let stores = try #require(document["stores"] as? [[String: Any]])
    #expect(stores.compactMap { $0["path"] as? String } == ["Library/Preferences/com.acme.shop.plist"])
  }

  @Test func `--before names what a run wrote`() throws {
    let sample = try SampleCopy.applied()
    let history = try Tool.carryover("history", sample.path, "--json").json("history-1")
    let run = try #require((history["runs"] as? [[String: Any]])?.first)
    let id = try #require(run["id"] as? String)
    let document = try Tool.carryover("diff", sample.path, "--before", id, "--all", "--json").ended(2).json("diff-1")
    let fields = try #require(run["fields"] as? [[String: Any]])
    let written = Set(fields.filter { $0["outcome"] as? String == "migrated" }.compactMap { $0["id"] as? String })
    let values = (document["stores"] as? [[String: Any]] ?? []).flatMap { $0["values"] as? [[String: Any]] ?? [] }
    #expect(Set(values.compactMap { ($0["path"] as? [Any])?.first as? String }) == written)
    #expect((document["before"] as? [String: Any])?["beforeRun"] as? String == id)
    try Tool.carryover("rollback", sample.path, "--yes").ended()
    try Tool.carryover("diff", sample.path, "--before", id).ended(
      printing: "No differences.", "has changed since run")
    try Tool.carryover("diff", sample.path, "--before", "20200101T000000Z-1").ended(
      1, saying: "There is no run “20200101T000000Z-1”. carryover history lists them.")
  }
}
