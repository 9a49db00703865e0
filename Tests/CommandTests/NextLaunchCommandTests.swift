import Foundation
import Testing

@Suite("plan --next-launch")
struct NextLaunchCommandTests {
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("AcmeShop") }

  private func forms(_ options: String...) throws -> [String: [String: String]] {
    let result = try Tool.carryover(["plan"] + sample.options + ["--next-launch", "--json"] + options)
    #expect(result.status == 0, "\(result.error)")
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

  @Test("The JSON suits its schema and has the three forms, with the decisions counted in (F12)")
  func json() throws {
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

  @Test("The text follows the plan; without the option nothing of it is printed")
  func text() throws {
    let played = try Tool.carryover(["plan"] + sample.options + ["--next-launch"]).output
    #expect(played.contains("after migrator") && played.contains("A new random id: anonymous_id is absent."))
    let plan = try Tool.carryover(["plan"] + sample.options)
    let lines = played.split(separator: "\n")
    #expect(plan.output.split(separator: "\n").allSatisfy(lines.contains) && !plan.output.contains("Next launch"))
    #expect(try Tool.carryover(["plan"] + sample.options + ["--json"]).json()["nextLaunch"] == nil)
  }

  @Test("A saved plan with the play in it can be applied")
  func saved() throws {
    let plan = sample.folder.path("plan.json")
    let made = try Tool.carryover(
      ["plan"] + sample.options + ["--accept", "user_id", "--skip", "rudder.app_build", "--next-launch", "-o", plan])
    #expect(made.status == 0, "\(made.error)")
    #expect(try Tool.carryover("apply", plan, "--yes").status == 0)
  }

  @Test("A recipe without a model says so; options of the play need it")
  func limits() throws {
    let person = try SampleCopy("Person")
    let result = try Tool.carryover("plan", person.path, "--next-launch")
    #expect(result.status == 0 && result.output.contains("Recipe person has no model of the next launch."))
    #expect(try Tool.carryover("plan", person.path, "--next-launch", "--json").json()["nextLaunch"] is NSNull)
    let alone = try Tool.carryover(["plan"] + sample.options + ["--app-version", "4.2.0"])
    #expect(alone.status == 64 && alone.error.contains("--next-launch"), "\(alone.error)")
  }
}
