@testable import CarryoverCommand

@Suite("carryover recipe lint") struct RecipeLintTests {
  private static let recipes = packageRoot.appendingPathComponent("Recipes").path

  /// A recipe with a misspelled step in line 14.
  private func misspelled(_ folder: TemporaryFolder) throws -> String {
    let sound = try String(contentsOfFile: Self.recipes + "/convert-ios.recipe.yaml", encoding: .utf8)
    let path = folder.path("a%b, c.recipe.yaml")
    try sound.replacingOccurrences(of: "steps: [number-text]", with: "steps: [number-txt]").write(
      toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func `the recipes that are shipped have no issue`() throws {
    let linted = try Tool.carryover(["recipe", "lint", Self.recipes, "--fail-on", "warning"]).ended()
    #expect(linted.output == "0 errors, 0 warnings in \(Recipe.builtIn.count) files.\n")
  }

  @Test func `an issue is told with path, line and column, in every form`() throws {
    let folder = TemporaryFolder()
    let path = try misspelled(folder)
    let text = try Tool.carryover(["recipe", "lint", path])
    #expect(text.status == 1 && text.error.isEmpty)
    let place = try #require(text.output.firstMatch(of: /:([0-9]+):([0-9]+): error/))
    #expect(text.output.hasPrefix(path + ":") && text.output.contains("[R212]"), "\(text.output)")

    let json = try Tool.carryover(["recipe", "lint", path, "--json"]).json("lint-1")
    let issue = try #require(((json["files"] as? [[String: Any]])?.first?["issues"] as? [[String: Any]])?.first)
    #expect(issue["code"] as? String == "R212" && issue["line"] as? Int == Int(place.1))
    #expect(issue["column"] as? Int == Int(place.2) && json["errors"] as? Int == 1)

    let github = try Tool.carryover(["recipe", "lint", path, "--format", "github"])
    #expect(
      github.output.hasPrefix("::error file=\(folder.path("a%25b%2C c.recipe.yaml")),line=\(place.1),col=\(place.2),"),
      "\(github.output)")
  }

  @Test func `a file with errors is not explained, and one without is explained as a built-in recipe is`() throws {
    let folder = TemporaryFolder()
    let refused = try Tool.carryover(["recipe", "explain", try misspelled(folder)])
    #expect(refused.status == 1 && refused.output.isEmpty && refused.error.contains("[R212]"))
    for id in Recipe.builtIn.map(\.reference.id) {
      let builtIn = try Tool.carryover(["recipe", "explain", id, "--json"]).output
      #expect(
        try Tool.carryover(["recipe", "explain", Self.recipes + "/\(id).recipe.yaml", "--json"]).output == builtIn)
    }
  }

  @Test func `what is not there, empty, too large or a pipe is refused in a sentence`() throws {
    let folder = TemporaryFolder()
    try Tool.carryover(["recipe", "lint", folder.path("none.recipe.yaml")]).ended(1, saying: "none.recipe.yaml")
    try Tool.carryover(["recipe", "lint", folder.path("")]).ended(64, saying: "no recipe files")
    let large = folder.path("large.recipe.yaml")
    try Data(repeating: 0x23, count: 300_000).write(to: URL(fileURLWithPath: large))
    #expect(try Tool.carryover(["recipe", "lint", large]).output.contains("[R005]"))
    let pipe = folder.path("pipe.recipe.yaml")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(try Tool.carryover(["recipe", "lint", pipe]).status == 1)
  }

  @Test func `each code is explained by its name, in either case, and the list has all of them`() throws {
    let list = try Tool.carryover(["explain"]).output
    for code in LintCode.allCases {
      #expect(list.contains(code.rawValue))
      let page = try Tool.carryover(["explain", code.rawValue.lowercased()]).output
      #expect(page.hasPrefix(code.rawValue + "\n") && page.contains("What to do"))
    }
  }

