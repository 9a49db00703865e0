@Suite("carryover audit report") struct AuditReportTests {
  private let folder = TemporaryFolder()
  private var file: String { folder.path("rows.ndjson") }

  private func report(_ rows: AuditRows, _ format: String, _ options: String...) throws -> Tool.Result {
    try rows.write(to: file)
    let result = try Tool.carryover(["audit", "report", file, "--format", format] + options)
    #expect(result.error.isEmpty || result.status != 0, "\(result.error)")
    return result
  }

  private func judged(_ report: String, _ program: String) throws -> String {
    let result = try Tool.run(
      "python3", ["-c", "import sys\ntext = sys.stdin.buffer.read().decode()\n" + program], input: report
    ).ended()
    return result.output
  }

  private static func some(_ count: Int = 1) -> AuditRows {
    var rows = AuditRows()
    for number in 0..<count {
      rows.add(
        "A\(number)", id: "1\(number)",
        [.init(name: "user_id"), .init(name: "session_id", verdict: "nothing", group: "session")])
      rows.add(
        "B\(number)", id: "2\(number)", findings: ["source.stale"], losses: ["logged-out": "lost"],
        [
          .init(
            name: "user_id", verdict: "lost", status: "dropped", reference: "wrong",
            findings: ["identity.user-id-not-string"]),
          .init(name: "session_id", verdict: "carries-with-decision", group: "session", reference: "dropped"),
        ])
      rows.add("C\(number).zip", outcome: "unreadable")
    }
    return rows
  }

  @Test func `the HTML loads nothing and runs nothing, says what is lost first, and every bar has words`() throws {
    let html = try report(Self.some(), "html").output
    #expect(
      html.contains(
        #"<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"#))
    let answer = "1 of 2 users would be logged out by RudderStack&#39;s migrator; with Carryover, 1."
    #expect(html.contains("<h1>\(answer)</h1>") && html.contains("<title>\(answer)</title>"), "\(html.prefix(2_000))")
    #expect(html.contains(#"aria-label="50 % migrated, 50 % lost"><title>50 % migrated, 50 % lost</title>"#), "\(html)")
    #expect(html.contains("<summary>identity.user-id-not-string: 1 container</summary>"))
    #expect(html.contains("prefers-color-scheme: dark") && html.contains("@media print"))
    let labelled = html.matches(of: /<svg [^>]*role="img" aria-label="[^"]+"><title>[^<]+<\/title>/).count
    let besides = html.matches(of: /<\/svg> <small>[^<]+<\/small>/).count
    #expect(labelled == 2 && labelled + besides == html.matches(of: /<svg\s/).count)
  }

  /// Counts the tags, and fails for one that is not closed, a script, a handler or a link.
  private static let htmlJudge = """
    from html.parser import HTMLParser
    class Judge(HTMLParser):
        open, seen = [], set()
        def handle_starttag(self, tag, attributes):
            self.seen.add(tag)
            assert tag not in ("script", "iframe", "object", "img", "link", "a", "base"), tag
            assert not [name for name, _ in attributes if name.startswith("on") or name in ("src", "href")], attributes
            if tag not in ("meta",): self.open.append(tag)
        def handle_startendtag(self, tag, attributes): assert tag == "rect", tag
        def handle_endtag(self, tag): assert self.open.pop() == tag, tag
    judge = Judge(convert_charrefs=True); judge.feed(text); judge.close()
    assert judge.open == [], judge.open
    print(sorted(judge.seen & {"table", "svg", "details"}))
    """

  @Test(arguments: ["html", "markdown", "junit", "csv", "json", "text"])
  func `hostile names are text in every form`(_ format: String) throws {
    let result = try report(.hostile(), format).ended()
    let hidden = result.output.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n") || $0.value == 0x202E || $0.value == 0xFFFE
    }
    #expect(hidden.isEmpty, "\(hidden)")
    switch format {
    case "html": #expect(try judged(result.output, Self.htmlJudge) == "['details', 'svg', 'table']\n")
    case "markdown":
      // What is in code or in HTML, or escaped, is not read as Markdown.
      let lines = result.output.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("<details>") }
      let prose = lines.joined(separator: "\n").replacing(/(`+).+?\1|\\./, with: "")
      #expect(result.output.matches(of: /<details><summary>[^<>]*<\/summary>/).count == AuditRows.hostileNames.count)
      #expect(!prose.contains(/(^|[^\w])@\w/), "nobody is notified: \(prose)")
      #expect(!result.output.contains("<summary>@team") && result.output.contains("@&#8203;team"))
      #expect(!prose.contains("<script") && !prose.contains("[x](y)") && !prose.contains(/[^-]-->/), "\(prose)")
    case "junit":
      #expect(
        try judged(result.output, "import xml.etree.ElementTree as tree\nprint(len(tree.fromstring(text.encode())))")
          == "\(AuditRows.hostileNames.count + 2)\n")
    case "csv":
      let program = """
        import csv, io
        rows = list(csv.reader(io.StringIO(text)))
        assert {len(row) for row in rows} == {13} and len(rows) == len(text.splitlines())
        assert not [cell for row in rows[1:] for cell in row if cell.strip()[:1] in tuple("=+-@＝＋－＠")]
        assert not [line for line in text.splitlines() if ";" in line and '"' not in line]
        print(len(rows))
        """
      #expect(try judged(result.output, program) == "\(AuditRows.hostileNames.count + 1)\n")
    default: break
    }
  }

  @Test func `the HTML is below 2 MB and the Markdown below 60,000 characters, however much there is`() throws {
    var rows = AuditRows()
    let name = String(repeating: "'日\u{202E}", count: 60)
    for recipe in 0..<6 {
      for number in 0..<30 {
        let fields = (0..<24).map {
          AuditRows.Field(name: "\(name)\(number)-\($0)", verdict: "lost", findings: ["\(name)\(number).\($0)"])
        }
        rows.add("\(name)\(number)", id: "\(recipe)\(number + 10)", recipe: "\(name)\(recipe)", fields)
      }
    }
    let html = try report(rows, "html").output
    #expect(html.utf8.count < 2_000_000 && html.utf8.count > 500_000)
    #expect(try judged(html, Self.htmlJudge) == "['details', 'svg', 'table']\n")
    #expect(html.contains("There is more than fits on this page."))
    let markdown = try report(rows, "markdown").output
    #expect(markdown.utf16.count <= 60_000 && markdown.utf16.count > 20_000, "\(markdown.utf16.count)")
    let head = markdown.split(separator: "\n").prefix(2)
    #expect(head.first == "<!-- carryover audit report -->" && head.last?.hasPrefix("# ") == true, "\(head)")
    #expect(head.last?.hasSuffix(": RudderStack's migrator would lose no value of 30 users.") == true, "\(head)")
  }

  private static let junitJudge = """
    import xml.etree.ElementTree as tree
    root = tree.fromstring(text.encode())
    for suite in root:
      print(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("skipped"))
      for case in suite: print("", case.get("classname"), case.get("name"), [(e.tag, e.get("message")) for e in case])
    """

  @Test func `JUnit has a test for each container and group; a loss and an error fail, no value is skipped`() throws {
    #expect(
      try judged(try report(Self.some(), "junit").output, Self.junitJudge) == """
        users 1 1 0
         rudderstack-objc logged-out [('failure', "1 of 2 users would be logged out \
        by RudderStack's migrator; with Carryover, 1.")]
        no plan 1 0 1
         C0.zip plan [('skipped', 'unreadable (archive)')]
        rudderstack-objc 6 1 1
         A0 container []
         A0 identity []
         A0 session [('skipped', 'no legacy value')]
         B0 container []
         B0 identity [('failure', 'user_id is lost')]
         B0 session []

        """)
  }

  @Test func `JUnit of many containers has a test for each field and finding`() throws {
    #expect(
      try judged(try report(Self.some(200), "junit").output, Self.junitJudge) == """
        users 1 1 0
         rudderstack-objc logged-out [('failure', "200 of 400 users would be logged out \
        by RudderStack's migrator; with Carryover, 200.")]
        no plan 1 0 1
         plan unreadable [('skipped', '200 containers: unreadable')]
        rudderstack-objc 4 2 0
         rudderstack-objc field user_id [('failure', 'lost in 200 of 400 containers')]
         rudderstack-objc field session_id []
         rudderstack-objc identity.user-id-not-string [('failure', 'in 200 containers')]
         rudderstack-objc source.stale [('system-out', None)]

        """)
  }

  @Test func `the sentences are true before and after the update, of one user and of many, and of several SDKs`() throws
  {
    var rows = AuditRows()
    for remedy in ["carries", "carries-with-decision", "opted-out", "blocked", "unknown", "lost"] {
      rows.add("A" + remedy, losses: ["logged-out": remedy, "tracked-again": "lost"])
    }
    rows.add("B", time: "past", migrator: nil, losses: ["logged-out": "carries"])
    for path in ["C", "D"] { rows.add(path, time: "past", migrator: nil, losses: ["new-user": "lost"]) }
    rows.add("E", migrator: nil, losses: ["other-user": "carries-with-decision"])
    rows.add("F", migrator: nil, losses: ["values": "carries"])
    for path in ["G", "H"] { rows.add(path, time: "unknown", migrator: nil) }
    rows.add("I", recipe: "person", time: "in-place", migrator: nil, losses: ["values": "lost"])
    rows.add("J", recipe: "segment-objc", time: "past", migrator: nil)
    rows.add("K", recipe: "own", migrator: nil)
    rows.add("L", recipe: "other", time: "unknown", migrator: nil)
    let summary = try report(rows, "json").json("audit-1")
    let users = try #require(summary["users"] as? [[String: Any]])
    let sentences = users.flatMap { $0["sentences"] as? [String] ?? [] }
    let name = "RudderStack Obj-C → Swift: "
    // Every count of an SDK is a part of all its users, so the counts add up.
    #expect(
      sentences == [
        name + "6 of 13 users opted out, and would be tracked again by RudderStack's migrator; Carryover writes "
          + "nothing for them unless you allow it.",
        name + "6 of 13 users would be logged out by RudderStack's migrator; with Carryover, 1 "
          + "(1 needs a decision, 1 opted out, 1 is blocked, 1 is unknown).",
        name + "1 of 13 users was logged out; with Carryover, none.",
        name + "2 of 13 users were counted as new; with Carryover, 2.",
        name
          + "The user id of 1 of 13 users would be changed by the update; with Carryover, none (1 needs a decision).",
        name + "Other values of 1 of 13 users would be lost by the update; with Carryover, none.",
        name + "Cannot tell for 2 of 13 users.",
        "person, versions 0 to 2 → 3: Values of 1 of 1 user cannot be migrated; with Carryover, 1.",
        "other: Cannot tell for 1 user.",
        "own: The update would lose no value of 1 user.",
        "Segment Obj-C → Swift: No value of 1 user is lost.",
      ], "\(sentences)")
    #expect(summary["answer"] as? String == sentences.first)
    var one = AuditRows()
    one.add("A", outcome: "unreadable")
    #expect(try report(one, "json").json("audit-1")["answer"] as? String == "No container has a plan.")
  }

  @Test func `the sentences name the values that are lost, and those that are lost with Carryover too`() throws {
    var rows = AuditRows()
    for path in ["A", "B"] { rows.add(path, losses: ["values": "lost"], values: ["the external ids": "lost"]) }
    func sentence() throws -> String? { try report(rows, "json").json("audit-1")["answer"] as? String }
    #expect(
      try sentence()
        == "Values of 2 of 2 users (the external ids) would be lost by RudderStack's migrator; with Carryover, 2.")
    rows.add(
      "C", losses: ["values": "carries-with-decision"],
      values: ["the traits": "carries-with-decision", "the session": "carries"])
    rows.add("D", losses: ["values": "carries"], values: ["the session": "carries"])
    rows.add("E")
    #expect(
      try sentence()
        == "Values of 4 of 5 users (the external ids of 2, the session of 2, the traits of 1) would be lost by "
        + "RudderStack's migrator; with Carryover, 2 (the external ids; 1 needs a decision).")
    rows.add("F", losses: ["values": "lost"], values: ["the app's build": "lost"])
    // Older rows name nothing.
    rows.add("G", losses: ["values": "lost"])
    #expect(
      try sentence()
        == "Values of 6 of 7 users (the external ids of 2, the session of 2, the app's build of 1, 1 more) would be "
        + "lost by RudderStack's migrator; with Carryover, 4 (the external ids of 2, the app's build of 1; 1 needs a "
        + "decision).")
  }

  @Test func `text and JSON are what the audit printed`() throws {
    let inputs = folder.path("Inputs")
    try folder.place(
      "Inputs/A/Library/Preferences/com.acme.shop.plist",
      Data("<plist><dict><key>rl_anonymous_id</key><string>9F1C</string></dict></plist>".utf8))
    let audit = ["audit", inputs, "--now", "2026-01-10T08:00:00Z"]
    let printed = try Tool.carryover(audit + ["--json", "-o", folder.path("out")]).ended()
    #expect(try Tool.carryover("audit", "report", folder.path("out"), "--json").output == printed.output)
    let text = try Tool.carryover(audit).output
    let again = try Tool.carryover("audit", "report", folder.path("out")).output
    #expect(text.contains("audited") && again.hasPrefix(text.dropLast()), "\(again)")
    let html = try Tool.carryover("audit", "report", folder.path("out"), "--format", "html").output
    #expect(html.contains("Planned for 2026-01-10T08:00:00Z by Carryover "))
  }

  @Test(arguments: ["html", "csv", "junit", "json"])
  func `a damaged row is an error that names its line, and no file is written`(_ format: String) throws {
    let rows = Self.some().lines
    for (line, what) in [
      ("{", "unexpected"), ("[]", "not a row"), (rows[1].replacing("carryover.audit-row/1", with: "x"), "not a row"),
      (rows[0].replacing(#""audited""#, with: #""fine""#), "not a row"),
      (rows[1].replacing("\"n\":1", with: "\"n\":7"), "without the row"),
      (rows[1].replacing(#""verdict":"carries""#, with: #""verdict":"yes""#), "not a row"),
      (String(repeating: "x", count: 5_000_000), "x"),
    ] {
      var damaged = Self.some()
      damaged.add(line: line)
      let output = folder.path("report")
      try Data("before".utf8).write(to: URL(fileURLWithPath: output))
      let result = try report(damaged, format, "-o", output)
      #expect(result.status == 1 && result.error.contains("rows.ndjson”, line 8: "), "\(what): \(result.error)")
      #expect(try String(contentsOfFile: output, encoding: .utf8) == "before")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["report", "rows.ndjson"])
    }
  }

  @Test func `an audit that is not there, is not complete, or is empty is an error`() throws {
    #expect(try Tool.carryover("audit", "report", folder.path("missing")).error.contains("There is nothing at"))
    try Tool.carryover("audit", "report", folder.path).ended(1, saying: "is not the folder of an audit")
    try folder.place("audit.json", Data("{}".utf8))
    #expect(try Tool.carryover("audit", "report", folder.path).error.contains("--resume"))
    try folder.place("rows.ndjson", Data())
    #expect(try Tool.carryover("audit", "report", folder.path).error.contains("line 1: the file is empty"))
  }
}

@Suite("carryover audit --shard and audit merge") struct AuditShardTests {
  private let folder = TemporaryFolder()

  init() throws {
    for number in 0..<7 {
      try folder.place(
        "Inputs/C\(number)/Library/Preferences/com.acme.shop.plist",
        Data(
          try PropertyListDocument.encode(
            ["rl_anonymous_id": .string("id-\(number)"), "rl_traits": #"{"userId":42}"#], as: .binary)))
    }
    try folder.place("Inputs/D.zip", Data("PK\u{3}\u{4} and then nothing".utf8))
  }

  private func audit(_ output: String, _ options: String...) throws -> Tool.Result {
    try Tool.carryover(
      ["audit", folder.path("Inputs"), "--now", "2026-01-10T08:00:00Z", "-o", folder.path(output)] + options)
  }

  private func shards(_ count: Int) throws -> [String] {
    try (0..<count).map { index in
      try audit("\(index)", "--shard", "\(index)/\(count)").ended()
      return folder.path("\(index)")
    }
  }

  private func merge(_ shards: [String], _ options: String...) throws -> Tool.Result {
    try Tool.carryover(["audit", "merge"] + shards + ["-o", folder.path("merged")] + options)
  }

  private func rows(_ output: String) throws -> String {
    try String(contentsOfFile: folder.path(output) + "/rows.ndjson", encoding: .utf8)
  }

  @Test(arguments: Extent.isFull ? [2, 3, 8, 11] : [3, 11])
  func `merged in any order, the rows and the totals are those of the whole audit`(count: Int) throws {
    #expect(try audit("whole").status == 0)
    let shards = try shards(count)
    let merged = try merge(shards.shuffled(), "--json").ended()
    #expect(try rows("merged") == rows("whole"))
    let (summary, whole) = (
      try merged.json(), try Tool.carryover("audit", "report", folder.path("whole"), "--json").json()
    )
    #expect(NSDictionary(dictionary: summary) == NSDictionary(dictionary: whole))
  }

  @Test func `no folder with anything in it is merged into, and a merge that fails leaves no audit`() throws {
    #expect(try audit("whole").status == 0)
    let (whole, shards) = (try rows("whole"), try shards(2))
    for folder in [folder.path("whole"), shards[0], folder.path("Inputs")] {
      try Tool.carryover(["audit", "merge"] + shards + ["-o", folder]).ended(64, saying: "not empty")
    }
    #expect(try rows("whole") == whole)
    #expect(try Tool.carryover(["audit", "merge"] + shards + ["-o", ""]).status == 64)
    #expect(try Tool.carryover("audit", folder.path("Inputs"), "-o", "").status == 64)
    #expect(try merge(shards, "--fail-on", "lost(nothing)").status != 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("merged") + "/rows.ndjson"))
    #expect(try merge(shards).status == 0, "a failed merge leaves nothing in the way")
    #expect(try merge(shards).status == 64)
  }

  @Test func `the limits hold for all shards together`() throws {
    #expect(try merge(shards(2), "--fail-on", "identity.*>6").status == 2)
    for (limit, status) in [("identity.*>6", Int32(2)), ("identity.*>7", 0), ("lost(nothing)", 64), ("new", 64)] {
      let report = try Tool.carryover("audit", "report", folder.path("merged"), "--format", "html", "--fail-on", limit)
      #expect(report.status == status, "\(limit): \(report.error)")
    }
  }

  @Test func `a shard that is missing, incomplete, named twice, or of another audit is refused`() throws {
    let shards = try shards(3)
    func refusal(_ folders: [String]) throws -> String {
      let merged = try merge(folders)
      #expect(merged.status != 0)
      return merged.error
    }
    #expect(try refusal([shards[0], shards[2]]).contains("Shard 1/3 is missing"))
    #expect(try refusal(shards + [shards[1]]).contains("twice"))
    #expect(try audit("other", "--shard", "1/3", "--allow-opted-out").status == 0)
    #expect(
      try refusal([shards[0], folder.path("other"), shards[2]]).contains("a different allowsOptedOut from Shard 0/3"))
    #expect(try refusal([folder.path("Inputs")]).contains("is not the folder of a shard"))
    try Tool.carryover("audit", "report", shards[0]).ended(1, saying: "audit merge")
    let seal = shards[1] + "/complete.json"
    let sealed = try String(contentsOfFile: seal, encoding: .utf8)
    for changed in ["", "{}", sealed.replacing(#""inputs":8"#, with: #""inputs":-1"#)] {
      try changed.write(toFile: seal, atomically: true, encoding: .utf8)
      #expect(try refusal(shards).contains("damaged"))
    }
    for inputs in ["7", "9223372036854775807"] {
      try sealed.replacing(#""inputs":8"#, with: #""inputs":\#(inputs)"#).write(
        toFile: seal, atomically: true, encoding: .utf8)
      #expect(try refusal(shards).contains("found different inputs"))
    }
    try FileManager.default.removeItem(atPath: seal)
    #expect(try refusal(shards).contains("--resume"))
    #expect(try audit("1", "--shard", "1/3", "--resume").status == 0)
    #expect(try merge(shards).status == 0)
    #expect(try audit("1", "--shard", "2/3", "--resume").status == 64)
  }

  @Test func `shards that found other inputs are refused, and one that goes on notices it`() throws {
    var shards = try shards(2)
    try FileManager.default.moveItem(atPath: folder.path("Inputs/C3"), toPath: folder.path("Inputs/C33"))
    #expect(try audit("1", "--shard", "1/2", "--resume").status == 4, "an input of this shard")
    shards[1] = folder.path("again")
    #expect(try audit("again", "--shard", "1/2").status == 0)
    try merge(shards).ended(4, saying: "different inputs")
  }

  @Test func `a row that is gone or was changed is noticed`() throws {
    let shards = try shards(2)
    let rows = try rows("1")
    let lines = rows.split(separator: "\n")
    for changed in [
      "", "x\n", lines.dropFirst().joined(separator: "\n"), lines.dropLast().joined(separator: "\n"),
      lines.filter { !$0.contains(#""n":8"#) }.joined(separator: "\n"),
      rows.replacing(#""verdict":"nothing""#, with: #""verdict":"lost""#), rows.replacing("\n", with: "\r\n"),
    ] {
      try changed.write(toFile: shards[1] + "/rows.ndjson", atomically: true, encoding: .utf8)
      let merged = try merge(shards)
      #expect(merged.status == 1 && merged.error.contains("1/rows.ndjson”, line"), "\(changed): \(merged.error)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("merged") + "/rows.ndjson"))
    }
  }

  @Test func `options that do not fit are refused`() throws {
    for shard in ["3/3", "-1/3", "1", "1/0", "01/3", "1/3/5", "a/b", "1/10001"] {
      #expect(try audit("out", "--shard=\(shard)").status == 64, "\(shard)")
    }
    let inputs = folder.path("Inputs")
    #expect(try Tool.carryover("audit", inputs, "--shard", "0/2", "--now", "2026-01-10T08:00:00Z").status == 64)
    #expect(try Tool.carryover("audit", inputs, "--shard", "0/2", "-o", folder.path("out")).status == 64, "no moment")
  }
}
