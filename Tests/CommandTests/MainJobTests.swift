import Foundation
import Testing

@Suite("The main job from the command line")
struct MainJobTests {
  private static let decided = ["--set", "user_id=42", "--set", "rudder.app_build=420", "--yes"]

  @Test("the plan is machine-readable: every field with sources, values, status and findings (F7)")
  func planAsJSON() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try sample.run("plan", "--json")
    #expect(result.status == 0)
    #expect(result.error == "")
    let plan = try result.json()
    #expect(plan["schema"] as? String == "carryover.plan/1")
    #expect((plan["container"] as? [String: Any])?["bundleID"] as? String == "com.acme.shop")
    #expect((plan["target"] as? String)?.hasSuffix("com.acme.shop.analytics.1xAcmeWriteKey.plist") == true)
    let fields = try #require(plan["fields"] as? [[String: Any]])
    #expect(
      fields.compactMap { $0["id"] as? String } == [
        "anonymous_id", "user_id", "traits", "session_id", "is_manual_session", "last_activity_time",
        "rudder.app_version", "rudder.app_build",
      ])
    let userID = try #require(fields.first { $0["id"] as? String == "user_id" })
    #expect(userID["status"] as? String == "needs-decision")
    #expect((userID["legacy"] as? [String: String]) == ["type": "integer", "value": "42"])
    #expect((userID["proposed"] as? [String: String]) == ["type": "string", "value": "42"])
    #expect(userID["current"] is NSNull)
    #expect(userID["findings"] as? [String] == ["identity.user-id-not-string"])
    let findings = try #require(plan["findings"] as? [[String: Any]])
    for finding in findings {
      #expect((finding["message"] as? String)?.isEmpty == false)
      #expect((finding["remedy"] as? String)?.isEmpty == false)
    }
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("planning and inspecting write nothing, and a plan is exactly what apply writes (A16)")
  func planIsWhatApplyWrites() throws {
    let sample = try SampleCopy("Clean")
    let fields = try #require(try sample.run("plan", "--json").json()["fields"] as? [[String: Any]])
    #expect(try sample.run("inspect").status == 64)
    #expect(try Tool.carryover("inspect", sample.path).status == 0)
    #expect(try sample.files() == sample.originalFiles())
    #expect(try sample.run("apply", "--yes").status == 0)
    let written = try sample.targetAsPythonReadsIt()
    for field in fields {
      let id = try #require(field["id"] as? String)
      let proposed = try #require(field["proposed"] as? [String: String])
      let value = try #require(proposed["value"])
      #expect(written[id]?.contains(value) == true || written[id]?.lowercased().contains(value) == true, "\(id)")
    }
  }

  @Test("undecided flagged fields: status 2, nothing written, whatever --yes says (F3)")
  func undecidedFieldsStopApply() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try sample.run("apply", "--yes")
    #expect(result.status == 2)
    #expect(result.error.contains("user_id"))
    #expect(try sample.files() == sample.originalFiles())
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
  }

  @Test("The target holds each value with the type the new SDK reads, and traits byte for byte")
  func applyWritesTheTypedValues() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try Tool.carryover(["apply"] + sample.options + Self.decided + ["--json"])
    #expect(result.status == 0, "\(result.error)")
    let values = try sample.targetAsPythonReadsIt()
    #expect(values["anonymous_id"]?.hasPrefix("str\t") == true)
    #expect(values["user_id"] == "str\t'42'")
    #expect(values["session_id"] == "str\t'1763640000'")
    #expect(values["is_manual_session"] == "bool\tFalse")
    #expect(values["last_activity_time"] == "str\t'1763640123000'")
    #expect(values["rudder.app_version"] == "str\t'4.2.0'")
    #expect(values["rudder.app_build"] == "int\t420")
    let fields = try #require(try sample.run("plan", "--json").json()["fields"] as? [[String: Any]])
    let traits = try #require(fields.first { $0["id"] as? String == "traits" })
    let legacy = try #require((traits["legacy"] as? [String: String])?["value"])
    let written = try #require((traits["current"] as? [String: String])?["value"])
    #expect(!written.contains("anonymousId") && !written.contains("userId"))
    #expect(legacy.hasSuffix(String(written.dropFirst())), "what is left is a piece of the legacy text")
    let report = try result.json()
    #expect(report["schema"] as? String == "carryover.report/1")
    #expect((report["run"] as? String)?.isEmpty == false)
    let outcomes = try #require(report["fields"] as? [[String: Any]])
    #expect(outcomes.count == 8)
    #expect(outcomes.allSatisfy { $0["outcome"] as? String == "migrated" })
    for (path, state) in try sample.originalFiles() { #expect(try sample.files()[path] == state, "\(path)") }
  }

  @Test("rollback restores every file, its mode, and absence (F5)")
  func rollbackRestoresEverything() throws {
    let sample = try SampleCopy("AcmeShop")
    let applied = try Tool.carryover(["apply"] + sample.options + Self.decided + ["--json"]).json()
    #expect(FileManager.default.fileExists(atPath: sample.target))
    let result = try sample.run("rollback", "--yes", "--json")
    #expect(result.status == 0, "\(result.error)")
    #expect(try result.json()["rolledBack"] as? String == applied["run"] as? String)
    #expect(try sample.files() == sample.originalFiles())
    #expect(try sample.run("rollback", "--yes").status == 1)
  }

  @Test("a second apply makes no write call, also after edits and skips (A13)", .needsTools)
  func secondApplyWritesNothing() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(
      try sample.run("apply", "--set", "user_id=43", "--skip", "rudder.app_build", "--yes").status == 0)
    let before = try FileState.files(under: sample.folder.url.path)
    let log = sample.folder.path("strace.log")
    let result = try Tool.run(
      "strace", ["-f", "-o", log, "-e", Trace.calls, Tool.carryover.path, "apply"] + sample.options + ["--yes"])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("Nothing had to be written"))
    let writing = try Trace.writing(in: log)
    #expect(writing.isEmpty, "\(writing)")
    #expect(try FileState.files(under: sample.folder.url.path).filter { !$0.key.hasSuffix("strace.log") } == before)
  }

  @Test("Third-party keys of every plist type survive with type and value")
  func thirdPartyKeysSurvive() throws {
    let sample = try SampleCopy("HalfFilled")
    let before = try sample.targetAsPythonReadsIt()
    let ours: Set = [
      "anonymous_id", "user_id", "traits", "session_id", "is_manual_session", "last_activity_time",
      "rudder.app_version", "rudder.app_build",
    ]
    let theirs = before.filter { !ours.contains($0.key) }
    #expect(
      Set(theirs.values.map { $0.prefix { $0 != "\t" } }).isSuperset(
        of: ["str", "int", "float", "bool", "datetime", "bytes", "list", "dict", "UID"]))
    #expect(try sample.run("apply", "--yes").status == 2)
    #expect(try sample.run("apply", "--accept", "session_id", "--yes").status == 3)
    #expect(try sample.files() == sample.originalFiles())
    #expect(try sample.run("apply", "--accept", "session_id", "--on-conflict", "replace", "--yes").status == 0)
    let after = try sample.targetAsPythonReadsIt()
    for (key, value) in theirs { #expect(after[key] == value, "\(key)") }
    #expect(after["session_id"]?.hasPrefix("str\t") == true)
    #expect(try sample.run("rollback", "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("each sample gives the statuses its README promises (F7)")
  func everySample() throws {
    let expected: [(String, plan: Int32, apply: Int32)] = [
      ("AcmeShop", 0, 2), ("Clean", 0, 0), ("OptedOut", 0, 2), ("CorruptTraits", 0, 0), ("FutureTimestamp", 0, 0),
      ("ManualSession", 0, 0), ("Disagree", 0, 2), ("HalfFilled", 0, 2), ("NothingToMigrate", 0, 0),
    ]
    for (name, plan, apply) in expected {
      let sample = try SampleCopy(name)
      #expect(try sample.run("plan").status == plan, "\(name)")
      let result = try sample.run("apply", "--yes")
      #expect(result.status == apply, "\(name): \(result.error)")
      if apply != 0 || name == "NothingToMigrate" { #expect(try sample.files() == sample.originalFiles(), "\(name)") }
    }
    let optedOut = try SampleCopy("OptedOut")
    #expect(try optedOut.run("apply", "--yes", "--allow-opted-out").status == 0)
  }

  @Test("--only migrates the named fields and no other (A17)")
  func onlyChosenFields() throws {
    let sample = try SampleCopy("AcmeShop")
    #expect(try sample.run("apply", "--only", "user_id", "--only", "anonymous_id", "--yes").status == 0)
    #expect(Set(try sample.targetAsPythonReadsIt().keys) == ["user_id", "anonymous_id"])
    #expect(try sample.run("apply", "--accept", "rudder.app_build", "--yes").status == 64)
    // What was left out was not decided: the next run takes it up.
    #expect(try sample.run("apply", "--yes").status == 0)
    #expect(try sample.targetAsPythonReadsIt().count == 7)
  }
}
