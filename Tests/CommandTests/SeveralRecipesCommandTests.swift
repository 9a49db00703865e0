@Suite("Several recipes by the command") struct SeveralRecipesCommandTests {
  private static let decided = [
    "--accept", "rudderstack-objc/user_id", "--set", "rudderstack-objc/rudder.app_build=420",
  ]
  private static let person: PropertyListValue = #"{"name":"Ada","age":"36"}"#
  private static let newPerson: PropertyListValue = #"{"alias":"Ada","email":"---","version":3}"#

  private let sample: SampleCopy
  private let before: [String: FileState]

  init() throws {
    sample = try SampleCopy("AcmeShop")
    let path = sample.path + "/" + Self.preferences
    let bytes = try PropertyListDocument(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
      .editing([.set("person", Self.person)])
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    before = try sample.files()
  }

  private static let preferences = "AppData/Library/Preferences/com.acme.shop.plist"

  private var storedPerson: PropertyListValue? {
    get throws {
      let url = URL(fileURLWithPath: sample.path + "/" + Self.preferences)
      return try PropertyListDocument(bytes: [UInt8](Data(contentsOf: url))).dictionary?["person"]
    }
  }

  private func all(_ subcommand: String, _ arguments: String...) throws -> Tool.Result {
    try Tool.carryover([subcommand] + sample.options + ["--recipe", "all"] + Self.decided + arguments)
  }

  @Test func `One run writes the files of all recipes, and one rollback takes all of them back`() throws {
    let report = try all("apply", "--yes", "--json").ended().json("report-1")
    #expect(report["files"] as? [String] == [sample.targetPath, Self.preferences])
    let fields = try #require(report["fields"] as? [[String: Any]])
    #expect(
      fields.contains { $0["id"] as? String == "rudderstack-objc/user_id" && $0["outcome"] as? String == "migrated" })
    #expect(fields.contains { $0["id"] as? String == "person/person" && $0["file"] as? String == Self.preferences })
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t'42'")
    #expect(try storedPerson == Self.newPerson)

    let run = try #require(try Tool.runs(of: sample.path).first)
    #expect((run["otherRecipes"] as? [[String: Any]])?.map { $0["id"] as? String } == ["person"])
    let shown = try Tool.carryover("history", sample.path, "--run", try #require(run["id"] as? String)).output
    #expect(shown.contains("person/person") && shown.contains("rudderstack-objc/user_id"), "\(shown)")

    #expect(try all("apply", "--yes").output.contains("There was nothing to write"))
    #expect(try sample.run("rollback", "--yes").status == 0)
    #expect(try sample.files() == before)
  }

  @Test func `A single field is rolled back by its name`() throws {
    #expect(try all("apply", "--yes").status == 0)
    let preview = try sample.run("rollback", "--only", "person/person", "--dry-run", "--json")
    #expect(try SchemaCheck("rollback-1").problems(preview.json()) == [])
    #expect((try preview.json()["fields"] as? [[String: Any]])?.map { $0["id"] as? String } == ["person/person"])
    try sample.run("rollback", "--only", "person/person", "--yes").ended(printing: "person/person")
    #expect(try storedPerson == Self.person)
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t'42'")
    try sample.run("rollback", "--only", "person/none", "--yes").ended(64, saying: "rudderstack-objc/user_id")
  }

  @Test func `The plan counts its recipes, names their files and the fields by recipe, and the command`() throws {
    let result = try Tool.carryover(["plan"] + sample.options + ["--recipe", "rudderstack-objc", "--recipe", "person"])
      .ended()
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasSuffix(" · 2 recipes") == true)
    #expect(lines.contains("person → \(Self.preferences)"))
    #expect(lines.contains("rudderstack-objc → \(sample.targetPath) (new)"))
    for words in ["person/person", "--accept rudderstack-objc/user_id", "--recipe rudderstack-objc --recipe person"] {
      #expect(words.split(separator: " ").allSatisfy { result.output.contains($0) }, "\(result.output)")
    }
    #expect(try sample.files() == before)
  }

  @Test func `The plans as JSON follow their schema, masked too, and are saved and applied like one`() throws {
    let plans = try #require(try all("plan", "--json").json("plans-1")["plans"] as? [[String: Any]])
    for plan in plans { #expect(try SchemaCheck("plan-1").problems(plan) == []) }
    #expect((plans.last?["fields"] as? [[String: Any]])?.map { $0["id"] as? String } == ["person/person"])
    let masked = try all("plan", "--json", "--redact")
    #expect(try SchemaCheck("plans-1").problems(masked.json()) == [])
    #expect(masked.output.contains("person/person") && !masked.output.contains("Ada"), "\(masked.output)")

    let file = sample.folder.path("plan.json")
    #expect(try all("plan", "-o", file).status == 0)
    try Tool.carryover("apply", file, "--recipe", "person", "--yes").ended(64, saying: "--recipe")
    let rehearsal = try Tool.carryover("apply", file, "--rehearse", "--json")
    #expect(try rehearsal.json()["proved"] as? Bool == true, "\(rehearsal.error)")
    #expect(try sample.files() == before)
    try Tool.carryover("apply", file, "--yes").ended()
    #expect(try storedPerson == Self.newPerson)
    #expect(try sample.targetAsPythonReadsIt()["rudder.app_build"] == "int\t420")
    #expect(try Tool.carryover("apply", file, "--yes").output.contains("There was nothing to write"))
    #expect(try sample.run("rollback", "--yes").status == 0)
    #expect(try Tool.carryover("apply", file, "--yes").status == 0, "rolled back, it can be applied again")
  }

  @Test func `The write key of one SDK names no file of another, and each SDK can be given its own`() throws {
    let path = sample.path + "/" + Self.preferences
    let bytes = try PropertyListDocument(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
      .editing([.set("SEGAnonymousId", "9F1C2A7E-6B0D-4C35-8E21-5D7F03A9B642"), .set("SEGUserId", "u-1001")])
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let before = try sample.files()
    func run(_ subcommand: String, _ arguments: String...) throws -> Tool.Result {
      try Tool.carryover(
        [subcommand, sample.path, "--now", SampleCopy.now, "--recipe", "all"] + Self.decided + arguments)
    }
    let own = ["-P", "segment-objc/write-key=1xSegment"]
    let segment = "AppData/Library/Preferences/com.segment.storage.1xSegment.plist"
    func targets(_ result: Tool.Result) throws -> [String: String?] {
      let plans = try #require(try result.json("plans-1")["plans"] as? [[String: Any]])
      return try plans.reduce(into: [:]) { targets, plan in
        let id = try #require((plan["recipe"] as? [String: Any])?["id"] as? String)
        targets[id] = .some(plan["target"] as? String)
      }
    }
    // RudderStack's files state RudderStack's key.
    try run("apply", "--yes").ended(64, saying: "-P segment-objc/write-key=KEY")
    try run("plan").ended(printing: "Needs: write key (-P segment-objc/write-key=KEY).")
    let without = try targets(run("plan", "--json"))
    #expect(without["rudderstack-objc"] == sample.targetPath)
    #expect(without["segment-objc"] == .some(nil))
    try run("apply", "--yes", "--write-key", "1xOther").ended(64, saying: "several SDKs")
    for arguments in [[], ["--json"]] {
      let plan = try Tool.carryover(
        ["plan", sample.path, "--now", SampleCopy.now, "--recipe", "all", "--write-key", "1xOther"] + arguments)
      #expect(plan.ended(64, saying: "several SDKs").output == "")
    }
    try run("apply", "--yes", "-P", "segment-to-rudderstack/write-key=1xOther").ended(64, saying: "such a parameter")
    for (first, second) in [("A", "B"), ("B", "A")] {
      let keys = ["-P", "rudderstack-objc/write-key=\(first)", "-P", "segment-to-rudderstack/write-key=\(second)"]
      let both = ["--recipe", "rudderstack-objc", "--recipe", "segment-to-rudderstack"]
      try Tool.carryover(["plan", sample.path] + both + keys).ended(64, saying: "which has one write key")
    }
    #expect(try sample.files() == before)
    for arguments in [own, own + ["--write-key", SampleCopy.writeKey]] {
      let planned = try Tool.carryover(
        ["plan", sample.path, "--now", SampleCopy.now, "--recipe", "all", "--json"] + Self.decided + arguments)
      let found = try targets(planned)
      #expect(found["rudderstack-objc"] == sample.targetPath && found["segment-objc"] == segment)
    }
    let file = sample.folder.path("plan.json")
    #expect(try run("plan", own[0], own[1], "-o", file).status == 0)
    let saved = try String(contentsOfFile: file, encoding: .utf8)
    let end = try #require(saved.range(of: #""schema": "carryover.plan/1""#, options: .backwards)).lowerBound
    for (text, other, member) in [
      (#""bundleID": "com.acme.shop""#, #""bundleID": "com.acme.other""#, "container"),
      (#""milliseconds": ""#, #""milliseconds": "1"#, "milliseconds"),
    ] {
      let place = try #require(saved.range(of: text, range: end..<saved.endIndex))
      let damaged = sample.folder.path("damaged.json")
      try Data(saved.replacingCharacters(in: place, with: other).utf8).write(to: URL(fileURLWithPath: damaged))
      try Tool.carryover("apply", damaged, "--yes").ended(1, saying: "“plans[2].\(member)”")
    }
    try Tool.carryover("apply", file, "--yes").ended()
    let root = try PropertyListDocument(
      bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: sample.path + "/" + segment)))
    ).dictionary
    #expect(root?["segment.userId"] == "u-1001")
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == "str\t'42'")
    #expect(try sample.run("rollback", "--yes").status == 0)
    #expect(try sample.files() == before)
  }

  @Test func `The command for every SDK names each write key, also with --recipe all`() throws {
    let sample = try SampleCopy("AcmeShop")
    let path = sample.path + "/" + Self.preferences
    let bytes = try PropertyListDocument(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
      .editing([.set("SEGAnonymousId", "9F1C2A7E-6B0D-4C35-8E21-5D7F03A9B642"), .set("SEGUserId", "u-1001")])
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let (all, own) = (["--recipe", "all"], ["-P", "segment-objc/write-key=1xSegment"])
    let (missing, other) = ("-P segment-objc/write-key=WRITE_KEY", "-P rudderstack-objc/write-key=1xOther")
    let cases: [([String], String)] = [
      ([], missing), (all, missing), (["--write-key", "1xOther"], "\(other) \(missing)"),
      (all + own, own.joined(separator: " ")),
      (all + own + ["-P", "rudderstack-objc/write-key=1xOther"], "\(other) \(own.joined(separator: " "))"),
    ]
    for (given, keys) in cases {
      let advice = try #require(
        try Tool.carryover(["diagnose", sample.path, "--now", SampleCopy.now, "--json"] + given).ended()
          .json("diagnosis-1")["advice"] as? [String])
      let line = try #require(advice.first { $0.hasPrefix("Or repair every SDK in one run: ") }, "\(given): \(advice)")
      #expect(
        line.contains(" --recipe rudderstack-objc --recipe segment-objc \(keys) --accept rudderstack-objc/user_id"),
        "\(given): \(line)")
    }
  }

  @Test func `Saved plans are refused if a recipe's value changed, or if they are of several containers`() throws {
    let file = sample.folder.path("plan.json")
    #expect(try all("plan", "-o", file).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let path = sample.path + "/" + Self.preferences
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let changed = try PropertyListDocument(bytes: [UInt8](original)).editing([.set("person", "somebody")])
    try Data(changed).write(to: URL(fileURLWithPath: path))
    try Tool.carryover("apply", file, "--yes").ended(4, saying: "person")
    try original.write(to: URL(fileURLWithPath: path))
    for (old, new) in [
      (#""id": "person/person""#, #""id": "person""#), (#""id": "person","#, #""id": "rudderstack-objc","#),
      (#""schema": "carryover.plans/1""#, #""schema": "carryover.plans/2""#),
    ] {
      #expect(text.contains(old), "\(old)")
      try text.replacing(old, with: new).write(toFile: file, atomically: true, encoding: .utf8)
      let result = try Tool.carryover("apply", file, "--yes")
      #expect(result.status != 0 && result.error.hasPrefix("carryover: "), "\(new)")
    }
    #expect(try sample.files() == before)
  }

  @Test func `Recipes that cannot be followed together are refused with a sentence`() throws {
    func plan(_ recipes: [String], _ command: String = "plan") throws -> Tool.Result {
      try Tool.carryover([command] + sample.options + recipes.flatMap { ["--recipe", $0] })
    }
    let clash = try plan(["rudderstack-objc", "rudderstack-swift-v2"]).ended(1)
    for words in ["“rudderstack-objc”", "“rudderstack-swift-v2”", "Nothing was changed"] {
      #expect(clash.error.contains(words), "\(clash.error)")
    }
    #expect(try plan(["rudderstack-objc", "nothing"]).status == 64)
    let options = ["plan"] + sample.options + ["--json", "--recipe", "person"]
    #expect(try Tool.carryover(options + ["--recipe", "person"]).output == Tool.carryover(options).output)
  }

  @Test func `cleanup follows one recipe, and refuses several; diagnose and report speak of all`() throws {
    let recipes = ["--recipe", "rudderstack-objc", "--recipe", "person"]
    let result = try Tool.carryover(["cleanup"] + sample.options + recipes)
    #expect(result.status == 64 && result.output == "")
    let sentence = "carryover cleanup follows one recipe: name one of rudderstack-objc, person with --recipe."
    #expect(result.error.contains(sentence), "\(result.error)")
    for (subcommand, schema) in [("diagnose", "diagnosis-1"), ("report", "container-report-1")] {
      let document = try Tool.carryover([subcommand] + sample.options + recipes + ["--json"]).json(schema)
      let others = try #require(document["others"] as? [[String: Any]])
      #expect(others.count == 1, "\(subcommand): \(others)")
    }
    #expect(try sample.files() == before)
  }

  @Test func `all follows the one recipe that the container has evidence for`() throws {
    let person = try SampleCopy("Person")
    let plain = try Tool.carryover("plan", person.path, "--now", SampleCopy.now, "--json")
    let all = try Tool.carryover("plan", person.path, "--now", SampleCopy.now, "--json", "--recipe", "all")
    #expect(all.output == plain.output && all.status == 0, "\(all.error)")
  }
}

extension SampleCopy {
  var targetPath: String { String(target.dropFirst(path.count + 1)) }
}
