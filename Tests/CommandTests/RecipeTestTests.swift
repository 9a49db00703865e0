import Carryover
import CarryoverRecipes
import CarryoverVendors
import Foundation
import Testing

@testable import CarryoverCommand

@Suite("carryover recipe test")
struct RecipeTestTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path("acme.recipe.yaml")
  }

  private func run(_ tests: String, _ options: String...) throws -> Tool.Result {
    let text = """
      carryover: recipe/1
      id: acme-sdk
      version: 1
      title: Acme 1 → 2
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

  @Test("a test that holds passes")
  func passes() throws {
    let result = try run(Self.passing)
    #expect(result.status == 0 && result.output.contains("✓ one"), "\(result.output)\(result.error)")
    let tap = try run(Self.passing, "--format", "tap").output
    #expect(tap == "TAP version 14\n1..1\nok 1 - one\n")
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
    let result = try run(tests)
    #expect(result.status == 1 && result.output.contains("✗ one"), "\(result.output)\(result.error)")
    #expect(result.output.contains(":12: \(change.sentence)"), "\(result.output)")
  }

  @Test("a file without tests fails, a damaged test has its place, and no file outside is read or written")
  func refuses() throws {
    #expect(try run("  []").status == 1)
    for (from, to, code) in [
      ("Library/Preferences/com.example.app.plist", "../x.plist", "R105"), ("status: ready", "status: done", "R212"),
      ("given:", "givn:", "R012"), ("a-x: 42", "\"a-${y}\": 42", "R103"),
    ] {
      let result = try run(Self.passing.replacingOccurrences(of: from, with: to))
      #expect(result.status == 1 && result.error.contains("[\(code)]"), "\(to): \(result.error)")
    }
  }

  @Test("only the named tests run, and a name that no test has fails")
  func chosen() throws {
    let two = Self.passing + "\n" + Self.passing.replacing("one", with: "two").replacing("\"42\"", with: "\"43\"")
    #expect(try run(two).status == 1)
    #expect(try run(two, "--case", "one").status == 0)
    #expect(try run(two, "--case", "three").output.contains("No tests."))
  }

  @Test("the JSON suits its schema, and the XML is read as it was meant, whatever the names contain")
  func formats() throws {
    let name = #"<a> & 'b' "c" #1"#
    let tests = Self.passing.replacing("name: one", with: "name: '<a> & ''b'' \"c\" #1'").replacing(
      "42\"}}", with: "43\"}}")
    let json = try run(tests, "--json")
    #expect(try SchemaCheck("test-1").problems(json.json()) == [])
    #expect(json.status == 1 && json.output.contains(#""failed": 1"#), "\(json.output)")
    let passing = try run(Self.passing, "--format", "json")
    #expect(try SchemaCheck("test-1").problems(passing.json()) == [])

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

  @Test("the tests of every shipped recipe pass")
  func shipped() throws {
    let recipes = Tool.root.appendingPathComponent("Recipes").path
    let result = try Tool.carryover("recipe", "test", recipes)
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }

  @Test("the checks of the shipped recipes report only findings that they announce", arguments: Recipe.builtIn)
  func announced(_ recipe: Recipe) throws {
    let path = Tool.root.appendingPathComponent("Recipes/\(recipe.reference.id).recipe.yaml").path
    let file = try RecipePath.sound(path).file
    let own = Set(recipe.knowledge.vendor?.findings ?? [])
    for test in file.tests {
      let plan = try #require(try RecipeTesting(file).run(test).plan)
      for (rule, field) in zip(file.recipe.rules, plan.fields) {
        let announced = Set(rule.checks.flatMap { $0.check.findings(rule, of: file.recipe) })
        #expect(Set(field.findings.map(\.code)).intersection(own).isSubset(of: announced), "\(test.name): \(field.id)")
      }
    }
  }
}
