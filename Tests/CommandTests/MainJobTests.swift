@Suite("The main job from the command line") struct MainJobTests {
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("AcmeShop") }

  @Test func `the plan is machine-readable: every field with sources, values, status and findings (F7)`() throws {
    let result = try sample.run("plan", "--json").ended()
    #expect(result.error == "")
    let plan = try result.json()
    #expect(plan["schema"] as? String == "carryover.plan/1")
    #expect((plan["container"] as? [String: Any])?["bundleID"] as? String == "com.acme.shop")
    #expect((plan["target"] as? String)?.hasSuffix("com.acme.shop.analytics.1xAcmeWriteKey.plist") == true)
    let fields = try #require(plan["fields"] as? [[String: Any]])
    #expect(
      fields.compactMap { $0["id"] as? String } == [
        "anonymous_id", "user_id", "traits", "session_id", "is_manual_session", "last_activity_time",
        "rudder.app_version", "rudder.app_build",
      ])
    let userID = try #require(fields.first { $0["id"] as? String == "user_id" })
    #expect(userID["status"] as? String == "needs-decision")
    #expect((userID["legacy"] as? [String: String]) == ["type": "integer", "value": "42"])
    #expect((userID["proposed"] as? [String: String]) == ["type": "string", "value": "42"])
    #expect(userID["current"] is NSNull)
    #expect(userID["findings"] as? [String] == ["identity.user-id-not-string"])
    let findings = try #require(plan["findings"] as? [[String: Any]])
    for finding in findings {
      #expect((finding["message"] as? String)?.isEmpty == false)
      #expect((finding["remedy"] as? String)?.isEmpty == false)
    }
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `planning and inspecting write nothing, and a plan is exactly what apply writes (A16)`() throws {
    let sample = try SampleCopy("Clean")
    let fields = try #require(try sample.run("plan", "--json").json()["fields"] as? [[String: Any]])
    #expect(try sample.run("inspect").status == 64)
    #expect(try Tool.carryover("inspect", sample.path).status == 0)
    #expect(try sample.files() == sample.originalFiles())
    #expect(try sample.run("apply", "--yes").status == 0)
    let written = try sample.targetAsPythonReadsIt()
    for field in fields {
      let id = try #require(field["id"] as? String)
      let proposed = try #require(field["proposed"] as? [String: String])
      let value = try #require(proposed["value"])
      #expect(written[id]?.contains(value) == true || written[id]?.lowercased().contains(value) == true, "\(id)")
    }
  }

  @Test func `undecided flagged fields: status 2, nothing written, whatever --yes says (F3)`() throws {
    try sample.run("apply", "--yes").ended(2, saying: "user_id")
    #expect(try sample.files() == sample.originalFiles())
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
  }

  @Test func `The target holds each value with the type the new SDK reads, and traits byte for byte`() throws {
    let result = try Tool.carryover(["apply"] + sample.options + SampleCopy.decided + ["--yes", "--json"]).ended()
    let values = try sample.targetAsPythonReadsIt()
    #expect(values["anonymous_id"]?.hasPrefix("str\t") == true)
    #expect(values["user_id"] == "str\t'42'")
    #expect(values["session_id"] == "str\t'1763640000'")
    #expect(values["is_manual_session"] == "bool\tFalse")
    #expect(values["last_activity_time"] == "str\t'1763640123000'")
    #expect(values["rudder.app_version"] == "str\t'4.2.0'")
    #expect(values["rudder.app_build"] == "int\t420")
    let fields = try #require(try sample.run("plan", "--json").json()["fields"] as? [[String: Any]])
    let traits = try #require(fields.first { $0["id"] as? String == "traits" })
    let legacy = try #require((traits["legacy"] as? [String: String])?["value"])
    let written = try #require((traits["current"] as? [String: String])?["value"])
    #expect(!written.contains("anonymousId") && !written.contains("userId"))
    #expect(legacy.hasSuffix(String(written.dropFirst())), "what is left is a piece of the legacy text")
    let report = try result.json()
    #expect(report["schema"] as? String == "carryover.report/1")
    #expect((report["run"] as? String)?.isEmpty == false)
    let outcomes = try #require(report["fields"] as? [[String: Any]])
    #expect(outcomes.count == 8)
    #expect(outcomes.allSatisfy { $0["outcome"] as? String == "migrated" })
    for (path, state) in try sample.originalFiles() { #expect(try sample.files()[path] == state, "\(path)") }
  }

  @Test func `rollback restores every file, its mode, and absence (F5)`() throws {
    let applied = try Tool.carryover(["apply"] + sample.options + SampleCopy.decided + ["--yes", "--json"]).json()
    #expect(FileManager.default.fileExists(atPath: sample.target))
    let result = try sample.run("rollback", "--yes", "--json").ended()
    #expect(try result.json()["rolledBack"] as? String == applied["run"] as? String)
    #expect(try sample.files() == sample.originalFiles())
    #expect(try sample.run("rollback", "--yes").status == 1)
  }

  @Test(.needsTools) func `a second apply makes no write call, also after edits and skips (A13)`() throws {
    #expect(try sample.run("apply", "--set", "user_id=43", "--skip", "rudder.app_build", "--yes").status == 0)
    let before = try FileState.files(under: sample.folder.path)
    let log = sample.folder.path("strace.log")
    let result = try Tool.run(
      "strace", ["-f", "-o", log, "-e", Trace.calls, Tool.carryover.path, "apply"] + sample.options + ["--yes"]
    ).ended()
    #expect(result.output.contains("There was nothing to write"))
    let writing = try Trace.writing(in: log)
    #expect(writing.isEmpty, "\(writing)")
    #expect(try FileState.files(under: sample.folder.path).filter { !$0.key.hasSuffix("strace.log") } == before)
  }

  @Test func `Third-party keys of every plist type survive with type and value`() throws {
    let sample = try SampleCopy("HalfFilled")
    let before = try sample.targetAsPythonReadsIt()
    let ours: Set = [
      "anonymous_id", "user_id", "traits", "session_id", "is_manual_session", "last_activity_time",
      "rudder.app_version", "rudder.app_build",
    ]
    let theirs = before.filter { !ours.contains($0.key) }
    #expect(
      Set(theirs.values.map { $0.prefix { $0 != "\t" } }).isSuperset(
        of: ["str", "int", "float", "bool", "datetime", "bytes", "list", "dict", "UID"]))
    #expect(try sample.run("apply", "--yes").status == 2)
    #expect(try sample.run("apply", "--accept", "session_id", "--yes").status == 3)
    #expect(try sample.files() == sample.originalFiles())
    #expect(try sample.run("apply", "--accept", "session_id", "--on-conflict", "replace", "--yes").status == 0)
    let after = try sample.targetAsPythonReadsIt()
    for (key, value) in theirs { #expect(after[key] == value, "\(key)") }
    #expect(after["session_id"]?.hasPrefix("str\t") == true)
    #expect(try sample.run("rollback", "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `each sample gives the statuses its README promises (F7)`() throws {
    let expected: [(String, plan: Int32, apply: Int32)] = [
      ("AcmeShop", 0, 2), ("Clean", 0, 0), ("OptedOut", 0, 2), ("CorruptTraits", 0, 0), ("FutureTimestamp", 0, 0),
      ("ManualSession", 0, 0), ("Disagree", 0, 2), ("HalfFilled", 0, 2), ("NothingToMigrate", 0, 0),
    ]
    for (name, plan, apply) in expected {
      let sample = try SampleCopy(name)
      #expect(try sample.run("plan").status == plan, "\(name)")
      let result = try sample.run("apply", "--yes")
      #expect(result.status == apply, "\(name): \(result.error)")
      if apply != 0 || name == "NothingToMigrate" { #expect(try sample.files() == sample.originalFiles(), "\(name)") }
    }
    #expect(try SampleCopy("OptedOut").run("apply", "--yes", "--allow-opted-out").status == 0)
  }

  @Test func `--only migrates the named fields and no other (A17)`() throws {
    try sample.run(
      "apply", "--only", "user_id", "--set", "user_id=42", "--only", "anonymous_id", "--yes"
    ).ended()
    #expect(Set(try sample.targetAsPythonReadsIt().keys) == ["user_id", "anonymous_id"])
    #expect(try sample.run("apply", "--accept", "rudder.app_build", "--yes").status == 64)
    // What was left out was not decided: the next run takes it up.
    #expect(try sample.run("apply", "--yes").status == 0)
    #expect(try sample.targetAsPythonReadsIt().count == 7)
  }
}

@Suite("Rehearsing a migration") struct RehearsalTests {
  /// Runs it with a folder of its own for the copy; nothing is left there, and the container is as it was.
  private func rehearse(_ sample: SampleCopy, _ arguments: [String]) throws -> Tool.Result {
    let before = try FileState.files(under: sample.folder.path)
    let temporary = TemporaryFolder()
    let result = try Tool.run(
      "env", ["TMPDIR=" + temporary.path, Tool.carryover.path, "apply"] + arguments + ["--rehearse"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    #expect(try FileState.files(under: sample.folder.path) == before)
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
    return result
  }

  private func proved(_ result: Tool.Result) throws -> Int {
    let document = try result.json("rehearsal-1")
    #expect(document["proved"] as? Bool == true && document["problems"] as? [String] == [], "\(result.output)")
    return try #require(document["files"] as? [String]).count
  }

  @Test func `The report has the fields that apply reports`() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try rehearse(sample, sample.options + SampleCopy.decided + ["--json"]).ended()
    #expect(try proved(result) > 0)
    let report = try #require(try result.json()["report"] as? [String: Any])
    let applied = try Tool.carryover(["apply"] + sample.options + SampleCopy.decided + ["--yes", "--json"])
    let expected = try #require(try applied.json()["fields"] as? [[String: Any]])
    #expect(NSArray(array: report["fields"] as? [Any] ?? []) == NSArray(array: expected))
    let again = try Tool.carryover(["apply"] + sample.options + ["--rehearse", "--json"]).ended()
    #expect(try proved(again) == 0, "there is nothing left to rehearse")
  }

  @Test(arguments: [[], ["--yes"]])
  func `What would end the apply ends the rehearsal, with the same status and sentence`(options: [String]) throws {
    let sample = try SampleCopy("AcmeShop")
    let undecided = try rehearse(sample, sample.options + options)
    let apply = try Tool.carryover(["apply"] + sample.options + ["--yes"])
    #expect(undecided.status == 2 && undecided.error == apply.error)
    let optedOut = try SampleCopy("OptedOut")
    #expect(try rehearse(optedOut, optedOut.options + options).status == 2)
    try Tool.edit(sample.target, #"values = {'traits': '{"a":1}'}"#)
    #expect(try rehearse(sample, sample.options + SampleCopy.decided + options).status == 3)
    let replaced = try rehearse(sample, sample.options + SampleCopy.decided + ["--on-conflict", "replace", "--json"])
      .ended()
    #expect(try proved(replaced) > 0)
    try FileManager.default.linkItem(atPath: sample.target, toPath: sample.folder.path("other.plist"))
    #expect(try rehearse(sample, sample.options + SampleCopy.decided + ["--on-conflict", "replace"]).status == 1)
  }

  @Test(arguments: Forms.wrapped)
  func `A container in an archive or a backup is rehearsed as it would be after extract`(form: String) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try FileState.files(under: forms.folder.path)
    let result = try Tool.carryover(
      ["apply", forms.path(form)] + SampleCopy.planning + ["--rehearse", "--json"]
    ).ended()
    #expect(try proved(result) > 0)
    #expect(try FileState.files(under: forms.folder.path) == before)
  }

  @Test func `A saved plan is rehearsed with its decisions; a stale one ends with 4`() throws {
    let sample = try SampleCopy("AcmeShop")
    let plan = sample.folder.path("plan.json")
    #expect(try Tool.carryover(["plan"] + sample.options + SampleCopy.decided + ["-o", plan]).status == 0)
    #expect(try proved(rehearse(sample, [plan, "--json"]).ended()) > 0)
    let source = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    try Tool.edit(source, "values['rl_session_id'] = 1")
    #expect(try rehearse(sample, [plan]).status == 4)
  }

  @Test(.needsTools) func `An interrupted run is not recovered, with status 5`() throws {
    let sample = try SampleCopy.interrupted()
    let before = try FileState.files(under: sample.folder.path)
    #expect(try Tool.carryover(["apply"] + sample.options + ["--rehearse"]).status == 5)
    #expect(try FileState.files(under: sample.folder.path) == before)
  }

  @Test(.needsTools, arguments: ["INT", "TERM", "HUP"])
  func `A signal ends it once the copy is gone`(name: String) throws {
    let sample = try SampleCopy("Clean")
    let temporary = TemporaryFolder()
    let result = try Tool.carryover(
      ["apply"] + sample.options + ["--rehearse"], "signal=\(name):when=1", in: ["TMPDIR=" + temporary.path])
    #expect(result.status > 128, "\(result.output) \(result.error)")
    #expect(result.output.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `It says that every file has its former content, and makes no key for a user without one`() throws {
    let sample = try SampleCopy("Clean")
    let home = TemporaryFolder()
    try Tool.run(
      "env", ["XDG_STATE_HOME=" + home.path, Tool.carryover.path, "apply"] + sample.options + ["--rehearse"]
    ).ended(printing: "every file has its former content again. The container was not changed.")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
  }
}

@Suite("plan --next-launch") struct NextLaunchCommandTests {
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("AcmeShop") }

  private func forms(_ options: String...) throws -> [String: [String: String]] {
    let result = try Tool.carryover(["plan"] + sample.options + ["--next-launch", "--json"] + options).ended()
    #expect(try SchemaCheck("plan-1").problems(result.json()) == [])
    let launch = try #require(try result.json()["nextLaunch"] as? [String: Any])
    let forms = try #require(launch["forms"] as? [[String: Any]])
    return try forms.reduce(into: [:]) { found, form in
      let facts = try #require(form["facts"] as? [[String: Any]])
      found[try #require(form["form"] as? String)] = facts.reduce(into: [:]) {
        $0[$1["kind"] as? String ?? ""] = $1["outcome"] as? String
      }
    }
  }

  @Test func `The JSON suits its schema and has the three forms, with the decisions counted in (F12)`() throws {
    let played = try forms("--accept", "user_id", "--app-version", "4.2.0")
    #expect(played["as-is"]?["app-event"] == "installed" && played["as-is"]?["user"] == "logged-out")
    #expect(played["after-helper"]?["user"] == "logged-out")
    #expect(
      played["after-plan"] == [
        "user": "logged-in", "anonymous-id": "read", "traits": "read", "session": "continued-automatic",
        "app-event": "none",
      ])
    #expect(try forms("--no-automatic-sessions")["after-plan"]?["session"] == "none")
    #expect(try forms("--redact")["after-plan"]?["anonymous-id"] == "read")
  }

  @Test func `The text follows the plan; without the option nothing of it is printed`() throws {
    let played = try Tool.carryover(["plan"] + sample.options + ["--next-launch"]).output
    #expect(played.contains("after migrator") && played.contains("A new random id: anonymous_id is absent."))
    let plan = try Tool.carryover(["plan"] + sample.options)
    let lines = played.split(separator: "\n")
    #expect(plan.output.split(separator: "\n").allSatisfy(lines.contains) && !plan.output.contains("Next launch"))
    #expect(try Tool.carryover(["plan"] + sample.options + ["--json"]).json()["nextLaunch"] == nil)
  }

  @Test func `A saved plan with the play in it can be applied`() throws {
    let plan = sample.folder.path("plan.json")
    try Tool.carryover(
      ["plan"] + sample.options + ["--accept", "user_id", "--skip", "rudder.app_build", "--next-launch", "-o", plan]
    ).ended()
    #expect(try Tool.carryover("apply", plan, "--yes").status == 0)
  }

  @Test func `A recipe without a model says so; options of the play need it`() throws {
    let person = try SampleCopy("Person")
    let result = try Tool.carryover("plan", person.path, "--next-launch")
    #expect(result.status == 0 && result.output.contains("Recipe person cannot simulate the next launch."))
    #expect(try Tool.carryover("plan", person.path, "--next-launch", "--json").json()["nextLaunch"] is NSNull)
    try Tool.carryover(["plan"] + sample.options + ["--app-version", "4.2.0"]).ended(64, saying: "--next-launch")
  }
}
