@Suite("carryover diagnose, and the verdict in reports") struct DiagnoseTests {
  private let folder = TemporaryFolder()
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("AcmeShop") }

  @Test func `it says why, what is lost, when things happened and what to paste, and writes nothing (F11)`() throws {
    let result = try sample.run("diagnose").ended()
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("✗ Likely: The update would log this user out: rl_traits.userId is a") == true)
    for words in [
      "rl_traits.userId is a number of 2 digits: 42", "2025-11-20T12:02:03Z  last event, legacy SDK",
      "--accept user_id", "Or decide user_id in the review.", "This repairs only this container. To repair every",
    ] {
      #expect(result.output.contains(words), "\(result.output)")
    }
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `the evidence says the size of data once`() throws {
    for file in ["Preferences/com.acme.shop.plist", "rsDefaultsPersistence.plist"] {
      try Tool.edit(sample.path + "/AppData/Library/" + file, "values['rl_traits'] = bytes([0, 1])")
    }
    try sample.run("diagnose").ended(printing: "rl_traits is data: 2 bytes 0001")
  }

  @Test func `a time is never masked, though it has digits that a value has`() throws {
    let time = "2025-11-20T12:42:42Z"
    for command in [["report"], ["report", "--html"], ["diagnose", "--redact"], ["diagnose", "--redact", "--json"]] {
      let result = try Tool.carryover(command + [sample.path, "--write-key", SampleCopy.writeKey, "--now", time])
      #expect(result.output.contains(time) && !result.output.contains("T12:‹"), "\(command) \(result.output)")
    }
  }

  @Test func `the command that it prints mends what it says`() throws {
    let commands = try #require(try sample.run("diagnose", "--json").json()["commands"] as? [String])
    let command = try #require(commands.first)
    #expect(commands.count == 1 && command.hasPrefix("carryover apply "))
    try Tool.run("sh", ["-c", "PATH=\"$0:$PATH\"; \(command) --yes", Tool.carryover.deletingLastPathComponent().path])
      .ended()
    let after = try sample.run("diagnose", "--json").json()
    #expect((after["verdict"] as? [String: Any])?["outcome"] as? String != "logged-out")
    #expect((after["verdict"] as? [String: Any])?["situation"] as? String == "migrated")
  }

  @Test func `a path with spaces and quotation marks is pasted as one word`() throws {
    let path = folder.path("Ada's case; $HOME.xcappdata")
    try FileManager.default.copyItem(at: SampleCopy.original("AcmeShop"), to: URL(fileURLWithPath: path))
    let result = try Tool.carryover("diagnose", path, "--write-key", "WK", "--json").json()
    let command = try #require((result["commands"] as? [String])?.first)
    let echoed = try Tool.run(
      "sh", ["-c", command.replacingOccurrences(of: "carryover apply", with: "printf '%s\\n'")])
    #expect(echoed.output.split(separator: "\n").first.map(String.init) == path)
  }

  @Test func `with files of several write keys, only the key tells what is to decide`() throws {
    let path = SampleCopy.original("Findings/target.many-write-keys").path
    let result = try Tool.carryover("diagnose", path, "--now", SampleCopy.now, "--json").json()
    #expect(result["commands"] as? [String] == ["carryover diagnose \(path) --write-key WRITE_KEY"])
    let audit = try Tool.carryover("audit", path, "--now", SampleCopy.now, "--json").json()
    let fields = try #require(audit["fields"] as? [[String: Any]])
    #expect(fields.contains { $0["unknown"] as? Int == 1 } && fields.allSatisfy { $0["carries"] as? Int == 0 })
    #expect(fields.allSatisfy { ($0["reference"] as? [String: Int])?["kept"] == 0 })
  }

  @Test func `without a write key it answers from the container alone, and says that it needs the key`() throws {
    let path = SampleCopy.original("Findings/identity.user-id-not-string").path
    let result = try Tool.carryover("diagnose", path, "--now", SampleCopy.now).ended()
    #expect(result.output.hasPrefix("✗ Likely: The update would log this user out"))
    #expect(result.output.contains("Needs: write key (--write-key)."))
    let said = result.output.split { " \n".contains($0) }.joined(separator: " ")
    for words in ["carryover apply", "--write-key WRITE_KEY", "in place of WRITE_KEY"] {
      #expect(said.contains(words), "\(words): \(result.output)")
    }
    let known = try Tool.carryover("diagnose", path, "--now", SampleCopy.now, "--write-key", "1xAcme").ended().output
    #expect(known.contains(#"PersistentMigrator(writeKey: "1xAcme")"#) && !known.contains("WRITE_KEY"), "\(known)")
    let masked = try Tool.carryover("diagnose", path, "--now", SampleCopy.now, "--write-key", "1xAcme", "--redact")
    #expect(masked.output.contains(#"writeKey: "WRITE_KEY""#) && !masked.output.contains("1xAcme"), "\(masked.output)")
  }

  @Test func `plan, diagnose and report name the write key of the legacy configuration, and where it is`() throws {
    let options = [sample.path, "--now", SampleCopy.now]
    let words = "write key \(SampleCopy.writeKey), from source.writeKey in rl_server_config"
    for command in ["plan", "diagnose", "report"] {
      let result = try Tool.carryover([command] + options + (command == "report" ? ["--no-redact"] : [])).ended()
      let said = result.output.replacing("\n", with: " ").replacing("Write key |", with: "write key")
      #expect(said.contains(words) && !said.contains("Needs:"), "\(command) \(result.output)")
      let masked = try Tool.carryover([command] + options + (command == "report" ? [] : ["--redact"])).ended()
      #expect(!masked.output.contains(SampleCopy.writeKey), "\(command) \(masked.output)")
      #expect(try !sample.run(command).output.contains("in rl_server_config"), "of a key that is given")
    }
  }

  @Test func `its JSON suits the schema, masked and not; what a value looks like is never masked`() throws {
    for arguments in [[], ["--redact"]] {
      let json = try Tool.carryover(["diagnose"] + sample.options + arguments + ["--json"]).json("diagnosis-1")
      let loss = try #require((json["losses"] as? [[String: Any]])?.first)
      let field = try #require((loss["fields"] as? [[String: Any]])?.first)
      #expect(field["legacy"] as? String == "a number of 2 digits")
      #expect(json["redacted"] as? Bool == (arguments.isEmpty ? nil : true))
    }
  }

  @Test func `a report begins with the verdict, what is lost and the evidence, in Markdown and in HTML`() throws {
    let markdown = try sample.run("report").output
    #expect(markdown.hasPrefix("# The update would log this user out: rl_traits.userId is a number"))
    let html = try sample.run("report", "--html").output
    for page in [markdown, html] {
      let places = [
        "The update would log this user out", "What the update would lose", "What to do", "Stores", "Findings",
      ]
      .map { page.range(of: $0)?.lowerBound }
      #expect(!places.contains(nil))
      #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
      #expect(page.contains("a number of 2 digits") && page.contains("‹user-"))
    }
    #expect(try Tool.carryover(["report", "--html", "--json"] + sample.options).status == 64)
  }

  @Test func `diagnose and the report end the verdict with what the app must change, to paste into a ticket`() throws {
    let cause = "The app passed identify() traits with a userId that is not text"
    let call = "  .restorePersistence(onConflict: .replaceFreshIdentity)\n"
    let text = try sample.run("diagnose").output
    let last = try #require(text.components(separatedBy: "\nIn the app\n").element(1), "\(text)")
    #expect(last.contains(cause) && last.contains(call) && !last.contains("Timeline"), "\(last)")
    for words in ["Pass the external ids with each event", "Make CFBundleVersion an integer"] {
      #expect(last.contains(words), "\(last)")
    }
    #expect(text.contains("The external ids: see In the app."), "\(text)")
    let json = try sample.run("diagnose", "--redact", "--json").json()
    let ticket = try #require(json["inTheApp"] as? String)
    #expect(
      ticket.hasPrefix("* \(cause)") && ticket.contains("\n\n```swift\nimport CarryoverRestore\n\nlet report = "),
      "\(ticket)")
    let markdown = try sample.run("report").output
    #expect(
      markdown.contains("## In the app\n\n* \(cause)") && markdown.contains("```swift\nimport CarryoverRestore\n"))
    let html = try sample.run("report", "--html").output
    #expect(html.contains("<h2>In the app</h2>") && html.contains("<pre>import CarryoverRestore\n"))
  }

  @Test func `after a run of some fields, the new SDK's file is the cause; the app's error is still named`() throws {
    let partial = try SampleCopy("AcmeShop")
    try partial.run("apply", "--yes", "--only", "traits").ended()
    let text = try partial.run("diagnose").output
    #expect(text.contains("The update would log this user out: the new SDK's file has no user_id; "), "\(text)")
    #expect(!text.contains("migrator drops") && text.contains("--accept user_id"), "\(text)")
    #expect(text.contains("Set the field to your app's current build number"), "\(text)")
    #expect(text.contains("\nIn the app\n  The app passed identify() traits with"), "\(text)")
  }

  @Test func `a repair of the container does not change what the app must do for all users`() throws {
    let repaired = try SampleCopy.applied()
    func check(_ when: String) throws {
      for text in [try repaired.run("diagnose").output, try repaired.run("report").output] {
        let last = try #require(text.components(separatedBy: "In the app\n").last)
        for words in [
          "The app passed identify() traits with a userId that is not text", "Make CFBundleVersion an integer",
          ".restorePersistence(onConflict: .replaceFreshIdentity)",
        ] {
          #expect(last.contains(words), "\(when): \(text)")
        }
      }
    }
    try check("after a run")
    try repaired.run("apply", "--set", "rudder.app_build=421", "--yes").ended()
    try check("after a second run, which finds the ids settled")
    try repaired.run("cleanup", "--yes").ended()
    try check("after a cleanup")
  }

  @Test func `the app is told what to change for every SDK that loses something`() throws {
    let shop = try SampleCopy("Debug")
    let text = try shop.run("diagnose").output
    let last = try #require(text.components(separatedBy: "\nIn the app\n").element(1), "\(text)")
    let parts = [
      "  Mixpanel Obj-C → Swift 3+\n  Before the app calls Mixpanel.initialize", "\n  Segment Obj-C → Swift\n",
      "\n  RudderStack Obj-C → Swift\n  At each launch",
    ]
    for part in parts + ["\n  Amplitude "] { #expect(last.contains(part), "\(text)") }
  }

  @Test func `a report lists every store, whether or not a recipe reads it`() throws {
    let shop = try SampleCopy("Debug")
    #expect(try shop.run("report").output.contains("Documents/shop.sqlite"))
    let stores = try #require(shop.run("report", "--json").json("container-report-1")["stores"] as? [[String: Any]])
    let database = try #require(stores.first { ($0["path"] as? String)?.hasSuffix("Documents/shop.sqlite") == true })
    #expect(database["format"] as? String == "sqlite" && database["readable"] as? Bool == true, "\(database)")
  }

  @Test func `the app needs a call even if the vendor's migrator loses nothing, but none without data`() throws {
    let clean = try SampleCopy("Clean").run("diagnose").output
    #expect(clean.contains("\nIn the app\n") && clean.contains("PersistentMigrator(writeKey: "), "\(clean)")
    let repaired = try SampleCopy("Clean")
    try repaired.run("apply", "--yes").ended()
    let report = try repaired.run("report").ended().output
    #expect(report.contains("For every other user, see In the app below."), "\(report)")
    #expect(report.contains("## In the app\n\nAt each launch"), "\(report)")
    let other = try SampleCopy("Snowplow").run("diagnose").output
    #expect(other.contains("\nIn the app\n") && other.contains("SPInstallationUserId, unless there is one"), "\(other)")
    let none = try SampleCopy("NothingToMigrate").run("diagnose", "--recipe", "rudderstack-objc", "--json").json()
    #expect(none["inTheApp"] is NSNull)
  }

  @Test func `a container that lacks nothing has no advice, and one that waits for the app has the command`() throws {
    let clean = try SampleCopy("Clean")
    try clean.run("diagnose").ended(printing: "carryover apply \(clean.path)")
    #expect(try clean.run("apply", "--yes").status == 0)
    let after = try clean.run("diagnose", "--json").json()
    for member in ["advice", "commands", "cautions"] {
      #expect((after[member] as? [String])?.isEmpty == true, "\(after)")
    }
    try clean.run("diagnose").ended(printing: "Nothing to do.")
  }

  @Test func `where several fields are in conflict, the options for an apply decide each of them`() throws {
    let sample = try SampleCopy("HalfFilled")
    let edit = PropertyListEdit.set("anonymous_id", "3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b")
    let bytes = try PropertyListDocument(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: sample.target))))
      .editing([edit])
    try Data(bytes).write(to: URL(fileURLWithPath: sample.target))
    let advice = try #require(try sample.run("diagnose", "--json").ended().json()["advice"] as? [String])
    #expect(
      advice.contains(
        "Decide anonymous_id and user_id in the review, or apply with --write-key 1xAcmeWriteKey --replace FIELD or --keep FIELD for each, and with --accept session_id."
      ), "\(advice)")
    let masked = try sample.run("diagnose", "--redact", "--json").ended().json()["advice"] as? [String]
    #expect(masked?.first == "Put the write key in place of WRITE_KEY: it is masked here.", "\(masked ?? [])")
    let decisions = ["--replace", "anonymous_id", "--keep", "user_id", "--accept", "session_id"]
    try Tool.carryover(["apply", sample.path, "--yes", "--rehearse"] + decisions + sample.options.dropFirst()).ended()
  }

  @Test func `what is allowed for an opted-out user is not asked for again, and plan and verdict agree`() throws {
    let sample = try SampleCopy("OptedOut")
    let plan = try sample.run("plan").output
    #expect(plan.contains("Plan: 8 ready") && plan.contains("Blocked by consent.opted-out"), "\(plan)")
    #expect(try sample.run("apply", "--yes", "--allow-opted-out").status == 0)
    let after = try sample.run("diagnose").output
    #expect(!after.contains("--allow-opted-out") && after.contains("The opt-out: see In the app."), "\(after)")
    let settled = try sample.run("plan").output
    #expect(settled.contains("Plan: 0 to write") && !settled.contains("Blocked"), "\(settled)")
  }

  @Test func `a report names the container without the folders of this machine, and the gravest finding first`() throws
  {
    for arguments in [[], ["--html"], ["--json"]] {
      let report = try Tool.carryover(["report"] + sample.options + arguments).output
      #expect(!report.contains(sample.folder.path), "\(arguments) \(report)")
    }
    let report = try sample.run("report").output
    #expect(report.contains("carryover apply AcmeShop.xcappdata "), "\(report)")
    let weights = report.split(separator: "\n").compactMap { line in
      ["* **error", "* **warning, asks", "* **warning**", "* **note"].firstIndex { line.hasPrefix($0) }
    }
    #expect(weights.count > 3 && weights == weights.sorted(), "\(weights)")
  }

  @Test func `a report's command has the chosen container and the recipe file, and no folder of this machine`() throws {
    let folder = sample.folder.path
    let name = try #require(folder.split(separator: "/").last)
    let file = folder + "/own/rudder.recipe.yaml"
    let recipe = try String(
      contentsOf: packageRoot.appending(path: "Recipes/rudderstack-objc.recipe.yaml"), encoding: .utf8)
    try sample.folder.place(
      "own/rudder.recipe.yaml", recipe.replacing("id: rudderstack-objc", with: "id: acme-own").utf8)
    let options = ["--container", "AcmeShop.xcappdata", "--state-dir", folder + "/state", "--recipe", file]
    let trust = try ["--trust", Tool.digest(of: file)]
    for form in [trust, trust + ["--html"], trust + ["--json"], []] {
      let report = try Tool.carryover(["report", folder + "/"] + options + SampleCopy.planning + form).output
      #expect(report.contains("acme-own") && !report.contains(folder) && !report.contains("--state-dir"), "\(report)")
    }
    let report = try Tool.carryover(["report", folder] + options + trust + SampleCopy.planning).output
    // The folder of the test is named by an id, which is masked.
    #expect(name.hasPrefix("carryover-"))
    for words in ["carryover apply carryover-‹id› ", "--container AcmeShop.xcappdata", "--recipe rudder.recipe.yaml"] {
      #expect(report.contains(words), "\(words): \(report)")
    }
  }

  @Test(arguments: ["AcmeShop", "Snowplow", "HalfFilled"])
  func `a report's legend has the masks that occur, and no other`(name: String) throws {
    let sample = try SampleCopy(name)
    let report = try Tool.carryover("report", sample.path, "--now", SampleCopy.now).output
    let parts = report.components(separatedBy: "\n> ")
    let (body, legend) = (parts[0], try #require(parts.element(1)))
    for kind in ["user", "id", "email", "phone", "secret", "key", "text", "number", "date", "data"] {
      #expect(body.contains("‹" + kind) == legend.contains("`\(kind)`"), "\(kind): \(legend)")
    }
    #expect(legend.contains("session ids") == false, "\(legend)")
    // A write key ships in the app.
    #expect(!body.contains(".‹secret"), "\(body)")
  }

  @Test func `HTML is one file without scripts or links, and text from a container is never markup`() throws {
    let path = folder.path("<img src=x onerror=alert(1)>&\"'.xcappdata")
    try FileManager.default.copyItem(at: SampleCopy.original("AcmeShop"), to: URL(fileURLWithPath: path))
    let html = try Tool.carryover("report", path, "--html", "--no-redact", "--write-key", "WK").output
    #expect(html.contains("&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;.xcappdata"))
    try Tool.run("python3", ["-c", Self.balance], input: html).ended()
    #expect(html.contains("prefers-color-scheme: dark") && html.contains("@media print"))
  }

  /// Fails for a tag that is not closed, that is not ours, or that leads or loads anywhere.
  private static let balance = """
    import html.parser, sys
    ours = set('html head meta title style body h1 h2 p ul li div table thead tbody tr th td code strong pre'.split())
    open_tags = []
    class Check(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            assert tag in ours, tag
            assert {name for name, _ in attributes} <= {'lang', 'charset', 'http-equiv', 'content', 'name', 'class'}, attributes
            if tag != 'meta': open_tags.append(tag)
        def handle_endtag(self, tag):
            assert open_tags.pop() == tag, tag
    text = sys.stdin.read()
    Check().feed(text)
    assert not open_tags, open_tags
    assert 'http:' not in text and 'https:' not in text and 'url(' not in text and '@import' not in text
    """
}

