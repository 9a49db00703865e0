@Suite("Cleaning up from the command line") struct CleanupCommandTests {
  private static let preferences = "AppData/Library/Preferences/com.acme.shop.plist"
  private static let file = "AppData/Library/rsDefaultsPersistence.plist"

  private func migrated(_ name: String = "AcmeShop") throws -> SampleCopy {
    let sample = try SampleCopy(name)
    try Tool.carryover(["apply"] + sample.options + (name == "AcmeShop" ? SampleCopy.decided : []) + ["--yes"]).ended()
    return sample
  }

  /// A file's keys as CPython's reader sees them: each as "type value".
  private func read(_ path: String) throws -> [String: String] {
    let script = """
      import json, plistlib, sys
      items = plistlib.load(open(sys.argv[1], 'rb')).items()
      print(json.dumps({key: type(value).__name__ + ' ' + repr(value) for key, value in items}))
      """
    let result = try Tool.run("python3", ["-c", script, path])
    guard result.status == 0 else { throw Tool.Missing(result.error) }
    return try result.json().compactMapValues { $0 as? String }
  }

  @Test func `removes what the target holds and nothing else, in both stores, as CPython reads them`() throws {
    let sample = try migrated()
    let stores = [Self.preferences, Self.file].map { sample.path + "/" + $0 }
    let before = try stores.map(read)
    let files = try sample.files()
    let result = try sample.run("cleanup", "--yes", "--json").ended()
    let gone: Set = [
      "rl_anonymous_id", "rl_traits", "rl_session_id", "rl_session_auto_track_status", "rl_last_event_time_stamp",
      "rl_application_version_key",
    ]
    for (path, old) in zip(stores, before) {
      #expect(try read(path) == old.filter { !gone.contains($0.key) }, "\(path)")
    }
    for (path, state) in try sample.files() where path != Self.preferences && path != Self.file {
      #expect(state == files[path], "\(path)")
    }
    let report = try result.json()
    #expect(report["kind"] as? String == "cleanup")
    #expect(report["files"] as? [String] == [Self.preferences, Self.file])
    let fields = try #require(report["fields"] as? [[String: Any]])
    let dropped = fields.filter { $0["outcome"] as? String == "dropped" }
    #expect(dropped.count == 12)
    #expect(Set(dropped.compactMap { $0["id"] as? String }) == gone)
    #expect(fields.allSatisfy { $0["file"] is String && $0["reason"] is String })
  }

  @Test func `a second cleanup, a plan and an apply afterwards have nothing to do`() throws {
    for name in ["AcmeShop", "Clean", "ManualSession", "CorruptTraits", "FutureTimestamp"] {
      let sample = try migrated(name)
      let first = try sample.run("cleanup", "--yes")
      #expect(first.status == 0 && first.output.contains(" removed.\n"), "\(name): \(first.output)")
      let before = try FileState.files(under: sample.folder.path)
      let second = try sample.run("cleanup", "--json")
      #expect(second.status == 0, "\(name): \(second.error)")
      #expect(try second.json()["run"] is NSNull, "\(name)")
      let applied = try sample.run("apply", "--yes")
      #expect(applied.status == 0, "\(name): \(applied.error)")
      #expect(applied.output.contains("There was nothing to write"), "\(name)")
      #expect(try FileState.files(under: sample.folder.path) == before, "\(name)")
    }
  }

  @Test func `a container in a shared state folder is the same one by every spelling of its path`() throws {
    let sample = try SampleCopy("Clean")
    let original = try sample.files()
    let folder = sample.folder
    try FileManager.default.createDirectory(atPath: folder.path("q"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: ".")
    func run(_ subcommand: String, _ way: String, _ state: String, _ options: [String] = []) throws -> Tool.Result {
      let path = folder.path("") + way + "/" + sample.name + ".xcappdata"
      return try Tool.carryover([subcommand, path, "--state-dir", folder.path(state), "--yes"] + options)
    }
    let options = Array(sample.options.dropFirst())
    #expect(try run("apply", "/.", "SS", options).status == 0)
    #expect(try run("cleanup", "/q/..", "link/SS", options).status == 0)
    let applied = try sample.files()
    let runs = try Tool.runs(of: sample.path, "--state-dir", folder.path("SS"))
    #expect(runs.count == 2)
    let first = try #require(runs.last?["id"] as? String)
    let refused = try run("rollback", "/link", "SS", ["--run", first])
    #expect(refused.status == 3, "the cleanup rests on it: \(refused.error)")
    #expect(try sample.files() == applied)
    #expect(try run("rollback", "/link", "q/../SS").status == 0)
    #expect(try run("rollback", "/q/../link", "SS").status == 0)
    #expect(try sample.files() == original)
  }

  @Test func `the SDK's own file goes when it is empty, and a rollback brings every byte and mode back`() throws {
    let sample = try SampleCopy("Clean")
    // The SDK's own note is not migrated, so it would stay.
    try Tool.edit(sample.path + "/" + Self.file, "del values['standardDefaultsCopied']")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: sample.path + "/" + Self.file)
    let original = try sample.files()
    let applied = try #require(try sample.run("apply", "--yes", "--json").json()["run"] as? String)
    let before = try sample.files()
    let run = try #require(try sample.run("cleanup", "--yes", "--json").json()["run"] as? String)
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/" + Self.file))
    #expect(try read(sample.path + "/" + Self.preferences) == ["launchCount": "int 17"])
    try sample.run("rollback", "--run", applied, "--yes").ended(3, saying: "Roll “\(run)” back first.")
    #expect(try sample.run("rollback", "--yes", "--json").json()["rolledBack"] as? String == run)
    #expect(try sample.files() == before)
    #expect(try sample.run("rollback", "--yes").status == 0)
    #expect(try sample.files() == original)
  }

  @Test func `--dry-run prints the plan and writes nothing; secrets are not shown`() throws {
    let sample = try migrated()
    let before = try FileState.files(under: sample.folder.path)
    let json = try sample.run("cleanup", "--dry-run", "--json").ended()
    let plan = try json.json()
    #expect(plan["schema"] as? String == "carryover.cleanup/1")
    let entries = try #require(plan["entries"] as? [[String: Any]])
    #expect(entries.count == 25)
    let token = try #require(entries.first { $0["key"] as? String == "rl_auth_token" })
    #expect(token["secret"] as? Bool == true)
    #expect(token["value"] is NSNull)
    #expect((token["reason"] as? [String: Any])?["code"] as? String == "left-behind")
    let traits = try #require(entries.first { $0["key"] as? String == "rl_traits" })
    #expect(traits["verdict"] as? String == "removable")
    #expect(traits["fields"] as? [String] == ["anonymous_id", "user_id", "traits"])
    let text = try sample.run("cleanup", "--dry-run").prints("Cleanup: 12 to remove, 13 unchanged.")
    for output in [json.output, text.output] { #expect(!output.contains("not-a-real-secret")) }
    #expect(try FileState.files(under: sample.folder.path) == before)
  }

  @Test func `without a terminal it needs --yes; without anything to remove it needs nothing`() throws {
    let sample = try migrated()
    let files = try sample.files()
    try sample.run("cleanup").ended(64, saying: "--yes")
    #expect(try sample.files() == files)
    let fresh = try SampleCopy("Clean")
    #expect(try fresh.run("cleanup").status == 0)
    #expect(try fresh.files() == fresh.originalFiles())
    #expect(!FileManager.default.fileExists(atPath: fresh.path + "/.carryover"))
  }

  @Test func `--only removes a key everywhere or in one file, and names what has to stay`() throws {
    let sample = try migrated()
    #expect(try sample.run("cleanup", "--only", "\(Self.file):rl_session_id", "--yes").status == 0)
    #expect(try read(sample.path + "/" + Self.file)["rl_session_id"] == nil)
    #expect(try read(sample.path + "/" + Self.preferences)["rl_session_id"] == "int 1763640000")
    #expect(try sample.run("cleanup", "--only", "rl_anonymous_id", "--only", "rl_session_id", "--yes").status == 0)
    for file in [Self.file, Self.preferences] {
      let keys = try read(sample.path + "/" + file).keys
      #expect(!keys.contains("rl_anonymous_id") && !keys.contains("rl_session_id") && keys.contains("rl_traits"))
    }
    #expect(try sample.run("cleanup", "--only", "rl_session_id").status == 0, "it is gone already")
    try sample.run("cleanup", "--only", "rl_external_id", "--yes").ended(1, saying: "must stay")
    let unknown = try sample.run("cleanup", "--only", "launchCount", "--yes")
    #expect(unknown.status == 64, "keys of the app are no legacy keys")
  }
}

@Suite("Containers with nothing to migrate") struct NothingToMigrateTests {
  private func container(_ preferences: [String: Any]) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    for (values, path) in [
      (preferences, "AppData/Library/Preferences/com.acme.shop.plist"),
      (["MCMMetadataIdentifier": "com.acme.shop"], "AppDataInfo.plist"),
    ] {
      try folder.place(
        path, PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
    }
    return folder
  }

  @Test func `without legacy values and a write key, plan, apply and diagnose say so and end with 0 (A14)`() throws {
    let folder = try container(["theme": "dark"])
    for command in [["plan"], ["apply", "--yes"], ["diagnose"], ["cleanup", "--yes"]] {
      let result = try Tool.carryover(command + [folder.path, "--recipe", "rudderstack-objc"])
      #expect(result.status == 0, "\(command) \(result.error)")
      #expect(!(result.output + result.error).contains("write key"), "\(command) \(result.output)")
    }
    let legacy = try container(["rl_anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b"])
    try Tool.carryover("plan", legacy.path).ended(printing: "Needs: write key")
  }

  @Test func `a person of the newest version has nothing to migrate, one of an older version has (B3)`() throws {
    for (model, words) in [
      (#"{"alias":"Jo","email":"-","version":3}"#, "There is nothing to migrate"),
      (#"{"name":"Jo","age":"23"}"#, "Every value found can be migrated"),
    ] {
      let folder = try container(["person": Data(model.utf8)])
      let result = try Tool.carryover("diagnose", folder.path)
      #expect(result.output.hasPrefix("i " + words), "\(result.output)")
    }
  }

  @Test func `a hidden character in the reason that a file cannot be read is escaped once`() throws {
    let folder = try container(["com.convert.sdk.visitorIdMirror": "ada"])
    try folder.place(
      "AppData/Library/Application Support/com.convertexperiments.sdk/event-queue.json", Data("[\0]".utf8))
    for command in ["plan", "inspect", "report"] {
      let result = try Tool.carryover(command, folder.path).prints("“U+0000")
      #expect(!result.output.contains(#"\u{0}"#) && !result.output.contains("\0"))
    }
  }

  @Test func `a finding that two fields have is printed once, with both names`() throws {
    let sample = try SampleCopy("CorruptTraits")
    let plan = try sample.run("plan")
    #expect(plan.output.components(separatedBy: "traits.invalid-json").count == 2, "\(plan.output)")
    #expect(plan.output.contains("user_id, traits  traits.invalid-json"), "\(plan.output)")
    let remedy = "Edit the traits and the user id if you know their values."
    #expect(try sample.run("diagnose").output.components(separatedBy: remedy).count == 2)
  }
}
