import Foundation
import Testing

@Suite("A live container from the command line")
struct RunningStoreTests {
  private static let device = "11111111-2222-3333-4444-555555555555"

  private struct Live {
    let folder: TemporaryFolder
    let path: String

    init() throws {
      folder = try TemporaryFolder()
      let applications = folder.path("CoreSimulator/Devices/\(device)/data/Containers/Data/Application")
      path = applications + "/99999999-8888-7777-6666-555555555555"
      try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: SampleCopy.original("Clean").path + "/AppData", toPath: path)
    }

    static let planning = ["--write-key", SampleCopy.writeKey, "--now", SampleCopy.now]

    func run(_ subcommand: String, _ arguments: [String] = []) throws -> Tool.Result {
      let plans = ["plan", "apply", "cleanup"].contains(subcommand)
      return try Tool.carryover(
        subcommand.split(separator: " ").map(String.init) + [path] + (plans ? Self.planning : []) + arguments)
    }

    /// Every file below the folder with its bytes and mode, the state folder's too.
    func tree() throws -> [String: FileState] { try FileState.files(under: folder.url.path) }

    /// The app data, without the state folder.
    func data() throws -> [String: FileState] { try FileState.files(under: path) }

    /// Runs what must be refused, and checks the sentence and that nothing was written.
    func expectRefused(_ subcommand: String, _ arguments: [String] = []) throws {
      let before = try tree()
      let result = try run(subcommand, arguments)
      #expect(result.status == 2, "\(subcommand): \(result.error)")
      #expect(result.output.isEmpty, "\(subcommand)")
      for part in [
        "simulator device \(device)", "cfprefsd", "copy", "--live", "simctl spawn \(device) launchctl kickstart -k",
        "Nothing was changed.",
      ] {
        #expect(result.error.contains(part), "\(subcommand): \(part)")
      }
      #expect(try tree() == before, "\(subcommand)")
    }
  }

  @Test("plan, inspect, history and a dry cleanup work and write nothing; the plan names the finding")
  func reading() throws {
    let live = try Live()
    let before = try live.tree()
    let plan = try live.run("plan", ["--json"])
    #expect(plan.status == 0, "\(plan.error)")
    let findings = try #require(try plan.json()["findings"] as? [[String: Any]])
    #expect(findings.first?["code"] as? String == "live.running-store")
    #expect(findings.first?["severity"] as? String == "error")
    #expect(try live.run("plan").output.contains("live.running-store"))
    for (subcommand, arguments) in [("inspect", []), ("history", []), ("cleanup", ["--dry-run"])] {
      let result = try live.run(subcommand, arguments)
      #expect(result.status == 0 && result.error.isEmpty, "\(subcommand): \(result.error)")
    }
    #expect(try live.tree() == before)
  }

  @Test("apply, cleanup, rollback, recover and history prune are refused with one sentence, and done with --live")
  func writing() throws {
    let live = try Live()
    let original = try live.data()
    try live.expectRefused("apply", ["--yes"])
    try live.expectRefused("apply", ["--yes", "--allow-opted-out"])
    try live.expectRefused("apply")
    let applied = try live.run("apply", ["--yes", "--live"])
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try live.data() != original)

    try live.expectRefused("cleanup", ["--yes"])
    #expect(try live.run("cleanup", ["--yes", "--live"]).status == 0)
    try live.expectRefused("rollback", ["--yes"])
    #expect(try live.run("rollback", ["--yes", "--live"]).status == 0)
    try live.expectRefused("recover")
    try live.expectRefused("recover", ["--keep", "--yes"])
    #expect(try live.run("recover", ["--live"]).status == 0)
    #expect(try live.run("rollback", ["--yes", "--live"]).status == 0)
    #expect(try live.data() == original)
    try live.expectRefused("history prune", ["--keep", "0", "--yes"])
    #expect(try live.run("history prune", ["--keep", "0", "--yes", "--live"]).status == 0)
  }

  @Test("Once nothing is left to write, apply has nothing to refuse")
  func settled() throws {
    let live = try Live()
    #expect(try live.run("apply", ["--yes", "--live"]).status == 0)
    let before = try live.tree()
    #expect(try live.run("apply", ["--yes"]).status == 0)
    #expect(try live.tree() == before)
  }

  @Test("A saved plan is refused the same way, and needs --live itself, whatever was allowed when it was saved")
  func savedPlan() throws {
    let live = try Live()
    let plan = live.folder.path("plan.json")
    #expect(try live.run("plan", ["-o", plan]).status == 0)
    let before = try live.tree()
    let refused = try Tool.carryover("apply", plan, "--yes")
    #expect(refused.status == 2 && refused.error.contains("--live"), "\(refused.error)")
    #expect(try live.tree() == before)
    let applied = try Tool.carryover("apply", plan, "--yes", "--live")
    #expect(applied.status == 0, "\(applied.error)")

    let other = try Live()
    let allowed = other.folder.path("plan.json")
    #expect(try other.run("plan", ["-o", allowed, "--live"]).status == 0)
    #expect(try Tool.carryover("apply", allowed, "--yes").status == 2)
    #expect(try Tool.carryover("apply", allowed, "--yes", "--live").status == 0)
  }

  @Test("On a copy that lies elsewhere, --live changes nothing")
  func copy() throws {
    let (one, other) = (try SampleCopy("Clean"), try SampleCopy("Clean"))
    #expect(try one.run("apply", "--yes").status == 0)
    #expect(try other.run("apply", "--yes", "--live").status == 0)
    #expect(try one.files() == other.files())
    #expect(try other.run("rollback", "--yes").status == 0)
    #expect(try other.files() == other.originalFiles())
  }
}
