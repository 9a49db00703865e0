@Suite("Recipe files") struct RecipeFileTests {
  private let folder = TemporaryFolder()
  private var container: String { folder.path("AcmeShop.xcappdata") }
  private var file: String { folder.path("acme.recipe.yaml") }
  private static let target = "AppData/Library/Preferences/com.acme.shop.acme.plist"
  private let recipe = """
    carryover: recipe/1
    x-test: \(UUID().uuidString)
    id: acme-sdk
    version: 1
    title: RudderStack Obj-C → Swift
    read:
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: [rl_anonymous_id]
    fields:
      - key: who
        group: identity
        form: string
        from:
          - {key: rl_anonymous_id, steps: [text]}
        loss: new-user
    """

  init() throws {
    try FileManager.default.copyItem(atPath: SampleCopy.original("AcmeShop").path, toPath: container)
    try write(recipe)
  }

  private func write(_ text: String) throws { try text.write(toFile: file, atomically: true, encoding: .utf8) }

  private func run(_ command: String, _ options: String...) throws -> Tool.Result {
    try Tool.carryover([command, container, "--recipe", file] + options)
  }

  private func digest() throws -> String { try Tool.digest(of: file) }

  private func isRefused(_ result: Tool.Result) -> Bool {
    result.status == 2 && result.error.contains("recipe.untrusted")
  }

  @Test func `An untrusted file is planned with and decides nothing, whatever the options say (F13)`() throws {
    let before = try FileState.files(under: container)
    let plan = try run("plan", "--json").ended()
    let findings = try #require(try plan.json()["findings"] as? [[String: Any]])
    #expect(findings.first?["code"] as? String == "recipe.untrusted")
    for options in [
      ["--yes"], ["--accept", "who", "--yes"], ["--set", "who=x", "--yes"], ["--allow-opted-out", "--yes"],
    ] {
      let applied = try Tool.carryover(["apply", container, "--recipe", file] + options)
      #expect(isRefused(applied), "\(options): \(applied.error)")
    }
    #expect(
      try Tool.carryover("apply", container, "--recipe", file, "--accept", "recipe.untrusted", "--yes").status == 64)
    #expect(try FileState.files(under: container) == before)
    // The title is the file's own, the digest before it is not.
    #expect("\(plan.output)".contains("file \(try digest().dropFirst(7).prefix(8)): RudderStack"), "\(plan.output)")
  }

  @Test func `A trusted file is applied and rolled back; a change of one byte ends the trust (F9)`() throws {
    let before = try FileState.files(under: container)
    #expect(try Tool.carryover("recipe", "trust", file).status == 64, "without a terminal nobody can be asked")
    #expect(isRefused(try run("apply", "--yes")))
    #expect(try Tool.carryover("recipe", "trust", file, "--yes").output.contains(try digest()))
    try run("apply", "--yes").ended()
    let who = try Tool.keys(of: container + "/" + Self.target)["who"]
    #expect(who as? String == "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642")
    let recorded = try #require(try Tool.runs(of: container).first?["recipe"] as? [String: Any])
    #expect("sha256:\(recorded["sha256"] ?? "")" == (try digest()))
    #expect(try run("apply", "--yes").output.contains("unchanged"))
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)

    try write(recipe + "\n")
    #expect(isRefused(try run("apply", "--yes")))
    try write(recipe)
    #expect(try Tool.carryover("recipe", "trust", file, "--remove").status == 0)
    #expect(isRefused(try run("apply", "--yes")))
  }

  @Test func `A build pins the content with --trust; another content is refused`() throws {
    let pin = try digest()
    #expect(isRefused(try run("apply", "--yes", "--trust", "sha256:" + String(repeating: "0", count: 64))))
    #expect(try run("apply", "--yes", "--trust", "sha256:0").status == 64)
    #expect(try run("apply", "--yes", "--trust", pin).status == 0)
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    try write(recipe + "\n")
    #expect(isRefused(try run("apply", "--yes", "--trust", pin)))
  }

  @Test func `A saved plan follows the same file only, and lifts no block itself`() throws {
    let plan = folder.path("plan.json")
    #expect(try run("plan", "-o", plan).status == 0)
    let forged = try String(contentsOfFile: plan, encoding: .utf8)
      .replacingOccurrences(of: #""allowed": []"#, with: #""allowed": ["recipe.untrusted"]"#)
    #expect(forged.contains("recipe.untrusted\"]"))
    try forged.write(toFile: plan, atomically: true, encoding: .utf8)
    try Tool.carryover("apply", plan, "--yes").ended(4, saying: "Name the file with --recipe")
    let untrusted = try Tool.carryover("apply", plan, "--recipe", file, "--yes")
    #expect(isRefused(untrusted), "\(untrusted.error)")
    let pin = try digest()
    try write(recipe + "\n")
    #expect(try Tool.carryover("apply", plan, "--recipe", file, "--yes", "--trust", try digest()).status == 4)
    try write(recipe)
    #expect(try Tool.carryover("apply", plan, "--recipe", file, "--yes", "--trust", pin).status == 0)
  }

  @Test func `An opt-out in a store that the file does not read blocks all the same`() throws {
    try FileManager.default.removeItem(atPath: container)
    try FileManager.default.copyItem(atPath: SampleCopy.original("OptedOut").path, toPath: container)
    try write(recipe.replacingOccurrences(of: "suite: ${bundle-id}\n", with: "plist: [Library/other.plist]\n"))
    try run("apply", "--yes", "--set", "who=x", "--trust", try digest()).ended(2, saying: "consent.opted-out")
  }

  @Test func `No recipe is found in a container or in the working folder, and none passes for a built-in one`() throws {
    try FileManager.default.copyItem(atPath: file, toPath: container + "/acme.recipe.yaml")
    let tool = "'\(Tool.carryover.path)'"
    let script = "cd '\(folder.path)' && \(tool) recipe list; \(tool) plan '\(container)' --recipe acme-sdk"
    let result = try Tool.run("sh", ["-c", script])
    #expect(!result.output.contains("acme") && result.status == 64, "\(result.output)")
    try write(recipe.replacingOccurrences(of: "id: acme-sdk", with: "id: rudderstack-objc"))
    try run("plan").ended(1, saying: "built-in recipe")
  }

  @Test func `A file cannot unmask a value, and cannot write outside of the app's stores`() throws {
    let report = try Tool.carryover("report", container, "--recipe", file)
    #expect(report.status == 0 && !report.output.contains("9f1c2a7e"), "\(report.output)")
    for target in ["plist: ../../x.plist", "plist: /etc/x.plist", "suite: com.apple.springboard", "suite: ../x"] {
      try write(recipe.replacingOccurrences(of: "suite: \"${bundle-id}.acme\"", with: target))
      #expect(try run("plan").status == 1, "\(target)")
    }
  }
}

