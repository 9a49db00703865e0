@Suite("carryover config") struct ConfigCommandTests {
  private let folder = TemporaryFolder()

  private func file(_ text: String, name: String = "config") throws -> String {
    let path = folder.path(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func run(_ environment: [String], _ arguments: String...) throws -> Tool.Result {
    try Tool.run("env", ["-i"] + environment + [Tool.carryover.path] + arguments)
  }

  @Test func `every setting is shown with its default and the line it comes from`() throws {
    let path = try file("# mine\nset theme light\nbind review ctrl-n next\ncolor match 231 24 bold\n")
    let result = try Tool.carryover("config", "--config", path).ended()
    let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.contains(["theme", "light", "auto", "line", "2"]))
    #expect(rows.contains(["mouse", "on", "on", "default"]))
    #expect(rows.contains(["list-share", "auto", "auto", "default"]))
    #expect(result.output.contains("bind review ctrl-n next  (line 3)\ncolor match 231 24 bold  (line 4)"))
    #expect(try Tool.carryover("config", "keys", "--config", path).output.contains("ctrl-n n "))
  }

  @Test func `the file is looked for where the option, the variables and the home folder say, in this order`() throws {
    let (home, other) = (folder.path("home"), folder.path("xdg"))
    for (place, theme) in [("home/.config", "mono"), ("xdg", "light")] {
      try folder.place(place + "/carryover/config", "set theme \(theme)\n".utf8)
    }
    let named = try file("set theme dark\n", name: "named")
    let option = try file("set colors 16\n", name: "option")
    let environment = ["HOME=\(home)"]
    #expect(try run(environment, "config").output.contains("theme         mono"))
    #expect(try run(environment + ["XDG_CONFIG_HOME=relative"], "config").output.contains("theme         mono"))
    let both = environment + ["XDG_CONFIG_HOME=\(other)"]
    #expect(try run(both, "config").output.contains("theme         light"))
    let all = both + ["CARRYOVER_CONFIG=\(named)"]
    #expect(try run(all, "config").output.contains("theme         dark"))
    #expect(try run(all, "config", "--config", option).output.contains("colors        16"))
    #expect(try run(all, "config", "--no-config").output.contains("No configuration is read."))
    #expect(try run([], "config").status == 0)
    #expect(try run(["HOME=\(other)"], "config").output.contains("There is no configuration at"))
  }

  @Test func `a link to a configuration is followed`() throws {
    let path = try file("set theme light\n")
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try Tool.carryover("config", "check", link).output.contains("is valid"))
  }

  @Test func `everything that is wrong is said at once, with its line, and nothing is shown`() throws {
    let path = try file("set theme ligth\n\nbind preview enter apply-this\nset list-share 95\n")
    let result = try Tool.carryover("config", "check", path).ended(64)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("has 3 problems:\n\(path):1: “ligth” is not a value of theme. Did you mean light?"))
    #expect(result.error.contains("\(path):3: enter cannot be apply-this"))
    #expect(result.error.contains("\(path):4: “95” is not a value of list-share."))
    let many = try file(String(repeating: "nonsense\n", count: 5000), name: "many")
    #expect(try Tool.carryover("config", "check", many).ended(64).error.split(separator: "\n").count == 52)
  }

  @Test(arguments: ["folder", "pipe", "huge", "binary", "gone", "dangling"])
  func `what is no configuration is refused with a sentence`(kind: String) throws {
    let path = folder.path("a\u{1B}[31mb")
    switch kind {
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "huge": try Data(count: 3 << 20).write(to: URL(fileURLWithPath: path))
    case "binary": try Data((0..<4096).map { UInt8($0 & 0xFF) }).write(to: URL(fileURLWithPath: path))
    case "dangling": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "x")
    default: break
    }
    for result in [
      try Tool.carryover("config", "--config", path), try run(["CARRYOVER_CONFIG=\(path)"], "config", "keys"),
    ] {
      #expect(result.status == 64)
      #expect(result.output.isEmpty)
      #expect(result.error.hasPrefix("carryover: ") && result.error.contains("31mb"))
      #expect(!result.error.contains("\u{1B}"))
    }
  }

  @Test func `options that contradict each other are refused`() throws {
    #expect(try Tool.carryover("config", "--config", "x", "--no-config").status == 64)
    #expect(try Tool.carryover("config", "check", "x", "--config", "x").status == 64)
    #expect(try Tool.carryover("review", ".", "--theme", "neon").error.contains("neon"))
  }

  @Test func `keys as Markdown are a page with a row for every key`() throws {
    let page = try Tool.carryover("config", "keys", "--markdown").ended().output
    #expect(page.hasPrefix("# "))
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 200 && rows.contains { $0.contains("next undecided field") })
  }
}

