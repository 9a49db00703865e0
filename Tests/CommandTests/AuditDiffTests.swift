import Foundation
import Testing

@Suite("carryover audit diff")
struct AuditDiffTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func diff(_ old: AuditRows, _ new: AuditRows, _ options: String...) throws -> Tool.Result {
    try old.write(to: folder.path("old.ndjson"))
    try new.write(to: folder.path("new.ndjson"))
    return try Tool.carryover(["audit", "diff", folder.path("old.ndjson"), folder.path("new.ndjson")] + options)
  }

  /// The number of containers with each change; changes that no container has are not in it.
  private func changes(_ old: AuditRows, _ new: AuditRows) throws -> [String: Int] {
    let result = try diff(old, new, "--json")
    let document = try result.json()
    #expect(try SchemaCheck("audit-diff-1").problems(document) == [])
    let changes = try #require(document["changes"] as? [[String: Any]])
    let counts = Dictionary(
      uniqueKeysWithValues: changes.map { ($0["change"] as? String ?? "", $0["containers"] as? Int ?? 0) }
    ).filter { $0.value > 0 }
    #expect(result.status == (counts.isEmpty ? 0 : 1), "\(result.error)")
    #expect(document["differs"] as? Bool == !counts.isEmpty)
    return counts
  }

  private static func one(
    _ verdict: String, path: String? = "A", id: String? = "1", findings: [String] = [], outcome: String = "audited"
  ) -> AuditRows {
    var rows = AuditRows()
    rows.add(
      path, id: id, outcome: outcome, findings: findings,
      outcome == "audited" ? [.init(name: "user_id", verdict: verdict)] : [])
    return rows
  }

  @Test(
    "a field that is migrated no longer is lost, one that needs a decision only worse",
    arguments: [
      ("carries", "carries", []), ("carries", "lost", ["lost", "new"]), ("carries", "nothing", ["lost", "new"]),
      ("carries-with-decision", "lost", ["lost", "new"]), ("carries", "carries-with-decision", ["changed", "new"]),
      ("carries-with-decision", "carries", ["changed"]), ("lost", "carries", ["regained"]),
      ("nothing", "carries-with-decision", ["regained"]), ("lost", "nothing", ["changed"]),
      ("nothing", "lost", ["changed"]),
    ])
  func verdicts(_ old: String, _ new: String, _ expected: [String]) throws {
    #expect(try Set(changes(Self.one(old), Self.one(new)).keys) == Set(expected))
  }

  @Test("a new note is no worse, a new warning or error is")
  func findings() throws {
    let plain = Self.one("carries")
    #expect(try changes(plain, Self.one("carries", findings: ["session.expired"])) == ["new-finding": 1])
    #expect(
      try changes(plain, Self.one("carries", findings: ["identity.user-id-not-string"])) == [
        "new-finding": 1, "new": 1,
      ])
    #expect(try changes(Self.one("carries", findings: ["session.expired"]), plain) == ["cleared": 1])
  }

  @Test("a container without a plan has no fields to compare; to lose the plan is worse")
  func outcomes() throws {
    let unreadable = Self.one("", id: nil, outcome: "unreadable")
    let result = try diff(Self.one("carries"), unreadable, "--json").json()
    #expect((result["outcomes"] as? [[String: Any]])?.first?["new"] as? String == "unreadable")
    #expect(try changes(Self.one("carries"), unreadable) == ["new": 1])
    #expect(try diff(unreadable, Self.one("carries")).status == 1)
  }

  @Test("a container is found by its path; one that moved, by its content; copies one by one")
  func joins() throws {
    #expect(try changes(Self.one("carries"), Self.one("lost", id: "2")) == ["lost": 1, "new": 1], "other content")
    #expect(try changes(Self.one("carries"), Self.one("lost", path: "B")) == ["lost": 1, "new": 1], "other path")
    #expect(
      try changes(Self.one("carries"), Self.one("lost", path: "B", id: "2")) == ["only-old": 1, "only-new": 1])
    #expect(try changes(Self.one("carries", path: nil), Self.one("lost", path: nil)) == ["lost": 1, "new": 1])
    // The copy at C moved to D; those at A and B stay with their paths, although D comes first.
    var (old, new) = (AuditRows(), AuditRows())
    for (path, verdict) in [("A", "carries"), ("B", "lost"), ("C", "nothing")] {
      old.add(path, id: "same", [.init(name: "user_id", verdict: verdict)])
    }
    for (path, verdict) in [("D", "nothing"), ("A", "carries"), ("B", "lost")] {
      new.add(path, id: "same", [.init(name: "user_id", verdict: verdict)])
    }
    #expect(try changes(old, new) == [:])
    #expect(try diff(old, new, "--json").json()["moved"] as? Int == 1)
    old.add("E")
    #expect(try changes(old, new) == ["only-old": 1])
  }

  @Test("the verdicts of a field are counted before and after, also of one that only one recipe has")
  func matrix() throws {
    var (old, new) = (AuditRows(), AuditRows())
    for number in 0..<30 {
      old.add("\(number)", [.init(name: "user_id"), .init(name: "gone")])
      new.add("\(number)", [.init(name: "user_id", verdict: number < 3 ? "lost" : "carries"), .init(name: "added")])
    }
    let document = try diff(old, new, "--json").json()
    let fields = try #require(document["fields"] as? [[String: Any]])
    #expect(fields.map { $0["field"] as? String } == ["user_id", "gone", "added"])
    let verdicts = fields.map { field in
      (field["verdicts"] as? [[String: Any]] ?? []).map {
        "\($0["old"] as? String ?? "none") \($0["new"] as? String ?? "none") \($0["containers"] ?? 0)"
      }
    }
    #expect(verdicts == [["carries carries 27", "carries lost 3"], ["carries none 30"], ["none carries 30"]])
    #expect(fields[1]["lost"] as? Int == 30 && fields[2]["regained"] as? Int == 30)
    let examples = (document["changes"] as? [[String: Any]])?.first { $0["change"] as? String == "lost" }?["examples"]
    #expect(examples as? [String] == (0..<20).map { "\($0)" })
    let text = try diff(old, new).output
    #expect(text.contains("Worse than before: 30 containers.") && text.contains("no such field"), "\(text)")
    let markdown = try diff(old, new, "--format", "markdown").output
    #expect(markdown.hasPrefix("<!-- carryover audit diff -->\n# Worse than before: 30 containers\n"))
    #expect(markdown.contains("| `user_id` | migrated | lost | 3 |"), "\(markdown)")
  }

  @Test(
    "a limit decides the status",
    arguments: [
      ("lost", Int32(2)), ("lost>1", 0), ("lost>50%", 0), ("lost>49%", 2), ("lost(user_id)", 2), ("lost(traits)", 0),
      ("new", 2), ("regained", 0), ("new-finding(source.stale)", 2), ("new-finding(source.disagree)", 0),
      ("only-new", 0), ("cleared", 0), ("new(user_id)", 64), ("error", 64), ("lost>many", 64), ("", 64),
    ])
  func limits(_ limit: (text: String, status: Int32)) throws {
    var (old, new) = (Self.one("carries"), Self.one("lost", findings: ["source.stale"]))
    old.add("B", [.init(name: "user_id")])
    new.add("B", [.init(name: "user_id")])
    let result = try diff(old, new, "--fail-on", limit.text)
    #expect(result.status == limit.status, "\(limit.text): \(result.output)\(result.error)")
  }

  @Test("hostile names are text, and a damaged row is an error that names its file and line")
  func hostile() throws {
    let (hostile, plain) = (AuditRows.hostile(), Self.one("carries"))
    for format in ["text", "markdown", "json"] {
      let output = try diff(plain, hostile, "--format", format).output
      #expect(!output.isEmpty && !output.contains("\u{202E}") && !output.contains("\u{1B}"))
      #expect(format != "markdown" || !output.replacing(/(`+).+?\1/, with: "").contains("<script"))
    }
    var damaged = plain
    damaged.add(line: "{}")
    for (old, new, file) in [(damaged, plain, "old"), (plain, damaged, "new")] {
      let result = try diff(old, new)
      #expect(result.status == 1 && result.error.contains("\(file).ndjson”, line 3: "), "\(result.error)")
      #expect(result.output.isEmpty)
    }
  }

  @Test("an audit with a baseline shows what differs, and fails for what is worse")
  func baseline() throws {
    func place(_ name: String, _ id: String) throws {
      try folder.place(
        "Inputs/\(name)/Library/Preferences/com.acme.shop.plist",
        Data("<plist><dict><key>rl_anonymous_id</key>\(id)</dict></plist>".utf8))
    }
    let audit = ["audit", folder.path("Inputs"), "--now", "2026-01-10T08:00:00Z"]
    let ratchet = audit + ["--baseline", folder.path("before"), "--fail-on", "new"]
    try place("A", "<string>9F1C</string>")
    try place("B", "<integer>12</integer>")
    let missing = try Tool.carryover(ratchet)
    #expect(missing.status == 1 && missing.error.contains("There is nothing at"))
    #expect(try Tool.carryover(audit + ["--fail-on", "new"]).status == 64)
    #expect(try Tool.carryover(audit + ["-o", folder.path("before")]).status == 0)
    let same = try Tool.carryover(ratchet)
    #expect(same.status == 0 && same.output.contains("No container differs"), "\(same.output)\(same.error)")
    try place("A", "<integer>12</integer>")
    let worse = try Tool.carryover(ratchet + ["--json"])
    #expect(worse.status == 2)
    let document = try worse.json()
    #expect(try SchemaCheck("audit-1").problems(document) == [])
    let baseline = try #require(document["baseline"] as? [String: Any])
    #expect(try SchemaCheck("audit-diff-1").problems(baseline) == [])
    #expect(document["beyond"] as? [String] == ["new: 1 of 2 containers in both audits."])
    #expect(try Tool.carryover(ratchet + ["--fail-on", "new>1"]).status == 2, "each limit counts")
    try place("C", "<integer>12</integer>")
    try place("A", "<string>9F1C</string>")
    #expect(try Tool.carryover(ratchet).status == 0, "a container that the baseline does not have is not worse")
  }
}
