@testable import CarryoverCommand

@Suite("A batch") struct BatchTests {
  private static let code = "identity.user-id-not-string"

  private func rollback(_ batch: String, _ paths: String...) throws -> Tool.Result {
    try Tool.carryover(["rollback"] + paths + ["--batch", batch, "--yes", "--json"])
  }

  @Test func `applies each container by itself, counts all of them, and ends with the worst status`() throws {
    let folder = try ContainerFolder([
      "clean": "Clean", "conflict": "AcmeShop", "empty": "NothingToMigrate", "open": "AcmeShop",
    ])
    try folder.folder.place("broken.xcappdata/Info.plist", Data())
    let target =
      folder.container("conflict") + "/AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"
    try Tool.edit(target, "values = {'user_id': 'u-2002'}")
    let before = try folder.files("conflict")

    let result = try folder.apply(nil, "--accept", Self.code, "--skip", "rudder.app_build", "--yes", "--json")
    let (document, outcomes) = try ContainerFolder.outcomes(result)
    #expect(
      outcomes == [
        "broken": "error", "clean": "written", "conflict": "conflict", "empty": "unchanged", "open": "written",
      ])
    #expect(result.status == 1 && document["exitStatus"] as? Int == 1)
    #expect(result.error.contains("2 of 5 containers were not applied"), "\(result.error)")
    #expect(try folder.files("conflict") == before)
    #expect(try folder.files("empty") == ContainerFolder.files(of: "NothingToMigrate"))

    let batch = try #require(document["batch"] as? String)
    for name in ["clean", "open"] {
      #expect(try Tool.runs(of: folder.container(name)).map { $0["batch"] as? String } == [batch])
    }
    #expect(try Tool.carryover("history", folder.container("clean")).output.contains(batch))

