@Suite("History and rollback from the command line") struct HistoryTests {
  private func run(_ sample: SampleCopy, _ subcommand: String, _ arguments: String...) throws -> Tool.Result {
    try Tool.carryover(subcommand.split(separator: " ").map(String.init) + [sample.path] + arguments)
  }

  @Test func `what the app wrote since survives; a key both changed is named, status 3, until decided`() throws {
    let sample = try SampleCopy.applied()
    try Tool.edit(sample.target, "values.update({'app.key': ['new', 1], 'session_id': '9'})")
    let changed = try sample.files()
    let refused = try run(sample, "rollback", "--yes").ended(3)
    #expect(refused.output == "")
    for part in ["session_id", "\"9\"", "--on-conflict", "--skip session_id", "Nothing was written"] {
      #expect(refused.error.contains(part), "\(part): \(refused.error)")
    }
    #expect(!refused.error.contains("anonymous_id"))
    #expect(try sample.files() == changed)

    let kept = try run(sample, "rollback", "--skip", "session_id", "--yes", "--json").ended()
    #expect(try sample.targetAsPythonReadsIt() == ["app.key": "list\t['new', 1]", "session_id": "str\t'9'"])
    let fields = try #require(try kept.json()["fields"] as? [[String: Any]])
    #expect(fields.filter { $0["outcome"] as? String == "restored" }.count == 7)
    #expect(try run(sample, "rollback", "--on-conflict", "replace", "--yes").status == 0)
    #expect(try sample.targetAsPythonReadsIt() == ["app.key": "list\t['new', 1]"])
    #expect(try Tool.runs(of: sample.path).map { $0["standing"] as? String } == ["holds", "holds", "taken-back"])
  }

  @Test func `names that are no keys of the run, or that two options name, are refused`() throws {
    let sample = try SampleCopy.applied()
    let files = try sample.files()
    try run(sample, "rollback", "--only", "userid", "--yes").ended(64, saying: "userid", "user_id")
    #expect(try run(sample, "rollback", "--only", "user_id", "--skip", "user_id", "--yes").status == 64)
    let file = "com.acme.shop.analytics.1xAcmeWriteKey.plist"
    #expect(try run(sample, "rollback", "--only", "other.plist:user_id", "--yes").status == 64)
    #expect(try run(sample, "rollback", "--run", "20250101T000000Z-9", "--yes").status == 1)
    #expect(try sample.files() == files)
    #expect(try run(sample, "rollback", "--only", file + ":user_id", "--yes").status == 0)
    #expect(try sample.targetAsPythonReadsIt()["user_id"] == nil)
  }

  @Test func `the history is a table, a run is shown field by field, and neither writes`() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(try run(sample, "history").output.contains("no run"))
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
    #expect(try Tool.carryover(["apply"] + sample.options + SampleCopy.decided + ["--yes"]).status == 0)
    let id = try #require(try Tool.runs(of: sample.path).first?["id"] as? String)
    let state = try FileState.files(under: sample.folder.path)
    try run(sample, "history").ended(printing: id, "in effect")
    try run(sample, "history", "--run", id).prints("user_id", "\"42\"")
    #expect(try run(sample, "history", "--run", "nothing").status == 1)
    #expect(try FileState.files(under: sample.folder.path) == state)
    try Data("{".utf8).write(to: URL(fileURLWithPath: sample.path + "/.carryover/runs/\(id)/record.json"))
    try run(sample, "history").ended(printing: "record.json")
  }

  @Test func `pruning asks for one rule and for a yes, removes copies, and says so to a later rollback`() throws {
    let sample = try SampleCopy.applied()
    let id = try #require(try Tool.runs(of: sample.path).first?["id"] as? String)
    let copy = sample.path + "/.carryover/runs/\(id)/before"
    #expect(try run(sample, "history prune").status == 64)
    #expect(try run(sample, "history prune", "--keep", "0", "--older-than", "1").status == 64)
    #expect(try run(sample, "history prune", "--keep", "0").status == 64)
    #expect(try run(sample, "history prune", "--run", "nothing", "--yes").status == 1)
    #expect(try run(sample, "history prune", "--keep", "1", "--yes").output.contains("nothing to prune"))
    #expect(FileManager.default.fileExists(atPath: copy))
    try run(sample, "history prune", "--keep", "0", "--yes").ended(printing: id, "freed")
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try Tool.runs(of: sample.path).first?["backup"] is NSNull)
    try run(sample, "rollback", "--yes").ended(1, saying: "pruned")
  }
}