@Suite("Hostile recipe files") struct HostileRecipeTests {
  private let folder = TemporaryFolder()
  private var container: String { folder.path("AcmeShop.xcappdata") }

  private func place(_ sample: String) throws {
    try FileManager.default.copyItem(atPath: SampleCopy.original(sample).path, toPath: container)
  }

  private func run(
    _ command: String, read: String, write: String, fields: String, also: String = "", _ options: [String] = []
  )
    throws -> Tool.Result
  {
    let file = try folder.recipe(
      """
      read: [\(read)]
      write: {\(write)}
      detect: [a]
      \(also)
      fields: [\(fields)]
      """)
    return try Tool.carryover([command, container, "--recipe", file, "--trust", Tool.digest(of: file)] + options)
  }

  private static let app = "{suite: \"${bundle-id}\"}"
  private static let who = "{key: who, form: string, from: [{key: rl_anonymous_id, steps: [text]}]}"

  @Test func `a file cannot show a value by naming its field after one whose values are shown`() throws {
    try place("AcmeShop")
    let preferences = container + "/AppData/Library/Preferences/com.acme.shop.plist"
    try Tool.edit(preferences, "values = {'phone': 4155550123, 'a': 1}")
    for target in ["session_id", "rudder.app_build"] {
      for command in ["plan", "report"] {
        let shown = try run(
          command, read: #"{suite: "${bundle-id}"}"#, write: "suite: acme",
          fields: "{key: \(target), group: session, form: integer, from: [{key: phone}]}",
          command == "plan" ? ["--redact"] : [])
        #expect(shown.status == 0 && shown.output.contains(target), "\(shown.error)")
        #expect(!shown.output.contains("4155550123"), "\(command) \(target)")
      }
    }
  }

  @Test(arguments: [
    "Documents/x.plist", "Library/acme/z.plist", "Library/Preferences/x.txt", "Library/Preferences/.x.plist",
  ])
  func `a file that no run may create is refused before anything is written, by lint too`(_ path: String) throws {
    try place("Clean")
    let before = try FileState.files(under: container)
    try run("apply", read: Self.app, write: "plist: \(path)", fields: Self.who, ["--yes"]).ended(1, saying: "[R")
    #expect(try FileState.files(under: container) == before)
    #expect(!FileManager.default.fileExists(atPath: container + "/.carryover/runs"))
  }

  @Test(arguments: ["plist: Library/Preferences/com.apple.springboard.plist", "suite: \"${a}\""])
  func `a file of the system is not written, whatever names it`(_ target: String) throws {
    try place("Clean")
    try run(
      "apply", read: Self.app, write: target, fields: Self.who, also: "parameters: {a: {title: a}}",
      ["--yes", "-P", "a=com.apple.springboard"]
    ).ended(1)
  }

  @Test func `an opt-out that a built-in recipe knows by any parameter blocks a file that does not name it`() throws {
    try place("Findings/consent.migrated")
    let fields = "{key: \"n-${tok}\", form: string, from: [{key: \"mixpanel-${tok}MPDistinctID\"}]}"
    let result = try run(
      "apply", read: "{suite: Mixpanel}", write: "suite: \"${bundle-id}.acme\"", fields: fields,
      also: "parameters: {tok: {title: token, form: hex}}",
      ["--yes", "-P", "tok=0123456789abcdef0123456789abcdef"])
    #expect(result.status == 2 && result.error.contains("consent.opted-out"), "\(result.output)\(result.error)")
  }

