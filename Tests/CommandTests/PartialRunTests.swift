@Suite("A run of some fields") struct PartialRunTests {
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("AcmeShop") }

  @Test func `plan and apply warn of what the vendor's migrator then leaves`() throws {
    let words = [
      "the app also loses the traits, the session and the app's version.", "RudderStack's migrator will do nothing",
      "Migrate these fields too",
    ]
    let plan = try Tool.carryover(["plan"] + sample.options + ["--only", "user_id", "--only", "anonymous_id"])
    for word in words { #expect(plan.output.contains(word), "\(plan.output)") }
    #expect(plan.output.contains("Plan: 2 to write, 6 not in this run."))
    let whole = try Tool.carryover(["plan"] + sample.options)
    #expect(!whole.output.contains("the app also loses"))
    let json = try Tool.carryover(
      ["apply"] + sample.options + ["--only", "user_id", "--only", "anonymous_id", "--yes", "--json"])
    #expect(json.output.contains("\"appLoses\""), "\(json.output)")
    #expect(json.output.contains("\"the traits\""))
  }

  @Test func `the result counts the fields of the run, and says that the others are not in it`() throws {
    let result = try Tool.carryover(["apply"] + sample.options + ["--only", "anonymous_id", "--yes"])
    #expect(result.output.contains(": 1 written, 7 not in this run."), "\(result.output)")
    #expect(result.output.contains("Fields 1\n"))
    #expect(result.output.contains("the app also loses the traits, the session and the app's version."))
    #expect(result.output.contains("does nothing now: the new SDK's file exists."))
    #expect(!result.output.contains("skipped"))
  }

  @Test func `the history shows the other fields as not in the run, not as skipped`() throws {
    try Tool.carryover(["apply"] + sample.options + ["--only", "anonymous_id", "--yes"]).ended()
    let run = try #require(Tool.runs(of: sample.path).first)
    let history = try Tool.carryover("history", sample.path, "--run", #require(run["id"] as? String)).ended(
      printing: "  not in this run")
    #expect(!history.output.contains("skipped"), "\(history.output)")
    let fields = try #require(run["fields"] as? [[String: Any]])
    #expect(fields.count { $0["omitted"] as? Bool == true } == 7, "\(fields)")
  }
}
