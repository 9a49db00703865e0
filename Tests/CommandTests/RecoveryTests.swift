import Foundation
import Testing

@Suite("Recovery from the command line", .needsTools)
struct RecoveryTests {
  /// A copy of the clean sample on which an apply was killed at the first rename of a file, with its journal in place.
  private func interrupted() throws -> SampleCopy {
    let sample = try SampleCopy("Clean")
    let result = try Tool.run(
      "strace",
      [
        "-f", "-o", "/dev/null", "-e", "trace=renameat2", "-e", "inject=renameat2:signal=KILL:when=1",
        Tool.carryover.path, "apply",
      ] + sample.options + ["--yes"])
    try #require(result.status == 128 + SIGKILL, "\(result.error)")
    try #require(FileManager.default.fileExists(atPath: sample.path + "/.carryover/journal.json"))
    return sample
  }

  private func temporaries(_ sample: SampleCopy) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: sample.path).filter { $0.hasSuffix(".tmp") }
  }

  @Test("Reading says that recovery is needed, ends with 5 and writes nothing")
  func reading() throws {
    let sample = try interrupted()
    let before = try FileState.files(under: sample.folder.url.path)
    let plan = try sample.run("plan")
    #expect(plan.status == 5 && plan.output.isEmpty)
    #expect(plan.error.contains("was interrupted") && plan.error.contains("Run carryover recover first"))
    let inspect = try Tool.carryover("inspect", sample.path)
    #expect(inspect.status == 5 && inspect.output.contains("rl_anonymous_id"))
    #expect(inspect.error == plan.error)
    #expect(try FileState.files(under: sample.folder.url.path) == before)
  }

  @Test("recover finishes the run, says so, and finds nothing to do the second time")
  func recover() throws {
    let sample = try interrupted()
    #expect(try !temporaries(sample).isEmpty)
    let first = try Tool.carryover("recover", sample.path, "--json")
    #expect(first.status == 0 && first.error.isEmpty)
    let json = try first.json()
    #expect(json["schema"] as? String == "carryover.recovery/1")
    let runs = try #require(json["recovered"] as? [[String: Any]])
    #expect(runs.map { $0["ending"] as? String } == ["finished"] && runs.map { $0["kind"] as? String } == ["apply"])
    #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] != nil)
    #expect(try temporaries(sample).isEmpty)
    let second = try Tool.carryover("recover", sample.path)
    #expect(second.status == 0 && second.output.contains("No run was interrupted"))
    #expect(try sample.run("plan").status == 0)
    #expect(try Tool.carryover("rollback", sample.path, "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("Whatever writes recovers first and says so", arguments: ["apply", "rollback"])
  func writing(subcommand: String) throws {
    let sample = try interrupted()
    let result = try sample.run(subcommand, "--yes")
    #expect(result.status == 0)
    #expect(result.error.contains("was interrupted and is now finished"))
    #expect(try temporaries(sample).isEmpty)
    if subcommand == "rollback" {
      #expect(try sample.files() == sample.originalFiles())
    } else {
      #expect(result.output.contains("Nothing had to be written."))
      #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] != nil)
    }
  }

  @Test("The report in JSON lists what was recovered first", arguments: ["apply", "rollback"])
  func recoveredInReport(subcommand: String) throws {
    let json = try interrupted().run(subcommand, "--yes", "--json").json()
    let runs = try #require(json["recovered"] as? [[String: Any]])
    #expect(runs.map { $0["ending"] as? String } == ["finished"])
  }

  @Test("recover --keep closes a run whose journal nobody can read, and keeps its backup where a file is not as before")
  func unreadableJournal() throws {
    let sample = try interrupted()
    let state = sample.path + "/.carryover"
    try Data("not ours".utf8).write(to: URL(fileURLWithPath: sample.target))
    try Data("torn".utf8).write(to: URL(fileURLWithPath: state + "/journal.json"))
    let runs = try FileManager.default.contentsOfDirectory(atPath: state + "/runs")
    try #require(runs.count == 1)
    #expect(try Tool.carryover("recover", sample.path).status == 5)
    let kept = try Tool.carryover("recover", sample.path, "--keep", "--yes")
    #expect(kept.status == 0 && kept.output.contains("is closed"), "\(kept.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: state + "/runs") == runs)
    #expect(try sample.run("plan").status != 5)
  }

  @Test("in an archive, where nothing can be recovered, reading says to extract the container first")
  func packed() throws {
    let sample = try interrupted()
    let archive = sample.path + ".tar"
    #expect(
      try Tool.run("/usr/bin/env", ["tar", "-cf", archive, "-C", sample.path + "/..", "Clean.xcappdata"]).status == 0)
    for subcommand in ["history", "inspect"] {
      let read = try Tool.carryover(subcommand, archive)
      #expect(read.status == 5 && read.error.contains("carryover extract"), "\(read.error)")
      #expect(!read.output.contains("--adopt"))
    }
  }

  @Test("recover --keep closes a run whose record is gone")
  func lostRecord() throws {
    let sample = try interrupted()
    let state = sample.path + "/.carryover"
    try FileManager.default.removeItem(atPath: state + "/runs")
    #expect(try Tool.carryover("recover", sample.path).status == 5)
    let kept = try Tool.carryover("recover", sample.path, "--keep", "--yes")
    #expect(kept.status == 0 && kept.output.contains("No run is interrupted"), "\(kept.output)\(kept.error)")
    #expect(try Tool.carryover("recover", sample.path).status == 0)
  }

  @Test("A file that somebody else made since is kept, named, and left to a person")
  func overtaken() throws {
    let sample = try interrupted()
    let theirs = Data("not ours".utf8)
    try theirs.write(to: URL(fileURLWithPath: sample.target))
    for arguments in [["recover", sample.path], ["rollback", sample.path, "--yes"]] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == 5, "\(arguments)")
      #expect(result.error.contains("analytics.1xAcmeWriteKey.plist") && result.error.contains("recover PATH --keep"))
    }
    #expect(try Tool.carryover("recover", "--keep", sample.path).status == 64)
    #expect(try Data(contentsOf: URL(fileURLWithPath: sample.target)) == theirs)
    let kept = try Tool.carryover("recover", "--keep", "--yes", sample.path)
    #expect(kept.status == 0 && kept.output.contains("is closed"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: sample.target)) == theirs)
    #expect(try Tool.carryover("recover", sample.path).output.contains("No run was interrupted"))
    #expect(try temporaries(sample).isEmpty)
  }
}