    let again = try ContainerFolder.outcomes(
      folder.apply(nil, "--accept", Self.code, "--skip", "rudder.app_build", "--yes", "--json"))
    #expect(again.outcomes["clean"] == "unchanged" && again.document["batch"] is NSNull)
  }

  @Test func `what a finding blocks counts as blocked, and a warning names its container`() throws {
    let folder = try ContainerFolder(["clean": "Clean", "optedOut": "OptedOut"])
    try folder.folder.place(
      "clean.xcappdata/AppData/Library/Preferences/com.acme.shop.analytics.2xOther.plist",
      try PropertyListSerialization.data(fromPropertyList: ["anonymous_id": "x"], format: .binary, options: 0))
    let result = try folder.apply(nil, "--yes").ended(2, printing: "2 containers: 1 applied, 1 blocked.")
    #expect(result.error.contains("carryover: clean.xcappdata: target.other-write-key"), "\(result.error)")
    let again = try ContainerFolder.outcomes(folder.apply(nil, "--yes", "--json"))
    #expect(again.outcomes == ["clean": "unchanged", "optedOut": "blocked"])
  }

  @Test func `the write key of a batch is not used for Segment, whose key is given with its recipe`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "NothingToMigrate"])
    try folder.folder.place(
      "b.xcappdata/AppData/Library/Application Support/segmentio.userId", Data(#"{"segmentio.userId":"u-1001"}"#.utf8))
    let preferences = folder.container("b") + "/AppData/Library/Preferences"
    let before = try FileManager.default.contentsOfDirectory(atPath: preferences)
    for all in [[], ["--recipe", "all"]] {
      let result = try Tool.carryover(["apply", folder.path, "--yes", "--json"] + SampleCopy.planning + all)
      let (document, outcomes) = try ContainerFolder.outcomes(result)
      #expect(outcomes == ["a": all.isEmpty ? "written" : "unchanged", "b": "usage"])
      let messages = (document["containers"] as? [[String: Any]])?.compactMap { $0["message"] as? String }
      #expect(messages?.contains { $0.contains("-P segment-objc/write-key=KEY") } == true, "\(messages ?? [])")
      #expect(try FileManager.default.contentsOfDirectory(atPath: preferences) == before)
    }
    let given = try folder.apply(nil, "-P", "segment-objc/write-key=1xSegment", "--yes", "--json").ended()
    #expect(try ContainerFolder.outcomes(given).outcomes == ["a": "unchanged", "b": "written"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: preferences).contains("com.segment.storage.1xSegment.plist"))
  }

  @Test func `is rolled back with its id, again each by itself, and the rollback can be rolled back too`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean", "c": "Clean", "d": "NothingToMigrate"])
    #expect(try folder.apply([folder.container("c")], "--yes").status == 0)
    let applied = try folder.apply(nil, "--yes", "--json").ended()
    let batch = try #require(try ContainerFolder.outcomes(applied).document["batch"] as? String)
    let after = try folder.files("a")
    // What the app writes since is a conflict of this container alone.
    let target = folder.container("b") + "/AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"
    try Tool.edit(target, "values = {'session_id': '9'}")
    let changed = try folder.files("b")

    let result = try rollback(batch, folder.path)
    let (document, outcomes) = try ContainerFolder.outcomes(result)
    #expect(outcomes == ["a": "written", "b": "conflict", "c": "not-in-batch", "d": "not-in-batch"])
    #expect(result.status == 3)
    #expect(try folder.files("a") == ContainerFolder.files(of: "Clean"))
    #expect(try folder.files("b") == changed)
    #expect(try ContainerFolder.outcomes(rollback(batch, folder.container("a"))).outcomes == ["a": "unchanged"])

    let second = try #require(document["batch"] as? String)
    #expect(second != batch)
    #expect(try ContainerFolder.outcomes(rollback(second, folder.path)).outcomes["a"] == "written")
    #expect(try folder.files("a") == after)
    try rollback("b20251120T120500Z-000000", folder.path).ended(1, saying: "No container here has a run of this batch")
  }

  @Test func `says in text what was not applied, why and what to do, and how to roll the rest back`() throws {
    let folder = try ContainerFolder(["clean": "Clean", "open": "AcmeShop"])
    let result = try folder.apply(nil, "--yes").ended(2)
    for part in [
      "? open.xcappdata", "--accept user_id", "2 containers: 1 applied, 1 undecided.", "Fields: ",
      "carryover rollback \(folder.path) --batch b",
    ] {
      #expect(result.output.contains(part), "\(part): \(result.output)")
    }
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "2 containers: 1 applied, 1 undecided.", "totals first: \(result.output)")
    #expect(lines.contains { $0.hasPrefix("✓ clean.xcappdata: ") || $0.hasPrefix("v clean.xcappdata: ") })
  }

  @Test func `what did not change is only counted`() throws {
    let folder = try ContainerFolder(["clean": "Clean", "empty": "NothingToMigrate", "none": "NothingToMigrate"])
    let result = try folder.apply(nil, "--yes").ended(printing: "3 containers: 1 applied, 2 unchanged.")
    #expect(result.output.contains("clean.xcappdata") && !result.output.contains("empty.xcappdata"))
    let batch = try #require(result.output.firstMatch(of: /--batch (b\S+)/))
    let back = try Tool.carryover("rollback", folder.path, "--batch", String(batch.1), "--yes").ended()
    #expect(back.output.hasPrefix("3 containers: 1 rolled back, 2 not in the batch."), "\(back.output)")
    #expect(!back.output.contains("No run of this container") && !back.output.contains("none.xcappdata"))
  }

  @Test func `the history of a folder lists its batches, and so does a rollback that names none`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean", "c": "Clean", "empty": "NothingToMigrate"])
    #expect(try Tool.carryover("history", folder.path).ended().output.contains("4 containers: no batches yet."))
    #expect(try folder.apply([folder.container("c")], "--yes").status == 0)
    let applied = try ContainerFolder.outcomes(folder.apply(nil, "--yes", "--json"))
    let batch = try #require(applied.document["batch"] as? String)
    #expect(try rollback(batch, folder.container("a")).status == 0)
    let document = try Tool.carryover("history", folder.path, "--json").ended().json("batches-1")
    #expect(document["containers"] as? Int == 4 && document["otherRuns"] as? Int == 1)
    let batches = try #require(document["batches"] as? [[String: Any]])
    #expect(batches.map { $0["kind"] as? String } == ["rollback", "apply"])
    #expect(batches.last?["id"] as? String == batch && batches.last?["containers"] as? Int == 2)
    let standings = try #require(batches.last?["standings"] as? [String: Int])
    #expect(standings["holds"] == 1 && standings["taken-back"] == 1)
    let before = try FileState.files(under: folder.path)
    let history = try Tool.carryover("history", folder.path).ended()
    let refused = try Tool.carryover("rollback", folder.path, "--yes").ended(64, saying: "--batch")
    for output in [history.output, refused.output] {
      #expect(output.contains(batch) && output.contains("in effect in 1, rolled back in 1"), "\(output)")
      #expect(output.contains("carryover rollback \(folder.path) --batch b"), "\(output)")
    }
    #expect(!history.output.contains("another one"))
    #expect(try FileState.files(under: folder.path) == before)
  }

  @Test(arguments: ["target.fresh-identity", "dropped.unknown-key", "identity.user-id-no-string"])
  func `a code that --accept takes in no container is refused once, before the batch`(code: String) throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "AcmeShop"])
    let before = try FileState.files(under: folder.path)
    let result = try folder.apply(nil, "--accept", code, "--yes").ended(64, saying: "--accept")
    #expect(result.output.isEmpty && !result.error.contains("2 containers"), "\(result.output)\(result.error)")
    #expect(try FileState.files(under: folder.path) == before)
  }

  @Test func `--keep and --replace leave out containers whose target has no value`() throws {
    let folder = try ContainerFolder(["clean": "Clean", "other": "Clean"])
    let target =
      folder.container("other") + "/AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"
    try Tool.edit(target, "values = {'session_id': '9'}")
    let kept = try ContainerFolder.outcomes(folder.apply(nil, "--keep", "session_id", "--yes", "--json").ended())
    #expect(kept.outcomes == ["clean": "written", "other": "written"])
  }

  @Test(arguments: [
    ["--keep", "user_id"], ["--skip", "session_id"], ["--set", "user_id=u-1"], ["--accept", "user_id"],
    ["--replace", "anonymous_id"],
  ])
  func `containers without a field ignore a decision about it`(decision: [String]) throws {
    let folder = try ContainerFolder(["clean": "Clean", "other": "Snowplow"])
    let result = try Tool.carryover(["apply", folder.path, "--yes", "--json"] + SampleCopy.planning + decision).ended()
    #expect(try ContainerFolder.outcomes(result).outcomes == ["clean": "written", "other": "written"])
  }

  @Test func `--only writes nothing to containers without such a field`() throws {
    let folder = try ContainerFolder(["clean": "Clean", "other": "Snowplow"])
    let result = try folder.apply(nil, "--only", "user_id", "--yes", "--json").ended()
    #expect(try ContainerFolder.outcomes(result).outcomes == ["clean": "written", "other": "unchanged"])
  }

  @Test(arguments: [
    (
      ["--keep", "usr_id"],
      "--keep names “usr_id”, which is not a field of any recipe in this batch. Did you mean user_id?"
    ),
    (["--set", "sesion_id=1"], "Did you mean session_id?"), (["--accept", "user_id=1"], "use --set user_id=1"),
    (
      ["--recipe", "rudderstack-objc", "--skip", "SPInstallationUserId"],
      "which is not a field of any recipe in this batch"
    ),
  ])
  func `a field that no recipe has is refused once, before the batch`(options: [String], words: String) throws {
    let folder = try ContainerFolder(["clean": "Clean", "other": "Snowplow"])
    let before = try FileState.files(under: folder.path)
    try Tool.carryover(["apply", folder.path, "--yes"] + SampleCopy.planning + options).ended(64, saying: words)
    #expect(try FileState.files(under: folder.path) == before)
  }

  @Test func `the name of a field that several recipes have is refused, not ignored`() throws {
    let folder = try ContainerFolder(["clean": "Clean", "other": "Clean"])
    try Tool.edit(
      folder.container("other") + "/AppData/Library/Preferences/Mixpanel.plist",
      "values = {'mixpanel-ff01MPDistinctID': 'u-1', 'mixpanel-ff01MPUserId': 'u-1', 'mixpanel-ff01-MPDistinctID': 'd-2'}"
    )
    let result = try folder.apply(nil, "--recipe", "all", "--skip", "user_id", "--yes", "--json")
    #expect(try ContainerFolder.outcomes(result).outcomes == ["clean": "written", "other": "usage"])
  }

  @Test func `a field with another token is refused, unless an option names the container's own field too`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean"])
    for (name, token) in [("a", "ff01"), ("b", "ff02")] {
      try Tool.edit(
        folder.container(name) + "/AppData/Library/Preferences/Mixpanel.plist",
        "values = {'mixpanel-\(token)MPDistinctID': 'u-1', 'mixpanel-\(token)MPUserId': 'u-1'}")
    }
    func outcomes(_ options: String...) throws -> [String: String] {
      let words = ["apply", folder.path, "--recipe", "mixpanel-objc", "--yes", "--json"]
      return try ContainerFolder.outcomes(Tool.carryover(words + options)).outcomes
    }
    for option in ["--skip", "--accept"] {
      #expect(try outcomes(option, "mixpanel-ff03-MPUserId") == ["a": "usage", "b": "usage"])
    }
    let both = try outcomes("--skip", "mixpanel-ff01-MPUserId", "--skip", "mixpanel-objc/mixpanel-ff02-MPUserId")
    #expect(both == ["a": "written", "b": "written"])
  }

  @Test func `an SDK that the batch is not about and that loses something is named, with the option`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean"])
    let mixpanel = "Mixpanel.plist"
    try Tool.edit(
      folder.container("a") + "/AppData/Library/Preferences/" + mixpanel,
      "values = {'mixpanel-ff01MPDistinctID': 'u-1', 'mixpanel-ff01MPUserId': 'u-1', 'mixpanel-ff01-MPDistinctID': 'd-2'}"
    )
    for outcome in ["2 applied", "2 unchanged"] {
      let text = try folder.apply(nil, "--yes").ended().output.split { " \n".contains($0) }.joined(separator: " ")
      #expect(text.contains("2 containers: \(outcome)."), "\(text)")
      #expect(
        text.contains("Mixpanel Obj-C → Swift 3+ still loses values in 1 container: --recipe mixpanel-objc"), "\(text)")
    }
  }

  @Test func `without a terminal and without --yes nothing is written`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean"])
    try folder.apply().ended(64, saying: "--yes")
    let applied = try ContainerFolder.outcomes(folder.apply(nil, "--yes", "--json"))
    let batch = try #require(applied.document["batch"] as? String)
    let after = try FileState.files(under: folder.path)
    try Tool.carryover("rollback", folder.path, "--batch", batch).ended(64, saying: "--yes")
    #expect(try FileState.files(under: folder.path) == after)
  }

  @Test func `options about one container are refused, and nothing is written`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean"])
    let (a, b) = (folder.container("a"), folder.container("b"))
    let plan = folder.path + "/plan.json"
    try Tool.carryover(["plan", a, "-o", plan] + SampleCopy.planning).ended()
    let before = try FileState.files(under: folder.path)
    for (result, words) in [
      (try folder.apply([a, b], "--rehearse"), "--rehearse takes one container"),
      (try folder.apply([a, b], "--app", "com.acme.shop", "--yes"), "--app chooses a single container"),
      (try Tool.carryover("apply", b, plan, "--yes"), "one at a time"),
      (try Tool.carryover("rollback", a, b, "--yes"), "--batch"),
      (try Tool.carryover("rollback", a, "--batch", "b20251120T120500Z-000000", "--run", "x"), "--run"),
      (try Tool.carryover("rollback", a, "--batch", "20251120T120500Z-1", "--yes"), "--batch"),
    ] {
      #expect(result.status == 64 && result.error.contains(words), "\(words): \(result.error)")
    }
    try folder.apply([a, folder.path + "/none"], "--yes").ended(1, saying: "none")
    #expect(try FileState.files(under: folder.path) == before)
  }

  @Test func `a recipe file that is not trusted decides nothing in any container`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean"])
    let recipe = try AcmeRecipe()
    let before = try FileState.files(under: folder.path)
    let result = try Tool.carryover(
      ["apply", folder.path, "--recipe", recipe.file] + AcmeRecipe.options + ["--yes", "--json"]
    ).ended(2)
    #expect(try ContainerFolder.outcomes(result).outcomes == ["a": "blocked", "b": "blocked"])
    #expect(try FileState.files(under: folder.path) == before)
  }

  @Test(arguments: Forms.wrapped)
  func `every container of an archive or a backup is counted, and none is written to`(form: String) throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let folder = try ContainerFolder(["a": "Clean"])
    let result = try folder.apply([folder.container("a"), forms.path(form)], "--yes", "--json").ended(1)
    let counts = try #require(try ContainerFolder.outcomes(result).document["counts"] as? [String: Int])
    #expect(counts["written"] == 1 && counts["read-only"] == 1 && counts["error"] == 0, "\(counts)")
    #expect(result.output.contains("carryover extract"), "\(result.output)")
  }

  @Test func `the runs of a container that was copied are not rolled back: it ends with 5`() throws {
    let folder = try ContainerFolder(["a": "Clean"])
    let copies = try ContainerFolder([:])
    let applied = try folder.apply([folder.path, copies.path], "--yes", "--json")
    let batch = try #require(try ContainerFolder.outcomes(applied).document["batch"] as? String)
    try FileManager.default.copyItem(atPath: folder.container("a"), toPath: copies.container("b"))
    let result = try rollback(batch, folder.path, copies.path).ended(5)
    #expect(try ContainerFolder.outcomes(result).outcomes == ["a": "written", "b": "recovery-needed"])
  }

  @Test(.needsTools)
  func `killed half-way, the rest is untouched, one is recovered, and the same command goes on`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean", "c": "Clean"])
    let measured = try SampleCopy("Clean")
    let calls = try #require(try measured.run("apply", "--yes", "--json").json()["synchronizations"] as? Int)
    // The twelfth call of a run is in the middle of it.
    let killed = try Tool.carryover(
      ["apply", folder.path] + SampleCopy.planning + ["--yes"], "signal=KILL:when=\(calls + 12)")
    #expect(killed.status == 128 + 9)
    #expect(killed.error.contains("Batch b"), "\(killed.error)")
    #expect(try folder.files("a") == measured.files())
    #expect(try folder.files("c") == ContainerFolder.files(of: "Clean"))
    #expect(!FileManager.default.fileExists(atPath: folder.container("c") + "/.carryover"))
    #expect(try Tool.carryover("history", folder.container("b")).status == 5)
    let ending = try #require(
      try Tool.carryover("recover", folder.container("b"), "--json").json()["recovered"] as? [[String: Any]])
    #expect(ending.map { $0["ending"] as? String } == ["finished"])
    let batch = try #require(try Tool.runs(of: folder.container("a")).first?["batch"] as? String)
    #expect(try Tool.runs(of: folder.container("b")).map { $0["batch"] as? String } == [batch])
    let again = try folder.apply(nil, "--yes", "--json").ended()
    #expect(try ContainerFolder.outcomes(again).outcomes == ["a": "unchanged", "b": "unchanged", "c": "written"])
  }

  @Test(.needsTools)
  func `a signal ends it after the container that is being written, and the others are counted`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean", "c": "Clean"])
    let result = try Tool.carryover(
      ["apply", folder.path] + SampleCopy.planning + ["--yes", "--json"], "signal=TERM:when=8")
    #expect(result.status == 128 + 15)
    #expect(try ContainerFolder.outcomes(result).outcomes == ["a": "written", "b": "not-reached", "c": "not-reached"])
    #expect(result.error.contains("2 of 3 containers were not applied"), "\(result.error)")
    #expect(try folder.files("b") == ContainerFolder.files(of: "Clean"))
  }

  @Test func `with --redact, no value of a person is in it`() throws {
    let folder = try ContainerFolder(["a": "Clean", "open": "AcmeShop"])
    let result = try folder.apply(nil, "--yes", "--json", "--redact").ended(2)
    #expect(try ContainerFolder.outcomes(result).document["redacted"] as? Bool == true)
    #expect(!(result.output + result.error).contains(SampleCopy.writeKey), "\(result.output)")
  }

  @Test func `a terminal is asked once, after what would be written; only yes writes`() throws {
    let folder = try ContainerFolder(["a": "Clean", "b": "Clean", "open": "AcmeShop"])
    let before = try FileState.files(under: folder.path)
    let apply = ["apply", folder.path] + SampleCopy.planning
    try Tool.onTerminal(apply, [("Write 2 containers? [y/N]", "", "\n")]).ended(1, printing: "Nothing was written.")
    #expect(try FileState.files(under: folder.path) == before)
    let yes = try Tool.onTerminal(apply, [("Write 2 containers? [y/N]", "", "y\n")])
    #expect(yes.status == 2 && yes.output.contains("3 containers: 2 to write, 1 undecided."), "\(yes.output)")
    #expect(yes.output.contains("3 containers: 2 applied, 1 undecided."))
    #expect(try folder.files("open") == ContainerFolder.files(of: "AcmeShop"))
    #expect(try folder.files("a") != ContainerFolder.files(of: "Clean"))
  }
}

