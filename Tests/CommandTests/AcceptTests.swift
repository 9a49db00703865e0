@Suite("--accept and the target's own value") struct AcceptTests {
  private let sample: SampleCopy
  private let before: [String: FileState]

  init() throws {
    sample = try SampleCopy("AcmeShop")
    try Tool.edit(sample.target, "values = {'user_id': 'u-2002'}")
    before = try sample.files()
  }

  private func apply(_ options: String...) throws -> Tool.Result {
    try Tool.carryover(["apply"] + sample.options + ["--skip", "rudder.app_build", "--yes"] + options)
  }

  private var userID: String? { get throws { try sample.targetAsPythonReadsIt()["user_id"] } }

  @Test func `It never replaces it: the conflict is left, with status 3`() throws {
    let result = try apply("--accept", "user_id").ended(3, saying: "other values for user_id", "--on-conflict")
    #expect(!result.error.contains("--accept"), "that was given")
    #expect(try sample.files() == before)
  }

  @Test(arguments: [("keep", "str\tu-2002"), ("replace", "str\t42")])
  func `--on-conflict decides what is left`(policy: String, value: String) throws {
    let flagged = try apply("--on-conflict", policy)
    #expect(flagged.status == 2, "what it is flagged for is no conflict: \(flagged.error)")
    #expect(try sample.files() == before)
    try apply("--accept", "user_id", "--on-conflict", policy).ended()
    #expect(try userID?.replacingOccurrences(of: "'", with: "") == value)
  }

  @Test(arguments: [["--set", "user_id=42"], ["--only", "user_id"], ["--only", "user_id", "--set", "user_id=42"]])
  func `--set and --only name the value or the field, and decide`(options: [String]) throws {
    try Tool.carryover(["apply"] + sample.options + ["--yes"] + options + ["--skip", "rudder.app_build"]).ended()
    #expect(try userID == "str\t'42'")
  }

  @Test func `A saved plan keeps that it was accepted, and the conflict with it`() throws {
    let plan = sample.folder.path("plan.json")
    let made = try Tool.carryover(
      ["plan"] + sample.options + ["--accept", "user_id", "--skip", "rudder.app_build", "-o", plan, "--json"]
    ).ended()
    let decisions = try #require(try made.json()["decisions"] as? [[String: String]])
    #expect(decisions.contains(["field": "user_id", "decision": "accept"]), "\(decisions)")
    #expect(try SchemaCheck("plan-1").problems(made.json()) == [])
    try Tool.carryover("apply", plan, "--yes").ended(3)
    #expect(try sample.files() == before)
    try Tool.carryover("apply", plan, "--yes", "--on-conflict", "replace").ended()
    #expect(try userID == "str\t'42'")
    try Tool.carryover("apply", plan, "--yes").ended(printing: "There was nothing to write")
  }

  @Test func `A saved decision to migrate accepts the proposal, too`() throws {
    let plan = sample.folder.path("plan.json")
    try Tool.carryover(["plan"] + sample.options + ["--accept", "user_id", "--skip", "rudder.app_build", "-o", plan])
      .ended()
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    try text.replacingOccurrences(of: #""decision": "accept""#, with: #""decision": "migrate""#)
      .write(toFile: plan, atomically: true, encoding: .utf8)
    #expect(try Tool.carryover("apply", plan, "--yes").status == 0)
    #expect(try userID == "str\t'42'")
  }
}

@Suite("--accept with the code of a finding") struct AcceptCodeTests {
  private static let code = "identity.user-id-not-string"

  private func decisions(_ sample: SampleCopy, _ options: String...) throws -> [[String: String]] {
    let plan = try Tool.carryover(["plan"] + sample.options + ["--json"] + options).ended()
    return try #require(try plan.json()["decisions"] as? [[String: String]])
  }

  @Test func `Every field that findings of this code alone flag is accepted, and no other field`() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(try decisions(sample, "--accept", Self.code) == [["field": "user_id", "decision": "migrate"]])
    let before = try sample.files()
    let other = try Tool.carryover(["apply"] + sample.options + ["--accept", "source.disagree", "--yes"])
    #expect(other.status == 2 && other.error.contains("Decide user_id:"), "\(other.error)")
    #expect(try sample.files() == before)
    try Tool.carryover(["apply"] + sample.options + ["--accept", Self.code, "--skip", "rudder.app_build", "--yes"])
      .ended()
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t'42'")
  }

  @Test func `An option that names the field itself decides it in another way`() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(
      try decisions(sample, "--accept", Self.code, "--skip", "user_id") == [["field": "user_id", "decision": "skip"]])
  }

  @Test func `In a container without such a finding it decides nothing, and is no error`() throws {
    let sample = try SampleCopy("Clean")
    #expect(try decisions(sample, "--accept", Self.code).isEmpty)
    try Tool.carryover(["apply"] + sample.options + ["--accept", Self.code, "--yes"]).ended()
  }

  @Test func `A conflict of such a field stays one until --on-conflict decides it`() throws {
    let sample = try SampleCopy("AcmeShop")
    try Tool.edit(sample.target, "values = {'user_id': 'u-2002'}")
    let options = ["apply"] + sample.options + ["--accept", Self.code, "--skip", "rudder.app_build", "--yes"]
    let before = try sample.files()
    #expect(try Tool.carryover(options).status == 3)
    #expect(try sample.files() == before)
    #expect(try Tool.carryover(options + ["--on-conflict", "keep"]).status == 0)
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t'u-2002'")
  }

  @Test func `A code that asks nothing, or that asks about the target's value, is refused with what to do`() throws {
    let sample = try SampleCopy("AcmeShop")
    try Tool.carryover(["plan"] + sample.options + ["--accept", "target.conflict"]).ended(64, saying: "--on-conflict")
    let note = try Tool.carryover(["plan"] + sample.options + ["--accept", "dropped.secrets"])
    #expect(note.status == 64 && note.error.contains("carryover explain dropped.secrets"), "\(note.error)")
  }

  @Test(arguments: [
    (["--accept", "usr_id"], "Did you mean user_id?"),
    (["--accept", "identity.user-id-not-sting"], "Did you mean identity.user-id-not-string?"),
    (["--skip", "rudder.app_bild"], "Did you mean rudder.app_build?"),
    (["--set", "sesion_id=1"], "Did you mean session_id?"), (["--only", "traitss"], "Did you mean traits?"),
    (["--skip", "identity.user-id-not-string"], "which is not a field of this plan. The fields are"),
  ])
  func `A name that nothing has is answered with the nearest`(options: [String], words: String) throws {
    let sample = try SampleCopy("AcmeShop")
    try Tool.carryover(["plan"] + sample.options + options).ended(64, saying: words)
  }
}

