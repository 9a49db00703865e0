@Suite("Inspecting") struct InspectTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path("com.acme.shop.plist") }

  init() throws {
    let user: PropertyListValue = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": [
        "$null", ["$class": .uid(2), "name": .uid(3), "rl_auth_token": .uid(4)],
        ["$classname": "ACMEUser", "$classes": ["ACMEUser", "NSObject"]], "Ada", "hush-archive",
      ],
    ]
    let many = "[" + (0..<100).map { "\"item\($0)\"" }.joined(separator: ",") + "]"
    try write([
      "plain": 42, "lastSeen": 785_332_923, "rl_auth_token": "hush-plain",
      "traits": #"{"address": {"lines": ["x", "the NEEDLE\u001b[2J"]}, "inner": "{\"deep\": [true]}"}"#,
      "user": .data(try PropertyListDocument.encode(user, as: .binary)),
      "settings": ["rl_advertising_id": "hush-nested", "kept": #"{"a.b": 1}"#], "many": .string(many),
      "odd\u{1B}[1m": "line\nfeed\u{1B}[2J", "nested.one": ["tokens": #"{"rl_server_config": "hush-json"}"#],
    ])
  }

  private func write(_ value: PropertyListValue) throws {
    try Data(try PropertyListDocument.encode(value, as: .binary)).write(to: URL(fileURLWithPath: path))
  }

  private func inspect(_ arguments: String...) throws -> Tool.Result {
    let result = try Tool.carryover(["inspect", path] + arguments)
    #expect(result.status == 0 && result.error == "", "\(result.error)")
    #expect(!result.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    return result
  }

  @Test func `what is packed is opened below its key, with types, moments and the file's size`() throws {
    let output = try inspect().output
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(output.contains("com.acme.shop.plist · binary · 1.\((size - 1000) / 100) KB · 9 keys"))
    let lines = output.split(separator: "\n").map { line in line.split(separator: " ").joined(separator: " ") }
    for line in [
      "plain integer 42", "lastSeen integer 785332923 (2025-11-20 12:02:03 UTC, seconds since 2001)",
      "rl_auth_token string (secret)", "traits string JSON object of 2 members in a string",
      "address object object of 1 member",
      "inner string JSON object of 1 member in a string", "[0] boolean true", "user data keyed archive of ACMEUser",
      "name string Ada", "rl_advertising_id string (secret)", "a.b number 1", "tokens string (secret)",
      "odd\\u{1B}[1m string line\\nfeed\\u{1B}[2J", "[1] string the NEEDLE\\u{1B}[2J",
    ] { #expect(lines.contains(line), "\(line)") }
    #expect(!output.contains("hush"))
  }

  @Test func `long values are cut and say so, --all shows them, --key narrows`() throws {
    let short = try inspect("--key", "many", "--key", "plain").output
    #expect(short.contains("item19") && !short.contains("item20") && short.contains("… 80 more"))
    #expect(short.contains("--all shows everything") && short.contains("plain") && !short.contains("traits"))
    let all = try inspect("--key", "many", "--all").output
    #expect(all.contains("item99") && !all.contains("more") && !all.contains("plain"))
    let missing = try Tool.carryover("inspect", path, "--key", "nowhere")
    #expect(missing.status == 64 && missing.output == "" && missing.error.contains("nowhere"))
    #expect(missing.error.contains("--key takes top-level keys"))
  }

  @Test func `columns fit the first keys of a large store, and a longer name after them is not cut`() throws {
    let names = (0..<1_000).map { "k\($0)" } + ["a.name.longer.than.all.before"]
    try write(.dictionary(PropertyListDictionary(entries: names.map { .init(key: $0, value: 1) })))
    let lines = try inspect().output.split(separator: "\n")
    #expect(lines.contains("  k0    integer  1") && lines.contains("  k999  integer  1"))
    #expect(lines.last == "  a.name.longer.than.all.before  integer  1")
  }

  @Test func `--find lists the places, nested ones too, and never looks into a secret`() throws {
    let output = try inspect("--find", "needle").output
    #expect(output == "com.acme.shop.plist: traits.address.lines[1]  the NEEDLE\\u{1B}[2J\n")
    #expect(try inspect("--find", "feed").output.hasPrefix(##"com.acme.shop.plist: "odd\u{1B}[1m"  "##))
    #expect(try inspect("--find", "A.B").output == "com.acme.shop.plist: settings.kept.\"a.b\"  1\n")
    #expect(
      try Tool.carryover("inspect", path, "--find", "hush").output == "No key or visible value contains “hush”.\n")
    #expect(
      try inspect("--find", "advertising").output == "com.acme.shop.plist: settings.rl_advertising_id  (secret)\n")
    let matches = try #require(try inspect("--find", "needle", "--json").json()["matches"] as? [[String: Any]])
    #expect(matches.count == 1 && matches.first?["in"] as? String == "value")
    #expect((matches.first?["path"] as? [Any])?.last as? Int == 1)
    #expect(try Tool.carryover("inspect", path, "--find", "").status == 64)
  }

  @Test func `what was not read is said, also where a search finds nothing`() throws {
    let app = try folder.app(["a": 1])
    try folder.place("Saved/App/Library/Caches/b.bin", Data("bplist00".utf8))
    try folder.place("Saved/App/Documents/photo.jpg", Data([0xFF]))
    let sentence =
      "2 other files were not read; 1 looks like data: “Library/Caches/b.bin” (property list), “Documents/photo.jpg”."
    func flat(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(flat(try Tool.carryover("inspect", app).output).contains("i " + sentence))
    let text = flat(try Tool.carryover("inspect", app).output)
    #expect(text.contains("To open b.bin:") && text.contains("Saved/App/Library/Caches/b.bin"), "\(text)")
    let search = try Tool.carryover("inspect", app, "--find", "nowhere")
    #expect(search.status == 1 && flat(search.output) == "No key or visible value contains “nowhere”. " + sentence)
    try Tool.carryover("inspect", app, "--find", "nowhere", "--json").ended(1, printing: "carryover.inspect/1")
    let json = try Tool.carryover("inspect", app, "--json").json("inspect-1")
    let unread = try #require(json["unread"] as? [String: Any])
    #expect(unread["files"] as? Int == 2 && (unread["data"] as? [[String: String]])?.first?["form"] == "property-list")
    try Tool.carryover("inspect", app, "--redact").ended(printing: "other files were not read")
  }

  @Test func `the JSON form suits its schema, has what was opened, and keeps secrets`() throws {
    let schema = try SchemaCheck("inspect-1")
    for arguments in [[], ["--find", "a"], ["--key", "user"]] {
      let result = try Tool.carryover(["inspect", path, "--json"] + arguments)
      #expect(try schema.problems(result.json()).isEmpty)
      #expect(!result.output.contains("hush"))
    }
    let store = try #require(try (inspect("--json").json()["stores"] as? [[String: Any]])?.first)
    #expect(store["size"] as? Int == FileManager.default.contents(atPath: path)?.count)
    let keys = try #require(store["keys"] as? [[String: Any]])
    let user = try #require(keys.first { $0["key"] as? String == "user" })
    #expect(user["value"] is NSNull && user["secret"] as? Bool == true)
    let opened = try #require(user["opened"] as? [String: Any])
    #expect(opened["class"] as? String == "ACMEUser")
    #expect(opened["packings"] as? [String] == ["binary-property-list", "keyed-archive"])
    let children = try #require(opened["children"] as? [[String: Any]])
    #expect(children.map { $0["name"] as? String } == ["name", "rl_auth_token"])
    #expect(children.first?["value"] as? String == "Ada" && children.last?["secret"] as? Bool == true)
    let seen = try #require(keys.first { $0["key"] as? String == "lastSeen" })
    #expect(
      (seen["moments"] as? [[String: String]]) == [["utc": "2025-11-20T12:02:03Z", "unit": "seconds-since-2001"]])
    #expect(seen["opened"] == nil && (seen["value"] as? [String: Any])?["value"] as? String == "785332923")
  }

  @Test func `a secret is named and never printed: by its name, or because it is a token`() throws {
    let folder = TemporaryFolder()
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1LTEwMDEifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g"
    let script = """
      import plistlib, sys
      plistlib.dump({'password': 'hunter2', 'refreshToken': 'hunter2', 'session': sys.argv[2], 'launchCountKey': 'shown',
        'account': {'apiSecret': 'hunter2', 'headers': ['Bearer ' + sys.argv[2]]},
        'packed': '{"password":"hunter2","name":"Ada"}'}, open(sys.argv[1], 'wb'))
      """
    let path = folder.path("com.acme.shop.plist")
    #expect(try Tool.run("python3", ["-c", script, path, token]).status == 0)
    for options in [[], ["--all"], ["--json"], ["--all", "--json"]] {
      let output = try Tool.carryover(["inspect", path] + options).output
      for name in ["password", "refreshToken", "session", "apiSecret", "shown", "Ada"] {
        #expect(output.contains(name), "\(options) \(name)")
      }
      #expect(!output.contains("hunter2") && !output.contains("eyJhbG"), "\(options) \(output)")
    }
    #expect(try Tool.carryover("inspect", path, "--find", "hunter2").status == 1)
    #expect(try Tool.carryover("inspect", path, "--find", "eyJhbG").status == 1)
  }

  @Test func `values made to harm are shown escaped, cut, and soon`() throws {
    var deep: PropertyListValue = ["rl_auth_token": "hush"]
    for _ in 0..<200 { deep = .array([deep]) }
    let long = String(repeating: "\u{1B}[31m", count: 250_000)
    try write([
      "deep": deep, "long": .string(long), "json": .string(String(repeating: "[", count: 100_000)),
      "wide": .string("[" + String(repeating: "[],", count: 50_000) + "1]"),
    ])
    #expect(try inspect().output.utf8.count < 10_000)
    #expect(try inspect("--all").output.contains("rl_auth_token"))
    for arguments in [["--json"], ["--all"]] {
      let result = try Tool.carryover(["inspect", path] + arguments)
      #expect(result.status == 0 && !result.output.contains("hush") && !result.output.contains("\u{1B}"))
    }
  }

  @Test func `a store that is an archive, and one whose root is no dictionary, are opened too`() throws {
    try write([1, #"{"a": 1}"#])
    #expect(try inspect().output.contains("· array of 2 elements\n"))
    #expect(try inspect().output.contains("JSON object of 1 member in a string"))
    let store = try #require((try inspect("--json").json()["stores"] as? [[String: Any]])?.first)
    #expect((store["keys"] as? [Any])?.isEmpty == true)
    #expect(((store["opened"] as? [String: Any])?["children"] as? [Any])?.count == 2)
    let archive: PropertyListValue = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": [
        "$null", ["$class": .uid(2), "rl_auth_token": .uid(3)], ["$classname": "A", "$classes": ["A"]], "hush",
      ],
    ]
    try write(archive)
    #expect(try inspect().output.contains("· keyed archive of A\n"))
    let result = try inspect("--json")
    #expect(!result.output.contains("hush"))
    #expect(try SchemaCheck("inspect-1").problems(result.json()).isEmpty)
  }
}