  @Test func `the schema accepts the recipes that are shipped, and refuses what lint refuses`() throws {
    let schema = try SchemaCheck("recipe-1")
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.recipes)
    #expect(files.count >= 4)
    for file in files {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.recipes + "/" + file)))
      let value = try #require(RecipeReader.read(bytes).root).any
      #expect(try schema.problems(value) == [], "\(file)")
      var other = try #require(value as? [String: Any])
      other["titel"] = "x"
      #expect(try !schema.problems(other).isEmpty)
    }
  }

  @Test func `the schema that is printed is the one in the documentation`() throws {
    let published = packageRoot.appendingPathComponent("Documentation/Schemas/recipe-1.json")
    #expect(try Tool.carryover("recipe", "schema").output == String(contentsOf: published, encoding: .utf8))
  }
}

extension RecipeNode {
  fileprivate var any: Any {
    switch content {
    case .text(let text): text
    case .integer(let digits), .decimal(let digits): NSDecimalNumber(string: digits)
    case .boolean(let flag): flag
    case .list(let items): items.map(\.any)
    case .map(let entries): Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value.any) })
    }
  }
}

@Suite("carryover recipe test") struct RecipeTestTests {
  private let folder = TemporaryFolder()
  private var file: String { folder.path("acme.recipe.yaml") }

  private func run(_ tests: String, _ options: String...) throws -> Tool.Result {
    let text = """
      \(acmeHead)
      parameters: {token: {title: token}}
      read: [{suite: "${bundle-id}"}]
      write: {suite: "${bundle-id}.acme"}
      detect: ["a-${token}"]
      fields:
        - {key: "n-${token}", form: string, from: [{key: "a-${token}", steps: [text]}, {key: old, steps: [text]}]}
      tests:
      \(tests)
      """
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return try Tool.carryover(["recipe", "test", file] + options)
  }

  private static let passing = """
      - name: one
        given: {Library/Preferences/com.example.app.plist: {a-x: 42}}
        expect: {fields: {n-x: {status: ready, value: "42"}}, findings: [], written: {n-x: "42"}}
    """

  @Test func `a test that holds passes`() throws {
    try run(Self.passing).ended(printing: "✓ one")
    #expect(try run(Self.passing, "--format", "tap").output == "TAP version 14\n1..1\nok 1 - one\n")
  }

  @Test(
    "whatever a plan says otherwise fails the test, with its line and a sentence",
    arguments: [
      ("value: \"42\"", "value: \"43\"", "The proposal for n-x is"),
      ("status: ready", "status: absent", "n-x is ready"),
      ("findings: []", "findings: [source.stale]", "Missing finding: source.stale"),
      ("written: {n-x: \"42\"}", "written: {}", "n-x would be written"),
      ("written: {n-x: \"42\"}", "written: {n-x: 42}", "n-x would be"),
      ("written: {n-x: \"42\"}", "written: {n-x: \"42\", m: 1}", "m would be none"),
      ("fields: {n-x:", "fields: {m:", "The recipe has no field m"), ("a-x: 42", "a-x: true", "n-x is undecided"),
    ])
  func fails(_ change: (from: String, to: String, sentence: String)) throws {
    let tests = Self.passing.replacingOccurrences(of: change.from, with: change.to)
    #expect(tests != Self.passing)
    try run(tests).ended(1, printing: "✗ one", ":12: \(change.sentence)")
  }

  @Test func `a file without tests fails, a damaged test has its place, and no file outside is touched`() throws {
    #expect(try run("  []").status == 1)
    for (from, to, code) in [
      ("Library/Preferences/com.example.app.plist", "../x.plist", "R105"), ("status: ready", "status: done", "R212"),
      ("given:", "givn:", "R012"), ("a-x: 42", "\"a-${y}\": 42", "R103"),
    ] {
      let result = try run(Self.passing.replacingOccurrences(of: from, with: to))
      #expect(result.status == 1 && result.error.contains("[\(code)]"), "\(to): \(result.error)")
    }
  }

  @Test func `only the named tests run, and a name that no test has fails`() throws {
    let two = Self.passing + "\n" + Self.passing.replacing("one", with: "two").replacing("\"42\"", with: "\"43\"")
    #expect(try run(two).status == 1)
    #expect(try run(two, "--case", "one").status == 0)
    #expect(try run(two, "--case", "three").output.contains("No tests."))
  }