@Suite("Several containers in the command") struct SeveralContainersTests {
  private let folder: ContainerFolder

  init() throws {
    folder = try ContainerFolder([
      "AcmeShop": "AcmeShop", "Clean": "Clean", "NothingToMigrate": "NothingToMigrate", "Broken": "Clean",
    ])
    try folder.folder.place("Broken.xcappdata/AppData/Library/Preferences/com.acme.shop.plist", Data("bplist00".utf8))
  }

  private func review(_ lines: String...) throws -> Tool.Result {
    try Tool.carryover(["review", folder.path] + SampleCopy.planning, lines: lines)
  }

  @Test func `by lines, every container is listed with its state; filter and findings choose among them`() throws {
    let before = try FileState.files(under: folder.path)
    let result = try review("filter identity.user-id-not-string", "esc", "findings", "quit").ended()
    for words in [
      "AcmeShop.xcappdata: 1 error, 1 undecided, 6 ready, 1 not migrated", "Clean.xcappdata: 8 ready",
      "NothingToMigrate.xcappdata: nothing to migrate", "1 of 1. com.acme.shop, xcappdata, AcmeShop.xcappdata",
      "At finding 1 of ",
    ] {
      #expect(result.output.contains(words), "\(words): \(result.output)")
    }
    #expect(!result.output.contains("not read yet"))
    #expect(try FileState.files(under: folder.path) == before)
  }