@Suite("What plan and report list in full") struct AlternativesTests {
  @Test func `plan lists the other values of a field with their numbers, masked where that is asked for`() throws {
    let sample = try SampleCopy("Disagree")
    let other = "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    let lines = try sample.run("plan").output.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("Other values") })
    let rows = lines[(start + 1)...].prefix(2)
    #expect(rows.first?.contains("anonymous_id        1  \(other)") == true)
    #expect(rows.first?.contains("rsDefaultsPersistence.plist") == true)
    #expect(rows.last?.contains("rudder.app_version  1  4.1.0") == true)
    let masked = try sample.run("plan", "--redact").output
    #expect(masked.contains("anonymous_id        1  ‹id-") && !masked.contains(other))
    #expect(try !SampleCopy("Clean").run("plan").output.contains("Other values"))
  }

  @Test func `a report counts the keys of a JSON store`() throws {
    let sample = try SampleCopy("AcmeShop")
    try sample.folder.place(
      "AcmeShop.xcappdata/AppData/Library/Application Support/state.json", #"{"a":1,"b":[2,3],"c":null}"#.utf8)
    let report = try sample.run("report").output
    let row = try #require(report.split(separator: "\n").first { $0.contains("state.json") })
    #expect(row.contains("| json | 26 bytes | 3 |"), "\(row)")
  }

  @Test func `an id with blanks or hidden characters is refused by --set and taken by --set-json`() throws {
    let sample = try SampleCopy("Clean")
    for text in [" u-42 \n", "u-42\u{200B}"] {
      try sample.run("plan", "--set", "user_id=" + text).ended(64, saying: "--set-json")
    }
    #expect(try sample.run("plan", "--set", "user_id= u-42 \n").error.contains(#"“ u-42 \n”"#))
    try sample.run("apply", "--set-json", #"user_id=" u-42 \n""#, "--yes").ended()
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t' u-42 \\n'")
    #expect(try SampleCopy("Clean").run("plan", "--set", "rudder.app_version= 4.2").status == 0)
  }
}

@Suite("One recommendation") struct RecommendationTests {
  private let sample: SampleCopy

  init() throws {
    sample = try SampleCopy("Clean")
    try Tool.edit(sample.target, "values = {'anonymous_id': '3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b'}")
  }

  @Test func `what plan and diagnose print does what the finding says`() throws {
    let plan = try sample.run("plan").prints("→ Replace the new id to give the user their history back.")
    for page in [plan, try sample.run("diagnose")] {
      let command = try #require(page.printedApply)
      #expect(command.contains("--replace anonymous_id") && !command.contains("--on-conflict"), "\(command)")
    }
    let command = try #require(plan.printedApply)
    try Tool.run(
      "sh", ["-c", "PATH=\"$0:$PATH\"; \(command) --yes", Tool.carryover.deletingLastPathComponent().path]
    ).ended()
    #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] == "str\t'9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642'")
  }

  @Test(arguments: ["keep", "replace"])
  func `--on-conflict decides neither way about a field with such a finding`(_ policy: String) throws {
    let before = try sample.files()
    for options in [[], ["--accept", "anonymous_id"]] {
      try Tool.carryover(["apply"] + sample.options + options + ["--on-conflict", policy, "--yes"])
        .ended(
          2, saying: "anonymous_id", "--replace", "--on-conflict does not decide anonymous_id",
          "target.fresh-identity: replace")
    }
    #expect(try sample.files() == before)
    #expect(try sample.run("apply", "--keep", "anonymous_id", "--yes").status == 0)
  }

  @Test(arguments: [
    ("target.fresh-identity: replace", true), ("target.fresh-identity: replace, target.conflict: keep", true),
    ("target.conflict: replace", false),
  ])
  func `a policy decides about a fresh identity by its own code alone`(_ decisions: String, _ isDecided: Bool) throws {
    let policy = sample.folder.path("policy.yaml")
    try "carryover: policy/1\ndecide: {\(decisions)}\n".write(toFile: policy, atomically: true, encoding: .utf8)
    try sample.run("apply", "--policy", policy, "--yes").ended(isDecided ? 0 : 2)
    let id = isDecided ? "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642" : "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] == "str\t'\(id)'")
  }

  @Test func `the policy that repairs fresh identities keeps a user who has logged in since`() throws {
    try Tool.edit(sample.target, "values['user_id'] = 'u-2002'")
    let policy = sample.folder.path("policy.yaml")
    try "carryover: policy/1\ndecide: {target.fresh-identity: replace, target.conflict: keep}\n"
      .write(toFile: policy, atomically: true, encoding: .utf8)
    try sample.run("apply", "--policy", policy, "--yes").ended()
    let target = try sample.targetAsPythonReadsIt()
    #expect(target["anonymous_id"] == "str\t'3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b'" && target["traits"] == nil)
    #expect(target["user_id"] == "str\t'u-2002'")
  }
}

@Suite("Another user in the new SDK's file") struct OtherUserOnlyTests {
  @Test func `--only writes no traits beside another user's id`() throws {
    let sample = try SampleCopy("Findings/target.other-user")
    let before = try sample.files()
    try sample.run("apply", "--only", "traits", "--yes").ended(64, saying: "--only traits: ", "--only user_id")
    #expect(try sample.files() == before)
    try sample.run("plan", "--only", "traits", "--only", "user_id").ended()
  }

  @Test func `traits that followed a kept user are written once that user is replaced`() throws {
    let sample = try SampleCopy("Findings/target.other-user")
    try sample.run("apply", "--keep", "user_id", "--yes").ended(printing: "6 written, 1 unchanged, 1 skipped.")
    try sample.run("plan").ended(printing: "Plan: 0 to write, 8 unchanged.")
    try sample.run("apply", "--only", "traits", "--yes").ended(64, saying: "--only traits: ", "--only user_id")
    try sample.run("plan", "--replace", "user_id").ended(printing: "Plan: 2 to write, 6 unchanged.")
    try sample.run("apply", "--replace", "user_id", "--yes").ended(printing: "2 written, 6 unchanged.")
    let target = try sample.targetAsPythonReadsIt()
    #expect(target["user_id"] == "str\t'u-1001'" && target["traits"] != nil)
    try sample.run("plan").ended(printing: "Plan: 0 to write, 8 unchanged.")
  }

  @Test func `a user whom one run kept and another replaced is undecided once that is rolled back`() throws {
    let sample = try SampleCopy("Findings/target.other-user")
    try sample.run("apply", "--keep", "user_id", "--yes").ended()
    try sample.run("apply", "--replace", "user_id", "--yes").ended()
    try Tool.carryover(["rollback", sample.path, "--only", "user_id", "--yes"]).ended()
    let output = try sample.run("diagnose").ended(printing: "Cannot tell whether", "--replace user_id").output
    #expect(!output.contains("It wrote user_id") && !output.contains("Nothing to do"), "\(output)")
  }

  @Test func `accepting traits beside a user whom a run kept has the finding, and no other plan has it`() throws {
    let sample = try SampleCopy("Findings/target.other-user")
    try sample.run("apply", "--keep", "user_id", "--yes").ended()
    for decisions in [[], ["--replace", "user_id"], ["--replace", "user_id", "--accept", "traits"]] {
      let output = try Tool.carryover(["plan"] + sample.options + decisions).ended().output
      #expect(!output.contains("has a different user"), "\(output)")
    }
    try sample.run("plan", "--accept", "traits").ended(
      printing: "▲ traits  target.other-user", "has a different user (user_id: “u-3003”)")
    let masked = try sample.run("plan", "--accept", "traits", "--redact").ended(printing: "target.other-user").output
    #expect(!masked.contains("u-3003"), "\(masked)")
  }

  @Test func `no printed advice accepts the traits before the user is decided`() throws {
    let sample = try SampleCopy("Findings/target.other-user")
    try Tool.edit(
      sample.path + "/AppData/Library/rsDefaultsPersistence.plist",
      #"values['rl_traits'] = '{"userId":"u-1001","email":"other@acme.example"}'"#)
    for command in ["plan", "diagnose"] {
      let words = try sample.run(command).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("f you replace user_id, also add --accept traits"), "\(words)")
      #expect(words.components(separatedBy: "--accept traits").count == 2, "\(words)")
    }
    try sample.run("apply", "--keep", "user_id", "--yes").ended()
    #expect(try sample.targetAsPythonReadsIt()["traits"] == nil)
  }
}

@Suite("One recommendation") struct KeptTargetTests {
  private let sample: SampleCopy

  init() throws {
    sample = try SampleCopy("Clean")
    // It has started: it knows the user's id.
    let id = "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642"
    try Tool.edit(
      sample.target,
      "values = {'anonymous_id': '\(id)', 'rudder.app_version': '9.9.9', 'session_id': '1763640299'}")
  }

  private var version: String? { get throws { try sample.targetAsPythonReadsIt()["rudder.app_version"] } }

  @Test(arguments: [
    [], ["--on-conflict", "replace"], ["--accept", "rudder.app_version"], ["--keep", "rudder.app_version"],
  ])
  func `what the new SDK writes at each start is kept, without a question`(_ options: [String]) throws {
    try Tool.carryover(["apply"] + sample.options + options + ["--yes"]).ended()
    let target = try sample.targetAsPythonReadsIt()
    #expect(target["rudder.app_version"] == "str\t'9.9.9'" && target["session_id"] == "str\t'1763640299'")
    #expect(target["user_id"] == "str\t'u-1001'")
    try Tool.carryover(["apply"] + sample.options + ["--yes"]).ended(printing: "There was nothing to write")
  }

  @Test func `replacing it by name writes the legacy value`() throws {
    try sample.run("apply", "--replace", "rudder.app_version", "--yes").ended()
    #expect(try version != "str\t'9.9.9'")
  }
}

@Suite("One recommendation") struct PrintedRecommendationTests {
  /// Every sample, and every example of a finding.
  static func all() throws -> [(path: String, options: [String])] {
    (SampleCopy.names + ["Person", "Snowplow"]).map { (SampleCopy.original($0).path, SampleCopy.planning) }
      + (try Example.all().map { ($0.path, $0.options) })
  }

  private static func plan(_ path: String, _ options: [String]) throws -> Plan {
    func value(_ option: String) -> String? {
      options.firstIndex(of: option).flatMap { options.dropFirst($0 + 1).first }
    }
    let container = try ContainerOpener(fileSystem: POSIXFileSystem()).open(path)
    let recipe = try (value("--recipe").flatMap { Recipe(id: $0) } ?? Recipe.detect(in: container).recipe)
      .filled([:], in: container)
    let name = RecipeParameter.writeKey.name
    let key = value("--write-key") ?? recipe.shownValue(of: name, in: container)
    return Planner(recipe).plan(
      container, now: Moment(secondsSince1970: 1_763_640_300),
      options: PlannerOptions(parameters: key.map { [name: $0] } ?? [:]))
  }

  @Test func `--on-conflict decides no field that a finding flags, of any sample`() throws {
    var flagged = 0
    for (path, options) in try Self.all() {
      for field in try Self.plan(path, options).fields
      where field.findings.contains(where: { $0.asks && $0.code != .targetConflict }) {
        flagged += 1
        for policy in ConflictPolicy.allCases {
          #expect(field.decision(nil, onConflict: policy) == nil, "\(path): \(field.id)")
        }
      }
    }
    #expect(flagged > 10)
  }

  @Test func `plan and diagnose print what the core recommends, and nothing else`() throws {
    for (path, options) in try Self.all() {
      let plan = try Self.plan(path, options)
      let undecided = plan.undecided([:])
      let printed = try Tool.carryover(["plan", path] + options)
      if let command = printed.printedApply { try check(command, undecided, "plan \(path)") }
      if undecided.contains(where: { $0.recommendation == nil && !$0.needsValue }), plan.blockers.isEmpty {
        #expect(printed.output.contains(" yourself: add "), "\(path)")
      }
      // By itself, it begins with the gravest verdict of all SDKs.
      let named = options.contains("--recipe") ? [] : ["--recipe", plan.recipe.id]
      guard let command = try Tool.carryover(["diagnose", path] + options + named).ended().printedApply else {
        continue
      }
      try check(command, undecided, "diagnose \(path)")
    }
  }

  private func check(_ command: String, _ undecided: [Field], _ place: String) throws {
    #expect(!command.contains("--on-conflict"), "\(place)")
    for field in undecided {
      let name = ShellCommand.quoted(field.id)
      #expect(command.contains("--accept \(name)") == (field.recommendation == .accept), "\(place): \(command)")
      #expect(command.contains("--replace \(name)") == (field.recommendation == .replace), "\(place): \(command)")
      #expect(!command.contains("--keep \(name)"), "\(place): \(command)")
    }
  }
}

extension Tool.Result {
  var printedApply: String? {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("  carryover apply ") }) else { return nil }
    let end = lines[start...].firstIndex { !$0.hasSuffix("\\") } ?? start
    return lines[start...end].joined(separator: "\n")
  }
}