@Suite("Recorded verdicts") struct VerdictScreensTests {
  private static let file = packageRoot.appendingPathComponent("Tests/Fixtures/verdicts.txt")

  @Test func `every verdict is as it was recorded, and somebody has read it`() throws {
    let said = try Diagnosed.all().map(\.lines).joined(separator: "\n")
    if ProcessInfo.processInfo.environment["CARRYOVER_RECORD_SCREENS"] == "1" {
      try Data(said.utf8).write(to: Self.file)
    }
    for word in ["VALUE", "BUNDLE_ID"] { #expect(!said.contains(word), "no command can be run with it") }
    let recorded = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(recorded == said, "Tests/Fixtures/verdicts.txt is stale: run `make record`, and read the difference.")
  }

  @Test func `a sample whose user id is migrated, or is in the new SDK's file, logs nobody out`() throws {
    func isCarried(_ sample: Diagnosed) throws -> Bool? {
      let plan = try Tool.carryover(["plan"] + sample.arguments + ["--json"])
      // A container may have another SDK's data, too, and the verdict may be about that.
      guard plan.status == 0, try sample.isAbout(plan.json()), let field = try sample.user(in: plan.json()) else {
        return nil
      }
      let legacy = (field["legacy"] as? [String: Any])?["type"] as? String
      return field["status"] as? String == "unchanged" || (sample.situation == "ahead" && legacy == "string")
    }
    let samples = try Diagnosed.all()
    #expect(try isCarried(#require(samples.first { $0.name == "Clean" })) == true)
    var counted = 0
    for sample in samples
    where sample.outcome == "logged-out" || sample.sentence.contains(/log this user out|was logged out/) {
      guard let isCarried = try isCarried(sample) else { continue }
      counted += 1
      #expect(!isCarried, "\(sample.name): \(sample.sentence)")
    }
    #expect(counted > 8)
  }

  @Test func `a sample whose user id is a number logs the user out, and an unreadable one tells nothing`() throws {
    let samples = try Diagnosed.all()
    for name in ["AcmeShop", "identity.user-id-not-string"] {
      #expect(samples.first { $0.name == name }?.outcome == "logged-out")
    }
    for name in [
      "CorruptTraits", "traits.invalid-json", "target.unreadable", "target.no-bundle-id", "source.not-found",
    ] {
      #expect(samples.first { $0.name == name }?.certainty == "cannot-tell")
    }
    for name in ["Clean", "target.no-write-key", "session.expired"] {
      #expect(samples.first { $0.name == name }?.outcome == "nothing-lost")
    }
  }
}

private struct Diagnosed {
  let name: String
  let arguments: [String]
  private let document: [String: Any]

