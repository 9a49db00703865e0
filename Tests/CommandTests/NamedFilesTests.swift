@Suite("Files whose names contain a parameter") struct NamedFilesTests {
  private let folder = TemporaryFolder()
  private var container: String { folder.path("Data") }

  init() throws {
    try place("Library/Preferences/com.acme.shop.plist", try PropertyListDocument.encode(["n": 3], as: .binary))
  }

  private func place(_ path: String, _ bytes: [UInt8]) throws { try folder.place("Data/" + path, Data(bytes)) }

  private static func archive(of root: NSObject) throws -> [UInt8] {
    [UInt8](try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: false))
  }

  private func archive(_ token: String, _ properties: PropertyListValue) throws {
    try place("Library/mixpanel-\(token)-properties.plist", try KeyedArchive.encode(properties))
  }

  private func session(_ name: String, user: String) throws {
    try place(
      "Library/Application Support/snowplow/\(name).dict",
      try PropertyListDocument.encode(["userId": .string(user), "sessionIndex": 1], as: .xml))
  }

  @Test func `the name of an archive shows the token, and every byte is back after a rollback`() throws {
    try archive("ff01", ["distinctId": "u-1001", "userId": "u-1001", "superProperties": ["plan": "basic"]])
    let before = try FileState.files(under: container)
    try Tool.carryover("apply", container, "--yes").ended()
    let suite = try Tool.keys(of: container + "/Library/Preferences/Mixpanel.plist")
    #expect(suite["mixpanel-ff01-MPUserId"] as? String == "u-1001")
    let properties = try #require(suite["mixpanel-ff01-superProperties"] as? Data)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSDictionary.self, NSString.self], from: properties)
    #expect(read as? [String: String] == ["plan": "basic"])
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
  }

  @Test func `a value that no property list can express is undecided, and the others are ready`() throws {
    let properties: NSDictionary = [
      "distinctId": "u-1001", "superProperties": ["pattern": AppStoreObject()] as NSDictionary,
    ]
    try place("Library/mixpanel-ff-properties.plist", try Self.archive(of: properties))
    try Tool.carryover("plan", container).prints("source.wrong-type", "1 to write, 1 undecided")
  }

  @Test(arguments: ["no property list", "plain", "list"])
  func `a file that is not an archive, or with another root, is an unreadable source`(_ content: String) throws {
    try archive("ff", ["distinctId": "u-1001"])
    let bytes =
      switch content {
      case "plain": try PropertyListDocument.encode(["distinctId": "u-1001"], as: .binary)
      case "list": try KeyedArchive.encode(["distinctId"])
      default: Array(content.utf8)
      }
    try place("Library/mixpanel-ff-properties.plist", bytes)
    try Tool.carryover("plan", container, "--recipe", "mixpanel-objc").ended(printing: "source.unreadable")
  }

  private func stranger(_ read: String, _ key: String) throws -> String {
    let file = try folder.recipe(
      """
      read: [\(read)]
      write: {suite: acme}
      detect: [\(key)]
      fields: [{key: who, group: identity, form: string, from: [{key: \(key)}]}]
      opt-out-keys: []
      """)
    #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
    return file
  }

  @Test func `an opt-out in an archive blocks a recipe file that does not read it`() throws {
    try archive("ff", ["distinctId": "u-1001"])
    try place("Library/mixpanel-ff-optOut.plist", try KeyedArchive.encode(true))
    let file = try stranger("{archive: Library/mixpanel-ff-properties.plist}", "distinctId")
    try Tool.carryover("apply", container, "--recipe", file, "--yes").ended(2, saying: "consent.opted-out")
  }

  @Test(arguments: ["", "no archive", "foreign"])
  func `an opt-out's file that cannot be read blocks, until it is allowed`(_ content: String) throws {
    try archive("ff", ["distinctId": "u-1001", "userId": "u-1001"])
    try place(
      "Library/mixpanel-ff-optOut.plist",
      content == "foreign" ? try Self.archive(of: AppStoreObject()) : Array(content.utf8))
    for options in [["--recipe", "mixpanel-objc"], ["--recipe", "mixpanel-to-rudderstack", "--write-key", "WK"]] {
      try Tool.carryover(["apply", container, "--yes"] + options).ended(2, saying: "consent.opted-out")
    }
    #expect(
      try Tool.carryover("apply", container, "--recipe", "mixpanel-objc", "--yes", "--allow-opted-out").status == 0)
  }

  @Test func `a cleanup keeps its hands off files that a rollback could not find again`() throws {
    try place("Library/acme.dict", try PropertyListDocument.encode(["uid": "u-1"], as: .binary))
    let file = try stranger("{plist: Library/acme.dict}", "uid")
    #expect(try Tool.carryover("apply", container, "--recipe", file, "--yes").status == 0)
    let before = try FileState.files(under: container + "/Library")
    _ = try Tool.carryover("cleanup", container, "--recipe", file, "--yes")
    #expect(try FileState.files(under: container + "/Library") == before)
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
  }

  @Test func `of several tokens in names, the user chooses one`() throws {
    try archive("ff01", ["distinctId": "u-1001"])
    try archive("ff02", ["distinctId": "u-2002"])
    try Tool.carryover("plan", container, "--recipe", "mixpanel-objc").ended(64, saying: "ff01, ff02")
    let chosen = try Tool.carryover("plan", container, "--recipe", "mixpanel-objc", "-P", "token=ff02")
    #expect(chosen.output.contains("u-2002") && !chosen.output.contains("u-1001"))
  }

  @Test func `a property list with another extension is found by a template, with and without its parameter`() throws {
    try session("session", user: "u-1001")
    #expect(try Tool.carryover("plan", container).output.contains("u-1001"))
    try session("session_shop-app", user: "u-2002")
    let plan = try Tool.carryover("plan", container)
    // Both trackers' users are shown, because nothing says which tracker the app has.
    #expect(plan.output.contains("u-2002") && plan.output.contains("u-1001"), "\(plan.output)\(plan.error)")
    #expect(try Tool.carryover("apply", container, "--yes").status == 2)
    #expect(try Tool.carryover("apply", container, "--yes", "--accept", "SPInstallationUserId").status == 0)
    try Tool.carryover("plan", container).prints("0 to write, 1 unchanged")
  }

  @Test func `such files are found in an archive too, those of a recipe file as well`() throws {
    try session("session_shop", user: "u-2002")
    try place("Library/Application Support/acme.id", Array("\"u-3003\"".utf8))
    let file = try folder.recipe(
      """
      read: [{file: Library/Application Support/acme.id, as: id}]
      write: {suite: acme}
      detect: [id]
      fields: [{key: who, group: identity, form: string, from: [{key: id}]}]
      """)
    let archive = folder.path("Data.tar.gz")
    #expect(try Tool.run("/usr/bin/env", ["tar", "-czf", archive, "-C", folder.path(""), "Data"]).status == 0)
    try Tool.carryover("plan", archive).prints("u-2002")
    try Tool.carryover("plan", archive, "--recipe", file).prints("u-3003")
    for path in [archive, container] {
      try Tool.carryover("inspect", path, "--recipe", file).ended(printing: "u-3003")
      #expect(try !Tool.carryover("inspect", path).output.contains("u-3003"))
    }
    #expect(try Tool.carryover("inspect", container, "--recipe", "nothing").status == 64)
  }
}

