import Foundation
import Testing

@Suite("--accept and the target's own value")
struct AcceptTests {
  private let sample: SampleCopy
  private let before: [String: FileState]

  init() throws {
    sample = try SampleCopy("AcmeShop")
    let script = "import plistlib, sys; plistlib.dump({'user_id': 'u-2002'}, open(sys.argv[1], 'wb'))"
    let made = try Tool.run("python3", ["-c", script, sample.target])
    try #require(made.status == 0, "\(made.error)")
    before = try sample.files()
  }

  private func apply(_ options: String...) throws -> Tool.Result {
    try Tool.carryover(["apply"] + sample.options + ["--skip", "rudder.app_build", "--yes"] + options)
  }

  private var userID: String? { get throws { try sample.targetAsPythonReadsIt()["user_id"] } }

  @Test("It never replaces it: the conflict is left, with status 3")
  func conflictStays() throws {
    let result = try apply("--accept", "user_id")
    #expect(result.status == 3, "\(result.error)")
    #expect(result.error.contains("other values for user_id") && result.error.contains("--on-conflict"))
    #expect(!result.error.contains("--accept"), "that was given")
    #expect(try sample.files() == before)
  }

  @Test("--on-conflict decides what is left", arguments: [("keep", "str\tu-2002"), ("replace", "str\t42")])
  func policy(policy: String, value: String) throws {
    let flagged = try apply("--on-conflict", policy)
    #expect(flagged.status == 2, "what it is flagged for is no conflict: \(flagged.error)")
    #expect(try sample.files() == before)
    let result = try apply("--accept", "user_id", "--on-conflict", policy)
    #expect(result.status == 0, "\(result.error)")
    #expect(try userID?.replacingOccurrences(of: "'", with: "") == value)
  }

  @Test(
    "--set and --only name the value or the field, and decide",
    arguments: [["--set", "user_id=42"], ["--only", "user_id"]])
  func explicit(options: [String]) throws {
    let result = try Tool.carryover(["apply"] + sample.options + ["--yes"] + options + ["--skip", "rudder.app_build"])
    #expect(result.status == 0, "\(result.error)")
    #expect(try userID == "str\t'42'")
  }

  @Test("A saved plan keeps that it was accepted, and the conflict with it")
  func saved() throws {
    let plan = sample.folder.path("plan.json")
    let made = try Tool.carryover(
      ["plan"] + sample.options + ["--accept", "user_id", "--skip", "rudder.app_build", "-o", plan, "--json"])
    #expect(made.status == 0, "\(made.error)")
    let decisions = try #require(try made.json()["decisions"] as? [[String: String]])
    #expect(decisions.contains(["field": "user_id", "decision": "accept"]), "\(decisions)")
    #expect(try SchemaCheck("plan-1").problems(made.json()) == [])
    let left = try Tool.carryover("apply", plan, "--yes")
    #expect(left.status == 3, "\(left.error)")
    #expect(try sample.files() == before)
    let replaced = try Tool.carryover("apply", plan, "--yes", "--on-conflict", "replace")
    #expect(replaced.status == 0, "\(replaced.error)")
    #expect(try userID == "str\t'42'")
    let again = try Tool.carryover("apply", plan, "--yes")
    #expect(again.status == 0 && again.output.contains("Nothing had to be written"), "\(again.error)")
  }

  @Test("A saved decision to migrate accepts the proposal, too")
  func savedBefore() throws {
    let plan = sample.folder.path("plan.json")
    let made = try Tool.carryover(
      ["plan"] + sample.options + ["--accept", "user_id", "--skip", "rudder.app_build", "-o", plan])
    #expect(made.status == 0, "\(made.error)")
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    try text.replacingOccurrences(of: #""decision": "accept""#, with: #""decision": "migrate""#)
      .write(toFile: plan, atomically: true, encoding: .utf8)
    #expect(try Tool.carryover("apply", plan, "--yes").status == 0)
    #expect(try userID == "str\t'42'")
  }
}
