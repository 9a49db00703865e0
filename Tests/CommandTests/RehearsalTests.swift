import Foundation
import Testing

@Suite("Rehearsing a migration")
struct RehearsalTests {
  private static let decided = ["--set", "user_id=42", "--set", "rudder.app_build=420"]

  /// Runs it with a folder of its own for the copy; nothing is left there, and the container is as it was.
  private func rehearse(_ sample: SampleCopy, _ arguments: [String]) throws -> Tool.Result {
    let before = try FileState.files(under: sample.folder.url.path)
    let temporary = try TemporaryFolder()
    let result = try Tool.run(
      "env", ["TMPDIR=" + temporary.url.path, Tool.carryover.path, "apply"] + arguments + ["--rehearse"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).isEmpty)
    #expect(try FileState.files(under: sample.folder.url.path) == before)
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
    return result
  }

  private func proved(_ result: Tool.Result) throws -> Int {
    let document = try result.json()
    #expect(try SchemaCheck("rehearsal-1").problems(document) == [])
    #expect(document["proved"] as? Bool == true && document["problems"] as? [String] == [], "\(result.output)")
    return try #require(document["files"] as? [String]).count
  }

  @Test("The report has the fields that apply reports")
  func proof() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try rehearse(sample, sample.options + Self.decided + ["--json"])
    #expect(result.status == 0, "\(result.error)")
    #expect(try proved(result) > 0)
    let report = try #require(try result.json()["report"] as? [String: Any])
    let applied = try Tool.carryover(["apply"] + sample.options + Self.decided + ["--yes", "--json"])
    let expected = try #require(try applied.json()["fields"] as? [[String: Any]])
    #expect(NSArray(array: report["fields"] as? [Any] ?? []) == NSArray(array: expected))
  }

  @Test("For a person it says that every file was as before, and that the container was not changed")
  func text() throws {
    let sample = try SampleCopy("Clean")
    let result = try rehearse(sample, sample.options)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("every file has its former content again. The container was not changed."))
  }

  @Test("What would end the apply ends the rehearsal, with the same status and sentence", arguments: [[], ["--yes"]])
  func sameStatus(options: [String]) throws {
    let sample = try SampleCopy("AcmeShop")
    let undecided = try rehearse(sample, sample.options + options)
    let apply = try Tool.carryover(["apply"] + sample.options + ["--yes"])
    #expect(undecided.status == 2 && undecided.error == apply.error)
    let optedOut = try SampleCopy("OptedOut")
    #expect(try rehearse(optedOut, optedOut.options + options).status == 2)
    let script = "import plistlib, sys; plistlib.dump({'session_id': '9'}, open(sys.argv[1], 'wb'))"
    #expect(try Tool.run("python3", ["-c", script, sample.target]).status == 0)
    #expect(try rehearse(sample, sample.options + Self.decided + options).status == 3)
    let replaced = try rehearse(sample, sample.options + Self.decided + ["--on-conflict", "replace", "--json"])
    #expect(replaced.status == 0, "\(replaced.error)")
    #expect(try proved(replaced) > 0)
    try FileManager.default.linkItem(atPath: sample.target, toPath: sample.folder.path("other.plist"))
    #expect(try rehearse(sample, sample.options + Self.decided + ["--on-conflict", "replace"]).status == 1)
  }

  @Test("After an apply there is nothing to rehearse")
  func nothing() throws {
    let sample = try SampleCopy("Clean")
    #expect(try sample.run("apply", "--yes").status == 0)
    let again = try Tool.carryover(["apply"] + sample.options + ["--rehearse", "--json"])
    #expect(again.status == 0, "\(again.error)")
    #expect(try proved(again) == 0)
  }

  @Test("A container in an archive or a backup is rehearsed as it would be after extract", arguments: Forms.wrapped)
  func wrapped(form: String) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try FileState.files(under: forms.folder.url.path)
    let result = try Tool.carryover(
      "apply", forms.path(form), "--write-key", SampleCopy.writeKey, "--now", SampleCopy.now, "--rehearse", "--json")
    #expect(result.status == 0, "\(result.error)")
    #expect(try proved(result) > 0)
    #expect(try FileState.files(under: forms.folder.url.path) == before)
  }

  @Test("A saved plan is rehearsed with its decisions; a stale one ends with 4")
  func savedPlan() throws {
    let sample = try SampleCopy("AcmeShop")
    let plan = sample.folder.path("plan.json")
    #expect(try Tool.carryover(["plan"] + sample.options + Self.decided + ["-o", plan]).status == 0)
    let result = try rehearse(sample, [plan, "--json"])
    #expect(result.status == 0, "\(result.error)")
    #expect(try proved(result) > 0)
    let source = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    let script = """
      import plistlib, sys
      values = plistlib.load(open(sys.argv[1], 'rb'))
      values['rl_session_id'] = 1
      plistlib.dump(values, open(sys.argv[1], 'wb'))
      """
    #expect(try Tool.run("python3", ["-c", script, source]).status == 0)
    #expect(try rehearse(sample, [plan]).status == 4)
  }

  @Test("An interrupted run is not recovered, with status 5", .needsTools)
  func interrupted() throws {
    let sample = try SampleCopy.interrupted()
    let before = try FileState.files(under: sample.folder.url.path)
    #expect(try Tool.carryover(["apply"] + sample.options + ["--rehearse"]).status == 5)
    #expect(try FileState.files(under: sample.folder.url.path) == before)
  }

  @Test("A signal ends it once the copy is gone", .needsTools, arguments: ["INT", "TERM", "HUP"])
  func signal(name: String) throws {
    let sample = try SampleCopy("Clean")
    let temporary = try TemporaryFolder()
    let result = try Tool.run(
      "strace",
      [
        "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=\(name):when=1", "env",
        "TMPDIR=" + temporary.url.path, Tool.carryover.path, "apply",
      ] + sample.options + ["--rehearse"])
    #expect(result.status > 128, "\(result.output) \(result.error)")
    #expect(result.output.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).isEmpty)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("A user without a key gets none by it")
  func noKey() throws {
    let sample = try SampleCopy("Clean")
    let home = try TemporaryFolder()
    let result = try Tool.run(
      "env", ["XDG_STATE_HOME=" + home.url.path, Tool.carryover.path, "apply"] + sample.options + ["--rehearse"])
    #expect(result.status == 0, "\(result.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path).isEmpty)
  }
}
