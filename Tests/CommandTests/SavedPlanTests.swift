@Suite("Saved plans from the command line") struct SavedPlanTests {
  private static let decided = ["--accept", "user_id", "--set", "rudder.app_build=420"]

  private struct Saved {
    let sample: SampleCopy
    let plan: String

    init(_ name: String, _ options: [String] = []) throws {
      sample = try SampleCopy(name)
      plan = sample.folder.path("plan.json")
      let result = try Tool.carryover(["plan"] + sample.options + options + ["-o", plan])
      guard result.status == 0 else { throw Tool.Missing(result.error) }
      #expect(result.output.contains("Saved as"))
      #expect(try sample.files() == sample.originalFiles())
    }

    func apply(_ options: String...) throws -> Tool.Result { try Tool.carryover(["apply", plan, "--yes"] + options) }

    var preferences: String { sample.path + "/AppData/Library/Preferences/com.acme.shop.plist" }

    func expectRefused(_ result: Tool.Result, _ status: Int32, _ words: String..., from before: [String: FileState])
      throws
    {
      #expect(result.status == status, "\(result.error)")
      #expect(result.output == "")
      #expect(result.error.hasPrefix("carryover: "))
      for word in words { #expect(result.error.contains(word), "\(word) in \(result.error)") }
      #expect(try sample.files() == before)
      #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
    }
  }

  @Test func `A plan that was saved is carried out as the container itself would be with the same options`() throws {
    let direct = try SampleCopy("AcmeShop")
    #expect(try Tool.carryover(["apply"] + direct.options + Self.decided + ["--yes"]).status == 0)
    let saved = try Saved("AcmeShop", Self.decided)
    #expect(try saved.apply("--json").ended().json()["schema"] as? String == "carryover.report/1")
    #expect(try saved.sample.targetAsPythonReadsIt() == direct.targetAsPythonReadsIt())
    #expect(try saved.sample.files() == direct.files())
    #expect(try saved.sample.run("rollback", "--yes").status == 0)
    #expect(try saved.sample.files() == saved.sample.originalFiles())
    #expect(try saved.apply().status == 0, "rolled back, it can be carried out again")
  }

  @Test func `What plan --json prints is the saved file, and so is what -o - prints`() throws {
    let saved = try Saved("AcmeShop", Self.decided)
    let file = try String(contentsOfFile: saved.plan, encoding: .utf8)
    for options in [["--json"], ["-o", "-"], ["--output", "-"]] {
      let result = try Tool.carryover(["plan"] + saved.sample.options + Self.decided + options)
      #expect(result.output == file)
    }
    let again = try Tool.carryover(
      ["plan"] + saved.sample.options + Self.decided + ["--json", "-o", saved.plan, "--force"])
    #expect(again.output == file)
    #expect(try FileManager.default.attributesOfItem(atPath: saved.plan)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `every sample's plan suits the published schema, decided or not (F7)`() throws {
    let check = try SchemaCheck("plan-1")
    for name in SampleCopy.names {
      let sample = try SampleCopy(name)
      for options in [
        [], ["--skip", "user_id", "--set", "anonymous_id=a", "--on-conflict", "keep", "--allow-opted-out"],
      ] {
        let plan = try Tool.carryover(["plan"] + sample.options + options + ["--json"]).json()
        #expect(try check.problems(plan) == [], "\(name)")
        for member in ["tool", "now", "milliseconds", "request", "decisions", "basis"] { #expect(plan[member] != nil) }
        #expect((plan["decisions"] as? [Any])?.isEmpty == options.isEmpty)
      }
    }
    let clean = try SampleCopy("Clean")
    var wrong = try clean.run("plan", "--json").json()
    for (member, value) in [("request", ["container": 1]), ("basis", [["store": "x"]]), ("now", "soon")]
      as [(String, Any)]
    {
      let right = wrong.updateValue(value, forKey: member)
      #expect(try !check.problems(wrong).isEmpty, "\(member)")
      wrong[member] = right
    }
  }

  @Test func `a value the plan used has changed, appeared or vanished: status 4, each place named (A16)`() throws {
    let cases = [
      ("values['rl_session_id'] = 5", ["rl_session_id"]), ("del values['rl_traits']", ["rl_traits"]),
      ("values.update({'rl_opt_status': True, 'rl_auth_token': 'x'})", ["rl_opt_status", "rl_auth_token"]),
    ]
    for (changes, keys) in cases {
      let saved = try Saved("AcmeShop", Self.decided)
      try Tool.edit(saved.preferences, changes)
      let before = try saved.sample.files()
      let result = try saved.apply()
      try saved.expectRefused(result, 4, "com.acme.shop.plist", from: before)
      for key in keys { #expect(result.error.split(separator: key, omittingEmptySubsequences: false).count == 2) }
    }
    let saved = try Saved("AcmeShop", Self.decided)
    try Tool.edit(saved.sample.target, "values['user_id'] = 'somebody else'")
    try saved.expectRefused(try saved.apply(), 4, "user_id", "1xAcmeWriteKey", from: try saved.sample.files())
  }

  @Test func `applied a second time it ends with 0 and makes no write call (A13)`() throws {
    let saved = try Saved("AcmeShop", Self.decided)
    #expect(try saved.apply().status == 0)
    try FileManager.default.removeItem(atPath: saved.sample.path + "/.carryover")
    let before = try FileState.files(under: saved.sample.folder.path)
    try saved.apply().ended(printing: "There was nothing to write")
    #expect(try FileState.files(under: saved.sample.folder.path) == before)
    #expect(!FileManager.default.fileExists(atPath: saved.sample.path + "/.carryover"), "not even a lock")
    try Tool.edit(saved.sample.target, "values['user_id'] = '43'")
    let changed = try saved.sample.files()
    try saved.expectRefused(try saved.apply(), 4, "user_id", from: changed)
  }

  @Test func `A container that was moved is named with --container; another one is refused`() throws {
    let saved = try Saved("AcmeShop", Self.decided)
    let place = saved.sample.folder.path("moved.xcappdata")
    try FileManager.default.moveItem(atPath: saved.sample.path, toPath: place)
    try saved.apply().ended(1, saying: "--container")
    let clean = try SampleCopy("Clean")
    let other = try saved.apply("--container", clean.path)
    #expect(other.status == 4, "the same app, other values: \(other.error)")
    let folder = clean.folder.path("data")
    try FileManager.default.copyItem(atPath: clean.path + "/AppData", toPath: folder)
    try saved.apply("--container", folder).ended(1, saying: "another container")
    try Tool.edit(clean.path + "/AppDataInfo.plist", "values['CFBundleIdentifier'] = 'com.acme.other'")
    try saved.apply("--container", clean.path).ended(1, saying: "com.acme.other")
    #expect(try saved.apply("--container", place).status == 0)
    #expect(FileManager.default.fileExists(atPath: place + "/.carryover"))
  }

  @Test func `undecided fields are saved too; apply then ends with 2, or takes the decisions itself (F3)`() throws {
    let saved = try Saved("AcmeShop")
    try saved.expectRefused(try saved.apply(), 2, "user_id", from: try saved.sample.originalFiles())
    #expect(try saved.apply("--accept", "user_id", "--skip", "rudder.app_build").status == 0)
    #expect(try saved.sample.targetAsPythonReadsIt()["user_id"] == "str\t'42'")
    let other = try Saved("AcmeShop", Self.decided)
    #expect(try other.apply("--set", "user_id=43").status == 0, "the option counts, not the file")
    #expect(try other.sample.targetAsPythonReadsIt()["user_id"] == "str\t'43'")
    #expect(try other.sample.targetAsPythonReadsIt()["rudder.app_build"] == "int\t420")
  }

  @Test func `--only, --skip and --on-conflict are saved with the plan`() throws {
    let only = try Saved("AcmeShop", ["--only", "user_id"])
    #expect(try only.apply().status == 0)
    #expect(try Set(only.sample.targetAsPythonReadsIt().keys) == ["user_id"])
    #expect(try Saved("HalfFilled", ["--accept", "session_id", "--on-conflict", "replace"]).apply().status == 0)
    let failing = try Saved("HalfFilled", ["--accept", "session_id"])
    #expect(try failing.apply().status == 3)
    #expect(try failing.apply("--on-conflict", "keep").status == 0)
    let lifted = try Saved("OptedOut", ["--allow-opted-out"])
    #expect(try lifted.apply().status == 2, "an option lifts it, and no file")
    #expect(try lifted.apply("--allow-opted-out").status == 0)
    let blocked = try Saved("OptedOut")
    #expect(try blocked.apply().status == 2)
    #expect(try blocked.apply("--allow-opted-out").status == 0)
  }

  @Test func `Options that would make another plan, --container without one, and no --yes are usage errors`() throws {
    let saved = try Saved("AcmeShop", Self.decided)
    for options in [
      ["--write-key", "K"], ["--now", "0"], ["--target-sdk", "1.0"], ["--bundle-id", "com.acme.shop"],
    ] {
      let result = try Tool.carryover(["apply", saved.plan, "--yes"] + options)
      try saved.expectRefused(result, 64, options[0], from: try saved.sample.originalFiles())
    }
    try saved.expectRefused(
      try saved.sample.run("apply", "--container", saved.sample.path, "--yes"), 64, "--container",
      from: try saved.sample.originalFiles())
    try Tool.carryover("apply", saved.plan).ended(64, saying: "--yes")
  }

  @Test func `-o writes nothing over what is no saved plan, and through no link`() throws {
    let sample = try SampleCopy("Clean")
    let notes = sample.folder.path("notes.txt")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: notes))
    let link = sample.folder.path("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.json")
    let before = try FileState.files(under: sample.folder.path)
    for path in [notes, link, sample.path, sample.path + "/AppDataInfo.plist", sample.folder.path("none/plan.json")] {
      let result = try Tool.carryover(["plan"] + sample.options + ["-o", path])
      #expect(result.status == 1, "\(path)")
      #expect(result.output == "")
      #expect(result.error.contains(path), "\(result.error)")
    }
    #expect(try FileState.files(under: sample.folder.path) == before)
  }

  @Test func `-o writes nothing into the container, its state folder or the target's place, and needs a name`() throws {
    let sample = try SampleCopy("Clean")
    let state = sample.folder.path("state")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: sample.folder.path("link"), withDestinationPath: sample.path + "/AppData")
    let before = try FileState.files(under: sample.folder.path)
    func refuse(_ container: String, _ file: String, _ status: Int32, _ words: String) throws {
      let result = try Tool.carryover(
        ["plan", container, "--state-dir", state, "-o", file, "--json"] + sample.options.dropFirst())
      #expect(result.status == status, "\(file): \(result.error)")
      #expect(result.output == "")
      #expect(result.error.contains(words), "\(result.error)")
      #expect(try FileState.files(under: sample.folder.path) == before, "\(file)")
    }
    for file in ["AppData/plan.json", "plan.json", "AppData/Library/Preferences/../plan.json"] {
      try refuse(sample.path, sample.path + "/" + file, 1, "in the plan's container")
    }
    try refuse(sample.path, sample.target, 1, "in the plan's container")
    try refuse(sample.path, sample.folder.path("link/plan.json"), 1, "in the plan's container")
    try refuse(sample.path, state + "/plan.json", 1, "backups and records")
    let file = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    try refuse(file, sample.target, 1, "the file that the plan writes")
    try refuse(sample.path, "", 64, "-o")
  }

  @Test func `A saved plan that is damaged, later, or another JSON file: one sentence, nothing written`() throws {
    let saved = try Saved("AcmeShop", Self.decided)
    let text = try String(contentsOfFile: saved.plan, encoding: .utf8)
    let cases = [
      (String(text.prefix(900)), "line"),
      (text.replacingOccurrences(of: "carryover.plan/1", with: "carryover.plan/2"), "later"),
      (text.replacingOccurrences(of: "\"request\"", with: "\"requested\""), "request"),
      (text.replacingOccurrences(of: "\"decision\": \"edit\"", with: "\"decision\": \"write\""), "decision"),
      (text.replacingOccurrences(of: "carryover.plan/1", with: "else/1"), "plan.json"), ("{}", "plan.json"),
    ]
    for (text, word) in cases {
      try text.write(toFile: saved.plan, atomically: true, encoding: .utf8)
      try saved.expectRefused(try saved.apply(), 1, word, from: try saved.sample.originalFiles())
    }
  }

  @Test func `A property list by itself and a given bundle id are found again from anywhere`() throws {
    let sample = try SampleCopy("Clean")
    let file = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    let plan = sample.folder.path("plan.json")
    let state = sample.folder.path("state")
    try Tool.carryover(
      "plan", file, "--write-key", "K", "--now", SampleCopy.now, "--bundle-id", "com.acme.shop", "--state-dir", state,
      "-o", plan
    ).ended()
    try Tool.carryover("apply", plan, "--yes", "--container", file, "--state-dir", state).ended()
    #expect(FileManager.default.fileExists(atPath: state + "/runs"))
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/AppData/Library/Preferences/.carryover"))
    #expect(
      FileManager.default.fileExists(
        atPath: sample.path + "/AppData/Library/Preferences/com.acme.shop.analytics.K.plist"))
  }
}
