@testable import CarryoverCommand

@Suite("carryover audit") struct AuditTests {
  private static let id = "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642"
  private let folder = TemporaryFolder()
  private var inputs: String { folder.path("Inputs") }

  private func place(_ path: String, _ bytes: [UInt8]) throws { try folder.place("Inputs/" + path, Data(bytes)) }

  private func container(_ name: String, _ values: PropertyListValue) throws {
    try place("\(name)/Library/Preferences/com.acme.shop.plist", try PropertyListDocument.encode(values, as: .binary))
  }

  private func audit(_ options: String...) throws -> Tool.Result {
    try Tool.carryover(["audit", inputs, "--now", "2026-01-10T08:00:00Z"] + options)
  }

  private func rows(_ output: String) throws -> [[String: Any]] {
    try String(contentsOfFile: output + "/rows.ndjson", encoding: .utf8).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func `a field that an earlier run kept or skipped is not migrated`() throws {
    let sample = try SampleCopy("HalfFilled")
    try sample.run("apply", "--keep", "user_id", "--accept", "session_id", "--yes").ended()
    let text = try sample.run("audit").output
    let rows = text.split(separator: "\n").map { $0.split(separator: " ").prefix(4).map(String.init) }
    for field in ["user_id", "traits"] { #expect(rows.contains([field, "0", "0", "1"]), "\(text)") }
    #expect(rows.contains(["session_id", "1", "0", "0"]), "\(text)")
  }

  @Test func `every input has its outcome, and the outcomes add up; nothing in the inputs changes (F14)`() throws {
    try container("A", ["rl_anonymous_id": "9F1C", "rl_session_id": 1_763_640_123])
    try container("B/Deep/Down/Below/Here/C", ["rl_anonymous_id": "8E2D"])
    try container("D", ["launchCount": 3])
    try place("E.zip", Array("PK\u{3}\u{4} and then nothing".utf8))
    try place("F/notes.txt", Array("no container".utf8))
    try place("G/Manifest.plist", [])
    try place("G/Info.plist", [])
    try FileManager.default.createSymbolicLink(atPath: inputs + "/H", withDestinationPath: inputs + "/A")
    let before = try FileState.files(under: inputs)
    let output = folder.path("out")
    let audited = try audit("--output", output, "--json").ended()
    let summary = try audited.json("audit-1")
    let outcomes = try #require(summary["outcomes"] as? [String: Int])
    #expect(outcomes["audited"] == 2 && outcomes["nothing-to-migrate"] == 1 && outcomes["unreadable"] == 2)
    #expect(outcomes.values.reduce(0, +) == summary["containers"] as? Int && summary["inputs"] as? Int == 5)
    let rows = try rows(output)
    for row in rows { #expect(try SchemaCheck("audit-row-1").problems(row) == []) }
    let containers = rows.filter { $0["row"] as? String == "container" }
    #expect(containers.map { $0["path"] as? String } == ["A", "B/Deep/Down/Below/Here/C", "D", "E.zip", "G"])
    let session = rows.first { $0["field"] as? String == "session_id" && $0["path"] as? String == "A" }
    #expect(session?["verdict"] as? String == "carries" && session?["legacyKind"] as? String == "integer")
    #expect(try FileState.files(under: inputs) == before)
  }

  @Test func `rows have no values, are the same for any number of workers, and with --redact no paths`() throws {
    for number in 0..<20 { try container("Container \(number)", ["rl_anonymous_id": .string("SECRET-\(number)")]) }
    var found: Set<String> = []
    for workers in ["1", "2", "5"] {
      let output = folder.path("out" + workers)
      #expect(try audit("-j", workers, "--output", output).status == 0)
      found.insert(try String(contentsOfFile: output + "/rows.ndjson", encoding: .utf8))
    }
    #expect(found.count == 1 && found.allSatisfy { !$0.contains("SECRET") && $0.contains("Container 7") })
    let output = folder.path("redacted")
    #expect(try audit("--redact", "--output", output).status == 0)
    #expect(try rows(output).allSatisfy { $0["path"] is NSNull })
  }

  @Test(arguments: [
    ("error", Int32(2)), ("error>2", 0), ("warning", 0), ("identity.user-id-not-string", 2), ("identity.*", 2),
    ("identity.*>2", 0), ("identity.*>99.5%", 2), ("identity.*>100%", 0), ("lost(user_id)", 0), ("unreadable", 2),
    ("unreadable>1", 0), ("carries-with-decision(user_id)", 2), ("nonsense", 64), ("error>many", 64),
    ("identity.nothing", 64), ("lost(nothing)", 64), ("", 64),
  ])
  func `each limit of --fail-on decides the status`(_ limit: (text: String, status: Int32)) throws {
    try container("A", ["rl_anonymous_id": "9F1C", "rl_traits": #"{"userId":42}"#])
    try container("B", ["rl_anonymous_id": "8E2D"])
    try place("C.zip", Array("PK\u{3}\u{4} and then nothing".utf8))
    let audited = try audit("--fail-on", limit.text)
    #expect(audited.status == limit.status, "\(limit.text): \(audited.output)\(audited.error)")
  }

  @Test func `a policy decides by finding, in an audit and in an apply; what names a field comes first`() throws {
    try container("A", ["rl_anonymous_id": .string(Self.id), "rl_traits": #"{"userId":42}"#])
    let policy = folder.path("policy.yaml")
    func write(_ decisions: String) throws {
      try "carryover: policy/1\ndecide: {\(decisions)}\n".write(toFile: policy, atomically: true, encoding: .utf8)
    }
    #expect(try audit("--fail-on", "undecided").status == 2)
    try write("identity.user-id-not-string: accept")
    let output = folder.path("accepted")
    #expect(try audit("--fail-on", "undecided", "--policy", policy, "-o", output).status == 0)
    let user = try rows(output).first { $0["field"] as? String == "user_id" }
    #expect(user?["verdict"] as? String == "carries" && user?["decidedBy"] as? String == "policy")
    try write("identity.user-id-not-string: skip")
    #expect(try audit("--fail-on", "lost(user_id)", "--policy", policy).status == 2)
    #expect(try audit("-o", output, "--resume", "--policy", policy).status == 64, "another policy is another audit")
    let options = ["apply", inputs + "/A", "--write-key", "WK", "--policy", policy, "--yes", "--json"]
    try write("identity.user-id-not-string: accept")
    try Tool.carryover(options + ["--skip", "user_id"]).ended(printing: "skipped")
    for wrong in [
      "identity.nothing: accept", "identity.user-id-not-string: keep", "target.conflict: accept",
      "session.expired: accept",
      "identity.user-id-not-string: [accept]",
    ] {
      try write(wrong)
      let refused = try audit("--policy", policy)
      #expect(refused.status == 1 && refused.error.contains("policy.yaml:2"), "\(wrong): \(refused.error)")
    }
  }

  @Test func `a policy resolves no conflict that it does not name`() throws {
    try container("A", ["rl_anonymous_id": .string(Self.id)])
    try place(
      "A/Library/Preferences/com.acme.shop.analytics.WK.plist",
      try PropertyListDocument.encode(
        ["anonymous_id": "8e2d2a7e-6b0d-4c35-8e21-5d7f03a9b642", "user_id": "u-1"], as: .xml))
    let policy = folder.path("policy.yaml")
    for (decisions, status) in [
      ("identity.user-id-not-string: accept", Int32(2)), ("target.conflict: keep", 0), ("target.conflict: replace", 0),
    ] {
      try "carryover: policy/1\ndecide: {\(decisions)}\n".write(toFile: policy, atomically: true, encoding: .utf8)
      #expect(try audit("--policy", policy, "--fail-on", "undecided").status == status, "\(decisions)")
    }
    try Tool.carryover("apply", inputs + "/A", "--policy", policy, "--yes").ended()
    let target = inputs + "/A/Library/Preferences/com.acme.shop.analytics.WK.plist"
    #expect(try String(contentsOfFile: target, encoding: .utf8).contains(Self.id))
  }

  @Test func `an audit goes on with the same inputs and options only`() throws {
    for number in 0..<5 { try container("C\(number)", ["rl_anonymous_id": "9F1C"]) }
    let output = folder.path("out")
    #expect(try audit("--output", output).status == 0)
    let complete = try String(contentsOfFile: output + "/rows.ndjson", encoding: .utf8)
    #expect(try audit("--output", output).status == 64, "the folder is not empty")
    try FileManager.default.removeItem(atPath: output + "/rows.ndjson")
    #expect(try audit("--output", output, "--resume").status == 0)
    #expect(try String(contentsOfFile: output + "/rows.ndjson", encoding: .utf8) == complete)
    #expect(try audit("--output", output, "--resume", "--allow-opted-out").status == 64)
    let recipe = folder.path("own.recipe.yaml")
    func write(_ version: Int) throws {
      try """
      carryover: recipe/1
      id: own-sdk
      version: \(version)
      title: Own
      read: [{suite: "${bundle-id}"}]
      write: {suite: own}
      detect: [rl_anonymous_id]
      opt-out-keys: []
      fields: [{key: who, group: identity, form: string, from: [{key: rl_anonymous_id}]}]
      """.write(toFile: recipe, atomically: true, encoding: .utf8)
    }
    let own = folder.path("own")
    try write(1)
    #expect(try audit("--output", own, "--recipe", recipe).status == 0)
    #expect(try audit("--output", own, "--recipe", recipe, "--resume").status == 0)
    #expect(try !String(contentsOfFile: own + "/audit.json", encoding: .utf8).contains("own.recipe"))
    try write(2)
    #expect(try audit("--output", own, "--recipe", recipe, "--resume").status == 64, "the recipe was changed")
    try FileManager.default.moveItem(atPath: inputs + "/C2", toPath: inputs + "/D")
    try audit("--output", output, "--resume").ended(4, saying: "renamed")
    #expect(try audit("--resume").status == 64)
  }

  @Test func `an archive with several containers is one input; what is given twice is audited once`() throws {
    try container("A", ["rl_anonymous_id": "9F1C"])
    try container("B", ["rl_anonymous_id": "8E2D"])
    try Tool.run("python3", ["-m", "zipfile", "-c", inputs + "/Two.zip", inputs + "/A", inputs + "/B"]).ended()
    let summary = try Tool.carryover(["audit", inputs, inputs + "/A", "--json"]).json()
    #expect(summary["inputs"] as? Int == 3 && summary["containers"] as? Int == 4, "\(summary)")
    #expect(summary["copies"] as? Int == 2)
  }

  @Test func `of differing copies of a container, the one that loses most counts, in any order`() throws {
    func unit(_ input: Int, _ remedy: AffectedUser.Remedy) -> AuditUnit {
      let group = AffectedUser.Group(recipe: "rudderstack-objc", time: .ahead, migrator: nil)
      return AuditUnit(
        input: input, id: "9f1c2a7e6b0d4c35", path: nil, outcome: .audited, code: nil, recipe: nil, findings: [],
        severities: [:], isBlocked: false, isUndecided: false,
        users: [AffectedUser(group, losing: [.loggedOut: remedy])], bundleID: nil)
    }
    func totals(_ remedies: AffectedUser.Remedy...) throws -> AuditTotals {
      var totals = AuditTotals()
      for (index, remedy) in remedies.enumerated() { try totals.add(unit(index + 1, remedy)) }
      return totals
    }
    let lost = try totals(.lost).users
    for some in [try totals(.lost, .mended), try totals(.mended, .lost), try totals(.undecided, .lost, .mended)] {
      #expect(some.users.json == lost.json && some.users.keys == lost.keys)
      #expect(some.copies == some.inputs - 1)
    }
  }

  @Test func `a folder that cannot be opened, however it is named or nested, is not missed`() throws {
    try container("A", ["rl_anonymous_id": "9F1C"])
    for path in ["B.xcappdata", "C.xcappdata/AppData"] {
      try FileManager.default.createDirectory(atPath: inputs + "/" + path, withIntermediateDirectories: true)
    }
    let deep = Array(repeating: "d", count: 600).joined(separator: "/") + "/E"
    try container(deep, ["rl_anonymous_id": "8E2D"])
    let outcomes = try #require(try audit("--json").json()["outcomes"] as? [String: Int])
    #expect(outcomes["audited"] == 2 && outcomes["unreadable"] == 2, "\(outcomes)")
    let named = try Tool.carryover("audit", inputs + "/B.xcappdata", "--json").json()
    #expect((named["outcomes"] as? [String: Int])?["unreadable"] == 1)
  }

  @Test func `values that are blocked, or may be in an unreadable store, are not migrated or absent`() throws {
    try container("A", ["rl_anonymous_id": .string(Self.id), "rl_opt_status": true])
    try FileManager.default.createDirectory(
      atPath: inputs + "/B/Library/Preferences/com.acme.shop.plist", withIntermediateDirectories: true)
    let output = folder.path("out")
    #expect(try audit("-o", output, "--fail-on", "blocked").status == 2)
    let fields = try rows(output).filter { $0["field"] as? String == "anonymous_id" }
    #expect(fields.map { $0["verdict"] as? String } == ["blocked", "unknown"], "\(fields)")
    let shown = try audit("--allow-opted-out")
    #expect(shown.output.contains("unknown") && !shown.output.contains("blocked"), "\(shown.output)")
  }

  @Test func `a folder of an audit with a gap, a changed part or another audit in it is not continued`() throws {
    try container("A", ["rl_anonymous_id": "9F1C"])
    let output = folder.path("out")
    #expect(try audit("-o", output).status == 0)
    let part = output + "/parts/p-000001.ndjson"
    let rows = try String(contentsOfFile: part, encoding: .utf8)
    for changed in [
      rows.replacing(#""inputs":1"#, with: #""inputs":-1"#), rows.replacing(#""after":"""#, with: #""after":"x""#), "",
      "x",
    ] {
      try changed.write(toFile: part, atomically: true, encoding: .utf8)
      let resumed = try audit("-o", output, "--resume")
      #expect(resumed.status == 1 && resumed.error.contains("damaged"), "\(changed): \(resumed.error)")
    }
    try rows.write(toFile: part, atomically: true, encoding: .utf8)
    try rows.write(toFile: output + "/parts/p-000003.ndjson", atomically: true, encoding: .utf8)
    #expect(try audit("-o", output, "--resume").status == 1)
    try FileManager.default.removeItem(atPath: output + "/parts/p-000003.ndjson")
    #expect(try audit("-o", output, "--resume").status == 0)
    let text = try String(contentsOfFile: output + "/audit.json", encoding: .utf8)
    #expect(!text.contains(inputs))
  }

  @Test func `rows that were edited, removed or doubled are not continued, and large parts take no memory`() throws {
    for name in ["A", "B"] { try container(name, ["rl_anonymous_id": .string(Self.id)]) }
    let output = folder.path("out")
    #expect(try audit("-o", output).status == 0)
    let part = output + "/parts/p-000001.ndjson"
    let rows = try String(contentsOfFile: part, encoding: .utf8)
    let lines = rows.split(separator: "\n", omittingEmptySubsequences: false)
    let second = try #require(lines.firstIndex { $0.contains(#""n":2"#) })
    let edits = [
      rows.replacing(#""verdict":"carries""#, with: #""verdict":"nothing""#),
      Array(lines[..<1] + lines[2...]).joined(separator: "\n"),
      Array(lines[..<second] + lines).joined(separator: "\n"),
      rows.replacing(#""rows":"#, with: #""rows":1"#), rows.replacing("\n", with: "\n\n"),
    ]
    for edited in edits {
      #expect(edited != rows)
      try edited.write(toFile: part, atomically: true, encoding: .utf8)
      let resumed = try audit("-o", output, "--resume")
      #expect(resumed.status == 1 && resumed.error.contains("damaged"), "\(edited): \(resumed.error)")
    }
    try rows.write(toFile: part, atomically: true, encoding: .utf8)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: part))
    try file.truncate(atOffset: 1_000_000_000)
    try file.close()
    let sparse = try Tool.measured(["audit", inputs, "-o", output, "--resume"])
    #expect(sparse.status == 1 && sparse.error.contains("damaged") && sparse.peak < 200_000_000, "\(sparse)")
    try rows.write(toFile: part, atomically: true, encoding: .utf8)
    #expect(try audit("-o", output, "--resume").status == 0)
  }

  /// Three users of RudderStack, of whom two have a number as id, and one of them opted out; and no SDK's container.
  private func containers() throws {
    try container("A", ["rl_anonymous_id": .string(Self.id), "rl_traits": #"{"userId":42}"#])
    try container("B", ["rl_anonymous_id": .string(Self.id), "rl_traits": #"{"userId":42}"#, "rl_opt_status": true])
    try container("C", ["rl_anonymous_id": .string(Self.id), "rl_traits": #"{"userId":"u-1"}"#])
    try container("D", ["launchCount": 3])
  }

  private static let answer = "1 of 3 users opted out, and would be tracked again by RudderStack's migrator;"
  private static let loggedOut = """
    2 of 3 users would be logged out by RudderStack's migrator; with Carryover, none (1 needs a decision, 1 opted out).
    """

  @Test(arguments: [80, 120])
  func `an audit begins with the users, without and with Carryover, and names the containers`(_ columns: Int) throws {
    try containers()
    let run = ["COLUMNS=\(columns)", Tool.carryover.path, "audit", inputs, "--now", "2026-01-10T08:00:00Z"]
    let text = try Tool.run("env", run).ended().output
    let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.hasPrefix("✗ " + Self.answer), "\(text)")
    #expect(words.contains("✗ " + Self.loggedOut), "\(text)")
    #expect(text.contains("without Carryover") && text.split(separator: "\n").allSatisfy { $0.count <= columns })
    let finding = text.components(separatedBy: "identity.user-id-not-string").last ?? ""
    #expect(finding.split(separator: "\n").dropFirst().prefix(2).contains { $0.hasSuffix(" A, B") }, "\(text)")
  }

  @Test func `a user who opted out is blocked, not undecided, and an error gives the count and the limit`() throws {
    try containers()
    let output = folder.path("out")
    try audit("--fail-on", "undecided", "--fail-on", "blocked>1").ended(
      2, saying: "carryover: 1 container has undecided fields (limit: 0).\n")
    let limits = ["--fail-on", "identity.*>50%", "--fail-on", "error>1", "--fail-on", "lost(user_id)"]
    let summary = try Tool.carryover(
      ["audit", inputs, "--now", "2026-01-10T08:00:00Z", "-o", output, "--json"] + limits)
    let sentence = "2 containers have errors (limit: 1)."
    #expect(try summary.json("audit-1")["beyond"] as? [String] == [sentence])
    summary.ended(2, saying: sentence)
    let user = try rows(output).filter { $0["field"] as? String == "user_id" }
    #expect(user.map { $0["verdict"] as? String } == ["carries-with-decision", "blocked", "carries", "nothing"])
    #expect(try rows(output).last { $0["row"] as? String == "container" }?["verdicts"] as? [String] == [])
  }

  private static let token = "mixpanel-0123456789abcdef0123456789abcdef"

  /// A user of Mixpanel who has opted out.
  private func optedOut(_ name: String) throws {
    let values: PropertyListValue = [
      "\(Self.token)MPDistinctID": "u-1", "\(Self.token)MPUserId": "u-1", "\(Self.token)OptOutStatus": true,
    ]
    try container(name, ["launchCount": 3])
    try place(
      "\(name)/Library/Preferences/Mixpanel.plist", try PropertyListDocument.encode(values, as: .binary))
  }

  /// The gravest verdict on a container, as an audit has it and as `diagnose` has it.
  private func verdicts(_ name: String) throws -> [[String?]] {
    let output = folder.path("verdicts")
    try? FileManager.default.removeItem(atPath: output)
    let now = ["--now", "2026-01-10T08:00:00Z"]
    try Tool.carryover(["audit", inputs + "/" + name, "-o", output] + now).ended()
    let row = try #require(rows(output).first?["verdicts"] as? [[String: Any]]).first
    let diagnosis = try Tool.carryover(["diagnose", inputs + "/" + name, "--json"] + now).json()
    let told = diagnosis["verdict"] as? [String: Any]
    let time = told?["situation"] as? String == "past" ? "past" : "ahead"
    return [
      ["outcome", "certainty", "time"].map { row?[$0] as? String },
      ["outcome", "certainty"].map { told?[$0] as? String } + [time],
    ]
  }

  @Test func `an audit knows the runs as diagnose does: what they did, no update did`() throws {
    try optedOut("A")
    let field = Self.token + "-OptOutStatus"
    try Tool.carryover("apply", inputs + "/A", "--accept", field, "--allow-opted-out", "--yes").ended()
    try Tool.carryover("rollback", inputs + "/A", "--only", field, "--yes").ended()
    let diagnosed = try Tool.carryover("diagnose", inputs + "/A")
    #expect(
      diagnosed.output.hasPrefix("▲ Likely: The update would track this user, who has opted out:"),
      "\(diagnosed.output)")
    #expect(diagnosed.output.contains("was rolled back."), "\(diagnosed.output)")
    let audited = try Tool.carryover("audit", inputs + "/A")
    #expect(
      audited.output.hasPrefix(
        "✗ 1 of 1 user opted out, and would be tracked again by the update; with Carryover, none (1 needs a decision)."),
      "\(audited.output)")
    #expect(try Set(verdicts("A")).count == 1)
    // Now another program has written the file.
    try Tool.edit(inputs + "/A/Library/Preferences/Mixpanel.plist", "values['\(Self.token)-timedEvents'] = b''")
    #expect(try Tool.carryover("diagnose", inputs + "/A").output.contains("is tracked since the update"))
    #expect(try Set(verdicts("A")).count == 1)

    try container("B", ["rl_anonymous_id": .string(Self.id), "rl_traits": #"{"userId":"u-1"}"#])
    try Tool.carryover("apply", inputs + "/B", "--write-key", "WK", "--skip", "user_id", "--yes").ended()
    #expect(try verdicts("B") == [["logged-out", "certain", "ahead"], ["logged-out", "certain", "ahead"]])
  }

  @Test func `a user needs a decision if any field of the container does: before it, none is written`() throws {
    try optedOut("A")
    let text = try audit().ended().output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    let lost = "1 of 1 user would be logged out by the update; with Carryover, none (1 needs a decision)."
    #expect(text.contains(lost), "\(text)")
  }

  @Test func `an audit names the values that are lost, and so do its rows`() throws {
    try container(
      "A",
      [
        "rl_anonymous_id": .string(Self.id), "rl_traits": #"{"userId":"u-1"}"#,
        "rl_external_id": #"[{"type":"loyaltyId","id":"acme-42"}]"#,
      ])
    let output = folder.path("out")
    let text = try audit("-o", output).ended().output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    let lost =
      "Values of 1 of 1 user (the external ids) would be lost by RudderStack's migrator; with Carryover, 1."
    #expect(text.contains(lost), "\(text)")
    let verdicts = try #require(rows(output).first?["verdicts"] as? [[String: Any]])
    let losses = try #require(verdicts.first?["losses"] as? [[String: Any]])
    #expect(losses.first?["values"] as? [[String: String]] == [["name": "the external ids", "withCarryover": "lost"]])
  }

  @Test func `a loss that is not of values has no values in its row`() throws {
    try container("A", ["rl_anonymous_id": .string(Self.id), "rl_traits": #"{"userId":42}"#])
    let output = folder.path("out")
    try audit("-o", output).ended()
    let rows = try rows(output)
    for row in rows { #expect(try SchemaCheck("audit-row-1").problems(row) == []) }
    let verdicts = try #require(rows.first?["verdicts"] as? [[String: Any]])
    let losses = try #require(verdicts.first?["losses"] as? [[String: Any]])
    #expect(losses.map { $0["kind"] as? String } == ["logged-out"] && losses.first?["values"] == nil, "\(losses)")
  }

  @Test func `a value of a model that cannot be migrated is wrong without Carryover too`() throws {
    try container("A", ["person": #"{"alias":"Ada","email":"-","version":4}"#])
    let output = folder.path("out")
    let text = try audit("-o", output).ended().output
    #expect(text.contains("cannot be migrated"), "\(text)")
    let person = try rows(output).first { $0["field"] as? String == "person" }
    #expect(person?["reference"] as? String == "wrong")
  }

  @Test func `a recipe without data in any container has no table`() throws {
    try container("D", ["launchCount": 3])
    let text = try audit().ended().output
    #expect(text.hasPrefix("No SDK that Carryover knows left data in 1 container."), "\(text)")
    #expect(!text.contains("Fields of"), "\(text)")
    try container("A", ["rl_anonymous_id": .string(Self.id)])
    #expect(try audit().output.contains("Fields of rudderstack-objc"))
  }

  @Test func `without Carryover, a value that needs nothing or that nobody misses is not lost`() throws {
    try container("A", ["person": #"{"alias":"Ada","email":"-","version":3}"#])
    try container("B", ["person": #"{"name":"Ada","age":"36"}"#])
    try place(
      "C/Library/Preferences/Mixpanel.plist",
      try PropertyListDocument.encode(
        ["mixpanel-ff01MPDistinctID": "u-1", "mixpanel-ff01OptOutStatus": false], as: .binary))
    let output = folder.path("out")
    let summary = try audit("-o", output, "--json").json("audit-1")
    let fields = try rows(output).filter { $0["row"] as? String == "field" && $0["legacyKind"] is String }
    let person = fields.filter { $0["field"] as? String == "person" }
    #expect(person.map { $0["reference"] as? String } == ["kept", "kept"])
    let optOut = try #require(fields.first { ($0["field"] as? String)?.contains("OptOutStatus") == true }, "\(fields)")
    #expect(optOut["reference"] is NSNull)
    let users = try #require(summary["users"] as? [[String: Any]])
    let sentences = users.flatMap { $0["sentences"] as? [String] ?? [] }
    #expect(sentences.contains("person, versions 0 to 2 → 3: Nothing is wrong with the values of 2 users."), "\(users)")
  }

  @Test func `options that no container could have are refused`() throws {
    try container("A", ["rl_anonymous_id": "9F1C"])
    for wrong in [
      ["-P", "nothing=1"], ["-P", "token=.."], ["--write-key", "a/b"], ["-j", "0"], ["--timeout", "0"],
    ] {
      #expect(try Tool.carryover(["audit", inputs] + wrong).status == 64, "\(wrong)")
    }
  }

  @Test func `an empty folder is no success, and a path that is not there is an error`() throws {
    try FileManager.default.createDirectory(atPath: inputs, withIntermediateDirectories: true)
    #expect(try audit().status == 1)
    #expect(try Tool.carryover("audit", folder.path("missing")).status == 1)
    #expect(try Tool.carryover("audit").status == 64)
  }
}

/// Rows of an audit, made by hand: as an audit writes them, or as a stranger could.
struct AuditRows {
  private(set) var lines: [String] = []
  private var input = 0

  struct Field {
    var name: String
    var verdict = "carries"
    var group = "identity"
    var status = "ready"
    var reference: String? = "kept"
    var findings: [String] = []
  }

  mutating func add(
    _ path: String?, id: String? = nil, outcome: String = "audited", recipe: String = "rudderstack-objc",
    findings: [String] = [], time: String = "ahead", migrator: String? = "RudderStack's migrator",
    losses: KeyValuePairs<String, String> = [:], values: KeyValuePairs<String, String> = [:], _ fields: [Field] = []
  ) {
    input += 1
    let isPlanned = outcome == "audited"
    let verdict: [String: Any] = [
      "recipe": recipe, "outcome": losses.first?.key ?? "nothing-lost", "certainty": "likely", "time": time,
      "migrator": (migrator as Any?) ?? NSNull(),
      "losses": losses.map { loss -> [String: Any] in
        let named = values.map { ["name": $0.key, "withCarryover": $0.value] }
        return ["kind": loss.key, "withCarryover": loss.value, "values": loss.key == "values" ? named : []]
      },
    ]
    let common: [String: Any] = [
      "schema": "carryover.audit-row/1", "n": input, "container": (id as Any?) ?? NSNull(),
      "path": (path as Any?) ?? NSNull(),
    ]
    line(
      common.merging([
        "row": "container", "outcome": outcome, "code": isPlanned ? NSNull() : "archive",
        "recipe": isPlanned ? recipe : NSNull(), "findings": findings + fields.flatMap(\.findings), "errors": 0,
        "warnings": findings.count, "notes": 0, "blocked": false, "verdicts": isPlanned ? [verdict] : [],
      ]) { $1 })
    for field in fields {
      line(
        common.merging([
          "row": "field", "recipe": recipe, "field": field.name, "group": field.group, "source": "rl_traits.userId",
          "candidate": 0, "legacyKind": "string", "status": field.status, "verdict": field.verdict,
          "reference": (field.reference as Any?) ?? NSNull(), "findings": field.findings,
        ]) { $1 })
    }
  }

  mutating func add(line: String) { lines.append(line) }

  private mutating func line(_ row: [String: Any]) {
    guard let data = try? JSONSerialization.data(withJSONObject: row, options: .sortedKeys) else { return }
    lines.append(String(decoding: data, as: UTF8.self))
  }

  func write(to path: String) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
  }

  static let hostileNames = [
    "<script>alert(1)</script>", "]]><x/>", "a\nb\r\nc", "\u{202E}gpj.exe", "=cmd|' /C calc'!A0", "| ` * [x](y) -->",
    "\"'&amp;\u{0}\u{1B}[31m", "https://evil.example/a:b?c#d", "日本語 ‮ \u{FFFE}",
    "  ＝1+2", "＋x;y", "@team look", "a;b",
  ]

  static func hostile() -> AuditRows {
    var rows = AuditRows()
    for name in hostileNames {
      rows.add(
        name, id: name, recipe: name, findings: [name], migrator: name, losses: ["values": "lost"],
        [Field(name: name, verdict: "lost", group: name, findings: [name])])
      rows.add(name + "2", outcome: "unreadable")
    }
    return rows
  }
}