  @Test func `the JSON suits its schema, and the XML is read as it was meant, whatever the names contain`() throws {
    let name = #"<a> & 'b' "c" #1"#
    let tests = Self.passing.replacing("name: one", with: "name: '<a> & ''b'' \"c\" #1'").replacing(
      "42\"}}", with: "43\"}}")
    let json = try run(tests, "--json")
    #expect(try SchemaCheck("test-1").problems(json.json()) == [])
    #expect(json.status == 1 && json.output.contains(#""failed": 1"#), "\(json.output)")
    #expect(try SchemaCheck("test-1").problems(run(Self.passing, "--format", "json").json()) == [])

    let xml = try run(tests, "--format", "junit").output
    let read = """
      import sys, xml.etree.ElementTree as tree
      root = tree.fromstring(sys.stdin.buffer.read())
      print(root.tag, root.attrib)
      for suite in root:
        print(suite.tag, sorted(set(suite.attrib) - {"name"}), suite.get("tests"), suite.get("failures"))
        for case in suite: print(case.get("name"), [(f.tag, f.get("message")) for f in case])
      """
    let result = try Tool.run("/usr/bin/env", ["python3", "-c", read], input: xml)
    let message = "The proposal for n-x is a string (“42”), not a string (“43”)."
    #expect(result.output.contains("testsuites {'tests': '1', 'failures': '1', 'errors': '0'}"), "\(result)")
    #expect(result.output.contains("testsuite ['errors', 'failures', 'skipped', 'tests'] 1 1"), "\(result)")
    #expect(result.output.contains("\(name) [('failure', '\(message)')]"), "\(result) \(xml)")
  }

  @Test func `the tests of every shipped recipe pass`() throws {
    let recipes = packageRoot.appendingPathComponent("Recipes").path
    try Tool.carryover("recipe", "test", recipes).ended()
  }
}

@Suite("Documentation/WriteARecipe.md") struct WriteARecipeTests {
  private let folder = TemporaryFolder()
  private let page: String

  init() throws {
    page = try String(contentsOf: packageRoot.appendingPathComponent("Documentation/WriteARecipe.md"), encoding: .utf8)
  }

  private func block(after heading: String, _ language: String) throws -> String {
    let start = try #require(page.range(of: heading)?.upperBound)
    let open = try #require(page.range(of: "```\(language)\n", range: start..<page.endIndex)?.upperBound)
    let end = try #require(page.range(of: "\n```", range: open..<page.endIndex)?.lowerBound)
    return String(page[open..<end])
  }

  private func run(_ commands: String) throws -> Tool.Result {
    let environment = "export XDG_STATE_HOME=\(folder.path("state")); cd \(folder.path(""))"
    let command = "carryover() { \(Tool.carryover.path) \"$@\"; }"
    return try Tool.run("/usr/bin/env", ["bash", "-ec", [environment, command, commands].joined(separator: "\n")])
  }

  @Test func `every command of the page does what the page says`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Examples"), withDestinationPath: packageRoot.appendingPathComponent("Examples").path)
    let inspected = try run(try block(after: "## 1.", "sh"))
    for line in try block(after: "## 1.", "").split(separator: "\n") { #expect(inspected.output.contains(line)) }

    try run(try block(after: "## 2.", "sh")).ended()
    let file = folder.path("acme-snowplow.recipe.yaml")
    for word in ["lint", "test"] { #expect(try Tool.carryover("recipe", word, file).status == 0, "the draft") }

    try block(after: "<!-- recipe: acme-snowplow -->", "yaml").write(toFile: file, atomically: true, encoding: .utf8)
    let checked = try run(try block(after: "## 4.", "sh")).ended()
    for text in ["0 errors, 0 warnings", "3 passed, 0 failed", "recipe.untrusted"] {
      #expect(checked.output.contains(text), "\(text)")
    }

    let commands = try block(after: "## 5.", "sh").split(separator: "\n").map { line in
      // What asks at a terminal is answered.
      let command = String(line.split(separator: "#")[0])
      return command.contains("trust") || command.contains("apply") || command.contains("rollback")
        ? command + " --yes" : command
    }
    try run(commands.joined(separator: "\n")).ended(printing: "1 written")
    let original = packageRoot.appendingPathComponent("Examples/Snowplow.xcappdata/AppData").path
    #expect(try FileState.files(under: folder.path("Shop.xcappdata/AppData")) == FileState.files(under: original))
  }
}