@Suite("Completion") struct CompletionTests {
  private static func has(_ program: String) -> Bool { (try? Tool.run("which", [program]).status) == 0 }

  private static let bash = #"""
    cd "$1" && source "$2" || exit 1
    shift 2
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
    COMP_POINT=${#COMP_LINE} COMPREPLY=()
    _carryover_with_defaults carryover "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
    """#

  private func script(_ shell: String, in folder: TemporaryFolder) throws -> String {
    let script = try Tool.carryover("completion", shell).ended()
    let path = folder.path("completion")
    try script.output.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test(.enabled(if: has("bash")))
  func `bash completes file names with blanks, options, choices, codes and recipes, default subcommands' too`() throws {
    let (folder, files) = (TemporaryFolder(), TemporaryFolder())
    let script = try script("bash", in: folder)
    for name in ["My App.xcappdata", "it's.plist", "other.json"] {
      try Data().write(to: files.url.appendingPathComponent(name))
    }
    func completions(_ words: String...) throws -> [String] {
      let result = try Tool.run("bash", ["-c", Self.bash, "bash", files.path, script, Tool.carryover.path] + words)
      #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
      return result.output.split(separator: "\n").map(String.init).sorted()
    }
    #expect(try completions("plan", "") == ["My App.xcappdata", "it's.plist", "other.json"])
    #expect(try completions("plan", "My") == ["My App.xcappdata"])
    #expect(try completions("plan", "x", "-o", "oth") == ["other.json"])
    #expect(try completions("plan", "x", "--on-conflict", "") == ["fail", "keep", "replace"])
    #expect(try completions("review", "x", "--theme", "") == ["auto", "dark", "light", "mono"])
    #expect(try completions("plan", "x", "--color", "a") == ["always", "auto"])
    #expect(try completions("plan", "x", "--accept", "source.dis") == ["source.disagree"])
    #expect(try completions("explain", "app.build-not") == ["app.build-not-integer"])
    #expect(try completions("recipe", "explain", "person") == ["person"])
    #expect(try completions("audit", "run", "x", "--fail-on", "unread") == ["unreadable"])
    #expect(try completions("pl") == ["plan"])
    #expect(try completions("plan", "--wri") == ["--write-key"])
    #expect(try completions("--wri") == ["--write-key"])
    #expect(try completions("My App.xcappdata", "--wri") == ["--write-key"])
    #expect(try completions("My App.xcappdata", "--theme", "d") == ["dark"])
    #expect(try completions("audit", "x", "--fail") == ["--fail-on"])
    #expect(try completions("audit", "rep") == ["report"])
    #expect(try completions("history", "x", "--ch") == ["--check"])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `The scripts are what their shells take`(_ shell: String) throws {
    let folder = TemporaryFolder()
    let path = try script(shell, in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("carryover") && !text.contains(#"\\n"#))
    #expect(!text.contains("eval ") && !text.contains("${token}") && text.contains("__carryover_default "))
    #expect(try Tool.carryover("--generate-completion-script", shell).output == text)
    guard Self.has(shell) else { return }
    try Tool.run(shell, [shell == "fish" ? "--no-execute" : "-n", path]).ended()
  }
}

@Suite("carryover doctor") struct DoctorTests {
  private func run(_ environment: String..., json: Bool = true) throws -> Tool.Result {
    try Tool.run("env", ["-i"] + environment + [Tool.carryover.path, "doctor"] + (json ? ["--json"] : []))
  }

  private func verdicts(_ result: Tool.Result) throws -> [String: String] {
    let checks = try #require(try result.json("doctor-1")["checks"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: checks.map { ($0["check"] as? String ?? "", $0["verdict"] as? String ?? "") })
  }

  @Test func `It says how each thing is, and leaves nothing in the home`() throws {
    let home = TemporaryFolder()
    let result = try run("HOME=" + home.path, "LANG=C.UTF-8").ended()
    let expected = ["version": "ok", "terminal": "note", "locale": "ok", "archives": "ok", "state": "note"]
    #expect(try verdicts(result) == expected)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    let text = try run("HOME=" + home.path, "LANG=\u{1B}[31m", json: false)
    #expect(text.status == 0 && text.output.contains("not UTF-8") && !text.output.contains("\u{1B}"), "\(text.output)")
  }

  @Test func `What prevents work ends it with 1: no home, a damaged key`() throws {
    #expect(try run().status == 1)
    let home = TemporaryFolder()
    try home.place("state/carryover/key", "no key".utf8)
    let damaged = try run("HOME=" + home.path, "XDG_STATE_HOME=" + home.path("state")).ended(1)
    #expect(try verdicts(damaged)["state"] == "error")
  }
}

@Suite("carryover explain") struct ExplainTests {
  @Test func `without a code, every code is listed under its group, a line each, and nothing is cut`() throws {
    let result = try Tool.carryover("explain")
    #expect(result.status == 0 && result.error == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    for code in FindingCode.allCases {
      let line = try #require(lines.first { $0.hasPrefix("  \(code.rawValue) ") }, "\(code.rawValue)")
      #expect(line.contains(" \(code.severity.rawValue) "))
      #expect(line.contains(" asks ") == code.asks && line.contains(" blocks ") == code.blocks, "\(line)")
      #expect(line.hasSuffix(" " + code.explanation.title), "\(line)")
    }
    for group in FindingGroup.allCases { #expect(lines.contains("\(group.name): \(group.title)")) }
    #expect(lines.count == FindingCode.allCases.count + FindingGroup.allCases.count + LintCode.allCases.count + 2)
  }

  @Test(arguments: FindingCode.allCases)
  func `with a code, every part is printed in whole`(_ code: FindingCode) throws {
    let result = try Tool.carryover("explain", code.rawValue)
    #expect(result.status == 0 && result.error == "")
    let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.first == code.rawValue)
    #expect(lines[1].hasPrefix(code.severity.rawValue.capitalized + ": "))
    let text = lines.joined(separator: " ")
    #expect(text.contains(" Needs a decision before you can apply.") == code.asks)
    #expect(text.contains(" Blocks: nothing can be applied ") == code.blocks)
    let explanation = code.explanation
    for part in [
      explanation.happens, explanation.legacyReads, explanation.guideSays, explanation.helperWrites,
      explanation.weWrite, explanation.whatToDo, explanation.inTheApp ?? "",
    ] where !part.isEmpty {
      #expect(text.contains(part), "\(part)")
    }
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test func `the JSON suits its schema: all codes, or the one that was named`() throws {
    let schema = try SchemaCheck("findings-1")
    let all = try Tool.carryover("explain", "--json").json()
    #expect(try schema.problems(all) == [])
    let findings = try #require(all["findings"] as? [[String: Any]])
    #expect(findings.compactMap { $0["code"] as? String } == FindingCode.allCases.map(\.rawValue))
    let one = try Tool.carryover("explain", "target.conflict", "--json").json()
    #expect(try schema.problems(one) == [])
    let conflict = try #require((one["findings"] as? [[String: Any]])?.first)
    #expect(conflict["asks"] as? Bool == true && conflict["blocks"] as? Bool == false)
    #expect(conflict["group"] as? String == "target")
    #expect(conflict["whatToDo"] as? String == FindingCode.targetConflict.explanation.whatToDo)
  }

  @Test func `an unknown code is a usage error that names the nearest, whatever it holds`() throws {
    let result = try Tool.carryover("explain", "identity.user-id-not-sting")
    #expect(result.status == 64 && result.output == "")
    #expect(result.error.hasPrefix("carryover: No finding has the code “identity.user-id-not-sting”."))
    #expect(result.error.contains("identity.user-id-not-string"))
    for text in ["", "\u{1B}[31mred", "two\nlines", String(repeating: "x", count: 50_000)] {
      let result = try Tool.carryover("explain", text)
      #expect(result.status == 64 && result.output == "")
      #expect(result.error.split(separator: "\n").count == 1 && result.error.count < 400)
      #expect(!result.error.contains("\u{1B}"))
    }
    let both = try Tool.carryover("explain", "--json", "--markdown")
    #expect(both.status == 64 && both.output == "")
  }

  @Test func `explain --markdown is a page with the section of every finding`() throws {
    let result = try Tool.carryover("explain", "--markdown").ended()
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    for code in FindingCode.allCases {
      let section = try Tool.carryover("explain", code.rawValue, "--markdown").output
      #expect(result.output.contains(section), "\(code.rawValue)")
    }
  }
}