  @Test func `a decision by finding holds in the next container, is written after yes, and listed`() throws {
    let result = try review(
      "findings", "accept", "esc", "filter AcmeShop", "enter", "apply", "yes", "esc", "quit", "list"
    ).ended()
    for words in ["1 field decided by finding", "+ user_id             string   \"42\"", "Applied  run "] {
      #expect(result.output.contains(words), "\(words): \(result.output)")
    }
    let end = try #require(result.output.range(of: "Applied  run "))
    #expect(
      result.output[end.upperBound...].contains("AcmeShop.xcappdata: applied, 1 not migrated"), "\(result.output)")
  }
}

@Suite("A batch from the list of containers") struct ListedBatchTests {
  private func review(_ folder: ContainerFolder, _ lines: String..., key: String? = nil) throws -> Tool.Result {
    try Tool.run(
      Tool.carryover.path,
      ["review", folder.path, "--accessible", "--now", SampleCopy.now] + (key.map { ["--write-key", $0] } ?? []),
      input: lines.joined(separator: "\n") + "\n")
  }

  private func pack(_ names: [String], of folder: ContainerFolder, as archive: String) throws {
    let script = """
      import os, sys, zipfile
      folder, archive, *names = sys.argv[1:]
      with zipfile.ZipFile(os.path.join(folder, archive), "w") as packed:
          for name in names:
              for place, _, files in os.walk(os.path.join(folder, name)):
                  for file in files:
                      path = os.path.join(place, file)
                      packed.write(path, os.path.relpath(path, folder))
      """
    try Tool.run("python3", ["-c", script, folder.path, archive] + names).ended()
  }