final class AppStoreObject: NSObject, NSCoding {
  override init() { super.init() }
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) {}
}

@Suite("A saved plan from a stranger") struct ForeignPlanTests {
  private static let decided = ["--accept", "user_id", "--set", "rudder.app_build=420"]

  private struct Foreign {
    let sample: SampleCopy
    let folder: TemporaryFolder
    let plan: String
    let before: [String: FileState]

    init(_ name: String, _ options: [String]) throws {
      sample = try SampleCopy(name)
      folder = TemporaryFolder()
      plan = folder.path("plan.json")
      let result = try Tool.carryover(["plan"] + sample.options + options + ["-o", plan])
      guard result.status == 0 else { throw Tool.Missing(result.error) }
      before = try FileState.files(under: sample.folder.path)
    }

    func forge(_ code: String) throws {
      let script = """
        import json, sys
        path, sample, folder = sys.argv[1:]
        plan = json.load(open(path))
        \(code)
        json.dump(plan, open(path, "w"))
        """
      let result = try Tool.run("python3", ["-c", script, plan, sample.path, folder.path])
      guard result.status == 0 else { throw Tool.Missing(result.error) }
    }

    func apply(_ options: String...) throws -> Tool.Result { try Tool.carryover(["apply", plan] + options) }

    func expectRefused(_ result: Tool.Result, _ status: Int32, _ words: String...) throws {
      #expect(result.status == status, "\(result.error)")
      #expect(result.output == "")
      for word in words { #expect(result.error.contains(word), "\(result.error)") }
      #expect(try FileState.files(under: sample.folder.path) == before)
    }
  }

