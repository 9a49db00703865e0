@Suite("Files that only recipes know as stores") struct OtherStoresTests {
  private let folder = TemporaryFolder()
  private var container: String { folder.path("Data") }

  init() throws { try place("Library/Preferences/com.acme.shop.plist", try plist(["launchCount": 3])) }

  private func plist(_ values: [String: Any]) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
  }

  private func place(_ path: String, _ data: Data) throws { try folder.place("Data/" + path, data) }

  private func segment(user: String = "u-1001") throws {
    let support = "Library/Application Support/"
    try place(support + "segment.anonymousId", Data(#"{"segment.anonymousId":"9F1C2A7E"}"#.utf8))
    try place(support + "segmentio.userId", Data(#"{"segmentio.userId":"\#(user)"}"#.utf8))
    try place(support + "segmentio.traits.plist", Data(#"{"age":41}"#.utf8))
  }

  private func amplitude(optOut: Bool) throws {
    let tables = try #require(
      KeyValueTables.bytes(of: [
        (.init("store", key: "key", value: "value"), ["device_id": "9F1C2A7E", "user_id": "u-1001"]),
        (.init("long_store", key: "key", value: "value"), ["opt_out": .integer(optOut ? 1 : 0)]),
      ]))
    try place("Library/com.amplitude.database", Data(tables))
  }

  private func written(_ path: String) throws -> [String: Any] {
    try Tool.keys(of: container + "/Library/Preferences/" + path)
  }

  @Test func `Segment's files are migrated, and every byte is back after a rollback`() throws {
    try segment()
    let before = try FileState.files(under: container)
    try Tool.carryover("diagnose", container, "--write-key", "WK").prints("com.segment.storage.WK,")
    try Tool.carryover("apply", container, "--write-key", "WK", "--yes").ended()
    let suite = try written("com.segment.storage.WK.plist")
    #expect(suite["segment.userId"] as? String == "u-1001")
    #expect(suite["segment.anonymousId"] as? String == "9F1C2A7E")
    #expect(suite["segment.traits"] is Data)
    // The write key is now in the name of a suite.
    #expect(try Tool.carryover("plan", container).output.contains("0 to write, 3 unchanged"))
    #expect(try Tool.carryover("rollback", container, "--yes").status == 0)
    #expect(try FileState.files(under: container) == before)
  }

  @Test func `a saved plan is out of date once such a file has changed, and after it appears or disappears`() throws {
    try segment()
    let plan = folder.path("plan.json")
    #expect(try Tool.carryover(["plan", container, "-o", plan] + ["--write-key", "WK"]).status == 0)
    try segment(user: "u-2002")
    try Tool.carryover("apply", plan, "--yes").ended(4)
    try FileManager.default.removeItem(atPath: container + "/Library/Application Support/segmentio.userId")
    #expect(try Tool.carryover("apply", plan, "--yes").status == 4)
    try segment()
    #expect(try Tool.carryover("apply", plan, "--yes").status == 0)
  }

  @Test func `a saved plan is out of date once a database, or the log beside it, has changed`() throws {
    try amplitude(optOut: false)
    let plan = folder.path("plan.json")
    #expect(try Tool.carryover("plan", container, "-o", plan, "--write-key", "WK").status == 0)
    try place("Library/com.amplitude.database-wal", Data([1]))
    #expect(try Tool.carryover("apply", plan, "--yes").status != 0)
    try FileManager.default.removeItem(atPath: container + "/Library/com.amplitude.database-wal")
    try amplitude(optOut: true)
    #expect(try Tool.carryover("apply", plan, "--yes").status == 4)
    try amplitude(optOut: false)
    #expect(try Tool.carryover("apply", plan, "--yes").status == 0)
  }

  @Test func `an opt-out in a database blocks Amplitude's recipe, and a stranger's that does not mention it`() throws {
    try amplitude(optOut: true)
    let file = try folder.recipe(
      """
      read:
        - {sqlite: Library/com.amplitude.database, table: store}
      write: {suite: "${bundle-id}.acme"}
      detect: [device_id]
      fields:
        - {key: who, group: identity, form: string, from: [{key: device_id}]}
      """)
    #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
    for options in [["--write-key", "WK"], ["--recipe", file]] {
      let applied = try Tool.carryover(["apply", container, "--yes"] + options)
      #expect(applied.status == 2 && applied.error.contains("consent.opted-out"), "\(options): \(applied.error)")
    }
  }

  @Test func `a recipe that is only followed by name is not detected, nor one of all`() throws {
    try segment()
    for options in [[], ["--recipe", "all"]] {
      let plan = try Tool.carryover(["plan", container, "--write-key", "WK"] + options).prints("com.segment.storage.WK")
      #expect(!plan.output.contains("com.acme.shop.analytics.WK"))
    }
    let named = try Tool.carryover("plan", container, "--write-key", "WK", "--recipe", "segment-to-rudderstack")
    #expect(named.output.contains("com.acme.shop.analytics.WK"))
  }

  @Test func `where no recipe finds data, tables and the files that were not read are counted`() throws {
    let tables = try #require(
      KeyValueTables.bytes(of: [(.init("acme", key: "key", value: "value"), ["theme": "dark"])]))
    try place("Documents/acme.sqlite", Data(tables))
    try place("Documents/photo.bin", Data([1, 2, 3]))
    let counts = "2 stores, 1 key, 1 table. 1 other file was not read."
    for result in try [
      Tool.carryover("diagnose", container), Tool.carryover("plan", container),
      Tool.carryover(["review", container], lines: ["quit"]),
    ] {
      let words = result.ended().output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      #expect(words.contains(counts), "\(result.output)")
    }
  }

  @Test func `the write key of an audit is not used for Segment`() throws {
    try segment()
    try Tool.carryover("apply", container, "--write-key", "OWN", "--yes").ended()
    let own = try Tool.carryover("audit", container).output
    #expect(try Tool.carryover("audit", container, "--write-key", "WK").output == own)
    let named = try Tool.carryover("audit", container, "-P", "segment-objc/write-key=WK").output
    #expect(named.contains("target.other-write-key"), "\(named)")
  }

  @Test func `the stores show the tables, and a redacted output no value of them`() throws {
    try amplitude(optOut: false)
    try Tool.carryover("inspect", container, "--json").prints("u-1001", "\"sqlite\"")
    for command in [
      ["inspect", container, "--redact"], ["report", container], ["inspect", container, "--redact", "--json"],
    ] {
      let masked = try Tool.carryover(command).ended(printing: "sqlite")
      #expect(!masked.output.contains("u-1001") && !masked.output.contains("9F1C2A7E"), "\(command)")
    }
  }

  @Test(arguments: ["damaged", "SQLite format 3\0", "empty"])
  func `a damaged database, one without the table, an encrypted file are unreadable sources`(_ content: String) throws {
    let other: [(KeyValueTable, PropertyListDictionary)] = [(KeyValueTable("other", key: "key", value: "value"), [:])]
    let bytes = content == "empty" ? Data(try #require(KeyValueTables.bytes(of: other))) : Data(content.utf8)
    try place("Library/com.amplitude.database", bytes)
    let plan = try Tool.carryover("plan", container, "--recipe", "amplitude-objc", "--write-key", "WK")
    #expect(plan.status == 0 && plan.output.contains("source.unreadable"), "\(plan.output)\(plan.error)")
  }

  private func stranger(_ read: String, parameters names: [String] = [], tests: String = "") throws -> String {
    return try folder.recipe(
      """
      parameters: {\(names.map { "\($0): {title: \($0)}" }.joined(separator: ", "))}
      read:
      \(read)
      write: {suite: "${bundle-id}.acme"}
      detect: [device_id]
      opt-out-keys: [opt_out]
      fields:
        - {key: who, group: identity, form: string, from: [{key: device_id}]}
      \(tests)
      """)
  }

  @Test func `a recipe cannot hide an opt-out by reading its file in another way`() throws {
    try place("Library/Preferences/com.acme.shop.plist", try plist(["opt_out": true]))
    try place("Library/Preferences/other.plist", try plist(["device_id": "9F1C2A7E"]))
    for way in [
      "{sqlite: Library/Preferences/com.acme.shop.plist, table: x}",
      "{file: Library/Preferences/com.acme.shop.plist, as: x}",
    ] {
      let file = try stranger("  - suite: other\n  - \(way)")
      #expect(try Tool.carryover("recipe", "trust", file, "--yes").status == 0)
      let applied = try Tool.carryover("apply", container, "--recipe", file, "--yes")
      #expect(applied.status == 2 && applied.error.contains("consent.opted-out"), "\(way): \(applied.error)")
    }
  }

  @Test func `a parameter in a test leads out of no folder`() throws {
    let outside = folder.path("outside")
    let file = try stranger(
      "  - {file: \"Library/x${p}\", as: device_id}", parameters: ["p"],
      tests: """
        tests:
          - name: t
            parameters: {p: "/../../../../../../../../../..\(outside)/file"}
            given: {"Library/x${p}": text}
            expect: {findings: []}
        """)
    #expect(try Tool.carryover("recipe", "test", file).status == 1)
    #expect(!FileManager.default.fileExists(atPath: outside))
  }

  @Test func `many parameters in a path take no longer than one`() throws {
    try place("Library/Application Support/" + String(repeating: "a", count: 200), Data())
    let file = try stranger(
      "  - {file: \"Library/Application Support/${p}${a}${b}${c}${d}${e}!\", as: device_id}",
      parameters: ["p", "a", "b", "c", "d", "e"])
    let start = ContinuousClock.now
    _ = try Tool.carryover("plan", container, "--recipe", file)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `a report shows nothing of a file that is neither JSON nor a property list`() throws {
    try segment()
    try place("Library/Application Support/segmentio.userId", Data("jane.doe-77".utf8))
    for command in [["report", container], ["inspect", container, "--redact", "--json"]] {
      #expect(!(try Tool.carryover(command).output.contains("jane")), "\(command)")
    }
  }

  @Test func `a write key of letters alone is masked in every suite's name`() throws {
    try segment()
    let plan = try Tool.carryover("plan", container, "--redact", "--write-key", "SECRETabc")
    #expect(plan.status == 0 && !plan.output.contains("SECRETabc"), "\(plan.output)")
  }

  @Test(arguments: [
    "{file: Library/Preferences/a.plist, as: device_id}", "{sqlite: Library/Preferences/a.plist, table: t}",
  ])
  func `a file that the recipe writes is not read as one value or as a database`(_ read: String) throws {
    let file = try stranger("  - \(read)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(try Tool.carryover("recipe", "lint", file).status == 0)
    try text.replacingOccurrences(of: "suite: \"${bundle-id}.acme\"", with: "suite: a")
      .write(toFile: file, atomically: true, encoding: .utf8)
    try Tool.carryover("recipe", "lint", file).ended(1, printing: "[R107]")
  }
}

@Suite("Several SDKs in one container") struct OtherSDKsTests {
  private let folder = TemporaryFolder()
  private var container: String { folder.path("Data") }
  private static let rudder: PropertyListDictionary = [
    "rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642",
    "rl_traits": #"{"anonymousId":"9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642","userId":"u-1001"}"#,
  ]
  private static let name = "Mixpanel Obj-C → Swift 3+"
  private static let sentence = "This user was logged out: the new SDK's file has no mixpanel-ff01-MPUserId"

  init() throws { try place("com.example.app.plist", Self.rudder) }

  private func place(_ name: String, _ values: PropertyListDictionary) throws {
    try folder.place(
      "Data/Library/Preferences/" + name, Data(try PropertyListDocument.encode(.dictionary(values), as: .binary)))
  }

  private func placeMixpanel(token: String = "ff01") throws {
    try place(
      "Mixpanel.plist",
      [
        "mixpanel-\(token)MPDistinctID": "u-1001", "mixpanel-\(token)MPUserId": "u-1001",
        "mixpanel-\(token)-MPDistinctID": "device-2",
      ])
  }

  private var options: [String] { keyless + ["--write-key", "WK"] }
  private var keyless: [String] { [container, "--bundle-id", "com.example.app"] }

  private func words(_ text: String) -> String { text.split { $0 == " " || $0 == "\n" }.joined(separator: " ") }

  @Test func `diagnose, report and review begin with the most serious verdict, and name the other SDK's`() throws {
    try placeMixpanel()
    let line = "(--recipe rudderstack-objc): Nothing would be lost"
    let diagnosis = words(try Tool.carryover(["diagnose"] + options).output)
    #expect(diagnosis.hasPrefix("✗ Likely: \(Self.name): \(Self.sentence)"), "\(diagnosis)")
    #expect(diagnosis.contains(line) && !diagnosis.contains("Nothing. "), "\(diagnosis)")
    let report = words(try Tool.carryover(["report"] + options).output)
    #expect(report.contains("## Plan: \(Self.name) "), "\(report)")
    #expect(report.contains(line) && report.contains("\(Self.name): \(Self.sentence)"), "\(report)")
    #expect(try Tool.carryover("inspect", container, "--sdks").output.contains("This user was logged out"))
    let review = words(try Tool.carryover(["review"] + keyless, lines: ["verdict", "quit"]).output)
    let said = "\(Self.name): \(Self.sentence)"
    #expect(review.components(separatedBy: said).count == 3, "on the first screen, and with the verdict: \(review)")
    #expect(review.contains("(rudderstack-objc): Nothing would be lost"), "\(review)")
    #expect(review.contains("\(Self.name) · com.example.app · Data: "), "\(review)")
  }

  private func titles(_ recipe: String, _ lines: String..., arguments: [String] = []) throws -> [Bool] {
    try Tool.carryover(["review"] + keyless + arguments, lines: lines).ended().output.split(separator: "\n")
      .filter { $0.contains(" · com.example.app · Data: ") }.map { $0.hasPrefix(recipe) }
  }

  /// A user whom Mixpanel's update would log out, and whose session RudderStack's would lose.
  private func placeLosses() throws {
    try place("Mixpanel.plist", ["mixpanel-ff01MPDistinctID": "u-1001", "mixpanel-ff01MPUserId": "u-1001"])
    var values = Self.rudder
    values["rl_session_id"] = 1_763_640_000
    try place("com.example.app.plist", values)
  }

  @Test func `the report's plan is of the SDK that its verdict is about; plan and apply follow the keys`() throws {
    try placeLosses()
    func recipe(_ document: Any?) throws -> String? {
      let plan = try #require(document as? [String: Any])
      return (plan["recipe"] as? [String: Any])?["id"] as? String
    }
    let report = try Tool.carryover(["report"] + options + ["--json"]).json("container-report-1")
    #expect(try recipe(report["plan"]) == "mixpanel-objc" && report["recipe"] as? String == "mixpanel-objc")
    let diagnosis = try Tool.carryover(["diagnose"] + options + ["--json"]).json("diagnosis-1")
    #expect((diagnosis["commands"] as? [String])?.first?.contains("--recipe mixpanel-objc") == true)
    #expect(try recipe(Tool.carryover(["plan"] + options + ["--json"]).json("plan-1")) == "rudderstack-objc")
    let named = try Tool.carryover(["report"] + options + ["--json", "--recipe", "rudderstack-objc"]).json()
    #expect(try recipe(named["plan"]) == "rudderstack-objc")
  }

  @Test func `the review keeps the most serious verdict's plan after a run; its report names every SDK`() throws {
    try placeLosses()
    let begun = try titles(Self.name, "apply", "yes", "esc", "quit")
    #expect(begun.count > 1 && begun.allSatisfy(\.self), "\(begun)")
    #expect(try Tool.keys(of: container + "/Library/Preferences/Mixpanel.plist")["mixpanel-ff01-MPUserId"] != nil)
    let rudder = try titles("RudderStack Obj-C → Swift", "quit")
    #expect(!rudder.isEmpty && rudder.allSatisfy(\.self), "the most serious now")
    try Tool.carryover("rollback", container, "--yes").ended()
    let report = words(try Tool.carryover(["review"] + keyless, lines: ["X", "more", "esc", "quit"]).output)
    #expect(report.contains("## Plan: \(Self.name) ") && report.contains("(--recipe rudderstack-objc)"), "\(report)")
  }

  @Test func `a write key opens its SDK's review, even if the most serious verdict's SDK has no such key`() throws {
    try placeLosses()
    let keyed = try titles("RudderStack Obj-C → Swift", "quit", arguments: ["--write-key", "WK"])
    #expect(!keyed.isEmpty && keyed.allSatisfy(\.self))
  }

  @Test(arguments: [
    ["--write-key", "WK", "-P", "segment-objc/write-key=SEG"], ["--recipe", "mixpanel-objc", "-P", "token=ff01"],
    ["--recipe", "all", "--write-key", "WK", "-P", "mixpanel-objc/token=ff01"],
  ])
  func `the command for a saved plan can be run as it is printed`(values: [String]) throws {
    try placeLosses()
    let plan = try Tool.carryover(["plan"] + keyless + values + ["-o", folder.path("plan.json")]).ended()
    let command = try #require(plan.printedApply, "\(plan.output)")
    let words = command.split { $0.isWhitespace || $0 == "\\" }.dropFirst().map(String.init)
    try Tool.carryover(words + ["--yes"]).ended(printing: "Applied")
  }

  @Test func `a named field and saved decisions keep their recipe`() throws {
    try placeLosses()
    let rudder = "RudderStack Obj-C → Swift"
    let field = try titles(rudder, "quit", arguments: ["--field", "user_id"])
    #expect(!field.isEmpty && field.allSatisfy(\.self))
    try Tool.carryover(["review"] + keyless, lines: ["W", "r", "rudderstack-objc", "skip"])
      .ended(printing: "1 decision saved")
    let saved = try titles(rudder, "yes", "quit")
    #expect(!saved.isEmpty && saved.allSatisfy(\.self))
  }

  @Test func `a write key is for the SDK that the keys call for; the named option for another SDK works`()
    throws
  {
    for (name, text) in [
      ("segment.anonymousId", #"{"segment.anonymousId":"9F1C2A7E"}"#),
      ("segmentio.userId", #"{"segmentio.userId":"u-1001"}"#),
    ] { try folder.place("Data/Library/Application Support/" + name, Data(text.utf8)) }
    let needs = "Needs: write key"
    func diagnose(_ arguments: String...) throws -> String {
      words(
        try Tool.carryover(["diagnose", container, "--bundle-id", "com.example.app"] + arguments).ended().output)
    }
    let given = try diagnose("--write-key", "WK")
    #expect(given.contains("\(needs) (--recipe segment-objc --write-key KEY)."), "\(given)")
    #expect(try !diagnose("--recipe", "segment-objc", "--write-key", "SEG").contains(needs))
    let all = try diagnose("--recipe", "all", "--write-key", "WK")
    #expect(all.contains("\(needs) (-P segment-objc/write-key=KEY)."), "\(all)")
    #expect(try !diagnose("--recipe", "all", "-P", "segment-objc/write-key=SEG").contains(needs))
    // Without --recipe, the option names the recipe of a write key.
    let named = ["-P", "segment-objc/write-key=SEG"]
    let own = try diagnose(named[0], named[1], "--write-key", "WK")
    #expect(!own.contains(needs) && own.contains("--write-key SEG"), "\(own)")
    for subcommand in ["plan", "report"] { try Tool.carryover([subcommand] + options + named).ended() }
    for name in ["segment-objc/token", "segment-to-rudderstack/write-key"] {
      try Tool.carryover(["plan"] + options + ["-P", name + "=ff"]).ended(64, saying: "such a parameter")
    }
    // The review begins with the SDK that the key is for.
    let review = words(try Tool.carryover(["review"] + options, lines: ["W", "esc", "quit"]).ended().output)
    #expect(review.contains("Review RudderStack Obj-C → Swift · com.example.app · Data: 2 ready"), "\(review)")
    #expect(review.contains("write key: WK"), "\(review)")
    // It stays with that SDK when another one is chosen.
    let chosen = words(
      try Tool.carryover(
        ["review"] + options,
        lines: ["W", "r", "segment-objc", "W", "esc", "W", "r", "rudderstack-objc", "W", "esc", "quit"]
      ).ended().output)
    let segment = try #require(chosen.range(of: "Recipe segment-objc set."))
    let rudder = try #require(chosen.range(of: "Write key WK set. Recipe rudderstack-objc set."), "\(chosen)")
    let between = chosen[segment.upperBound..<rudder.lowerBound]
    #expect(between.contains("write key: missing") && !between.contains("WK"), "\(between)")
    #expect(chosen[rudder.upperBound...].contains("write key: WK"), "\(chosen)")
  }

  @Test func `a recipe that is chosen with W leaves the other SDK named, and --recipe restricts`() throws {
    try placeMixpanel()
    func verdict(_ lines: String..., recipe: [String] = []) throws -> String {
      words(try Tool.carryover(["review"] + keyless + recipe, lines: lines + ["verdict", "esc", "quit"]).output)
    }
    let chosen = try verdict("W", "r", "rudderstack-objc")
    #expect(chosen.contains("Recipe rudderstack-objc set."), "\(chosen)")
    let after = try #require(chosen.range(of: "Recipe rudderstack-objc set."))
    #expect(chosen[after.upperBound...].contains("\(Self.name): \(Self.sentence)"), "\(chosen)")
    #expect(!chosen[after.upperBound...].contains("Nothing to do. "), "\(chosen)")
    #expect(try !verdict(recipe: ["--recipe", "rudderstack-objc"]).contains(Self.name))
  }

  @Test func `W asks for the token of a recipe that finds none, and the plan has it`() throws {
    let review = words(
      try Tool.carryover(
        ["review"] + options, lines: ["W", "r", "mixpanel-objc", "ff09", "W", "esc", "quit"]
      ).ended().output)
    for text in [
      "mixpanel-objc needs the project token.", "Project token (enter alone cancels): ", "Project token ff09 set.",
      "project token: ff09",
    ] {
      #expect(review.contains(text), "\(text): \(review)")
    }
    #expect(!review.contains("-P token=VALUE"))
  }

  @Test func `where two SDKs lose something, the command that repairs both can be run as it is printed`() throws {
    try placeMixpanel()
    try place("com.example.app.plist", ["rl_traits": #"{"userId":42}"#])
    let head = "Or repair every SDK in one run:"
    let text = words(try Tool.carryover(["diagnose"] + options).output)
    #expect(text.contains("\(head) carryover apply "), "\(text)")
    let advice = try #require(
      try Tool.carryover(["diagnose"] + options + ["--json"]).json("diagnosis-1")["advice"] as? [String])
    let line = try #require(advice.first { $0.hasPrefix(head) }?.dropFirst(head.count), "\(advice)")
    #expect(line.contains("--recipe rudderstack-objc") && line.contains("--accept rudderstack-objc/user_id"), "\(line)")
    try Tool.carryover(line.split(separator: " ").dropFirst().map(String.init) + ["--yes"]).ended()
    #expect(!words(try Tool.carryover(["diagnose"] + options).output).contains(head))
  }

  @Test func `the recipes' page begins with those that have data here, and the setup offers all of them`() throws {
    try placeMixpanel()
    let review = words(try Tool.carryover(["review"] + keyless, lines: ["recipes", "esc", "quit"]).output)
    #expect(review.contains("Other recipes with data here: rudderstack-objc"))
    #expect(review.contains("its verdict was the most serious"))
    let all = words(try Tool.carryover(["diagnose", "--recipe", "all"] + options).output)
    #expect(all.hasPrefix("✗ Likely: \(Self.name): \(Self.sentence)"), "\(all)")
  }

  @Test func `an audit's row has the verdict on every SDK, and all follows each of their recipes`() throws {
    try placeMixpanel()
    func rows(_ arguments: String...) throws -> [[String: Any]] {
      let audit = folder.path("audit-\(arguments.count)")
      _ = try Tool.carryover(
        ["audit", "run", container, "-o", audit, "--write-key", "WK", "--now", "2025-11-20T12:05:00Z"] + arguments)
      return try String(contentsOfFile: audit + "/rows.ndjson", encoding: .utf8).split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
    let (one, all) = (try rows(), try rows("--recipe", "all"))
    for rows in [one, all] {
      let verdicts = try #require(rows.first?["verdicts"] as? [[String: Any]])
      #expect(verdicts.map { $0["recipe"] as? String } == ["mixpanel-objc", "rudderstack-objc"])
      let (first, second) = (verdicts[0], verdicts[1])
      #expect(first["outcome"] as? String == "logged-out" && first["certainty"] as? String == "likely")
      #expect(first["time"] as? String == "past" && first["migrator"] is NSNull)
      #expect(second["time"] as? String == "ahead" && second["migrator"] as? String == "RudderStack's migrator")
    }
    let text = words(try Tool.carryover("audit", container, "--write-key", "WK", "--recipe", "all").output)
    #expect(text.hasPrefix("✗ \(Self.name): 1 of 1 user was logged out; with Carryover, "), "\(text)")
    #expect(text.contains(": RudderStack's migrator would lose no value of 1 user."), "\(text)")
    func recipes(_ rows: [[String: Any]]) -> Set<String> {
      Set(rows.dropFirst().compactMap { $0["recipe"] as? String })
    }
    #expect(recipes(one) == ["rudderstack-objc"])
    #expect(recipes(all) == ["rudderstack-objc", "mixpanel-objc"])
  }

  @Test func `if no recipe finds data, every command says so, without fields, a write key or a verdict`() throws {
    try place("com.example.app.plist", ["theme": "dark", "launches": 3])
    let sentence = "No SDK that Carryover knows left data here."
    let diagnosis = try Tool.carryover("diagnose", container).ended().output
    for words in [sentence, "1 store, 2 keys.", "carryover browse", "carryover recipe new ID --from"] {
      #expect(diagnosis.contains(words), "\(diagnosis)")
    }
    #expect(!diagnosis.contains("write key") && !diagnosis.contains("RudderStack"), "\(diagnosis)")
    let document = try Tool.carryover("diagnose", container, "--json").ended().json("diagnosis-1")
    let verdict = try #require(document["verdict"] as? [String: Any])
    #expect(verdict["sentence"] as? String == sentence && verdict["outcome"] as? String == "unknown")
    #expect(verdict["reason"] as? String == "1 store, 2 keys." && verdict["certainty"] as? String == "cannot-tell")
    #expect((document["advice"] as? [String])?.isEmpty == true)
    let plan = try Tool.carryover("plan", container).ended().output
    #expect(diagnosis.hasPrefix(plan.dropLast()) && !plan.contains("rl_anonymous_id"), "\(plan)")
    try Tool.carryover("audit", container).prints("No SDK that Carryover knows left data in 1 container.")
    let report = try Tool.carryover("report", container).ended().output
    #expect(report.contains(sentence) && !report.contains("## Plan") && !report.contains("anonymous_id"), "\(report)")
    let review = try Tool.carryover(["review", container], lines: ["search", "theme"]).ended().output
    #expect(review.contains(sentence) && review.contains("theme") && review.contains("dark"), "\(review)")
    #expect(!review.contains("anonymous_id") && !review.contains("Needs:"), "\(review)")
    let named = try Tool.carryover("diagnose", container, "--recipe", "rudderstack-objc").output
    #expect(!named.contains(sentence), "\(named)")
    // The new SDK's file for another write key is data of an SDK.
    try place("com.example.app.analytics.OTHER.plist", ["anonymous_id": "new"])
    let other = try Tool.carryover("diagnose", container, "--write-key", "WK").ended().output
    #expect(!other.contains(sentence), "\(other)")
  }

  @Test func `the documents name it, and suit their schemas`() throws {
    try placeMixpanel()
    for (command, schema) in [("diagnose", "diagnosis-1"), ("report", "container-report-1")] {
      let document = try Tool.carryover([command] + options + ["--json"]).json(schema)
      let others = try #require(document["others"] as? [[String: Any]])
      #expect(others.map { $0["recipe"] as? String } == ["rudderstack-objc"])
      #expect((others.first?["verdict"] as? [String: Any])?["outcome"] as? String == "nothing-lost")
      #expect((document["verdict"] as? [String: Any])?["outcome"] as? String == "logged-out")
    }
  }

  @Test func `a named recipe restricts the verdict to its SDK; with both recipes, both have one`() throws {
    try placeMixpanel()
    let mixpanel = words(try Tool.carryover(["diagnose", "--recipe", "mixpanel-objc"] + options).output)
    #expect(mixpanel.hasPrefix("✗ Likely: " + Self.sentence))
    #expect(!mixpanel.contains("rudderstack-objc"), "\(mixpanel)")
    // A report goes to others, who cannot diagnose the container.
    for (recipe, other) in [("mixpanel-objc", "rudderstack-objc"), ("rudderstack-objc", "mixpanel-objc")] {
      let report = try Tool.carryover(["report", "--recipe", recipe, "--json"] + options).json("container-report-1")
      #expect(report["recipe"] as? String == recipe)
      #expect((report["others"] as? [[String: Any]])?.map { $0["recipe"] as? String } == [other])
      let page = words(try Tool.carryover(["report", "--recipe", recipe] + options).output)
      #expect(page.contains("## Other SDKs that left data here") && page.contains("(--recipe \(other)): "), "\(page)")
    }
    let both = try Tool.carryover(
      ["review"] + options + ["--recipe", "rudderstack-objc", "--recipe", "mixpanel-objc"], lines: ["quit"]
    ).output
    #expect(words(both).contains(Self.sentence) && words(both).contains("Nothing would be lost"), "\(both)")
  }

  private func placeArchive(of token: String) throws {
    try folder.place(
      "Data/Library/mixpanel-\(token)-properties.plist",
      Data(try KeyedArchive.encode(["distinctId": .string("u-\(token)"), "userId": .string("u-\(token)")])))
  }

  @Test func `with two tokens, a rollback says what the user of the run's token loses`() throws {
    for token in ["ff01", "ff02"] { try placeArchive(of: token) }
    try Tool.carryover("apply", container, "--recipe", "mixpanel-objc", "-P", "token=ff02", "--yes").ended()
    let preview = try Tool.carryover("rollback", container, "--dry-run").output
    #expect(words(preview).contains("the user is logged out"), "\(preview)")
    let reviewed = try Tool.carryover(
      ["review", container, "--recipe", "mixpanel-objc", "-P", "token=ff01"],
      lines: ["history", "1", "enter", "a", "R", "esc", "esc", "esc", "quit"]
    ).output
    #expect(words(reviewed).contains("the user is logged out"), "\(reviewed)")
  }

  @Test func `a verdict that needs more than the container says what; one SDK alone has no other`() throws {
    #expect(try !Tool.carryover(["diagnose"] + options).output.contains("Other SDKs"))
    try placeMixpanel()
    try place("com.example.app.plist", Self.rudder)
    for token in ["ff01", "ff02"] {
      try placeArchive(of: token)
    }
    let diagnosis = words(try Tool.carryover(["diagnose"] + options).output)
    let gap = "(--recipe mixpanel-objc): The container has several values of the project token"
    #expect(diagnosis.contains(gap))
    let all = words(try Tool.carryover(["diagnose", "--recipe", "all"] + options).ended().output)
    #expect(all.contains(gap), "\(all)")
    try Tool.carryover(["plan", "--recipe", "all"] + options).ended(64, saying: "project token")
    let audit = try Tool.carryover("audit", container, "--write-key", "WK").output
    #expect(audit.contains("Mixpanel Obj-C → Swift 3+: Cannot tell for 1 user."), "\(audit)")
  }
}