@Suite("Listing and choosing") struct ListTests {
  private func several() throws -> Forms {
    let forms = try Forms(of: SampleCopy.original("AcmeShop").path, others: 2)
    let manager = FileManager.default
    try manager.createDirectory(atPath: forms.path("cases/b"), withIntermediateDirectories: true)
    for name in ["a.xcappdata", "b/c.xcappdata"] {
      try manager.copyItem(atPath: forms.path("Shop.xcappdata"), toPath: forms.path("cases/" + name))
    }
    try manager.copyItem(atPath: forms.path("backup"), toPath: forms.path("cases/device"))
    return forms
  }

  @Test func `list prints what can be chosen, as a table and as JSON that suits its schema`() throws {
    let forms = try several()
    let lines = try Tool.carryover("list", forms.path("cases")).ended().output.split(separator: "\n")
    #expect(lines.count { !$0.hasPrefix(" ") } == 7, "a heading, five containers, and that a file is missing")
    #expect(lines.contains { $0.hasPrefix("device/com.acme.shop ") && $0.contains("group.com.acme.shop") })
    #expect(
      lines.contains { $0.hasPrefix("b/c.xcappdata ") && $0.contains("com.acme.shop") && $0.contains("xcappdata") })
    let json = try Tool.carryover("list", forms.path("cases"), "--json").json("list-1")
    let containers = try #require(json["containers"] as? [[String: Any]])
    #expect(
      containers.map { $0["path"] as? String } == [
        "a.xcappdata", "b/c.xcappdata", "device/com.acme.shop", "device/com.other.app0", "device/com.other.app1",
      ])
    #expect(containers[2]["missing"] as? Int == 1)
    let long = "a-folder-with-a-long-name/" + String(repeating: "and-another-one-", count: 12)
    try FileManager.default.createDirectory(atPath: forms.path("far/" + long), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: forms.path("Shop.xcappdata"), toPath: forms.path("far/\(long)/Shop.xcappdata"))
    let far = try Tool.carryover("list", forms.path("far"))
    #expect(far.output.contains("\(long)/Shop.xcappdata"), "a path is never cut: \(far.output)")
    for form in Forms.all {
      for masking in [[], ["--redact"]] {
        try Tool.carryover(["list", forms.path(form), "--json"] + masking).json("list-1")
      }
    }
  }

  @Test func `an archive in a folder is listed with the app of its container`() throws {
    let forms = try several()
    try FileManager.default.createDirectory(atPath: forms.path("zips"), withIntermediateDirectories: true)
    for name in ["package.zip", "folder.tar.gz", "backup.zip"] {
      try FileManager.default.moveItem(atPath: forms.path(name), toPath: forms.path("zips/" + name))
    }
    try Data("PK\u{3}\u{4}".utf8).write(to: URL(fileURLWithPath: forms.path("zips/bad.zip")))
    let json = try Tool.carryover("list", forms.path("zips"), "--json").ended().json("list-1")
    let containers = try #require(json["containers"] as? [[String: Any]])
    #expect(containers.map { $0["path"] as? String } == ["backup.zip", "bad.zip", "folder.tar.gz", "package.zip"])
    // The backup has three apps.
    #expect(containers.map { $0["bundleID"] as? String } == [nil, nil, "com.acme.shop", "com.acme.shop"])
    let found = try Tool.carryover("list", forms.path("zips"), "--app", "com.acme*").ended().output
    #expect(found.contains("package.zip") && found.contains("folder.tar.gz") && !found.contains("ba"), "\(found)")
  }

  @Test func `empty containers of a backup are counted, Apple's come last, and --app narrows the list`() throws {
    let forms = try several()
    let script = """
      import hashlib, sqlite3, sys
      list = sqlite3.connect(sys.argv[1] + "/Manifest.db")
      for app in ["com.apple.notes", "com.acme.empty"]:
          list.execute("INSERT INTO Files VALUES(?, ?, '', 2, NULL)",
              (hashlib.sha1(app.encode()).hexdigest(), "AppDomain-" + app))
      list.execute("UPDATE Files SET domain = 'AppDomain-com.apple.app0' WHERE domain = 'AppDomain-com.other.app0'")
      list.commit()
      """
    #expect(try Tool.run("python3", ["-c", script, forms.path("backup")]).status == 0)
    let text = try Tool.carryover("list", forms.path("backup")).output
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").first.map(String.init) ?? "" }
    #expect(lines.prefix(4) == ["path", "com.acme.shop", "com.other.app1", "com.apple.app0"], "\(text)")
    #expect(text.contains("2 containers are empty: --app '*' lists all.") && !text.contains("com.apple.notes"))
    let json = try Tool.carryover("list", forms.path("backup"), "--json").json("list-1")
    #expect(json["empty"] as? Int == 2 && (json["containers"] as? [Any])?.count == 5)
    let acme = try Tool.carryover("list", forms.path("backup"), "--app", "com.acme*").output
    #expect(acme.contains("com.acme.empty") && acme.contains("com.acme.shop") && !acme.contains("com.other"))
    let some = try Tool.carryover("list", forms.path("backup"), "--app", "*.app?", "--json")
    #expect(
      some.status == 64 && some.error.contains("has no container of “*.app?”"), "only * is special: \(some.error)")
  }

  @Test func `no path is cut, a name that says nothing new is left out; what cannot be opened is not listed`() throws {
    let forms = try several()
    let path = "long/" + String(repeating: "n", count: 70) + ".xcappdata"
    try FileManager.default.createDirectory(atPath: forms.path("cases/long"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: forms.path("cases/a.xcappdata"), toPath: forms.path("cases/" + path))
    let lines = try Tool.carryover("list", forms.path("cases")).output.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(path + " ") }, "\(lines)")
    #expect(line.split(separator: " ") == [Substring(path), "com.acme.shop", "xcappdata"])
    let one = try Tool.carryover("list", forms.path("cases/a.xcappdata"))
    #expect(one.output.split(separator: "\n").last?.hasPrefix(".  ") == true)
    try Tool.carryover("inspect", forms.path("cases/a.xcappdata"), "--container", ".").ended()
    try Data("{}".utf8).write(to: URL(fileURLWithPath: forms.path("some.json")))
    let json = try Tool.carryover("list", forms.path("some.json"))
    #expect(json.status == 1 && json.error.contains("not a property list") && json.output.isEmpty, "\(json.output)")
  }

  @Test func `without a choice, commands name the first, the options and list`() throws {
    let forms = try several()
    for subcommand in ["inspect", "plan"] {
      let result = try Tool.carryover(subcommand, forms.path("cases"))
      #expect(result.status == 1, "\(subcommand)")
      for word in ["“a.xcappdata”", "“device/com.acme.shop”", "--container", "--app", "carryover list"] {
        #expect(result.error.contains(word), "\(subcommand): \(result.error)")
      }
    }
  }

  @Test func `--container and --app choose, in a folder, a backup and an archive`() throws {
    let forms = try several()
    let choices = [
      ["cases", "--container", "b/c.xcappdata"], ["cases", "--container", "device/com.acme.shop"],
      ["backup", "--container", "com.acme.shop"], ["backup", "--app", "com.acme.shop"],
      ["backup.zip", "--app", "com.acme.shop"], ["backup.zip", "--container", "device/com.acme.shop"],
      ["backup.zip/device", "--app", "com.acme.shop"], ["Shop.xcappdata", "--app", "com.acme.shop"],
    ]
    for choice in choices {
      let result = try Tool.carryover(["inspect", forms.path(choice[0]), "--json"] + choice.dropFirst())
      #expect(result.status == 0, "\(choice): \(result.error)")
      let container = try result.json()["container"] as? [String: Any]
      #expect(container?["bundleID"] as? String == "com.acme.shop", "\(choice)")
    }
    let other = try Tool.carryover("inspect", forms.path("backup.zip"), "--app", "com.other.app1")
    #expect(other.output.contains("com.other.app1.plist"))
    #expect(other.output.contains("number"))
  }

  @Test func `an app that matches none or several, and two choices, are usage errors that say what there is`() throws {
    let forms = try several()
    let cases: [([String], String)] = [
      (["cases", "--app", "com.acme.shop"], "b/c.xcappdata"), (["cases", "--app", "com.none"], "com.other.app1"),
      (["backup.zip", "--app", "com.none"], "com.other.app1"),
      (["Shop.xcappdata", "--app", "com.none"], "com.acme.shop"),
      (["cases", "--app", "com.acme.shop", "--container", "a.xcappdata"], "--app"),
      (["cases", "--container", "../cases/a.xcappdata"], "carryover list"),
      (["cases", "--container", "/etc"], "carryover list"),
    ]
    for (arguments, word) in cases {
      let result = try Tool.carryover(["plan", forms.path(arguments[0])] + arguments.dropFirst())
      #expect(result.status == 64, "\(arguments): \(result.error)")
      #expect(result.error.contains(word), "\(arguments): \(result.error)")
    }
    #expect(try Tool.carryover("plan", forms.path("backup"), "--container", "com.none").status == 1)
  }

  @Test func `apply writes to the chosen container of a folder and to no other`() throws {
    let forms = try several()
    let before = try FileState.files(under: forms.path("cases"))
    try Tool.carryover(
      ["apply", forms.path("cases"), "--container", "b/c.xcappdata", "--accept", "user_id"]
        + ["--skip", "rudder.app_build", "--yes"] + SampleCopy.planning
    ).ended()
    let after = try FileState.files(under: forms.path("cases"))
    let changed = Set(after.keys).union(before.keys).filter { after[$0] != before[$0] }
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { $0.hasPrefix("b/c.xcappdata/") }, "\(changed)")
  }
}
