@Suite("Redaction from the command line") struct RedactionCommandTests {
  private static let decided = [
    "--set", "anonymous_id=CANARY-ANONYMOUS", "--accept", "user_id", "--accept", "traits", "--skip", "session_id",
    "--accept", "rudder.app_version", "--on-conflict", "replace",
  ]

  private func expectMasked(_ result: Tool.Result, _ command: String, _ status: Int32? = 0) {
    if let status { #expect(result.status == status, "\(command): \(result.error)") }
    #expect(!(result.output + result.error).isEmpty)
    for canary in CanaryContainer.canaries {
      #expect(!result.output.contains(canary), "\(command) prints \(canary): \(result.output.prefix(3000))")
      #expect(!result.error.contains(canary), "\(command) says \(canary): \(result.error)")
    }
  }

  @Test(arguments: [true, false])
  func `nothing planted is in any output of a command that only reads`(_ sound: Bool) throws {
    let container = try CanaryContainer(soundTraits: sound)
    for form in [[], ["--json"]] {
      expectMasked(try Tool.carryover(["inspect", container.path, "--redact"] + form), "inspect \(form)")
      expectMasked(
        try Tool.carryover(["plan"] + container.options + ["--redact", "--next-launch"] + form), "plan \(form)")
      expectMasked(try Tool.carryover(["report"] + container.options + form), "report \(form)")
      expectMasked(try Tool.carryover(["report", container.path] + form), "report \(form)")
      expectMasked(try Tool.carryover(["diagnose"] + container.options + ["--redact"] + form), "diagnose \(form)")
      expectMasked(try Tool.carryover(["history", container.path, "--redact"] + form), "history \(form)")
      expectMasked(
        try Tool.carryover(["cleanup"] + container.options + ["--dry-run", "--redact"] + form), "cleanup \(form)")
      expectMasked(try Tool.carryover(["recover", container.path, "--redact"] + form), "recover \(form)")
    }
    expectMasked(try Tool.carryover(["report", "--html"] + container.options), "report --html")
    let bare = try Tool.carryover(["plan"] + container.options + ["--json"]).output
    #expect(CanaryContainer.canaries.filter(bare.contains).count >= 10)
  }

  @Test func `nothing planted is in any output of a run, its refusals and its history`() throws {
    let container = try CanaryContainer()
    let apply = ["apply"] + container.options + ["--redact"]
    expectMasked(try Tool.carryover(apply + ["--yes"]), "apply undecided", nil)
    expectMasked(try Tool.carryover(apply + Self.decided), "apply without a terminal", nil)
    let applied = try Tool.carryover(apply + Self.decided + ["--yes", "--json"])
    expectMasked(applied, "apply")
    let run = try #require(try applied.json()["run"] as? String)
    for form in [[], ["--json"]] {
      expectMasked(try Tool.carryover(["history", container.path, "--redact"] + form), "history \(form)")
      expectMasked(
        try Tool.carryover(["history", container.path, "--run", run, "--redact"] + form), "history --run \(form)")
      expectMasked(try Tool.carryover(["report"] + container.options + form), "report \(form)")
    }
    let target = "Library/Preferences/\(CanaryContainer.bundleID).analytics.\(CanaryContainer.writeKey).plist"
    try container.write(target, ["anonymous_id": "canary free text", "user_id": "canary-removed"])
    let conflict = try Tool.carryover("rollback", container.path, "--yes", "--redact")
    expectMasked(conflict, "rollback in conflict", 3)
    #expect(conflict.error.contains("anonymous_id is ‹"))
    expectMasked(
      try Tool.carryover("rollback", container.path, "--yes", "--on-conflict", "replace", "--redact"), "rollback")
    expectMasked(try Tool.carryover(["cleanup"] + container.options + ["--yes", "--redact"]), "cleanup")
    expectMasked(
      try Tool.carryover("history", "prune", container.path, "--keep", "0", "--yes", "--redact"), "history prune")
  }

  @Test func `nothing planted is in what is said of a saved plan that is stale`() throws {
    let container = try CanaryContainer()
    let plan = container.folder.path("plan.json")
    _ = try Tool.carryover(["plan"] + container.options + Self.decided + ["-o", plan])
    try container.write("Library/rsDefaultsPersistence.plist", ["rl_anonymous_id": "canary-removed"])
    expectMasked(try Tool.carryover("apply", plan, "--yes", "--redact"), "apply of a stale plan", 4)
  }

  @Test func `the values of the sample are masked, equal ones equally, and what is not personal is not`() throws {
    let sample = try SampleCopy("AcmeShop")
    let plan = try sample.run("plan", "--redact").output
    let report = try sample.run("report").output
    let inspected = try Tool.carryover("inspect", sample.path, "--redact").output
    for text in [plan, report, inspected] {
      for value in ["ada@acme", "Zoë", "Königsallee", "9f1c2a7e", "acme-42", "1xAcme", "ring twice", "crêpe"] {
        #expect(!text.contains(value))
      }
      for value in ["rl_traits", "1763640000", "4.2.0-rc1", "com.acme.shop"] { #expect(text.contains(value)) }
    }
    // The user id is a number in the traits and text in the proposal.
    let mask = try #require(plan.firstMatch(of: /‹(user-[0-9]+) integer›/)?.1)
    #expect(report.contains("| `‹\(mask) integer›` | `user_id` | `‹\(mask)›` |"))
    #expect(try inspected.contains(Regex("userId +number +‹\(mask)›")))
    #expect(plan.contains("number → string"))
  }

  @Test func `what is looked for or given is not repeated, nor quoted, and classes are masked in matches`() throws {
    let container = try CanaryContainer()
    expectMasked(
      try Tool.carryover("inspect", container.path, "--redact", "--find", "xx canary-nested"), "inspect --find", 1)
    let set = try Tool.carryover(["plan"] + container.options + ["--redact", "--set", "traits=Lovelace"])
    #expect(set.status == 64 && !set.error.contains("Lovelace"))
    for arguments in [["plan", container.path, "--redact"], ["report", container.path]] {
      let parsed = try Tool.carryover(arguments + ["ada@private.example"])
      #expect(parsed.status == 64 && parsed.error.contains("‹email›") && !parsed.error.contains("private"))
    }
  }

  @Test func `without --redact nothing is masked, and a report says which of both it is`() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(!(try sample.run("plan").output.contains("‹")))
    let masked = try sample.run("report").output
    let shown = try sample.run("report", "--no-redact").output
    #expect(masked.contains("**Values are masked.**"))
    #expect(shown.contains("**Values are shown as they are.**") && shown.contains("ada@acme.example"))
    #expect(!shown.contains("‹"))
    #expect(!shown.contains("example-token-not-a-real-secret"))
  }

  @Test func `no checksum of a value is in masked JSON: short values can be guessed from it`() throws {
    let sample = try SampleCopy("AcmeShop")
    for arguments in [["report", "--json"], ["plan", "--json", "--redact"], ["plan", "--json"]] {
      let output = try Tool.carryover([arguments[0]] + sample.options + arguments.dropFirst()).output
      #expect(output.contains("sha256") == !arguments.contains { $0 == "--redact" || $0 == "report" }, "\(arguments)")
    }
  }

  @Test func `redacted JSON suits its schema, and says that it is redacted (F7)`() throws {
    let container = try CanaryContainer()
    func check(_ schema: String, _ arguments: [String]) throws {
      let json = try Tool.carryover(arguments + ["--json"]).json(schema)
      #expect(json["redacted"] as? Bool == true)
    }
    for path in [container.path, SampleCopy.original("AcmeShop").path] {
      let options = [path, "--write-key", CanaryContainer.writeKey, "--now", "2025-11-20T12:05:00Z", "--redact"]
      try check("plan-1", ["plan"] + options)
      try check("cleanup-1", ["cleanup", "--dry-run"] + options)
      try check("container-report-1", ["report"] + options)
      try check("inspect-1", ["inspect", path, "--redact"])
      try check("history-1", ["history", path, "--redact"])
    }
    try check("report-1", ["apply"] + container.options + Self.decided + ["--yes", "--redact"])
    try check("history-1", ["history", container.path, "--redact"])
    try check("container-report-1", ["report"] + container.options)
    let bare = try Tool.carryover(["report", "--no-redact", "--json"] + container.options).json("container-report-1")
    #expect(bare["redacted"] == nil)
  }

  @Test func `a redacted plan is neither saved nor applied`() throws {
    let sample = try SampleCopy("Clean")
    let file = sample.folder.path("plan.json")
    try sample.run("plan", "--redact", "-o", file).ended(64)
    #expect(!FileManager.default.fileExists(atPath: file))
    try sample.run("plan", "--redact", "--json").output.write(toFile: file, atomically: true, encoding: .utf8)
    try Tool.carryover("apply", file, "--yes").ended(1, saying: "it is redacted, and its values are masked")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `a report is the same each time, has no line that ends in a space, and needs no write key (F8)`() throws {
    let sample = try SampleCopy("AcmeShop")
    let report = try sample.run("report").ended()
    #expect(try sample.run("report").output == report.output)
    #expect(!report.output.split(separator: "\n", omittingEmptySubsequences: false).contains { $0.hasSuffix(" ") })
    for heading in ["## Carryover report: ", "## Stores", "## Plan", "## Findings", "## Not migrated", "## Runs"] {
      #expect(report.output.contains(heading))
    }
    let clean = try SampleCopy("Clean")
    try Tool.carryover("report", clean.path).ended(printing: "Needs: write key")
    #expect(try clean.files() == clean.originalFiles())
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `whatever a container holds stays text in the Markdown of its report`() throws {
    let container = try CanaryContainer()
    let hostile = "|`x`|<b>&amp;[a](b)*c*\n# h\u{1B}[31m\u{202E}``"
    try container.write(
      "Library/Preferences/\(CanaryContainer.bundleID).plist",
      ["rl_" + hostile: .string(hostile), "rl_anonymous_id": .string(hostile), "rl_traits": .string(hostile)])
    let output = try Tool.carryover(["report", "--no-redact"] + container.options).output
    #expect(!output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    for line in output.split(separator: "\n") {
      #expect(!line.hasPrefix("# h"))
      // Outside of code nothing begins markup that was not ours; a table's rows have as many bars as its head.
      let plain = Self.withoutCode(String(line))
      #expect(!plain.contains("<b>") || plain.contains("\\<b\\>"), "\(line)")
    }
    let rows = output.split(separator: "\n").drop { !$0.hasPrefix("| legacy key") }.prefix { $0.hasPrefix("|") }
    #expect(rows.count > 2)
    for row in rows { #expect(Self.bars(row) == rows.first.map(Self.bars), "\(row)") }
  }

  @Test func `counts and our own words are never masked, whatever the secrets are; the secrets are`() throws {
    let sample = try SampleCopy("Clean")
    try Tool.edit(
      sample.path + "/AppData/Library/Preferences/com.acme.shop.plist",
      "values.update({'password': '8', 'apiToken': 9, 'pinToken': 'ready', 'sessionCookie': '372'})")
    let report = try sample.run("report").output
    #expect(report.contains("8 ready"), "\(report)")
    #expect(!report.contains("› ready") && !report.contains("› days") && !report.contains("› keys"), "\(report)")
    #expect(!report.contains(/password.{0,40}\b8\b/) && !report.contains(/sessionCookie.{0,40}372/))
    let diagnosis = try sample.run("diagnose", "--redact", "--json").output
    #expect(!diagnosis.contains("› day") && !diagnosis.contains("› key"))
    let later = ["--write-key", SampleCopy.writeKey, "--now", "2026-11-28T11:30:00Z", "--redact"]
    let plan = try Tool.carryover(["plan", sample.path] + later).output
    #expect(plan.contains("372 days old") && plan.contains("Plan: 8 to write"), "\(plan)")
  }

  private static func bars(_ row: Substring) -> Int {
    var (count, isEscaped) = (0, false)
    for character in row {
      if character == "|", !isEscaped { count += 1 }
      isEscaped = character == "\\" && !isEscaped
    }
    return count
  }

  private static func withoutCode(_ line: String) -> String { line.replacing(/(`+)(?:(?!\1).)*\1/, with: "") }
}

/// A data folder with a value in every place a value can be in, each of which gives itself away where it is printed.
struct CanaryContainer {
  let folder: TemporaryFolder
  let path: String

  static let bundleID = "com.example.app"
  static let writeKey = "1canaryWriteKey"

  static let canaries = [
    "CANARY-ANONYMOUS", "canary-other-anonymous", "77712345678", "canary-custom-id", "canary@private.example",
    "Canary Person", "canary-nested", "+49 170 5551234", "99887766554", "canary-token", "canary-config", "canary-ext",
    "canary.key@private.example", "1987-06-05", "canary-in-data", "canary-in-list", "canary-in-json",
    "canary free text",
    "canary-target-user", writeKey, "canary build", "canary-session", "canary-advertising", "canary-removed",
    "550e8400",
    "Y2FuYXJ5", "63616e617279",
  ]

  var options: [String] { [path, "--write-key", Self.writeKey, "--now", "2025-11-20T12:05:00Z"] }

  /// - Parameter soundTraits: whether the traits are whole; cut off, they are a finding.
  init(soundTraits: Bool = true) throws {
    folder = TemporaryFolder()
    path = folder.path("Case")
    let traits =
      #"{"anonymousId":"canary-other-anonymous","userId":77712345678,"id":"canary-custom-id","#
      + #""email":"canary@private.example","name":"Canary Person","tags":[{"x":"canary-nested"}],"#
      + #""phone":"+49 170 5551234","account":99887766554,"ratio":4.10,"ratio":1E5"# + (soundTraits ? "}" : "")
    let standard: PropertyListDictionary = [
      "rl_anonymous_id": "CANARY-ANONYMOUS", "rl_traits": .string(traits), "rl_session_id": "canary-session",
      "rl_session_auto_track_status": true, "rl_last_event_time_stamp": "canary-session",
      "rl_application_build_key": "canary build", "rl_application_info_key": "canary build",
      "rl_auth_token": "canary-token", "rl_advertising_id": "canary-advertising",
      "rl_server_config": #"{"source":{"id":"canary-config"}}"#,
      "rl_external_id": #"[{"type":"canary-ext","id":"canary-ext 2"}]"#, "rl_note": "canary free text",
      "rl_prefs": "canary-removed",
      "inbox:canary.key@private.example": 1,
      "birthday": .date(PropertyListDate(iso8601: "1987-06-05T00:00:00Z") ?? .init(secondsSince2001: 0)),
      "blob": .data(Array("canary-in-data".utf8)), "list": [["deep": "canary-in-list"]],
      "draft": #"{"a":"{\"b\":\"canary-in-json\"}"}"#, "device": "550e8400-e29b-41d4-a716-446655440000",
      "plist": .data(try PropertyListDocument.encode(["k": "canary-in-list"], as: .binary)),
    ]
    var file = standard
    file["rl_anonymous_id"] = "canary-other-anonymous"
    file["rl_only_here"] = "canary free text"
    let target: PropertyListDictionary = [
      "anonymous_id": "canary-other-anonymous", "user_id": "canary-target-user", "traits": ["a": "canary-nested"],
      "session_id": 5,
    ]
    try write("Library/Preferences/\(Self.bundleID).plist", standard)
    try write("Library/rsDefaultsPersistence.plist", file)
    try write("Library/Preferences/\(Self.bundleID).analytics.\(Self.writeKey).plist", target)
    let others = "Case/Library/Application Support/x/"
    try folder.place(
      others + "broken.plist", Data("<?xml version=\"1.0\"?><plist><dict><key>canary free text</key></plist>".utf8))
    try folder.place(others + "notes.json", Data(#"{"note":"canary free text"}"#.utf8))
  }

  var preferences: String { path + "/Library/Preferences/\(Self.bundleID).plist" }

  func write(_ name: String, _ dictionary: PropertyListDictionary) throws {
    try folder.place("Case/" + name, Data(PropertyListDocument.encode(.dictionary(dictionary), as: .binary)))
  }
}
