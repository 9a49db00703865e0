@Suite("Conditions of a recipe, on the command line") struct ConditionCommandTests {
  private let folder = TemporaryFolder()
  private var file: String { folder.path("acme.recipe.yaml") }
  private static let text = """
    \(acmeHead)
    sources-read: ["Acme's sources."]
    read:
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    opt-out-keys: []
    fields:
      - key: user_id
        group: other
        form: string
        from:
          - {key: acme_login, when: [non-empty, {key: acme_mode, is: live}]}
          - {key: acme_id, steps: [number-text]}
        require: [{max-bytes: 8}, {glob: "u-*"}]
      - key: level
        form: integer
        from: [{key: acme_level, when: [{kind: integer}]}]
        require: [{range: [1, 9]}]
    tests:
      - name: a login of the live mode
        given: {Library/Preferences/com.example.app.plist: {acme_login: u-1, acme_mode: live, acme_id: u-2, acme_level: 9}}
        expect: {findings: [], written: {user_id: u-1, level: 9}}
      - name: a login of the test mode
        given: {Library/Preferences/com.example.app.plist: {acme_login: u-1, acme_mode: test, acme_id: u-2, acme_level: 1}}
        expect: {findings: [], written: {user_id: u-2, level: 1}}
      - name: an empty login
        given: {Library/Preferences/com.example.app.plist: {acme_login: "", acme_mode: live, acme_id: u-2}}
        expect: {findings: [], written: {user_id: u-2}}
      - name: an id of another form, and a level that is too low
        given: {Library/Preferences/com.example.app.plist: {acme_id: 42, acme_level: 0}}
        expect: {fields: {user_id: undecided, level: undecided}, findings: [source.not-as-required]}
      - name: an id that is too long, and a level that is too high
        given: {Library/Preferences/com.example.app.plist: {acme_id: u-3456789, acme_level: 10}}
        expect: {fields: {user_id: undecided, level: undecided}, findings: [source.not-as-required]}
      - name: a level that is text
        given: {Library/Preferences/com.example.app.plist: {acme_level: many}}
        expect: {fields: {level: absent}, findings: []}
    """

  init() throws { try Self.text.write(toFile: file, atomically: true, encoding: .utf8) }

  @Test func `the recipe has no issue, and its tests pass`() throws {
    let linted = try Tool.carryover("recipe", "lint", file)
    #expect(linted.output == "0 errors, 0 warnings in 1 file.\n", "\(linted.output)")
    try Tool.carryover("recipe", "test", file).ended()
    let json = try Tool.carryover("recipe", "test", file, "--json").json()
    #expect(try SchemaCheck("test-1").problems(json) == [])
  }

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
    let planned = try Tool.carryover("recipe", "explain", file, "--in", path)
    #expect(planned.output.contains("a condition is not met (acme_mode is “live”)"), "\(planned.output)")
    let json = try Tool.carryover("recipe", "explain", file, "--in", path, "--json").json()
    #expect(try SchemaCheck("recipes-1").problems(json) == [])
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
  private var file: String { folder.path("acme.recipe.yaml") }
  private static let text = #"""
    \#(acmeHead)
    sources-read: ["Acme's sources."]
    read:
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    opt-out-keys: []
    fields:
      - key: flag_${each}
        for-each: acme_flag_*
        form: string
        from: [{key: "acme_flag_${each}", steps: [text]}]
      - key: id
        form: string
        from: [{key: acme_id}]
    tests:
      - name: two flags
        given: {Library/Preferences/com.example.app.plist: {acme_flag_a: x, acme_flag_b: 2}}
        expect:
          fields: {flag_a: ready, flag_b: {status: ready, value: "2"}, id: absent}
          findings: []
          written: {flag_a: x, flag_b: "2"}
      - name: a flag that is a list, and no flag
        given: {Library/Preferences/com.example.app.plist: {acme_flag_c: [1], acme_id: u-1}}
        expect: {fields: {flag_c: undecided, id: {status: ready, value: u-1}}, findings: [source.wrong-type]}
    """#

  init() throws { try Self.text.write(toFile: file, atomically: true, encoding: .utf8) }

  private func options() throws -> [String] {
    let digest = try Tool.digest(of: file)
    return ["--recipe", file, "--trust", digest, "--bundle-id", "com.acme.shop", "--yes"]
  }

  @Test func `the tests plan, apply and roll back the fields`() throws {
    let linted = try Tool.carryover("recipe", "lint", file)
    #expect(linted.output == "0 errors, 0 warnings in 1 file.\n", "\(linted.output)")
    try Tool.carryover("recipe", "test", file).ended()
  }

  @Test("plan, apply, rollback and cleanup go by the keys; a key that appears later makes a saved plan stale")
  func applied() throws {
    let keys: [String: Any] = ["acme_flag_a": "x", "acme_flag_b": 2, "acme_id": "u"]
    let path = try folder.app(keys)
    let before = try FileState.files(under: path)
    let options = try options()
    let plan = try Tool.carryover("plan", path, "--recipe", file, "--json").json()
    #expect(try SchemaCheck("plan-1").problems(plan) == [])
    try Tool.carryover(["apply", path, "--set", "flag_a=edited"] + options).ended()
    let target = path + "/Library/Preferences/com.acme.shop.acme.plist"
    let written =
      try PropertyListSerialization.propertyList(
        from: Data(contentsOf: URL(fileURLWithPath: target)), format: nil) as? [String: String]
    #expect(written == ["flag_a": "edited", "flag_b": "2", "id": "u"])
    try Tool.carryover(["apply", path] + options).ended(printing: "Nothing")
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
    let rule = try Tool.carryover("recipe", "explain", file, "flag_${each}")
    #expect(rule.output.contains("For each key that begins with acme_flag_"), "\(rule.output)")
    let planned = try Tool.carryover("recipe", "explain", file, "flag_${each}", "--in", path)
    #expect(planned.output.contains("acme_flag_a") && planned.output.contains("acme_flag_b"), "\(planned.output)")
    let json = try Tool.carryover("recipe", "explain", file, "--in", path, "--json").json()
    #expect(try SchemaCheck("recipes-1").problems(json) == [])
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
  private var file: String { folder.path("acme.recipe.yaml") }
  private static let text = """
    \(acmeHead)
    sources-read: ["Acme's sources."]
    read:
      - suite: group.com.acme
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    opt-out-keys: []
    findings:
      id-lost:
        title: the id is missing
        message: "No file has the id, so the new SDK counts a new user."
        remedy: "Edit the field, or skip it."
    fields:
      - key: id
        group: identity
        form: string
        from: [{key: acme_id, steps: [text]}]
        otherwise: {finding: id-lost, weight: error}
      - key: name
        form: string
        from: [{key: acme_name}]
    not-migrated:
      - key: acme_queue_*
        because: Events are not migrated.
      - file: Library/acme_queue.db
        because: Both SDKs use the same file.
    tests:
      - name: a user whose id the app and its extension share
        given:
          AppGroups/group.com.acme/Library/Preferences/group.com.acme.plist: {acme_id: 42}
          Library/Preferences/com.example.app.plist: {acme_id: u-2, acme_name: Ada, acme_queue_1: 1}
          Library/acme_queue.db: events
        expect:
          fields: {id: undecided, name: {status: ready, value: Ada}}
          findings: [source.disagree]
          not-migrated: [acme_queue_1, Library/acme_queue.db]
      - name: a number for an id
        given: {Library/Preferences/com.example.app.plist: {acme_id: 42}}
        expect: {fields: {id: {status: ready, value: "42"}}, findings: [], written: {id: "42"}}
      - name: no id
        given: {Library/Preferences/com.example.app.plist: {acme_name: Ada}}
        decisions: {id: skip}
        expect:
          fields: {id: undecided, name: ready}
          findings: [acme-sdk.id-lost]
          not-migrated: []
          written: {name: Ada}
      - name: a name that is a number
        given: {Library/Preferences/com.example.app.plist: {acme_id: u-1, acme_name: 1}}
        expect: {fields: {id: ready, name: undecided}}
    """

  init() throws { try Self.text.write(toFile: file, atomically: true, encoding: .utf8) }

  @Test func `the recipe has no issue, and its tests pass`() throws {
    let linted = try Tool.carryover("recipe", "lint", file)
    #expect(linted.output == "0 errors, 0 warnings in 1 file.\n", "\(linted.output)")
    try Tool.carryover("recipe", "test", file).ended()
  }

  @Test func `plan, report and JSON have the finding with its words, and explain knows it with the recipe`() throws {
    let path = try folder.app(["acme_name": "Ada", "acme_queue_1": 1])
    try "x".write(toFile: path + "/Library/acme_queue.db", atomically: true, encoding: .utf8)
    let plan = try Tool.carryover("plan", path, "--recipe", file)
    #expect(plan.output.contains("acme-sdk.id-lost") && plan.output.contains("the new SDK counts a new user"))
    #expect(plan.output.contains("acme_queue_1") && plan.output.contains("Library/acme_queue.db"), "\(plan.output)")
    let json = try Tool.carryover("plan", path, "--recipe", file, "--json").json()
    #expect(try SchemaCheck("plan-1").problems(json) == [])
    let report = try Tool.carryover("report", path, "--recipe", file)
    #expect(report.output.contains("acme-sdk.id-lost"))
    let explained = try Tool.carryover("explain", "acme-sdk.id-lost", "--recipe", file)
    #expect(explained.output.contains("counts a new user") && explained.output.contains("Error"), "\(explained.output)")
    #expect(try Tool.carryover("explain", "--recipe", file).output == explained.output)
    let catalogue = try Tool.carryover("explain", "--recipe", file, "--json").json()
    #expect(try SchemaCheck("findings-1").problems(catalogue) == [])
    #expect(try Tool.carryover("explain", "acme-sdk.id-lost").status == 64)
    #expect(try Tool.carryover("explain", "--recipe", "person").status == 64)
    #expect(try Tool.carryover("explain", "--recipe", file, "source.disagree").status == 0)
    let rules = try Tool.carryover("recipe", "explain", file)
    #expect(rules.output.contains("Without a value: error acme-sdk.id-lost") && rules.output.contains("acme_queue_*"))
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
