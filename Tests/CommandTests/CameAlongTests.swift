@Suite("Runs that came with a container") struct CameAlongTests {
  private let sample: SampleCopy
  private let id: String

  init() throws {
    sample = try SampleCopy("Clean")
    let result = try Tool.run(
      "env",
      ["XDG_STATE_HOME=\(sample.folder.path("colleague"))", Tool.carryover.path, "apply"] + sample.options + ["--yes"])
    try #require(result.status == 0, "\(result.error)")
    let runs = try FileManager.default.contentsOfDirectory(atPath: sample.path + "/.carryover/runs")
    id = try #require(runs.first)
  }

  private func run(_ subcommand: String, _ arguments: String...) throws -> Tool.Result {
    try Tool.carryover([subcommand, sample.path] + arguments)
  }

  @Test func `history lists them, in text and in JSON, and says why they do not count`() throws {
    let table = try run("history").ended()
    let row = try #require(table.output.split(separator: "\n").first { $0.contains(id) })
    #expect(row.contains("from elsewhere"))
    #expect(table.output.contains("--adopt") && table.output.contains("--run \(id)"))
    let listed = try Tool.runs(of: sample.path)
    #expect(listed.map { $0["standing"] as? String } == ["came-along"])
    #expect(listed.map { $0["origin"] as? String } == ["other-key"])
    try run("history", "--run", id).ended(printing: "perhaps from someone else.", "anonymous_id")
  }

  @Test(arguments: ["unsealed", "not-genuine"])
  func `A record without a seal and one in a copy came along too`(origin: String) throws {
    let own = try SampleCopy("Clean")
    #expect(try own.run("apply", "--yes").status == 0)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: own.path + "/.carryover/runs").first)
    var container = own.path
    if origin == "unsealed" {
      let path = own.path + "/.carryover/runs/\(name)/record.json"
      var record = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
      #expect(record.removeValue(forKey: "seal") != nil)
      try JSONSerialization.data(withJSONObject: record).write(to: URL(fileURLWithPath: path))
    } else {
      container = own.folder.path("Copy.xcappdata")
      try FileManager.default.copyItem(atPath: own.path, toPath: container)
    }
    let listed = try Tool.runs(of: container)
    #expect(listed.map { $0["standing"] as? String } == ["came-along"])
    #expect(listed.map { $0["origin"] as? String } == [origin])
  }

  @Test func `They settle nothing: a plan is the one of the files alone`() throws {
    let with = try sample.run("plan", "--json")
    try FileManager.default.moveItem(atPath: sample.path + "/.carryover", toPath: sample.folder.path("aside"))
    let without = try sample.run("plan", "--json")
    #expect(with.status == 0 && with.output == without.output)
  }

  @Test func `rollback ignores them, and refuses one by its id until it is adopted`() throws {
    let migrated = try sample.files()
    try run("rollback", "--yes").ended(1)
    try run("rollback", "--run", id, "--yes").ended(5, saying: id, "--adopt --run \(id)")
    #expect(try sample.files() == migrated)

    #expect(try run("recover", "--adopt", "--run", id).status == 64)
    #expect(try sample.files() == migrated)
    try run("recover", "--adopt", "--run", id, "--yes").ended()
    #expect(try sample.files() == migrated)
    #expect(try Tool.runs(of: sample.path).map { $0["standing"] as? String } == ["holds"])
    #expect(try Tool.runs(of: sample.path).map { $0["origin"] as? String } == ["own"])
    #expect(try run("rollback", "--yes").status == 0)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `One that is discarded is moved aside whole, and no longer listed`() throws {
    let folder = sample.path + "/.carryover"
    let before = try FileState.files(under: folder + "/runs/" + id)
    let files = try sample.files()
    try run("recover", "--discard", "--run", id).ended(saying: ".carryover/discarded/1")
    #expect(try FileState.files(under: folder + "/discarded/1/" + id) == before)
    #expect(try Tool.runs(of: sample.path).isEmpty)
    #expect(try sample.files() == files)
    #expect(try run("recover", "--discard", "--run", id).status == 1)
  }

  @Test func `extract leaves them out and says so; --with-state takes them, and they came along`() throws {
    let forms = try Forms(of: sample)
    for form in ["package.zip", "folder.tar.gz"] {
      let (plain, whole) = (forms.path("plain-" + form), forms.path("whole-" + form))
      let without = try Tool.carryover("extract", forms.path(form), "--output", plain, "--json")
      #expect(without.status == 0, "\(form): \(without.error)")
      let hasState = form == "package.zip"
      let left = try #require(try without.json()["leftOut"] as? [[String: Any]])
      #expect(left.map { $0["reason"] as? String } == (hasState ? ["state"] : []), "\(form)")
      #expect(try SchemaCheck("extract-1").problems(without.json()) == [])
      #expect(!FileManager.default.fileExists(atPath: plain + "/.carryover"))
      #expect(try Tool.carryover("history", plain).output.contains("This container has no runs"))

      let with = try Tool.carryover("extract", forms.path(form), "--with-state", "--output", whole)
      #expect(with.status == 0, "\(form): \(with.error)")
      #expect(!with.output.contains("Left out"))
      #expect(FileManager.default.fileExists(atPath: whole + "/.carryover/runs/" + id) == hasState)
      if hasState { #expect(try Tool.carryover("history", whole).output.contains("from elsewhere")) }
    }
    let text = try Tool.carryover("extract", forms.path("package.zip"), "--output", forms.path("text"))
    #expect(text.output.contains("Skipped: 1") && text.output.contains("--with-state"), "\(text.output)")
  }
}

@Suite("The key that seals runs") struct StateKeyCommandTests {
  private let sample: SampleCopy
  private let stateHome: String
  private var folder: String { stateHome + "/carryover" }
  private var key: String { folder + "/key" }

  init() throws {
    sample = try SampleCopy("Clean")
    stateHome = sample.folder.path("state")
  }

  private func run(_ environment: [String], _ arguments: [String]) throws -> Tool.Result {
    let variables = ["-u", "XDG_STATE_HOME", "-u", "HOME"] + environment
    return try Tool.run("env", variables + [Tool.carryover.path] + arguments)
  }

  private func apply(_ environment: [String]? = nil) throws -> Tool.Result {
    try run(environment ?? ["XDG_STATE_HOME=\(stateHome)"], ["apply", sample.path] + SampleCopy.planning + ["--yes"])
  }

  private func mode(_ path: String) throws -> Int {
    let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    return try #require(value).intValue
  }

  private func names() throws -> Set<String> { Set(try FileManager.default.subpathsOfDirectory(atPath: sample.path)) }

  @Test func `The first command that writes makes the key, for its owner alone; the next one uses it`() throws {
    #expect(try apply().status == 0)
    #expect(try mode(key) == 0o600)
    #expect(try mode(folder) == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: key))
    #expect(bytes.count == 65 && bytes.dropLast().allSatisfy { Character(UnicodeScalar($0)).isHexDigit })
    try run(["XDG_STATE_HOME=\(stateHome)"], ["rollback", sample.path, "--yes"]).ended()
    #expect(try Data(contentsOf: URL(fileURLWithPath: key)) == bytes)
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `Two keys are never the same`() throws {
    #expect(try apply().status == 0)
    let other = try StateKeyCommandTests()
    #expect(try other.apply().status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: key)) != Data(contentsOf: URL(fileURLWithPath: other.key)))
  }

  @Test(arguments: ["plan", "inspect", "history", "report"])
  func `Commands that read need no key and make none`(subcommand: String) throws {
    let options = ["plan", "report"].contains(subcommand) ? SampleCopy.planning : []
    try run(["XDG_STATE_HOME=\(stateHome)"], [subcommand, sample.path] + options).ended()
    #expect(!FileManager.default.fileExists(atPath: stateHome))
    #expect(try run([], [subcommand, sample.path] + options).status == 0)
  }

  @Test func `The key is in the home folder where XDG_STATE_HOME is not set, or is not an absolute path`() throws {
    let home = sample.folder.path("home")
    let missing = try apply(["HOME=\(home)"])
    #expect(missing.status == 1 && !FileManager.default.fileExists(atPath: home), "\(missing.error)")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
    #expect(try apply(["HOME=\(home)"]).status == 0)
    #expect(try mode(home + "/.local/state/carryover/key") == 0o600)
    try run(["HOME=\(home)", "XDG_STATE_HOME=state"], ["rollback", sample.path, "--yes"]).ended()
    #expect(!FileManager.default.fileExists(atPath: "state/carryover"))
  }

  @Test func `With neither variable set nothing is written, and the error names them`() throws {
    let before = try names()
    let result = try apply([]).ended(1)
    #expect(result.output.isEmpty)
    #expect(result.error.hasPrefix("carryover: ") && result.error.contains("XDG_STATE_HOME"), "\(result.error)")
    #expect(result.error.contains("HOME"))
    #expect(try sample.files() == sample.originalFiles())
    #expect(try names() == before)
  }

  @Test(arguments: ["others may read it", "empty", "short", "no digits", "folder", "link", "folder is a file"])
  func `With a key that cannot be used nothing is written, and the error names it`(how: String) throws {
    let manager = FileManager.default
    let digits = String(repeating: "0a", count: 32) + "\n"
    try manager.createDirectory(atPath: stateHome, withIntermediateDirectories: true)
    if how == "folder is a file" {
      try Data("mine".utf8).write(to: URL(fileURLWithPath: folder))
    } else {
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let elsewhere = sample.folder.path("elsewhere")
      switch how {
      case "folder": try manager.createDirectory(atPath: key, withIntermediateDirectories: true)
      case "link":
        try Data(digits.utf8).write(to: URL(fileURLWithPath: elsewhere))
        try manager.createSymbolicLink(atPath: key, withDestinationPath: elsewhere)
      default:
        let text = ["empty": "", "short": "0a0a\n", "no digits": String(repeating: "xy", count: 32) + "\n"][how]
        try Data((text ?? digits).utf8).write(to: URL(fileURLWithPath: key))
        let mode = how == "others may read it" ? 0o644 : 0o600
        try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
      }
    }
    let before = (try names(), try FileState.files(under: stateHome))
    let result = try apply()
    #expect(result.status == 1, "\(how)")
    #expect(result.output.isEmpty)
    #expect(result.error.hasPrefix("carryover: ") && result.error.contains("carryover"), "\(how): \(result.error)")
    #expect(result.error.contains(how == "folder is a file" ? folder : key), "\(how): \(result.error)")
    #expect(result.error.contains("chmod 600") == (how == "others may read it"), "\(how): \(result.error)")
    #expect(try sample.files() == sample.originalFiles())
    #expect(try names() == before.0, "\(how)")
    #expect(try FileState.files(under: stateHome) == before.1, "\(how)")
  }

}