  private init(_ name: String, _ arguments: [String]) throws {
    self.name = name
    self.arguments = arguments
    let result = try Tool.carryover(["diagnose"] + arguments + ["--json"])
    guard result.status == 0 else { throw Tool.Missing("a diagnosis of \(name): \(result.error)") }
    document = try result.json()
  }

  nonisolated(unsafe) private static let diagnosed = Result { try make() }

  static func all() throws -> [Diagnosed] { try diagnosed.get() }

  private static func make() throws -> [Diagnosed] {
    let root = packageRoot.appendingPathComponent("Examples")
    let options = ["--write-key", SampleCopy.writeKey, "--now", SampleCopy.now]
    let samples = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".xcappdata") }
    let index = try JSONSerialization.jsonObject(
      with: Data(contentsOf: root.appendingPathComponent("Findings/index.json")))
    let examples = (index as? [String: Any])?["examples"] as? [[String: Any]] ?? []
    return try samples.sorted().map { name in
      try Diagnosed(String(name.dropLast(".xcappdata".count)), [root.appendingPathComponent(name).path] + options)
    }
      + examples.map { example in
        let place = "Findings/\(example["container"] as? String ?? "")"
        return try Diagnosed(
          example["code"] as? String ?? "",
          [root.appendingPathComponent(place).path] + (example["options"] as? [String] ?? []))
      }
  }

  func isAbout(_ plan: [String: Any]) -> Bool {
    func recipe(_ document: [String: Any]) -> String? { (document["recipe"] as? [String: Any])?["id"] as? String }
    return recipe(document) == recipe(plan)
  }

  private func verdict(_ member: String) -> String { (document["verdict"] as? [String: Any])?[member] as? String ?? "" }
  var sentence: String { verdict("sentence") }
  var certainty: String { verdict("certainty") }
  var outcome: String { verdict("outcome") }
  var situation: String { verdict("situation") }

  func user(in plan: [String: Any]) throws -> [String: Any]? {
    (plan["fields"] as? [[String: Any]])?.first { $0["id"] as? String == "user_id" }
  }

  /// The verdict as it is recorded: what copying a sample may change is left out.
  var lines: String {
    let losses = (document["losses"] as? [[String: Any]] ?? []).map { loss in
      "  - \(loss["what"] ?? ""): \(loss["cause"] ?? "")"
    }
    let root = packageRoot.path + "/"
    let commands = (document["commands"] as? [String] ?? []).map {
      "  $ " + $0.replacingOccurrences(of: root, with: "")
    }
    return ([name, "  \(certainty): \(sentence)", "  \(verdict("reason"))"] + losses + commands).joined(separator: "\n")
      + "\n"
  }
}

