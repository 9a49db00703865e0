import Foundation
import Testing

@Suite("History and rollback from the command line")
struct HistoryTests {
  private static let decided = ["--set", "user_id=42", "--set", "rudder.app_build=420", "--yes"]

  private func applied() throws -> SampleCopy {
    let sample = try SampleCopy("AcmeShop")
    let result = try Tool.carryover(["apply"] + sample.options + Self.decided)
    #expect(result.status == 0, "\(result.error)")
    return sample
  }

  private func run(_ sample: SampleCopy, _ subcommand: String, _ arguments: String...) throws -> Tool.Result {
    try Tool.carryover(subcommand.split(separator: " ").map(String.init) + [sample.path] + arguments)
  }

  /// What an app's own code makes of the target: a key of its own, another session, and the other format.
  private func runApp(_ sample: SampleCopy) throws {
    let script = """
      import plistlib, sys
      path = sys.argv[1]
      values = plistlib.load(open(path, 'rb'))
      values['app.key'] = ['new', 1]
      values['session_id'] = '9'
      plistlib.dump(values, open(path, 'wb'), fmt=plistlib.FMT_XML)
      """
    let result = try Tool.run("python3", ["-c", script, sample.target])
    #expect(result.status == 0, "\(result.error)")
  }

  private func history(_ sample: SampleCopy) throws -> [[String: Any]] {
    let result = try run(sample, "history", "--json")
    #expect(result.status == 0, "\(result.error)")
    let listing = try result.json()
    #expect(listing["schema"] as? String == "carryover.history/1")
    return try #require(listing["runs"] as? [[String: Any]])
  }

  @Test("what the app wrote since survives; a key both changed is named with its value, status 3, until it is decided")
  func conflict() throws {
    let sample = try applied()
    try runApp(sample)
    let changed = try sample.files()
    let refused = try run(sample, "rollback", "--yes")
    #expect(refused.status == 3)
    #expect(refused.output == "")
    for part in ["session_id", "\"9\"", "--on-conflict", "--skip session_id", "Nothing was written"] {
      #expect(refused.error.contains(part), "\(part): \(refused.error)")
    }
    #expect(!refused.error.contains("anonymous_id"))
    #expect(try sample.files() == changed)

    let kept = try run(sample, "rollback", "--skip", "session_id", "--yes", "--json")
    #expect(kept.status == 0, "\(kept.error)")
    #expect(try sample.targetAsPythonReadsIt() == ["app.key": "list\t['new', 1]", "session_id": "str\t'9'"])
    let fields = try #require(try kept.json()["fields"] as? [[String: Any]])
    #expect(fields.filter { $0["outcome"] as? String == "restored" }.count == 7)
    #expect(try run(sample, "rollback", "--on-conflict", "replace", "--yes").status == 0)
    #expect(try sample.targetAsPythonReadsIt() == ["app.key": "list\t['new', 1]"])
    #expect(try history(sample).map { $0["standing"] as? String } == ["holds", "holds", "taken-back"])
  }

  @Test("one key, then the rest, then the rollbacks back; a second apply asks for what was taken back")
  func partByPart() throws {
    let sample = try applied()
    let before = try sample.targetAsPythonReadsIt()
    #expect(try run(sample, "rollback", "--only", "user_id", "--yes").status == 0)
    #expect(try sample.targetAsPythonReadsIt() == before.filter { $0.key != "user_id" })
    #expect(try history(sample).map { $0["standing"] as? String } == ["holds", "partly-taken-back"])
    let again = try sample.run("apply", "--yes")
    #expect(again.status == 2)
    #expect(again.error.contains("user_id") && !again.error.contains("rudder.app_build"), "\(again.error)")
    #expect(try run(sample, "rollback", "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
    for run in try history(sample).dropLast() {
      let id = try #require(run["id"] as? String)
      #expect(try self.run(sample, "rollback", "--run", id, "--yes").status == 0)
    }
    #expect(try sample.targetAsPythonReadsIt() == before)
  }

  @Test("names that are no keys of the run, or that two options name, are refused")
  func badNames() throws {
    let sample = try applied()
    let files = try sample.files()
    let unknown = try run(sample, "rollback", "--only", "userid", "--yes")
    #expect(unknown.status == 64 && unknown.error.contains("userid") && unknown.error.contains("user_id"))
    #expect(try run(sample, "rollback", "--only", "user_id", "--skip", "user_id", "--yes").status == 64)
    let file = "com.acme.shop.analytics.1xAcmeWriteKey.plist"
    #expect(try run(sample, "rollback", "--only", "other.plist:user_id", "--yes").status == 64)
    #expect(try run(sample, "rollback", "--run", "20250101T000000Z-9", "--yes").status == 1)
    #expect(try sample.files() == files)
    #expect(try run(sample, "rollback", "--only", file + ":user_id", "--yes").status == 0)
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == nil)
  }

  @Test("the history is a table, a run is shown field by field, and neither writes")
  func listing() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(try run(sample, "history").output.contains("no run"))
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
    #expect(try Tool.carryover(["apply"] + sample.options + Self.decided).status == 0)
    let id = try #require(try history(sample).first?["id"] as? String)
    let state = try FileState.files(under: sample.folder.url.path)
    let table = try run(sample, "history")
    #expect(table.status == 0)
    #expect(table.output.contains(id) && table.output.contains("in effect"))
    let fields = try run(sample, "history", "--run", id)
    #expect(fields.output.contains("user_id") && fields.output.contains("\"42\""), "\(fields.output)")
    #expect(try run(sample, "history", "--run", "nothing").status == 1)
    #expect(try FileState.files(under: sample.folder.url.path) == state)
    try Data("{".utf8).write(to: URL(fileURLWithPath: sample.path + "/.carryover/runs/\(id)/record.json"))
    let damaged = try run(sample, "history")
    #expect(damaged.status == 0)
    #expect(damaged.output.contains("record.json"), "\(damaged.output)")
  }

  @Test("pruning asks for one rule and for a yes, removes copies, and says so to a later rollback")
  func pruning() throws {
    let sample = try applied()
    let id = try #require(try history(sample).first?["id"] as? String)
    let copy = sample.path + "/.carryover/runs/\(id)/before"
    #expect(try run(sample, "history prune").status == 64)
    #expect(try run(sample, "history prune", "--keep", "0", "--older-than", "1").status == 64)
    #expect(try run(sample, "history prune", "--keep", "0").status == 64)
    #expect(try run(sample, "history prune", "--run", "nothing", "--yes").status == 1)
    #expect(try run(sample, "history prune", "--keep", "1", "--yes").output.contains("nothing to prune"))
    #expect(FileManager.default.fileExists(atPath: copy))
    let pruned = try run(sample, "history prune", "--keep", "0", "--yes")
    #expect(pruned.status == 0 && pruned.output.contains(id) && pruned.output.contains("freed"))
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try history(sample).first?["backup"] is NSNull)
    let refused = try run(sample, "rollback", "--yes")
    #expect(refused.status == 1 && refused.error.contains("pruned"), "\(refused.error)")
  }
}