  @Test func `previews and applies what is ready with the list's write key, and says why it leaves out the rest`()
    throws
  {
    let folder = try ContainerFolder(["clean": "Clean", "empty": "NothingToMigrate", "open": "AcmeShop"])
    try folder.folder.place("zip\u{1B}[2J.zip", Data("PK\u{3}\u{4} and then nothing".utf8))
    let before = try ["empty", "open"].map { try folder.files($0) }
    let result = try review(folder, "W 2xListed", "a", "yes", "esc", "q").ended()
    for words in [
      "4 containers: 1 to write, 1 unchanged, 1 undecided, 1 failed.", "in 1 container, each separately",
      "Undecided: user_id", "Not opened: cannot be read",
      "4 containers: 1 applied, 1 unchanged, 1 undecided, 1 failed.",
    ] {
      #expect(result.output.contains(words), "\(words): \(result.output)")
    }
    #expect(!result.output.contains("\u{1B}") && !result.error.contains("\u{1B}"))
    let written = folder.container("clean") + "/AppData/Library/Preferences/com.acme.shop.analytics.2xListed.plist"
    #expect(FileManager.default.fileExists(atPath: written))
    #expect(try ["empty", "open"].map { try folder.files($0) } == before)
    let command = try #require(result.output.firstMatch(of: /carryover rollback \S+ --batch (b\S+)/))
    // The damaged archive cannot be asked.
    try Tool.carryover("rollback", folder.path, "--batch", String(command.1), "--yes").ended(1)
    #expect(try folder.files("clean") == ContainerFolder.files(of: "Clean"))
  }

