@Suite("A versioned model by the command") struct PersonCommandTests {
  private static let old = #"{"name":"John Doe","age":"23"}"#
  private static let new = #"{"alias":"John Doe","email":"---","version":3}"#

  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("Person") }

  @Test func `The model is found without a recipe or a write key, and the plan has every step`() throws {
    try Tool.carryover("plan", sample.path).ended(printing: "version 0 → 3")
    let json = try Tool.carryover("plan", sample.path, "--json").json()
    #expect((json["recipe"] as? [String: Any])?["id"] as? String == "person")
    #expect(json["target"] as? String == "AppData/Library/Preferences/com.acme.shop.plist")
    let fields = try #require(json["fields"] as? [[String: Any]])
    #expect(fields.count == 1 && fields.first?["status"] as? String == "ready")
  }

  @Test func `The plan shows the data as JSON, before and after, and what each step does; never as bytes`() throws {
    let output = try Tool.carryover("plan", sample.path).output
    for words in [
      "now      " + Self.old, "becomes  " + Self.new, "0 → 1  add email", "+ email  \"---\"",
      "~ name → alias  \"John Doe\"",
      "- age  \"23\"", "+ version  3",
    ] {
      #expect(output.contains(words), "\(words): \(output)")
    }
    #expect(!output.contains("7b22") && !output.contains("bytes"), "\(output)")
    let edited = try Tool.carryover("plan", sample.path, "--set", #"person={"alias":"J"}"#).output
    #expect(edited.contains(#"becomes  {"alias":"J"}"#) && !edited.contains("add email"), "\(edited)")
    let skipped = try Tool.carryover("plan", sample.path, "--skip", "person").output
    #expect(!skipped.contains("becomes") && !skipped.contains("add email"), "\(skipped)")
  }

  @Test func `What is long is laid out, cut, and its length said`() throws {
    let path = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    let person = "{'name': 'John', 'age': '23', 'tags': ['tag%d' % n for n in range(100)]}"
    try Tool.edit(path, "import json; values = {'person': json.dumps(\(person)).encode()}")
    let output = try Tool.carryover("plan", sample.path).output
    #expect(output.contains("  now      {\n             \"name\": \"John\","), "\(output)")
    #expect(output.contains("… 82 more lines, 929 bytes in all"), "\(output)")
  }

  @Test func `The plan's JSON has the model's versions and steps, by the schema, masked on demand`() throws {
    for isRedacted in [false, true] {
      let result = try Tool.carryover(["plan", sample.path, "--json"] + (isRedacted ? ["--redact"] : []))
      #expect(try SchemaCheck("plan-1").problems(try result.json()).isEmpty)
      let field = try #require((try result.json()["fields"] as? [[String: Any]])?.first)
      let model = try #require(field["model"] as? [String: Any])
      #expect(model["name"] as? String == "person" && model["from"] as? Int == 0 && model["to"] as? Int == 3)
      let steps = try #require(model["steps"] as? [[String: Any]])
      #expect(steps.map { $0["title"] as? String } == [#"add email: "---""#, "rename name → alias", "remove age"])
      let changes = steps.flatMap { $0["changes"] as? [[String: Any]] ?? [] }
      #expect(changes.map { $0["change"] as? String } == ["added", "renamed", "removed", "added"])
      #expect(changes[1]["destination"] as? [String] == ["alias"])
      let before = try #require(changes[1]["before"] as? [String: Any])
      #expect(isRedacted ? before["value"] as? String != "John Doe" : before["value"] as? String == "John Doe")
      // The marker of the version is no person's.
      #expect((changes[3]["after"] as? [String: Any])?["value"] as? String == "3")
    }
  }

  @Test func `Apply brings the model to its newest version in place, once; a rollback restores the bytes`() throws {
    #expect(try person() == Self.old)
    try Tool.carryover("apply", sample.path, "--yes").ended()
    #expect(try person() == Self.new)
    let after = try sample.files()
    try Tool.carryover("apply", sample.path, "--yes").ended()
    #expect(try sample.files() == after)

    try Tool.carryover("rollback", sample.path, "--yes").ended()
    #expect(try sample.files() == sample.originalFiles())
    #expect(try Tool.carryover("plan", sample.path).output.contains("version 0 → 3"))
  }

  @Test(
    "Skipped, the model stays as it is however often; an apply that does not skip it brings it to its newest version")
  func skipped() throws {
    for _ in 0..<2 {
      try Tool.carryover("apply", sample.path, "--skip", "person", "--yes").ended(printing: "skipped")
      #expect(try sample.files() == sample.originalFiles())
    }
    #expect(try Tool.carryover("apply", sample.path, "--yes").status == 0)
    #expect(try person() == Self.new)
    #expect(try Tool.carryover("apply", sample.path, "--skip", "person", "--yes").status == 0)
    #expect(try person() == Self.new)
  }

  @Test func `A typed value takes the place of the proposal, as data, and must be a JSON object`() throws {
    let refused = try Tool.carryover("apply", sample.path, "--set", "person=7", "--yes")
    #expect(refused.status != 0)
    #expect(try person() == Self.old)
    try Tool.carryover("apply", sample.path, "--set", #"person={"alias":"J","email":"j@b.co"}"#, "--yes").ended()
    #expect(try person() == #"{"alias":"J","email":"j@b.co"}"#)
  }

  @Test func `A saved plan is applied, once; one whose model has changed is stale`() throws {
    let file = sample.folder.path("plan.json")
    #expect(try Tool.carryover("plan", sample.path, "-o", file).status == 0)
    try Tool.carryover("apply", file, "--yes").ended()
    #expect(try person() == Self.new)
    try Tool.carryover("apply", file, "--yes").ended()
    #expect(
      try Tool.carryover("apply", sample.path, "--set", #"person={"alias":"J","email":"x"}"#, "--yes").status == 0)
    #expect(try Tool.carryover("apply", file, "--yes").status == 4)
  }

  @Test func `No word of a person is in redacted output`() throws {
    for arguments in [
      ["plan", sample.path, "--redact"], ["plan", sample.path, "--redact", "--json"], ["report", sample.path],
    ] {
      let result = try Tool.carryover(arguments).ended()
      #expect(!result.output.contains("John") && !result.output.contains("Doe"), "\(result.output)")
      let isJSON = arguments.last == "--json"
      #expect(isJSON || result.output.contains(#"{"name":"‹text-1›","age":"‹text-"#), "\(result.output)")
    }
  }

  @Test func `A cleanup finds nothing to remove: the model is not a copy of anything`() throws {
    #expect(try Tool.carryover("apply", sample.path, "--yes").status == 0)
    let before = try sample.files()
    _ = try Tool.carryover("cleanup", sample.path, "--yes")
    #expect(try sample.files() == before)
  }

  @Test func `Where RudderStack's SDK has left something, the model is followed only by name`() throws {
    let acme = try SampleCopy("AcmeShop")
    let json = try Tool.carryover("plan", acme.path, "--recipe", "person", "--json").ended().json()
    #expect((json["recipe"] as? [String: Any])?["id"] as? String == "person")
    #expect((json["fields"] as? [[String: Any]])?.first?["status"] as? String == "absent")
  }

  @Test func `recipes show has the file that is written and each step of the model`() throws {
    let result = try Tool.carryover("recipe", "explain", "person").ended()
    for words in ["Writes:", "Library/Preferences/<bundle id>.plist", "version 1 → 2: rename name → alias"] {
      #expect(result.output.contains(words), "\(result.output)")
    }
  }

  private func person() throws -> String {
    let script = "import plistlib, sys; sys.stdout.buffer.write(plistlib.load(open(sys.argv[1], 'rb'))['person'])"
    let path = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    let result = try Tool.run("python3", ["-c", script, path])
    guard result.status == 0 else { throw Tool.Missing(result.error) }
    return result.output
  }
}

@Suite("A target that has another user") struct OtherUserTests {
  private let options: [String]
  private struct Written: Equatable {
    var user: PropertyListValue?
    var hasTraits: Bool
  }

  init() throws { options = try Example.of(.targetOtherUser).options }

  private func copy() throws -> SampleCopy { try SampleCopy("Findings/" + FindingCode.targetOtherUser.rawValue) }

  @Test func `A saved plan that keeps that user takes the traits along where its applying replaces the user`() throws {
    let sample = try copy()
    let saved = sample.folder.path("plan.json")
    #expect(try Tool.carryover(["plan", sample.path, "-o", saved, "--keep", "user_id"] + options).status == 0)
    try Tool.carryover("apply", saved, "--yes", "--rehearse").ended(printing: "skipped")
    #expect(try Tool.carryover("apply", saved, "--yes", "--replace", "user_id").status == 0)
    #expect(try written(sample) == Written(user: "u-1001", hasTraits: true))
  }

  @Test func `Traits that a rollback removed are not called lost by the app`() throws {
    let sample = try copy()
    try Tool.carryover(["apply", sample.path, "--yes", "--replace", "user_id"] + options).ended()
    try Tool.carryover("rollback", sample.path, "--yes", "--only", "traits").ended()
    let verdict = try Tool.carryover(["diagnose", sample.path] + options).output
    #expect(verdict.contains("The record of that rollback says so."), "\(verdict)")
    #expect(!verdict.contains("the app has changed it since"), "\(verdict)")
  }

  @Test func `Once that user was kept, the legacy user id is lost, and no verdict says that it was migrated`() throws {
    let sample = try copy()
    #expect(try Tool.carryover(["apply", sample.path, "--yes", "--keep", "user_id"] + options).status == 0)
    let verdict = try Tool.carryover(["diagnose", sample.path] + options).output
    #expect(verdict.contains("The new SDK's user is not the legacy SDK's: a migration kept the user_id of its"))
    #expect(verdict.contains("the user id: an earlier migration kept the user_id of the new SDK's file"))
    #expect(!verdict.contains("the traits: "))
    #expect(
      verdict.contains("Decide user_id in the review, or apply with --write-key 1xAcmeWriteKey --replace user_id."),
      "\(verdict)")
    try Tool.carryover(["apply", sample.path, "--yes", "--rehearse", "--replace", "user_id"] + options)
      .ended(printing: "written")
    let audit = try Tool.carryover(["audit", sample.path] + options).output
    #expect(audit.contains("The user id of 1 of 1 user") && !audit.contains("with Carryover, none"), "\(audit)")
  }

  @Test(
    "A user id that a run wrote is the user's own, and once it is rolled back, that is why the update would lose it")
  func edited() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(try sample.run("apply", "--set", "user_id=cust-42", "--yes").status == 0)
    func verdict() throws -> String { try sample.run("diagnose").output.prefix { $0 != "\n" }.description }
    #expect(try !verdict().contains("is not the legacy SDK's"))
    #expect(try Tool.carryover("rollback", sample.path, "--only", "user_id", "--yes").status == 0)
    #expect(try verdict().contains("log this user out: user_id was rolled back"))
  }

  private func applied(_ decisions: String...) throws -> Written {
    let sample = try copy()
    try Tool.carryover(["apply", sample.path, "--yes"] + decisions + options).ended()
    return try written(sample)
  }

  private func written(_ sample: SampleCopy) throws -> Written {
    let bytes = Array(try Data(contentsOf: URL(filePath: sample.target)))
    let values = try #require(PropertyListDocument(bytes: bytes).dictionary)
    return Written(user: values["user_id"], hasTraits: values["traits"] != nil)
  }

  @Test func `The traits go where the legacy user goes, unless somebody decides about them`() throws {
    #expect(try applied("--on-conflict", "keep") == Written(user: "u-3003", hasTraits: false))
    #expect(try applied("--keep", "user_id") == Written(user: "u-3003", hasTraits: false))
    #expect(try applied("--skip", "user_id", "--accept", "traits") == Written(user: "u-3003", hasTraits: true))
    #expect(try applied("--on-conflict", "replace") == Written(user: "u-1001", hasTraits: true))
    #expect(try applied("--set", "user_id=u-5") == Written(user: "u-5", hasTraits: true))
  }
}
