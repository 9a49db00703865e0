import Foundation
import Testing

@Suite("A saved plan from a stranger")
struct ForeignPlanTests {
  private static let decided = ["--accept", "user_id", "--set", "rudder.app_build=420"]

  private struct Foreign {
    let sample: SampleCopy
    let folder: TemporaryFolder
    let plan: String
    let before: [String: FileState]

    init(_ name: String, _ options: [String]) throws {
      sample = try SampleCopy(name)
      folder = try TemporaryFolder()
      plan = folder.path("plan.json")
      let result = try Tool.carryover(["plan"] + sample.options + options + ["-o", plan])
      guard result.status == 0 else { throw Tool.Missing(result.error) }
      before = try FileState.files(under: sample.folder.url.path)
    }

    /// Changes the plan's members as Python code says, with `plan` and the folders at hand.
    func forge(_ code: String) throws {
      let script = """
        import json, sys
        path, sample, folder = sys.argv[1:]
        plan = json.load(open(path))
        \(code)
        json.dump(plan, open(path, "w"))
        """
      let result = try Tool.run("python3", ["-c", script, plan, sample.path, folder.url.path])
      guard result.status == 0 else { throw Tool.Missing(result.error) }
    }

    func apply(_ options: String...) throws -> Tool.Result { try Tool.carryover(["apply", plan] + options) }

    func expectRefused(_ result: Tool.Result, _ status: Int32, _ words: String...) throws {
      #expect(result.status == status, "\(result.error)")
      #expect(result.output == "")
      for word in words { #expect(result.error.contains(word), "\(result.error)") }
      #expect(try FileState.files(under: sample.folder.url.path) == before)
    }
  }

  @Test("It lifts no block: the option does, and that is said")
  func consent() throws {
    let foreign = try Foreign("OptedOut", ["--allow-opted-out"])
    let named = ["--container", foreign.sample.path]
    let refused = try Tool.carryover(["apply", foreign.plan, "--yes"] + named)
    try foreign.expectRefused(refused, 2, "The plan allows consent.opted-out. That is ignored", "--allow-opted-out")
    let allowed = try Tool.carryover(["apply", foreign.plan, "--yes", "--allow-opted-out"] + named)
    #expect(allowed.status == 0, "\(allowed.error)")
    #expect(!allowed.error.contains("ignored"))
  }

  @Test("It chooses no folder for backups and records: the option does, and that is said")
  func stateFolder() throws {
    let foreign = try Foreign("Clean", [])
    let state = foreign.folder.path("state")
    try foreign.forge(#"plan["request"]["stateDirectory"] = folder + "/state""#)
    let result = try foreign.apply("--yes", "--container", foreign.sample.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.error.contains("state”, is ignored. To use it, give --state-dir."))
    #expect(!FileManager.default.fileExists(atPath: state))
    #expect(FileManager.default.fileExists(atPath: foreign.sample.path + "/.carryover/runs"))
    let chosen = try Foreign("Clean", [])
    let named = try chosen.apply("--yes", "--container", chosen.sample.path, "--state-dir", chosen.folder.path("mine"))
    #expect(named.status == 0, "\(named.error)")
    #expect(FileManager.default.fileExists(atPath: chosen.folder.path("mine/runs")))
    #expect(!FileManager.default.fileExists(atPath: chosen.sample.path + "/.carryover"))
  }

  @Test("A container that is not beside it is written to only where the command line names it")
  func otherContainer() throws {
    let foreign = try Foreign("AcmeShop", Self.decided)
    for options in [["--yes"], []] {
      let result = try Tool.carryover(["apply", foreign.plan] + options)
      try foreign.expectRefused(result, 64, "--container", "AcmeShop.xcappdata”", "the plan's folder")
    }
    let result = try foreign.apply("--yes", "--container", foreign.sample.path)
    #expect(result.status == 0, "\(result.error)")
  }

  @Test("A property list by itself that is not beside it is named whole, in one line")
  func propertyList() throws {
    let sample = try SampleCopy("Clean")
    let folder = try TemporaryFolder()
    let file = sample.folder.path("com.acme\n.shop.plist")
    try FileManager.default.copyItem(
      atPath: sample.path + "/AppData/Library/Preferences/com.acme.shop.plist", toPath: file)
    let plan = folder.path("plan.json")
    let made = try Tool.carryover(
      "plan", file, "--write-key", "K", "--bundle-id", "com.acme.shop", "-o", plan)
    #expect(made.status == 0, "\(made.error)")
    let result = try Tool.carryover("apply", plan, "--yes")
    #expect(result.status == 64)
    #expect(result.error.contains(#"/com.acme\n.shop.plist” is not in the plan"#), "\(result.error)")
  }

  @Test("Links and .. do not bring a container beside it, and do not take one away")
  func spellings() throws {
    let foreign = try Foreign("Clean", [])
    let link = foreign.folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: foreign.sample.folder.url.path)
    for place in [
      #"folder + "/link/Clean.xcappdata""#, #"folder + "/../" + "/".join(sample.split("/")[-2:])"#,
      #"folder + "/link/Clean.xcappdata/../Clean.xcappdata""#,
    ] {
      try foreign.forge("plan['request']['container'] = \(place)")
      try foreign.expectRefused(try foreign.apply("--yes"), 64, "--container")
    }
    try FileManager.default.removeItem(atPath: link)
    let inside = foreign.folder.path("Clean.xcappdata")
    try FileManager.default.copyItem(atPath: foreign.sample.path, toPath: inside)
    try foreign.forge(#"plan["request"]["container"] = folder + "/Clean.xcappdata/../Clean.xcappdata""#)
    let linked = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: linked.path("here"), withDestinationPath: foreign.folder.url.path)
    let result = try Tool.carryover("apply", linked.path("here/plan.json"), "--yes")
    #expect(result.status == 0, "\(result.error)")
    #expect(FileManager.default.fileExists(atPath: inside + "/.carryover"))
    #expect(try FileState.files(under: foreign.sample.folder.url.path) == foreign.before)
  }

  @Test("On a terminal the question names a container that is not beside it")
  func question() throws {
    let foreign = try Foreign("AcmeShop", Self.decided)
    let no = try Tool.onTerminal(["apply", foreign.plan], [("[y/N]", "", "n\n")])
    let words = no.output.filter { $0 != "\n" }
    #expect(words.contains("which the plan names?") && words.contains(foreign.sample.folder.url.lastPathComponent))
    #expect(no.output.contains("Nothing was written."), "\(no.output)")
    #expect(try FileState.files(under: foreign.sample.folder.url.path) == foreign.before)
    #expect(try Tool.onTerminal(["apply", foreign.plan], [("[y/N]", "", "y\n")]).status == 0)
    #expect(try foreign.sample.targetAsPythonReadsIt()["user_id"] == "str\t'42'")
  }

  @Test("What plan -o prints says how a plan in another folder is applied")
  func saying() throws {
    let sample = try SampleCopy("Clean")
    let folder = try TemporaryFolder()
    let beside = try Tool.carryover(["plan"] + sample.options + ["-o", sample.folder.path("plan.json")])
    #expect(beside.output.hasSuffix("\n  carryover apply \(sample.folder.path("plan.json"))\n"), "\(beside.output)")
    let elsewhere = try Tool.carryover(["plan"] + sample.options + ["-o", folder.path("plan.json")])
    #expect(elsewhere.output.contains(" --container \(sample.path)\n"), "\(elsewhere.output)")
  }
}