  @Test func `the user can stop the preview and the writing between two containers`() {
    var redacting = RedactionArguments()
    redacting.redact = false
    var opened = 0
    let batch = ContainerBatch(
      kind: .apply, inputs: ["a", "b", "c"].map { BatchInput(container: ContainerArguments(), shown: $0) },
      rollback: ShellCommand("carryover", "rollback"), redacting: redacting, yes: false,
      json: false, paper: Paper()
    ) { _, _, _ in
      opened += 1
      return .nothing([])
    }
    #expect(batch.planned { opened == 2 }.flatMap(\.self).map(\.path) == ["a", "b"])
    opened = 0
    let outcomes = batch.write(nil) { opened == 1 }.outcomes
    #expect(outcomes.map(\.kind) == [.unchanged, .notReached, .notReached])
  }

  @Test func `writes nothing without yes, and none of what the filter hides`() throws {
    let folder = try ContainerFolder(["anna": "Clean", "ben": "Clean"])
    let before = try FileState.files(under: folder.path)
    let left = try review(folder, "a", "esc", "q", key: SampleCopy.writeKey).ended()
    #expect(left.output.contains("2 containers: 2 to write."), "\(left.output)")
    #expect(try FileState.files(under: folder.path) == before)
    try review(folder, "filter ben", "a", "yes", "esc", "q", key: SampleCopy.writeKey)
      .ended(printing: "1 container: 1 applied.")
    #expect(try folder.files("anna") == ContainerFolder.files(of: "Clean"))
    #expect(try folder.files("ben") != ContainerFolder.files(of: "Clean"))
  }

  @Test func `R rolls back the last run of all that are listed after yes, and H lists the runs of one`() throws {
    let folder = try ContainerFolder(["anna": "Clean", "ben": "Clean", "empty": "NothingToMigrate"])
    try pack(["anna.xcappdata"], of: folder, as: "case.zip")
    let key = SampleCopy.writeKey
    let result = try review(
      folder, "filter xcappdata", "a", "yes", "esc", "R", "yes", "esc", "1", "H", "esc", "q", key: key
    )
    .ended()
    for words in [
      "3 containers: 2 to roll back, 1 unchanged.", "Nothing is written yet.",
      "3 containers: 2 rolled back, 1 unchanged.", "rollback of ",
    ] {
      #expect(result.output.contains(words), "\(words): \(result.output)")
    }
    for name in ["anna", "ben"] {
      #expect(try folder.files(name) == ContainerFolder.files(of: "Clean"))
    }
    let all = try review(folder, "a", "yes", "esc", "R", "esc", "q", key: key).ended()
    #expect(all.output.contains("3 containers: 2 to roll back, 1 unchanged."), "no archive: \(all.output)")
    #expect(try folder.files("anna") != ContainerFolder.files(of: "Clean"), "esc writes nothing")
  }