  @Test func `It lifts no block: the option does, and that is said`() throws {
    let foreign = try Foreign("OptedOut", ["--allow-opted-out"])
    let named = ["--container", foreign.sample.path]
    let refused = try Tool.carryover(["apply", foreign.plan, "--yes"] + named)
    try foreign.expectRefused(refused, 2, "The plan allows consent.opted-out. That is ignored", "--allow-opted-out")
    let allowed = try Tool.carryover(["apply", foreign.plan, "--yes", "--allow-opted-out"] + named).ended()
    #expect(!allowed.error.contains("ignored"))
  }

  @Test func `It chooses no folder for backups and records: the option does, and that is said`() throws {
    let foreign = try Foreign("Clean", [])
    let state = foreign.folder.path("state")
    try foreign.forge(#"plan["request"]["stateDirectory"] = folder + "/state""#)
    let result = try foreign.apply("--yes", "--container", foreign.sample.path).ended()
    #expect(result.error.contains("state”, is ignored. To use it, give --state-dir."))
    #expect(!FileManager.default.fileExists(atPath: state))
    #expect(FileManager.default.fileExists(atPath: foreign.sample.path + "/.carryover/runs"))
    let chosen = try Foreign("Clean", [])
    try chosen.apply("--yes", "--container", chosen.sample.path, "--state-dir", chosen.folder.path("mine")).ended()
    #expect(FileManager.default.fileExists(atPath: chosen.folder.path("mine/runs")))
    #expect(!FileManager.default.fileExists(atPath: chosen.sample.path + "/.carryover"))
  }

  @Test func `A container that is not beside it is written to only where the command line names it`() throws {
    let foreign = try Foreign("AcmeShop", Self.decided)
    for options in [["--yes"], []] {
      let result = try Tool.carryover(["apply", foreign.plan] + options)
      try foreign.expectRefused(result, 64, "--container", "AcmeShop.xcappdata”", "the plan's folder")
    }
    try foreign.apply("--yes", "--container", foreign.sample.path).ended()
  }

  @Test func `A property list by itself that is not beside it is named whole, in one line`() throws {
    let sample = try SampleCopy("Clean")
    let folder = TemporaryFolder()
    let file = sample.folder.path("com.acme\n.shop.plist")
    try FileManager.default.copyItem(
      atPath: sample.path + "/AppData/Library/Preferences/com.acme.shop.plist", toPath: file)
    let plan = folder.path("plan.json")
    try Tool.carryover("plan", file, "--write-key", "K", "--bundle-id", "com.acme.shop", "-o", plan).ended()
    try Tool.carryover("apply", plan, "--yes").ended(64, saying: #"/com.acme\n.shop.plist” is not in the plan"#)
  }

  @Test func `Links and .. do not bring a container beside it, and do not take one away`() throws {
    let foreign = try Foreign("Clean", [])
    let link = foreign.folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: foreign.sample.folder.path)
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
    let linked = TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: linked.path("here"), withDestinationPath: foreign.folder.path)
    try Tool.carryover("apply", linked.path("here/plan.json"), "--yes").ended()
    #expect(FileManager.default.fileExists(atPath: inside + "/.carryover"))
    #expect(try FileState.files(under: foreign.sample.folder.path) == foreign.before)
  }

  @Test func `On a terminal the question names a container that is not beside it`() throws {
    let foreign = try Foreign("AcmeShop", Self.decided)
    let no = try Tool.onTerminal(["apply", foreign.plan], [("[y/N]", "", "n\n")])
    let words = no.output.filter { $0 != "\n" }
    #expect(words.contains("which the plan names?") && words.contains(foreign.sample.folder.url.lastPathComponent))
    #expect(no.output.contains("Nothing was written."), "\(no.output)")
    #expect(try FileState.files(under: foreign.sample.folder.path) == foreign.before)
    #expect(try Tool.onTerminal(["apply", foreign.plan], [("[y/N]", "", "y\n")]).status == 0)
    #expect(try foreign.sample.targetAsPythonReadsIt()["user_id"] == "str\t'42'")
  }

  @Test func `What plan -o prints says how a plan in another folder is applied`() throws {
    let sample = try SampleCopy("Clean")
    let folder = TemporaryFolder()
    let beside = try Tool.carryover(["plan"] + sample.options + ["-o", sample.folder.path("plan.json")])
    #expect(beside.output.hasSuffix("\n  carryover apply \(sample.folder.path("plan.json"))\n"), "\(beside.output)")
    let elsewhere = try Tool.carryover(["plan"] + sample.options + ["-o", folder.path("plan.json")])
    #expect(elsewhere.output.contains(" --container \(sample.path)\n"), "\(elsewhere.output)")
  }
}
