@Suite("Recovery from the command line", .needsTools) struct RecoveryTests {
  /// All files below `path` except the lock, which names its last holder.
  private func files(under path: String) throws -> [String: FileState] {
    try FileState.files(under: path).filter { !$0.key.hasSuffix("lock") }
  }

  private func temporaries(_ sample: SampleCopy) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: sample.path).filter { $0.hasSuffix(".tmp") }
  }

  @Test func `Reading says that recovery is needed, ends with 5 and writes nothing`() throws {
    let sample = try SampleCopy.interrupted()
    let before = try FileState.files(under: sample.folder.path)
    let plan = try sample.run("plan")
    #expect(plan.status == 5 && plan.output.isEmpty)
    #expect(plan.error.contains("was interrupted") && plan.error.contains("Run carryover recover first"))
    let inspect = try Tool.carryover("inspect", sample.path).ended(5, printing: "rl_anonymous_id")
    #expect(inspect.error == plan.error)
    #expect(try FileState.files(under: sample.folder.path) == before)
  }

  @Test func `recover finishes the run, says so, and finds nothing to do the second time`() throws {
    let sample = try SampleCopy.interrupted()
    #expect(try !temporaries(sample).isEmpty)
    let first = try Tool.carryover("recover", sample.path, "--json")
    #expect(first.status == 0 && first.error.isEmpty)
    let json = try first.json()
    #expect(json["schema"] as? String == "carryover.recovery/1")
    let runs = try #require(json["recovered"] as? [[String: Any]])
    #expect(runs.map { $0["ending"] as? String } == ["finished"] && runs.map { $0["kind"] as? String } == ["apply"])
    #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] != nil)
    #expect(try temporaries(sample).isEmpty)
    try Tool.carryover("recover", sample.path).ended(printing: "No run was interrupted")
    #expect(try sample.run("plan").status == 0)
    #expect(try Tool.carryover("rollback", sample.path, "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test(arguments: ["apply", "rollback"])
  func `Whatever writes recovers first and says so`(subcommand: String) throws {
    let sample = try SampleCopy.interrupted()
    let result = try sample.run(subcommand, "--yes").ended(saying: "was interrupted and is now finished")
    #expect(try temporaries(sample).isEmpty)
    if subcommand == "rollback" {
      #expect(try sample.files() == sample.originalFiles())
    } else {
      #expect(result.output.contains("There was nothing to write."))
      #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] != nil)
    }
  }

  @Test func `A rollback without a run to roll back removes what an interrupted run left, and says so`() throws {
    let sample = try SampleCopy.interrupted()
    try FileManager.default.removeItem(atPath: sample.path + "/.carryover/journal.json")
    try Tool.carryover("history", sample.path, "--check").ended(5, printing: "Run carryover recover to finish it")
    try sample.run("rollback", "--yes").ended(1, saying: "was interrupted before it changed anything")
    #expect(try temporaries(sample).isEmpty)
    try Tool.carryover("history", sample.path, "--check").ended()
  }

  @Test func `The preview of a list recovers, and does not say that nothing is written`() throws {
    let sample = try SampleCopy.interrupted()
    try FileManager.default.copyItem(
      atPath: SampleCopy.original("Clean").path, toPath: sample.folder.path("other.xcappdata"))
    let result = try Tool.carryover(
      ["review", sample.folder.path] + SampleCopy.planning, lines: ["a", "esc", "q"]
    ).ended(printing: "An interrupted run was recovered in 1 container.")
    #expect(result.output.contains("Nothing else is written yet."), "\(result.output)")
    #expect(!result.output.contains("Nothing is written yet."), "\(result.output)")
    #expect(try temporaries(sample).isEmpty)
  }

  @Test func `The history of a folder says in which container a run was interrupted`() throws {
    let sample = try SampleCopy.interrupted()
    try FileManager.default.copyItem(
      atPath: SampleCopy.original("Clean").path, toPath: sample.folder.path("other.xcappdata"))
    let document = try Tool.carryover("history", sample.folder.path, "--json")
      .ended(5, saying: "A run was interrupted in 1 container").json("batches-1")
    let problems = try #require(document["problems"] as? [String])
    #expect(problems.count == 1 && problems.first?.contains("was interrupted") == true, "\(problems)")
  }

  @Test func `The timeline of a diagnosis says that a run was interrupted`() throws {
    let sample = try SampleCopy.interrupted()
    try sample.run("diagnose").ended(5, printing: "apply by Carryover, interrupted")
  }

  @Test func `An audit refuses a container with an interrupted run, and the list says interrupted`() throws {
    let sample = try SampleCopy.interrupted()
    try FileManager.default.copyItem(
      atPath: SampleCopy.original("Clean").path, toPath: sample.folder.path("other.xcappdata"))
    let audit = ["audit", sample.folder.path] + SampleCopy.planning
    let summary = try Tool.carryover(audit + ["--json"]).ended().json("audit-1")
    let outcomes = try #require(summary["outcomes"] as? [String: Int])
    #expect(outcomes["refused"] == 1 && outcomes["audited"] == 1, "\(summary)")
    let fields = try #require(summary["fields"] as? [[String: Any]])
    #expect(fields.first { $0["field"] as? String == "user_id" }?["carries"] as? Int == 1)
    // The other container has the same content: its user still counts.
    #expect((summary["users"] as? [[String: Any]])?.map { $0["users"] as? Int } == [1], "\(summary)")
    try Tool.carryover(audit + ["--fail-on", "refused"]).ended(2, printing: "(recovery-needed)")
    let list = try Tool.carryover(["review", sample.folder.path] + SampleCopy.planning, lines: ["list", "q"])
    let name = FilePath.name(of: sample.path)
    list.ended(printing: "\(name): interrupted", "other.xcappdata: 8 ready")
  }

  @Test(arguments: ["apply", "rollback"])
  func `The report in JSON lists what was recovered first`(subcommand: String) throws {
    let json = try SampleCopy.interrupted().run(subcommand, "--yes", "--json").json()
    let runs = try #require(json["recovered"] as? [[String: Any]])
    #expect(runs.map { $0["ending"] as? String } == ["finished"])
  }

  @Test func `recover --keep closes a run with an unreadable journal, and keeps its backup if files differ`() throws {
    let sample = try SampleCopy.interrupted()
    let state = sample.path + "/.carryover"
    try Data("not ours".utf8).write(to: URL(fileURLWithPath: sample.target))
    try Data("torn".utf8).write(to: URL(fileURLWithPath: state + "/journal.json"))
    let runs = try FileManager.default.contentsOfDirectory(atPath: state + "/runs")
    try #require(runs.count == 1)
    #expect(try Tool.carryover("recover", sample.path).status == 5)
    try Tool.carryover("recover", sample.path, "--keep", "--yes").ended(printing: "is closed")
    #expect(try FileManager.default.contentsOfDirectory(atPath: state + "/runs") == runs)
    #expect(try sample.run("plan").status != 5)
  }

  @Test func `in an archive, where nothing can be recovered, reading says to extract the container first`() throws {
    let sample = try SampleCopy.interrupted()
    let archive = sample.path + ".tar"
    #expect(
      try Tool.run("/usr/bin/env", ["tar", "-cf", archive, "-C", sample.path + "/..", "Clean.xcappdata"]).status == 0)
    for subcommand in ["history", "inspect"] {
      let read = try Tool.carryover(subcommand, archive).ended(5, saying: "carryover extract")
      #expect(!read.output.contains("--adopt"))
    }
  }

  @Test func `An interrupted run that came along is adopted, finished and rolled back like the user's own`() throws {
    let sample = try SampleCopy.interrupted(byColleague: true)
    let before = try files(under: sample.folder.path)
    #expect(try Tool.carryover("recover", sample.path, "--adopt").status == 64)
    #expect(try files(under: sample.folder.path) == before)
    try Tool.carryover("recover", sample.path, "--adopt", "--yes").ended(
      printing: "was interrupted and is now finished")
    #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] != nil && temporaries(sample).isEmpty)
    #expect(try Tool.runs(of: sample.path).map { $0["standing"] as? String } == ["holds"])
    #expect(try Tool.carryover("rollback", sample.path, "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `A discarded run is moved aside whole, and the next apply starts anew`() throws {
    let sample = try SampleCopy.interrupted(byColleague: true)
    let state = sample.path + "/.carryover"
    let stores = try sample.files()
    let held = try Set(files(under: state).values.map(\.bytes))
    try Tool.carryover("recover", sample.path, "--discard", "--yes").ended()
    #expect(try sample.files() == stores)
    #expect(try Set(files(under: state + "/discarded/1").values.map(\.bytes)).isSuperset(of: held))
    #expect(!FileManager.default.fileExists(atPath: state + "/journal.json"))
    #expect(try sample.run("apply", "--yes").status == 0)
    #expect(try sample.targetAsPythonReadsIt()["anonymous_id"] != nil)
  }

  @Test func `One that would write a file that is no store is not adopted`() throws {
    let sample = try SampleCopy.interrupted(byColleague: true)
    for path in try FileManager.default.subpathsOfDirectory(atPath: sample.path + "/.carryover")
    where path.hasSuffix(".json") {
      let url = URL(fileURLWithPath: sample.path + "/.carryover/" + path)
      let text = try String(contentsOf: url, encoding: .utf8)
      try Data(text.replacing(sample.targetPath, with: "AppData/Documents/notes.txt").utf8).write(to: url)
    }
    let before = try files(under: sample.folder.path)
    try Tool.carryover("recover", sample.path, "--adopt", "--yes").ended(5, saying: "notes.txt")
    #expect(try files(under: sample.folder.path) == before)
  }

  @Test func `recover --keep closes a run whose record is gone`() throws {
    let sample = try SampleCopy.interrupted()
    let state = sample.path + "/.carryover"
    try FileManager.default.removeItem(atPath: state + "/runs")
    #expect(try Tool.carryover("recover", sample.path).status == 5)
    try Tool.carryover("recover", sample.path, "--keep", "--yes").ended(printing: "No run is interrupted")
    #expect(try Tool.carryover("recover", sample.path).status == 0)
  }

  @Test func `A file that somebody else made since is kept, named, and left to a person`() throws {
    let sample = try SampleCopy.interrupted()
    let theirs = Data("not ours".utf8)
    try theirs.write(to: URL(fileURLWithPath: sample.target))
    for arguments in [["recover", sample.path], ["rollback", sample.path, "--yes"]] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == 5, "\(arguments)")
      #expect(result.error.contains("analytics.1xAcmeWriteKey.plist") && result.error.contains("recover PATH --keep"))
    }
    #expect(try Tool.carryover("recover", "--keep", sample.path).status == 64)
    #expect(try Data(contentsOf: URL(fileURLWithPath: sample.target)) == theirs)
    try Tool.carryover("recover", "--keep", "--yes", sample.path).ended(printing: "is closed")
    #expect(try Data(contentsOf: URL(fileURLWithPath: sample.target)) == theirs)
    #expect(try Tool.carryover("recover", sample.path).output.contains("No run was interrupted"))
    #expect(try temporaries(sample).isEmpty)
  }
}