@Suite("A target in an awkward place") struct TargetSituationTests {
  private let other = TemporaryFolder()
  private func sample(mode: Int = 0o600) throws -> SampleCopy {
    let sample = try SampleCopy("Clean")
    let list = try PropertyListSerialization.data(fromPropertyList: ["other.key": "stays"], format: .binary, options: 0)
    try list.write(to: URL(fileURLWithPath: sample.target))
    try set(.posixPermissions, mode, sample.target)
    return sample
  }

  private func set(_ attribute: FileAttributeKey, _ value: Int, _ path: String) throws {
    try FileManager.default.setAttributes([attribute: NSNumber(value: value)], ofItemAtPath: path)
  }

  private func attribute(_ attribute: FileAttributeKey, _ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[attribute] as? NSNumber)?.intValue
  }

  private func home(of user: Int) throws -> String {
    try set(.ownerAccountID, user, other.path)
    return other.path
  }

  private func refuses(_ sample: SampleCopy, because cause: String, as user: Int? = nil) throws {
    let before = try FileState.files(under: sample.folder.path)
    let arguments = ["apply"] + sample.options + ["--yes"]
    let result =
      if let user {
        try Tool.run(
          "setpriv",
          ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "env", "XDG_STATE_HOME=\(try home(of: user))"]
            + [Tool.carryover.path] + arguments)
      } else {
        try Tool.carryover(arguments)
      }
    #expect(result.status == 1, "\(result.error)")
    #expect(result.error.contains(cause) && result.error.contains("Nothing was changed."), "\(result.error)")
    #expect(try FileState.files(under: sample.folder.path) == before)
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
  }

  @Test func `plan and apply warn of a write key without a file, beside files of other keys`() throws {
    let sample = try SampleCopy("Clean")
    #expect(try sample.run("apply", "--yes").status == 0)
    let mistyped = [sample.path, "--write-key", "1xMistyped", "--now", SampleCopy.now]
    let words = "No file of write key 1xMistyped here, only of \(SampleCopy.writeKey)."
    let plan = try Tool.carryover(["plan"] + mistyped)
    #expect(plan.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words), "\(plan.output)")
    try Tool.carryover(["apply"] + mistyped + ["--yes"]).ended(saying: words)
  }

  @Test(arguments: [0o600, 0o644, 0o640, 0o400])
  func `The mode stays`(mode: Int) throws {
    let sample = try sample(mode: mode)
    #expect(try sample.run("apply", "--yes").status == 0)
    #expect(try attribute(.posixPermissions, sample.target) == mode)
    #expect(try sample.targetAsPythonReadsIt()["other.key"] == "str\t'stays'")
    #expect(try sample.run("rollback", "--yes").status == 0)
    #expect(try attribute(.posixPermissions, sample.target) == mode)
  }

  @Test(.enabled(if: getuid() == 0)) func `Another user's file stays theirs where that can be done`() throws {
    let sample = try sample()
    try set(.ownerAccountID, 1234, sample.target)
    try set(.groupOwnerAccountID, 4321, sample.target)
    for subcommand in ["apply", "rollback"] {
      #expect(try sample.run(subcommand, "--yes").status == 0)
      #expect(try attribute(.ownerAccountID, sample.target) == 1234)
      #expect(try attribute(.groupOwnerAccountID, sample.target) == 4321)
      #expect(try attribute(.posixPermissions, sample.target) == 0o600)
    }
  }

  @Test(.enabled(if: getuid() == 0)) func `Another user's file that could not stay theirs is refused`() throws {
    let sample = try givenAway(sample(mode: 0o644), to: 65534)
    try set(.ownerAccountID, 1234, sample.target)
    try refuses(sample, because: "belongs to user 1234", as: 65534)
  }

  @Test(.enabled(if: getuid() == 0)) func `A folder that cannot be written to: refused`() throws {
    let sample = try givenAway(sample(), to: 65534)
    try set(.posixPermissions, 0o555, sample.path + "/AppData/Library/Preferences")
    try refuses(sample, because: "permission", as: 65534)
  }

  private func givenAway(_ sample: SampleCopy, to user: Int) throws -> SampleCopy {
    let root = sample.folder.path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).map { root + "/" + $0 }
    for path in [root] + paths {
      try set(.ownerAccountID, user, path)
      try set(.groupOwnerAccountID, user, path)
    }
    try set(.posixPermissions, 0o755, root)
    return sample
  }
}
