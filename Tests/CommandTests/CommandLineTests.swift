@Suite("Command line") struct CommandLineTests {
  @Test func `A misspelt subcommand is answered with the one that was meant`() throws {
    for (arguments, meant) in [
      (["pln", "X"], "carryover plan"), (["pln"], "carryover plan"), (["rolback", "X", "--yes"], "carryover rollback"),
      (["history", "purne", "X"], "carryover history prune"),
      (["audit", "mrge", "X", "Y"], "carryover audit merge"), (["recipe", "explian", "X"], "carryover recipe explain"),
    ] {
      let result = try Tool.carryover(arguments).ended(64)
      #expect(result.error.hasSuffix("Did you mean “\(meant)”?\n"), "\(result.error)")
      #expect(result.output.isEmpty)
    }
  }

  @Test func `A file with the name of a misspelt subcommand is a path`() throws {
    let folder = TemporaryFolder()
    try Data("x".utf8).write(to: folder.url.appendingPathComponent("pln"))
    let result = try Tool.run("sh", ["-c", #"cd "$0" && "$1" pln"#, folder.path, Tool.carryover.path])
    #expect(result.error.contains("needs a terminal"), "\(result.error)")
  }

  @Test func `A path at which there is nothing is named before anything else that is wrong`() throws {
    for arguments in [
      ["NoSuch"], ["review", "NoSuch"], ["browse", "NoSuch"], ["NoSuch", "--frob"], ["plan", "NoSuch", "--frob"],
      ["plan", "NoSuch"], ["plan", "NoSuch", "--redact", "-o", "x.json"], ["inspect", "NoSuch", "--find", ""],
      ["extract", "NoSuch"], ["history", "NoSuch", "X"], ["history", "prune", "NoSuch"], ["apply", "NoSuch", "X"],
      ["rollback", "NoSuch"], ["cleanup", "NoSuch"], ["recover", "NoSuch", "--keep", "--adopt"],
      ["list", "NoSuch", "X"],
      ["report", "NoSuch"], ["audit", "NoSuch"], ["audit", "run", "NoSuch", "--frob"],
    ] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == 1, "\(arguments)")
      #expect(
        result.error.hasPrefix("carryover: There is nothing at “")
          && result.error.hasSuffix("NoSuch”: check the path.\n"),
        "\(arguments): \(result.error)")
    }
  }

  @Test func `With --json every error is a JSON object on standard error, with the exit status`() throws {
    let sample = try SampleCopy("AcmeShop")
    for (arguments, code, status) in [
      (["plan", "NoSuch", "--json"], "error", 1), (["plan", sample.path, "--json", "--frob"], "usage", 64),
      (["pln", sample.path, "--json"], "usage", 64), (["plan", "--json"], "usage", 64),
      (["apply"] + sample.options + ["--json", "--yes"], "decisions-needed", 2),
      (["rollback", sample.path, "--json", "--yes"], "error", 1),
      (["explain", "nothing", "--json"], "usage", 64), (["list", "NoSuch", "--json"], "error", 1),
    ] {
      let result = try Tool.carryover(arguments)
      #expect(result.status == status, "\(arguments)")
      #expect(result.output.isEmpty)
      let line = try #require(result.error.split(separator: "\n").last)
      let document = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(try SchemaCheck("error-1").problems(document).isEmpty)
      let error = try #require(document["error"] as? [String: Any])
      #expect(error["code"] as? String == code, "\(arguments)")
      #expect(error["exitStatus"] as? Int32 == Int32(status))
      #expect((error["message"] as? String)?.isEmpty == false)
    }
  }

  @Test func `Errors in JSON are masked where values are`() throws {
    let sample = try SampleCopy("AcmeShop")
    let result = try Tool.carryover("inspect", sample.path, "--json", "--redact", "--ada@example.com").ended(64)
    #expect(result.error.hasPrefix("{") && !result.error.contains("ada@example.com"), "\(result.error)")
  }

  @Test func `Without arguments the command says what it is, what is in this folder and how to begin`() throws {
    let sample = try SampleCopy("AcmeShop")
    func start(in folder: String) throws -> Tool.Result {
      try Tool.run("sh", ["-c", #"cd "$0" && "$1""#, folder, Tool.carryover.path])
    }
    let found = try start(in: sample.folder.path)
    #expect(found.status == 0 && found.error.isEmpty)
    #expect(found.output.contains("\n  AcmeShop.xcappdata  com.acme.shop\n"), "\(found.output)")
    #expect(found.output.contains("\n  carryover plan AcmeShop.xcappdata\n"))
    let nothing = TemporaryFolder()
    let empty = try start(in: nothing.path)
    #expect(empty.status == 0 && !empty.output.contains("In this folder"), "\(empty.output)")
    #expect(empty.output.contains("\n  carryover plan PATH\n"))
    let many = try start(in: packageRoot.appendingPathComponent("Examples").path).prints(" more: carryover list .\n")
    #expect(many.output.split(separator: "\n").count < 20)
  }

  @Test func `version prints the build and the libraries, and null for what a build does not say`() throws {
    let document = try Tool.carryover("version", "--json").json("version-1")
    let version = try #require(document["version"] as? String)
    for option in ["--version", "-v"] { #expect(try Tool.carryover(option).ended().output == version + "\n") }
    // The build for tests has none of the variables that make release sets.
    for name in ["commit", "date", "compiler"] { #expect(document[name] is NSNull, "\(name)") }
    let libraries = try #require(document["libraries"] as? [String: Any])
    for name in ["sqlite", "ncurses", "libyaml"] {
      let number = try #require(libraries[name] as? String)
      #expect(number.wholeMatch(of: /[0-9]+\.[0-9.]+/) != nil, "\(name): \(number)")
    }
    let text = try Tool.carryover("version").output
    #expect(text.hasPrefix("Carryover \(version)\n") && text.contains("\n  commit: none\n"), "\(text)")
  }

  @Test func `A saved plan is replaced with --force alone`() throws {
    let sample = try SampleCopy("AcmeShop")
    let file = sample.folder.path("plan.json")
    #expect(try sample.run("plan", "-o", file).status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let refused = try sample.run("plan", "--accept", "user_id", "-o", file).ended(1)
    #expect(refused.output.isEmpty)
    #expect(refused.error.contains("already exists") && refused.error.contains("--force"), "\(refused.error)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    #expect(try sample.run("plan", "--accept", "user_id", "-o", file, "--force").status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) != before)
    let other = sample.folder.path("notes.txt")
    try Data("notes".utf8).write(to: URL(fileURLWithPath: other))
    #expect(try sample.run("plan", "-o", other, "--force").status == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("notes".utf8))
  }
}

@Suite("Bad input") struct BadInputTests {
  private let folder = TemporaryFolder()

  private func refused(_ result: Tool.Result, _ status: Int32, _ words: String...) {
    #expect(result.status == status, "\(result.error)")
    #expect(result.output == "")
    #expect(result.error.hasPrefix("carryover: "))
    #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    #expect(result.error.count < 400)
    for word in words { #expect(result.error.contains(word), "\(word) in \(result.error)") }
  }

  @Test
  func `Nothing, an empty folder, a folder that is no container, a file that is no property list or a corrupt one`()
    throws
  {
    refused(try Tool.carryover("plan", folder.path("nowhere")), 1, "nowhere")
    refused(try Tool.carryover("plan", folder.path), 1, "empty")
    try Data("hello".utf8).write(to: URL(fileURLWithPath: folder.path("hello.txt")))
    refused(try Tool.carryover("plan", folder.path), 1)
    refused(try Tool.carryover("plan", folder.path("hello.txt")), 1, "hello.txt")
    let path = folder.path("com.acme.shop.plist")
    try Data("bplist00 and then nothing that fits".utf8).write(to: URL(fileURLWithPath: path))
    refused(try Tool.carryover("plan", path), 1, "com.acme.shop.plist")
  }

  @Test func `No write key, several write keys, and a write key that could leave the folder`() throws {
    let sample = try SampleCopy("Clean")
    let plan = try Tool.carryover("plan", sample.path).ended()
    #expect(plan.output.contains("\nNeeds: write key (--write-key).") && !plan.output.contains("✗"), "\(plan.output)")
    refused(try Tool.carryover("apply", sample.path, "--yes"), 64, "--write-key")
    let preferences = sample.path + "/AppData/Library/Preferences/"
    for key in ["A", "B"] {
      try FileManager.default.copyItem(
        atPath: preferences + "com.acme.shop.plist", toPath: preferences + "com.acme.shop.analytics.\(key).plist")
    }
    try Tool.carryover("plan", sample.path).ended(
      printing: "target.many-write-keys", "With --write-key, choose the file that the app reads.")
    refused(try Tool.carryover("apply", sample.path, "--yes"), 64, "A, B", "--write-key")
    refused(try Tool.carryover("plan", sample.path, "--write-key", "../../x"), 64, "“../../x” cannot be a write key")
    refused(try Tool.carryover("plan", sample.path, "-P", "write-key=../../x"), 64, "“../../x” cannot be a write key")
    for given in [["--write-key", "WRITE_KEY"], ["-P", "write-key=WRITE_KEY"]] {
      refused(try Tool.carryover(["apply", sample.path, "--yes"] + given), 64, "write key in place of WRITE_KEY")
    }
  }

  @Test func `The write key is a parameter, and --write-key is short for it`() throws {
    let sample = try SampleCopy("AcmeShop")
    let options = ["--now", "2025-11-20T12:05:00Z", "--json"]
    let plan = try Tool.carryover(["plan", sample.path, "--write-key", "K"] + options).ended(0)
    #expect(try Tool.carryover(["plan", sample.path, "-P", "write-key=K"] + options).output == plan.output)
    #expect(plan.output.contains("com.acme.shop.analytics.K.plist"))
    #expect(try Tool.carryover("plan", sample.path, "-P", "write-key=K").output.contains("--write-key K"))
  }

  @Test func `No bundle id: the plan says so, apply is refused with status 2`() throws {
    let sample = try SampleCopy("AcmeShop")
    try FileManager.default.removeItem(atPath: sample.path + "/AppDataInfo.plist")
    let data = sample.path + "/AppData"
    let preferences = data + "/Library/Preferences/"
    try FileManager.default.copyItem(
      atPath: preferences + "com.acme.shop.plist", toPath: preferences + "com.acme.other.plist")
    try Tool.carryover("plan", data, "--write-key", "K", "--json").ended(printing: "target.no-bundle-id")
    refused(try Tool.carryover("apply", data, "--write-key", "K", "--yes"), 2, "--bundle-id")
  }

  @Test func `Options that name no field, decide twice, or do not fit the field's form`() throws {
    let sample = try SampleCopy("AcmeShop")
    refused(try sample.run("apply", "--skip", "userid", "--yes"), 64, "userid", "user_id")
    refused(try sample.run("apply", "--skip", "user_id", "--set", "user_id=1", "--yes"), 64, "user_id")
    refused(try sample.run("apply", "--set", "session_id=soon", "--yes"), 64, "session_id")
    refused(try sample.run("apply", "--set", "user_id", "--yes"), 64, "=")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `Without a terminal: the review names the commands to use, apply and rollback want --yes`() throws {
    let sample = try SampleCopy("Clean")
    refused(try Tool.carryover(sample.options), 64, "carryover plan")
    refused(try sample.run("apply"), 64, "--yes")
    #expect(try sample.files() == sample.originalFiles())
    refused(try sample.run("rollback"), 1, "no run")
    #expect(try sample.run("apply", "--yes").status == 0)
    let applied = try sample.files()
    refused(try sample.run("rollback"), 64, "--yes")
    #expect(try sample.files() == applied)
  }

  @Test func `A target that is a symbolic link, a folder or no property list is refused, and stays as it is`() throws {
    for make in [
      { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/etc/hosts") },
      { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) },
      { try Data("hello".utf8).write(to: URL(fileURLWithPath: $0)) },
    ] as [(String) throws -> Void] {
      let sample = try SampleCopy("Clean")
      try make(sample.target)
      refused(try sample.run("apply", "--yes"), 1, "1xAcmeWriteKey")
      #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover/runs"))
    }
  }

  @Test func `Legacy stores of which none can be read are not taken for nothing to migrate`() throws {
    let sample = try SampleCopy("Clean")
    for path in ["/AppData/Library/rsDefaultsPersistence.plist", "/AppData/Library/Preferences/com.acme.shop.plist"] {
      try Data().write(to: URL(fileURLWithPath: sample.path + path))
    }
    refused(try sample.run("apply", "--yes"), 1, "empty")
  }

  @Test func `One legacy store of two that cannot be read is said, and the rest is migrated`() throws {
    let sample = try SampleCopy("Clean")
    try Data("bplist00garbage".utf8).write(
      to: URL(fileURLWithPath: sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"))
    try sample.run("apply", "--yes").ended(2, saying: "user_id")
    let result = try sample.run("apply", "--yes", "--accept", "source.hidden").ended()
    #expect(result.error.contains("source.unreadable: The values in com.acme.shop.plist are not migrated"))
  }

  @Test func `Output that cannot be written is an error`() throws {
    let sample = try SampleCopy("Clean")
    let command = ([Tool.carryover.path, "plan"] + sample.options).joined(separator: " ") + " > /dev/full"
    try Tool.run("sh", ["-c", command]).ended(1, saying: "Standard output")
  }

  @Test func `What the argument parser quotes is escaped, and a path only once`() throws {
    let result = try Tool.carryover("plan", ".", "--now", "\u{1B}[31mred").ended(64)
    #expect(!result.error.contains("\u{1B}"))
    let path = try Tool.carryover("plan", "/tmp/no\u{1B}where")
    #expect(path.error.contains(#"no\u{1B}where"#) && !path.error.contains(#"\\u"#))
  }

  @Test func `Hostile values reach the output only as visible escapes`() throws {
    let path = folder.path("com.acme.shop.plist")
    let script = """
      import plistlib, sys
      evil = 'a\\x1b]52;c;ZXZpbA==\\x07b\\u202ec\\u200bd\\x9be'
      plistlib.dump({'rl_anonymous_id': evil, 'rl_' + evil: evil, 'rl_traits': '{"userId":"' + '\\u202e' + '"}'},
                    open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)
      """
    #expect(try Tool.run("python3", ["-c", script, path]).status == 0)
    for arguments in [
      ["plan", path, "--write-key", "K"], ["inspect", path], ["apply", path, "--write-key", "K", "--yes"],
    ] {
      let result = try Tool.carryover(arguments)
      for scalar in (result.output + result.error).unicodeScalars {
        let hidden = scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
        #expect(!hidden, "\(arguments[0]): U+\(String(scalar.value, radix: 16))")
      }
      #expect((result.output + result.error).contains("rl_") || arguments[0] == "apply")
    }
  }
}

@Suite("Arguments") struct ArgumentTests {
  private static let canHideProc =
    (try? Tool.run("unshare", ["-r", "-m", "sh", "-c", "mount -t tmpfs none /proc"]).status) == 0

  @Test(.enabled(if: canHideProc)) func `Commands work where /proc cannot be read`() throws {
    func hidden(_ arguments: [String]) throws -> Tool.Result {
      try Tool.run(
        "unshare",
        ["-r", "-m", "sh", "-c", #"mount -t tmpfs none /proc && exec "$0" "$@""#, Tool.carryover.path] + arguments)
    }
    let version = try hidden(["--version"]).ended()
    #expect(try version.output == Tool.carryover("--version").output)
    let sample = try SampleCopy("AcmeShop")
    let inspected = try hidden(["inspect", sample.path, "--json"]).ended()
    #expect(try inspected.output == Tool.carryover("inspect", sample.path, "--json").output)
    try hidden(["apply"] + sample.options + ["--only", "user_id", "--yes"]).ended()
    #expect(try sample.targetAsPythonReadsIt() == ["user_id": "str\t'42'"])
    // What the parser refuses is masked by the same arguments.
    let wrong = try hidden(["inspect", sample.path, "--redact", "--ada@example.com"]).ended(64)
    #expect(!wrong.error.contains("ada@example.com"), "\(wrong.error)")
  }
}

@Suite("Beginning at a field or a key") struct DeepLinkTests {
  @Test func `The review begins at the field that is named; details are its`() throws {
    let sample = try SampleCopy("AcmeShop")
    let review = try Tool.carryover(
      ["review"] + sample.options + ["--field", "session_id"], lines: ["details", "esc", "quit"]
    ).ended()
    let first = review.output.split(separator: "\n").first { $0.contains(" of 8. ") }
    #expect(first?.contains("session_id") == true, "\(review.output)")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `The stores begin at the key that is named, below others and packed in text too`() throws {
    let sample = try SampleCopy("AcmeShop")
    let found = try Tool.carryover("inspect", sample.path, "--find", "Königsallee")
    let line = try #require(found.output.split(separator: "\n").first { $0.contains("rl_traits") })
    let path = String(try #require(line.split(separator: "  ").first))
    for key in [path, "com.acme.shop.plist:rl_traits.address.street"] {
      let browse = try Tool.carryover(["browse", sample.path, "--key", key], lines: ["quit"]).ended()
      let row = browse.output.split(separator: "\n").first { $0.contains(" of ") && $0.contains("street") }
      #expect(row != nil, "\(key): \(browse.output)")
    }
  }

  @Test func `A field, key or store that is not there ends it with 64 and names the nearest`() throws {
    let sample = try SampleCopy("AcmeShop")
    for (arguments, nearest) in [
      (["review"] + sample.options + ["--field", "sesion_id"], "session_id"),
      (["browse", sample.path, "--key", "com.acme.shop.plist:rl_trait"], "rl_traits"),
      (["browse", sample.path, "--key", "com.acme.shp.plist:rl_traits"], "com.acme.shop.plist"),
    ] {
      try Tool.carryover(arguments, lines: ["quit"]).ended(64, saying: "Did you mean \(nearest)?")
    }
  }
}