@Suite("Time and memory of the command") struct ResourceTests {
  private let folder = TemporaryFolder()

  /// Files that decompress to the beginning of another compressed file with a name of two gigabytes. Whoever opens one
  /// compression after the other, as long as there is one, reads all of that name.
  private static let stacked = """
    import bz2, gzip, lzma, struct, sys, zlib
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = bytes([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3])
    start = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(b"A" * (1 << 22)) + packer.flush(zlib.Z_FULL_FLUSH)
    inner = bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]) + start + piece * 512
    name = sys.argv[1]
    data = gzip.compress(inner, mtime=0)
    wrap = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}.get(name.rsplit(".", 1)[1])
    open(name, "wb").write(wrap(data) if name.count(".gz.") else data)
    """

  @Test(
    "A compressed file in a compressed file in a compressed file ends every command at once with one sentence",
    arguments: Extent.isFull ? ["a.gz", "a.gz.gz", "a.gz.bz2", "a.gz.xz"] : ["a.gz.bz2"])
  func stackedCompressions(name: String) throws {
    let file = folder.path(name)
    let made = try Tool.run("python3", ["-c", Self.stacked, file])
    try #require(made.status == 0, "\(made.error)")
    let commands = [
      ["inspect"], ["plan", "--write-key", "K"], ["apply", "--write-key", "K", "--yes"], ["list"], ["report"],
      ["rollback", "--yes"], ["history"], ["recover"], ["cleanup", "--yes"], ["browse", "--accessible"],
      ["review", "--accessible"], ["extract", "--output", folder.path("out")],
    ]
    // All of them open a container by the same code.
    for command in Extent.isFull ? commands : commands.filter({ ["inspect", "list", "extract"].contains($0[0]) }) {
      let arguments = command.prefix(1) + [file] + command.dropFirst()
      let result = try Tool.measured(Array(arguments))
      #expect(result.status == 1, "\(command): \(result.error)")
      #expect(result.error.split(separator: "\n").count == 1, "\(command): \(result.error)")
      #expect(result.error.contains("compressed more than once"), "\(command): \(result.error)")
      #expect(result.seconds < 1, "\(command): \(result.seconds) s")
      #expect(result.peak < 64 << 20, "\(command): \(result.peak >> 20) MiB")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  private static let keys = """
    import plistlib, sys
    values = {f"key{n:06d}": f"value {n}" for n in range(int(sys.argv[2]))}
    plistlib.dump(values, open(sys.argv[1], "wb"), fmt=plistlib.FMT_BINARY)
    """

  @Test(arguments: [(command: ["inspect"], bytes: 250), (["inspect", "--json"], 250), (["report"], 650)])
  func `What is printed of very many keys is not held: each takes few bytes`(command: [String], bytes: Int) throws {
    let file = folder.path("com.acme.shop.plist")
    var peaks: [Int] = []
    let more = Extent.isFull ? 100_000 : 50_000
    for count in [10_000, 10_000 + more] {
      let made = try Tool.run("python3", ["-c", Self.keys, file, "\(count)"])
      try #require(made.status == 0, "\(made.error)")
      let result = try Tool.measured([command[0], file] + command.dropFirst())
      #expect(result.status == 0, "\(result.error)")
      #expect(result.printed > (command[0] == "report" ? 100 : 20 * count))
      peaks.append(result.peak)
    }
    let each = (peaks[1] - peaks[0]) / more
    #expect(each < bytes, "\(each) bytes a key")
  }

  /// A container, and a recipe with a field for each of its keys, none of which the new SDK would have.
  private static let fields = """
    import os, plistlib, sys
    folder, count = sys.argv[1], int(sys.argv[2])
    os.makedirs(folder + "/app/Library/Preferences", exist_ok=True)
    keys = {f"acme_{n % 4}_{n:05d}": f"value {n}" for n in range(count)}
    name = folder + "/app/Library/Preferences/com.acme.shop"
    plistlib.dump(keys | {"acme_id": "u-1"}, open(name + ".plist", "wb"), fmt=plistlib.FMT_BINARY)
    others = {f"f{n % 4}_{n:05d}": "other" for n in range(0, count, 2)}
    plistlib.dump(others | {"id": "u-2"}, open(name + ".acme.plist", "wb"), fmt=plistlib.FMT_BINARY)
    rule = '''
      - key: f{0}_${{each}}
        for-each: acme_{0}_*
        form: string
        describes: id
        from: [{{key: "acme_{0}_${{each}}", steps: [text]}}]
    '''
    head = '''carryover: recipe/1
    id: acme-sdk
    version: 1
    title: Acme 1 to 2
    legacy-sdk: Acme's SDK
    sources-read: ["Acme's sources."]
    read: [{suite: "${bundle-id}"}]
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    opt-out-keys: []
    fields:
    '''
    last = "  - {key: id, group: identity, form: string, from: [{key: acme_id}], loss: logged-out}\\n"
    text = head + "".join(rule.format(n)[1:] for n in range(4)) + last
    open(folder + "/acme.recipe.yaml", "w").write(text)
    """

  @Test(arguments: [
    ["plan"], ["plan", "--json"], ["plan", "--on-conflict", "replace"], ["diagnose"], ["diagnose", "--json"],
    ["report"], ["report", "--html"], ["recipe", "explain", "--in"], ["audit"], ["apply", "--yes"],
  ])
  func `Every command takes time and memory in proportion to the fields`(command: [String]) throws {
    var results: [Tool.Measured] = []
    for count in Extent.isFull ? [1000, 4000] : [500, 2000] {
      let made = try Tool.run("python3", ["-c", Self.fields, folder.path, "\(count)"])
      try #require(made.status == 0, "\(made.error)")
      let (app, recipe) = (folder.path("app"), folder.path("acme.recipe.yaml"))
      let arguments =
        command[0] == "recipe"
        ? ["recipe", "explain", recipe, "--in", app]
        : [command[0], app, "--recipe", recipe] + (command[0] == "audit" ? [] : ["--bundle-id", "com.acme.shop"])
          + command.dropFirst()
      let result = try Tool.measured(arguments)
      #expect([0, 1, 2, 3].contains(result.status), "\(result)")
      #expect(!result.error.isEmpty || result.printed > 100)
      results.append(result)
    }
    #expect(results[1].seconds < 8 * results[0].seconds, "\(results)")
    #expect(results[1].peak < 8 * results[0].peak, "\(results)")
  }
}

@Suite("A live container from the command line") struct RunningStoreTests {
  private static let device = "11111111-2222-3333-4444-555555555555"

  private struct Live {
    let folder: TemporaryFolder
    let path: String

    init() throws {
      folder = TemporaryFolder()
      let applications = folder.path("CoreSimulator/Devices/\(device)/data/Containers/Data/Application")
      path = applications + "/99999999-8888-7777-6666-555555555555"
      try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: SampleCopy.original("Clean").path + "/AppData", toPath: path)
    }

    func run(_ subcommand: String, _ arguments: [String] = []) throws -> Tool.Result {
      let plans = ["plan", "apply", "cleanup"].contains(subcommand)
      return try Tool.carryover(
        subcommand.split(separator: " ").map(String.init) + [path] + (plans ? SampleCopy.planning : []) + arguments)
    }

    func tree() throws -> [String: FileState] { try FileState.files(under: folder.path) }

    func data() throws -> [String: FileState] { try FileState.files(under: path) }

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

  @Test func `plan, inspect, history and a dry cleanup work and write nothing; the plan names the finding`() throws {
    let live = try Live()
    let before = try live.tree()
    let plan = try live.run("plan", ["--json"]).ended()
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

  @Test func `apply, cleanup, rollback, recover and prune are refused in a sentence, and done with --live`() throws {
    let live = try Live()
    let original = try live.data()
    try live.expectRefused("apply", ["--yes"])
    try live.expectRefused("apply", ["--yes", "--allow-opted-out"])
    try live.expectRefused("apply")
    try live.run("apply", ["--yes", "--live"]).ended()
    #expect(try live.data() != original)
    let applied = try live.tree()
    #expect(try live.run("apply", ["--yes"]).status == 0, "nothing is left to write")
    #expect(try live.tree() == applied)

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

  @Test func `A saved plan is refused the same way, and needs --live itself, whatever it allowed`() throws {
    let live = try Live()
    let plan = live.folder.path("plan.json")
    #expect(try live.run("plan", ["-o", plan]).status == 0)
    let before = try live.tree()
    try Tool.carryover("apply", plan, "--yes").ended(2, saying: "--live")
    #expect(try live.tree() == before)
    try Tool.carryover("apply", plan, "--yes", "--live").ended()

    let other = try Live()
    let allowed = other.folder.path("plan.json")
    #expect(try other.run("plan", ["-o", allowed, "--live"]).status == 0)
    #expect(try Tool.carryover("apply", allowed, "--yes").status == 2)
    #expect(try Tool.carryover("apply", allowed, "--yes", "--live").status == 0)
  }

  @Test func `On a copy that is elsewhere, --live changes nothing`() throws {
    let (one, other) = (try SampleCopy("Clean"), try SampleCopy("Clean"))
    #expect(try one.run("apply", "--yes").status == 0)
    #expect(try other.run("apply", "--yes", "--live").status == 0)
    #expect(try one.files() == other.files())
    #expect(try other.run("rollback", "--yes").status == 0)
    #expect(try other.files() == other.originalFiles())
  }
}