@Suite("Checking the runs of a container") struct HistoryCheckTests {
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy.applied() }

  private func check(_ status: Int32, _ codes: [String]) throws -> Tool.Result {
    let before = try FileState.files(under: sample.folder.path)
    let result = try Tool.carryover("history", sample.path, "--check", "--json")
    #expect(try FileState.files(under: sample.folder.path) == before)
    #expect(result.status == status, "\(result.output) \(result.error)")
    #expect(result.error.isEmpty == (status == 0))
    let document = try result.json("check-1")
    #expect((document["problems"] as? [[String: Any]])?.map { $0["code"] as? String } == codes)
    return result
  }

  private var run: String {
    get throws {
      let runs = try FileManager.default.contentsOfDirectory(atPath: sample.path + "/.carryover/runs")
      return try #require(runs.first)
    }
  }

  private var record: String { get throws { try sample.path + "/.carryover/runs/\(run)/record.json" } }

  private func edit(_ code: String) throws { try Tool.edit(sample.target, code) }

  @Test func `A run, its rollback and the rollback of that are in effect as recorded, as are no runs`() throws {
    _ = try check(0, [])
    #expect(try Tool.carryover("rollback", sample.path, "--only", "user_id", "--yes").status == 0)
    _ = try check(0, [])
    #expect(try Tool.carryover("rollback", sample.path, "--yes").status == 0)
    #expect(try check(0, []).json()["runs"] as? Int == 3)
    let text = try Tool.carryover("history", sample.path, "--check")
    #expect(text.output.hasSuffix("3 runs, 4 copies checked: everything is in effect as recorded.\n"), "\(text.output)")
    let untouched = try SampleCopy("Clean")
    #expect(try Tool.carryover("history", untouched.path, "--check").status == 0)
  }

  @Test func `A key that changed since, or is gone with its file, is named; what the app wrote is not`() throws {
    try edit("values['app.key'] = 1")
    _ = try check(0, [])
    try edit("values['session_id'] = '9'")
    let changed = try check(3, ["changed"])
    let problem = (try changed.json()["problems"] as? [[String: Any]])?.first
    #expect(problem?["key"] as? String == "session_id")
    try Data("no property list".utf8).write(to: URL(fileURLWithPath: sample.target))
    _ = try check(3, ["changed"])
    try FileManager.default.removeItem(atPath: sample.target)
    _ = try check(3, Array(repeating: "changed", count: 8))
  }

  @Test func `A copy that is gone or holds other bytes is damage, and so is a record that cannot be read`() throws {
    let after = try sample.path + "/.carryover/runs/\(run)/after"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: after).first)
    let copy = URL(fileURLWithPath: after + "/" + name)
    let bytes = try Data(contentsOf: copy)
    try (bytes + [0]).write(to: copy)
    _ = try check(1, ["damaged"])
    try FileManager.default.removeItem(at: copy)
    _ = try check(1, ["damaged"])
    try bytes.write(to: copy)
    _ = try check(0, [])
    try Data("{".utf8).write(to: URL(fileURLWithPath: record))
    _ = try check(1, ["damaged"])
  }

  @Test func `A record that somebody changed is not this user's any more, with status 5`() throws {
    let path = try record
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(of: "\"42\"", with: "\"43\"").write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try check(5, ["came-along"]).output.contains("--adopt"))
  }

  @Test func `Copies that were pruned are no damage, and what the run wrote is still compared`() throws {
    #expect(try Tool.carryover("history", "prune", sample.path, "--keep", "0", "--yes").status == 0)
    _ = try check(0, [])
    try edit("values['session_id'] = '9'")
    _ = try check(3, ["changed"])
  }

  @Test(.needsTools) func `An interrupted run ends it with 5, whatever else is wrong`() throws {
    let sample = try SampleCopy.interrupted()
    let result = try Tool.carryover("history", sample.path, "--check", "--json").ended(5)
    #expect((try result.json()["problems"] as? [[String: Any]])?.first?["code"] as? String == "interrupted")
  }

  @Test func `--check with --run is refused`() throws {
    #expect(try Tool.carryover("history", sample.path, "--check", "--run", run).status == 64)
  }
}

@Suite("Showing a rollback without making it") struct RollbackPreviewTests {
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy.applied() }

  /// What is printed; everything in the folder, the state folder too, is as it was.
  private func preview(_ options: String...) throws -> Tool.Result {
    let before = try FileState.files(under: sample.folder.path)
    let result = try Tool.carryover(["rollback", sample.path, "--dry-run"] + options)
    #expect(try FileState.files(under: sample.folder.path) == before)
    return result
  }

  private func edit(_ code: String) throws { try Tool.edit(sample.target, code) }

  private func fates(_ result: Tool.Result) throws -> [String: String] {
    let fields = try #require(try result.json("rollback-1")["fields"] as? [[String: Any]])
    return Dictionary(uniqueKeysWithValues: fields.map { ($0["id"] as? String ?? "", $0["fate"] as? String ?? "") })
  }

  private func fileFate(_ result: Tool.Result) throws -> String? {
    (try result.json()["files"] as? [[String: Any]])?.first?["fate"] as? String
  }

  @Test func `A file that the run made would be removed, with every key; the rollback then does just that`() throws {
    let result = try preview("--json").ended()
    #expect(try Set(fates(result).values) == ["restored"])
    #expect(try fileFate(result) == "removed")
    #expect(try result.json()["refused"] is NSNull)
    try preview().prints("removed: the run created it", "8 to roll back")
    #expect(try Tool.carryover("rollback", sample.path, "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `A key that changed since is a conflict: the output says so, and the status is the rollback's`() throws {
    try edit("values['session_id'] = '9'")
    let refused = try preview("--json").ended(3, saying: #"session_id is \"9\" now"#)
    #expect(try fates(refused)["session_id"] == "conflict")
    #expect(try fileFate(refused) == "unchanged")
    let refusal = try #require(try refused.json()["refused"] as? [String: Any])
    #expect(refusal["status"] as? Int == 3)
    let kept = try preview("--skip", "session_id", "--json").ended()
    #expect(try fates(kept)["session_id"] == "kept")
    #expect(try fates(kept)["user_id"] == "restored")
    #expect(try fileFate(kept) == "edited")
  }

  @Test func `A target with a second hard link would be refused, as the rollback refuses it`() throws {
    try FileManager.default.linkItem(atPath: sample.target, toPath: sample.folder.path("other.plist"))
    let shown = try preview()
    let made = try Tool.carryover("rollback", sample.path, "--yes")
    #expect(shown.status == 1 && made.status == 1)
    #expect(shown.error == made.error)
  }

  @Test func `--redact masks the values`() throws {
    try edit("values['user_id'] = 'someone@example.com'")
    for options in [["--redact"], ["--redact", "--json"]] {
      let result = try Tool.carryover(["rollback", sample.path, "--dry-run", "--on-conflict", "replace"] + options)
        .ended()
      #expect(!result.output.contains("someone@example.com"), "\(result.output)")
    }
  }
}
