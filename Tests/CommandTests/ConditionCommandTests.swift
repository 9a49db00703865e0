@Suite("Conditions of a recipe, on the command line") struct ConditionCommandTests {
  private let folder = TemporaryFolder()
  private let file = RecipeFixture.conditions.path

  @Test func `the schema for editors accepts the conditions, and no misspelled one`() throws {
    #expect(try problems(Self.conditions) == [])
    for (old, new) in [("non-empty", "non-emty"), (#""max-bytes": 8"#, #""max-byte": 8"#), (#""live""#, "1.5")] {
      #expect(try problems(Self.conditions.replacingOccurrences(of: old, with: new)) != [], "\(new)")
    }
  }

  private static let conditions = """
    {"carryover": "recipe/1", "id": "acme-sdk", "version": 1, "title": "Acme", "read": [{"suite": "a"}],
     "write": {"suite": "b"}, "detect": ["k"], "fields": [{"key": "a", "form": "string", "from":
     [{"key": "k", "when": ["non-empty", {"key": "m", "is": "live"}, {"range": [0, 1]}, {"kind": "real"}]}],
     "require": ["non-empty", {"max-bytes": 8}, {"form": "uuid"}, {"one-of": ["a", 1, true]}, {"glob": "*"}]}]}
    """

  private func problems(_ text: String) throws -> [String] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try SchemaCheck("recipe-1").problems(try #require(value as? [String: Any]))
  }

  @Test func `explain says which condition a container does not meet, and the plan which requirement`() throws {
    let path = try folder.app(["acme_login": "u-1", "acme_mode": "test", "acme_id": "ada@example.org"])
    let rules = try Tool.carryover("recipe", "explain", file)
    #expect(rules.output.contains("← acme_login, if it is not empty and acme_mode is “live”"), "\(rules.output)")
    #expect(rules.output.contains("Required of the value: from 1 to 9. Otherwise, you decide."))
    try Tool.carryover("recipe", "explain", file, "--in", path).prints("a condition is not met (acme_mode is “live”)")
    let json = try Tool.carryover("recipe", "explain", file, "--in", path, "--json").json("recipes-1")
    #expect("\(json)".contains("acme_mode is “live”"))
    let plan = try Tool.carryover("plan", path, "--recipe", file, "--redact")
    #expect(plan.output.contains("source.not-as-required") && !plan.output.contains("ada@"), "\(plan.output)")
  }

  @Test func `an apply never writes a value that is not as required, and rolls back what it wrote`() throws {
    let path = try folder.app(["acme_id": "x-1", "acme_level": 3])
    let before = try FileState.files(under: path)
    let digest = try Tool.digest(of: file)
    let options = ["--recipe", file, "--trust", digest, "--bundle-id", "com.acme.shop", "--yes"]
    #expect(try Tool.carryover(["apply", path] + options).status == 2)
    #expect(try Tool.carryover(["apply", path, "--accept", "user_id"] + options).status != 0)
    #expect(try FileState.files(under: path) == before)
    try Tool.carryover(["apply", path, "--set", "user_id=u-1"] + options).ended()
    let again = try Tool.carryover("plan", path, "--recipe", file, "--bundle-id", "com.acme.shop", "--json")
    #expect(!again.output.contains("source.not-as-required"), "\(again.output)")
    try Tool.carryover("rollback", path, "--yes").ended()
    #expect(try FileState.files(under: path) == before)
  }
}

@Suite("Fields for each key, on the command line") struct FamilyCommandTests {
  private let folder = TemporaryFolder()
  private let file = RecipeFixture.families.path

  private func options() throws -> [String] {
    let digest = try Tool.digest(of: file)
    return ["--recipe", file, "--trust", digest, "--bundle-id", "com.acme.shop", "--yes"]
  }

  @Test func `plan, apply, rollback and cleanup go by the keys; a new key makes a saved plan stale`() throws {
    let keys: [String: Any] = ["acme_flag_a": "x", "acme_flag_b": 2, "acme_id": "u"]
    let path = try folder.app(keys)
    let before = try FileState.files(under: path)
    let options = try options()
    try Tool.carryover("plan", path, "--recipe", file, "--json").json("plan-1")
    try Tool.carryover(["apply", path, "--set", "flag_a=edited"] + options).ended()
    let target = path + "/Library/Preferences/com.acme.shop.acme.plist"
    #expect(try Tool.keys(of: target) as? [String: String] == ["flag_a": "edited", "flag_b": "2", "id": "u"])
    try Tool.carryover(["apply", path] + options).ended(printing: "There was nothing to write.")
    let cleanup = try Tool.carryover(
      "cleanup", path, "--recipe", file, "--bundle-id", "com.acme.shop", "--dry-run", "--json")
    #expect(cleanup.status == 0 && cleanup.output.contains("acme_flag_b"), "\(cleanup.output)\(cleanup.error)")
    #expect(try Tool.carryover("rollback", path, "--yes").status == 0)
    #expect(try FileState.files(under: path) == before)

    let saved = folder.path("plan.json")
    _ = try Tool.carryover("plan", path, "--recipe", file, "--bundle-id", "com.acme.shop", "-o", saved)
    _ = try folder.app(keys.merging(["acme_flag_c": "new"]) { $1 })
    let stale = try Tool.carryover("apply", saved, "--recipe", file, "--yes", options[2], options[3])
    #expect(stale.status == 4 && !FileManager.default.fileExists(atPath: target), "\(stale.output)\(stale.error)")
  }

  @Test func `explain has the rule without a container, and the fields with one`() throws {
    let path = try folder.app(["acme_flag_a": "x", "acme_flag_b": 2])
    try Tool.carryover("recipe", "explain", file, "flag_${each}").prints("For each key that begins with acme_flag_")
    try Tool.carryover("recipe", "explain", file, "flag_${each}", "--in", path).prints("acme_flag_a", "acme_flag_b")
    try Tool.carryover("recipe", "explain", file, "--in", path, "--json").json("recipes-1")
  }

  @Test func `the rows of an audit name the rule, have its worst verdict, and no user's key`() throws {
    _ = try folder.app(["acme_flag_a": "x", "acme_flag_ada": [1], "acme_id": "u"], named: "A")
    _ = try folder.app(["acme_flag_b": "x"], named: "B")
    _ = try folder.app(["acme_id": "u"], named: "C")
    #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
    let output = folder.path("audit")
    try Tool.carryover("audit", folder.path("Saved"), "--recipe", file, "-o", output).ended()
    let rows = try String(contentsOfFile: output + "/rows.ndjson", encoding: .utf8)
    let fields = rows.split(separator: "\n").filter { $0.contains(#""field":"flag_${each}""#) }
    #expect(fields.count == 3 && !rows.contains("flag_a") && !rows.contains("flag_b"), "\(rows)")
    let verdicts = fields.map { row in
      ["carries-with-decision", "carries", "nothing"].first { row.contains(#""verdict":"\#($0)""#) }
    }
    #expect(verdicts == ["carries-with-decision", "carries", "nothing"], "\(fields)")
    #expect(fields[0].contains(#""source":"acme_flag_${each}""#) && fields[0].contains("source.wrong-type"))
  }
}

@Suite("What a recipe says in its own words, on the command line") struct OwnRulesCommandTests {
  private let folder = TemporaryFolder()
  private let file = RecipeFixture.ownRules.path

  @Test func `plan, report and JSON have the finding with its words, and explain knows it with the recipe`() throws {
    let path = try folder.app(["acme_name": "Ada", "acme_queue_1": 1])
    try "x".write(toFile: path + "/Library/acme_queue.db", atomically: true, encoding: .utf8)
    let plan = try Tool.carryover("plan", path, "--recipe", file)
    #expect(plan.output.contains("acme-sdk.id-lost") && plan.output.contains("the new SDK counts a new user"))
    #expect(plan.output.contains("acme_queue_1") && plan.output.contains("Library/acme_queue.db"), "\(plan.output)")
    try Tool.carryover("plan", path, "--recipe", file, "--json").json("plan-1")
    #expect(try Tool.carryover("report", path, "--recipe", file).output.contains("acme-sdk.id-lost"))
    let explained = try Tool.carryover("explain", "acme-sdk.id-lost", "--recipe", file)
    #expect(explained.output.contains("counts a new user") && explained.output.contains("Error"), "\(explained.output)")
    #expect(try Tool.carryover("explain", "--recipe", file).output == explained.output)
    try Tool.carryover("explain", "--recipe", file, "--json").json("findings-1")
    #expect(try Tool.carryover("explain", "acme-sdk.id-lost").status == 64)
    #expect(try Tool.carryover("explain", "--recipe", "person").status == 64)
    #expect(try Tool.carryover("explain", "--recipe", file, "source.disagree").status == 0)
    try Tool.carryover("recipe", "explain", file).prints("Without a value: error acme-sdk.id-lost", "acme_queue_*")
  }

  @Test func `the field is decided as any other, by its name or by the finding's code`() throws {
    let path = try folder.app(["acme_name": "Ada"])
    let digest = try Tool.digest(of: file)
    let options = ["--recipe", file, "--trust", digest, "--bundle-id", "com.acme.shop", "--yes"]
    #expect(try Tool.carryover(["apply", path] + options).status == 2)
    try Tool.carryover(["apply", path, "--accept", "acme-sdk.id-last"] + options).ended(64, saying: "acme-sdk.id-lost")
    #expect(try Tool.carryover(["apply", path, "--accept", "acme-sdk.id-lost"] + options).status == 2)
    try Tool.carryover(["apply", path, "--set", "id=u-1"] + options).ended()
    let after = try Tool.carryover("plan", path, "--recipe", file, "--bundle-id", "com.acme.shop")
    #expect(!after.output.contains("acme-sdk.id-lost"))
  }
}