  @Test func `R rolls back no older run where the record of the newest is damaged`() throws {
    let folder = try ContainerFolder(["anna": "Clean", "empty": "NothingToMigrate"])
    let container = folder.container("anna")
    try folder.apply([container], "--only", "anonymous_id", "--yes").ended()
    try folder.apply([container], "--yes").ended()
    let run = try #require(try Tool.runs(of: container).first?["id"] as? String)
    try Data("{".utf8).write(to: URL(fileURLWithPath: container + "/.carryover/runs/\(run)/record.json"))
    let before = try folder.files("anna")
    let result = try review(folder, "R", "yes", "esc", "q", key: SampleCopy.writeKey)
    #expect(!result.output.contains("1 to roll back"), "\(result.output)")
    #expect(result.output.contains("1 failed"), "\(result.output)")
    #expect(try folder.files("anna") == before)
  }

  @Test func `the list's write key is RudderStack's, even if only another SDK left data`() throws {
    let folder = try ContainerFolder(["anna": "Clean", "ben": "Clean"])
    let library = folder.container("ben") + "/AppData/Library/"
    try FileManager.default.removeItem(atPath: library + "rsDefaultsPersistence.plist")
    try Tool.edit(
      library + "Preferences/com.acme.shop.plist", "values = {'SEGAnonymousId': '9F1C2A7E', 'SEGUserId': 'u-1'}")
    for (row, setup) in [("1", "write key: 2xListed"), ("2", "write key: missing")] {
      let opened = try review(folder, row, "open", "W", "esc", "q", "q", key: "2xListed").ended().output
      #expect(opened.contains(setup), "\(opened)")
    }
  }

  @Test func `leaves a container alone whose saved decisions wait for an answer, and keeps them`() throws {
    let folder = try ContainerFolder(["anna": "Clean", "ben": "NothingToMigrate"])
    let decided = try review(folder, "1", "open", "skip", "q", "yes", "q", key: SampleCopy.writeKey).ended()
    #expect(decided.output.contains("saved for the next review"), "\(decided.output)")
    for _ in 1...2 {
      let result = try review(folder, "a", "yes", "esc", "q", key: SampleCopy.writeKey).ended()
      #expect(result.output.contains("saved decision"), "\(result.output)")
      #expect(result.output.contains("2 containers: 1 unchanged, 1 undecided."), "\(result.output)")
    }
    #expect(try folder.files("anna") == ContainerFolder.files(of: "Clean"))
  }

  @Test func `finds the saved decisions of every recipe`() throws {
    let folder = try ContainerFolder(["anna": "Person", "ben": "NothingToMigrate"])
    let before = try folder.files("anna")
    try Tool.carryover(["review", folder.container("anna"), "--recipe", "person"], lines: ["skip", "q", "yes"])
      .ended(printing: "1 decision saved")
    let recipes = ["--recipe", "rudderstack-objc", "--recipe", "person"]
    try Tool.carryover(["review", folder.path] + SampleCopy.planning + recipes, lines: ["a", "yes", "esc", "q"])
      .ended(printing: "1 saved decision from an earlier review")
    #expect(try folder.files("anna") == before)
  }

  @Test func `leaves a container alone whose saved decisions cannot be read`() throws {
    let folder = try ContainerFolder(["anna": "Clean", "ben": "NothingToMigrate"])
    try folder.folder.place("anna.xcappdata/.carryover/review.json", Data("{".utf8))
    let result = try review(folder, "a", "yes", "esc", "q", key: SampleCopy.writeKey).ended()
    #expect(result.output.contains("The saved decisions cannot be read. "), "\(result.output)")
    #expect(result.output.contains("2 containers: 1 unchanged, 1 undecided."), "\(result.output)")
    #expect(try folder.files("anna") == ContainerFolder.files(of: "Clean"))
  }

  @Test func `decides by the list's findings`() throws {
    let folder = try ContainerFolder(["open": "AcmeShop", "other": "AcmeShop"])
    let result = try review(
      folder, "findings", "accept", "esc", "a", "yes", "esc", "q", key: SampleCopy.writeKey
    ).ended()
    #expect(result.output.contains("2 fields decided"), "\(result.output)")
    #expect(result.output.contains("2 containers: 2 applied."), "\(result.output)")
  }

  @Test func `archives are listed and opened; several containers in one are a list of their own`() throws {
    let folder = try ContainerFolder(["anna": "Clean", "ben": "Clean"])
    try pack(["anna.xcappdata"], of: folder, as: "one.zip")
    try pack(["anna.xcappdata", "ben.xcappdata"], of: folder, as: "two.zip")
    let before = try FileState.files(under: folder.path)
    let result = try review(
      folder, "list", "3", "open", "q", "4", "open", "list", "2", "open", "q", "a", "yes", "q", "q", "a", "esc", "q",
      key: SampleCopy.writeKey
    ).ended()
    for words in [
      ": 4 containers", "com.acme.shop, archive, one.zip: ", "unknown app, archive, two.zip: several containers",
      "two.zip: 2 containers", "two.zip/ben.xcappdata", "2 containers: 2 in archives (read-only: open",
      "4 containers: 2 to write, 2 in archives (read-only: open", "open it in the review, or extract it",
      "2 archives, which are read-only",
      "carryover extract FOLDER --output DIR, then the apply command that it prints.",
    ] {
      #expect(result.output.contains(words), "\(words): \(result.output)")
    }
    #expect(try FileState.files(under: folder.path) == before)
  }