  @Test(arguments: [
    ("{suite: \"${bundle-id}\"}", "{key: decoy, steps: [boolean]}, {key: rl_opt_status, steps: [boolean]}"),
    ("{suite: other}", "{key: rl_opt_status, steps: [boolean]}"),
    ("{suite: \"${bundle-id}\"}", "{key: rl_opt_status, steps: [boolean, not]}"),
  ])
  func `a consent field lifts the block only for its opt-out and store`(_ recipe: (read: String, from: String)) throws {
    try place("OptedOut")
    let out = "{key: out, group: consent, form: boolean, from: [\(recipe.from)]}"
    let list = container + "/AppData/Library/Preferences/com.acme.shop.plist"
    try Tool.edit(list, "values['decoy'] = False")
    for options in [["--yes", "--set", "who=x"], ["--yes", "--set", "who=x", "--accept", "out"]] {
      let result = try run(
        "apply", read: recipe.read, write: "suite: \"${bundle-id}.acme\"", fields: Self.who + ", " + out, options)
      #expect(result.status == 2 || result.status == 64, "\(options): \(result.output)\(result.error)")
      #expect(!FileManager.default.fileExists(atPath: list.replacing("shop.plist", with: "shop.acme.plist")))
    }
  }

  @Test func `fields that clash are refused: one key twice, or a source that another field writes`() throws {
    try place("Clean")
    let chain = "{key: b, form: string, from: [{key: rl_anonymous_id}]}, {key: c, form: string, from: [{key: b}]}"
    try run("plan", read: Self.app, write: "suite: \"${bundle-id}\"", fields: chain).ended(1, saying: "[R215]")
    let twice = "{key: \"t-${a}\", form: string, from: [{key: x}]}, {key: \"t-${b}\", form: string, from: [{key: y}]}"
    let filled = try run(
      "plan", read: Self.app, write: "suite: \"${bundle-id}.acme\"", fields: twice,
      also: "parameters: {a: {title: a}, b: {title: b}}", ["-P", "a=zz", "-P", "b=zz"])
    #expect(filled.status == 1 && filled.error.contains("Two fields write the key t-zz"), "\(filled.error)")
  }

  @Test func `a parameter that occurs many times, and many opt-out keys, cost little`() throws {
    try place("Clean")
    let name = container + "/AppData/Library/Preferences/com.acme.shop." + String(repeating: "a", count: 200) + ".plist"
    try Data("<plist/>".utf8).write(to: URL(fileURLWithPath: name))
    let file = try folder.recipe(
      """
      read: [\(Self.app)]
      write: {suite: "${bundle-id}.${write-key}${write-key}${write-key}${write-key}${write-key}"}
      detect: [a]
      fields: [\(Self.who)]
      opt-out-keys:
      \((0..<5_000).map { "- k\($0)" }.joined(separator: "\n"))
      """)
    let measured = try Tool.measured(["plan", container, "--recipe", file, "--write-key", "x"])
    #expect(measured.status == 0 && measured.seconds < 5, "\(measured)")
  }
}

@Suite("Every step of a recipe, on the command line") struct RecipeStepsTests {
  private let path = RecipeFixture.steps.path

  @Test(arguments: RecipeFixture.allCases)
  func `its tests hold, by the schema too, and it has no issue`(_ recipe: RecipeFixture) throws {
    try Tool.carryover("recipe", "test", recipe.path, "--json").ended().json("test-1")
    let lint = try Tool.carryover(["recipe", "lint", recipe.path])
    #expect(lint.status == 0 && lint.output.hasPrefix("0 errors, 0 warnings in 1 file"), "\(lint.output)")
  }

  @Test func `an explanation says each step with the recipe's own words`() throws {
    let text = try Tool.carryover(["recipe", "explain", path]).output
    for words in [
      "without “Device:” at its start, then in lower case, then with “U-” before it",
      "“denied” → true, “granted” → false",
      "only the members name, plan, then with other names: name → full, plan → tier", "true → 2, false → 1",
      "in a dictionary under tags, then as a binary property list",
      "the value under name, the only key, then not “none”",
    ] { #expect(text.contains(words), "\(text)") }
  }

  @Test func `every step of the schema has a test: in this recipe or in a built-in one`() throws {
    let schema = try JSONText(
      bytes: Array(Data(contentsOf: packageRoot.appendingPathComponent("Documentation/Schemas/recipe-1.json"))))
    let choices = try #require(schema.value["$defs"]?["step"]?["anyOf"]?.elements)
    let plain = choices.flatMap { $0["enum"]?.elements ?? [] }.compactMap(\.stringValue)
    let others = choices.flatMap { $0["properties"]?.members ?? [] }.map(\.name)
    #expect(plain.count > 10 && others.count > 8)
    let folder = packageRoot.appendingPathComponent("Recipes")
    let recipes = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let all = try (recipes + [URL(fileURLWithPath: path)]).map { try String(contentsOf: $0, encoding: .utf8) }
    let words = Set(all.joined(separator: "\n").split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
    #expect((plain + others).filter { !words.contains($0) } == [])
  }
}