  @Test func `y in an archive's preview extracts it, and y there applies with its decisions; it stays as it is`() throws
  {
    let folder = try ContainerFolder(["open": "AcmeShop"])
    try pack(["open.xcappdata"], of: folder, as: "case.zip")
    let (archive, place) = (folder.path + "/case.zip", folder.container("out"))
    let before = try Tool.digest(of: archive)
    func review(_ lines: String...) throws -> Tool.Result {
      try Tool.run(
        Tool.carryover.path,
        ["review", archive, "--accessible", "--write-key", SampleCopy.writeKey, "--now", SampleCopy.now],
        input: lines.joined(separator: "\n") + "\n")
    }
    let taken = try review("accept", "a", "yes", folder.container("open"), "q", "q", "yes").ended()
    #expect(taken.output.contains("already exists"), "\(taken.output)")
    let result = try review("later", "accept", "a", "yes", place, "yes", "esc", "q").ended()
    for words in ["Extraction (enter alone cancels): ", "extracted to \(place).", "Applied"] {
      #expect(result.output.localizedCaseInsensitiveContains(words), "\(words): \(result.output)")
    }
    #expect(!result.output.contains("could not be saved"), "the decisions moved to the folder: \(result.output)")
    #expect(try Tool.digest(of: archive) == before)
    #expect(try folder.files("open") == ContainerFolder.files(of: "AcmeShop"))
    let written = place + "/AppData/Library/Preferences/com.acme.shop.analytics.\(SampleCopy.writeKey).plist"
    #expect(FileManager.default.fileExists(atPath: written))
  }

  @Test func `what was left for later or undone before an archive is extracted stays so in the folder`() throws {
    let folder = try ContainerFolder(["open": "AcmeShop"])
    try pack(["open.xcappdata"], of: folder, as: "case.zip")
    func review(_ path: String, _ lines: String..., options: [String] = []) throws -> Tool.Result {
      try Tool.carryover(["review", path] + SampleCopy.planning + options, lines: lines).ended()
    }
    let (archive, state) = (folder.path + "/case.zip", ["--state-dir", folder.path + "/state"])
    #expect(try review(archive, "accept", "q", "yes", options: state).output.contains("1 decision saved"))
    let later = try review(archive, "later", "a", "yes", folder.container("later"), "esc", "q", options: state)
    let undone = try review(
      folder.path, "filter case", "findings", "accept", "esc", "enter", "2", "accept", "a", "yes",
      folder.container("undone"), "esc", "q", "q")
    for result in [later, undone] {
      let end = try #require(result.output.range(of: " extracted to "))
      let counts = result.output[end.upperBound...].split(separator: "\n").first { $0.contains("6 ready") }
      #expect(counts == "6 ready · 1 undecided · 1 not migrated", "\(result.output)")
    }
  }
}

struct ContainerFolder {
  let folder: TemporaryFolder
  var path: String { folder.path }

  init(_ samples: KeyValuePairs<String, String>) throws {
    folder = TemporaryFolder()
    for (name, sample) in samples {
      let copy = URL(fileURLWithPath: path).appendingPathComponent(name + ".xcappdata")
      try FileManager.default.copyItem(at: SampleCopy.original(sample), to: copy)
    }
  }

  func container(_ name: String) -> String { path + "/" + name + ".xcappdata" }

  func files(_ name: String) throws -> [String: FileState] { try FileState.files(under: container(name)) }

  static func files(of sample: String) throws -> [String: FileState] {
    try FileState.files(under: SampleCopy.original(sample).path)
  }

  func apply(_ paths: [String]? = nil, _ options: String...) throws -> Tool.Result {
    try Tool.carryover(["apply"] + (paths ?? [path]) + SampleCopy.planning + options)
  }

  /// The JSON document of a batch, which suits its schema, and the outcome of each container by its name.
  static func outcomes(_ result: Tool.Result) throws -> (document: [String: Any], outcomes: [String: String]) {
    let document = try result.json("batch-1")
    let containers = try #require(document["containers"] as? [[String: Any]])
    let counts = try #require(document["counts"] as? [String: Int])
    #expect(counts.values.reduce(0, +) == containers.count)
    var outcomes: [String: String] = [:]
    for container in containers {
      let path = try #require(container["path"] as? String)
      outcomes[URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent] =
        try #require(container["outcome"] as? String)
    }
    return (document, outcomes)
  }
}
