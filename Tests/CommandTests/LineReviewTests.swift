@Suite("The review by lines, in the command", .serialized) struct LineReviewTests {
  private let sample: SampleCopy

  init() throws { sample = try SampleCopy("AcmeShop") }

  private func review(_ sample: SampleCopy, _ lines: String..., extra: [String] = []) throws -> Tool.Result {
    try Tool.carryover(["review"] + sample.options + extra, lines: lines)
  }

  @Test func `the sample is decided, heard, applied, a field rolled back, by lines alone (F1, F2, F4, F5)`() throws {
    let applied = try review(
      sample, "details", "esc", "accept", "8", "edit", "4.2", "420", "apply", "yes", "esc", "quit"
    ).ended()
    for words in [
      "2 of 8. ? user_id: undecided.", "Not an integer. Enter digits", "+ user_id             string   \"42\"",
      "Applied  run ", "R previews the rollback of this run.", "Review: details\n",
    ] {
      #expect(applied.output.contains(words), "\(words)")
    }
    #expect(applied.output.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    let values = try sample.targetAsPythonReadsIt()
    #expect(values["user_id"] == "str\t'42'" && values["rudder.app_build"] == "int\t420")

    let back = try review(sample, "history", "1", "enter", "2", "space", "R", "yes", "esc", "esc", "quit").ended()
    #expect(back.output.contains("Roll back 1 of 8 keys of run") && back.output.contains("- user_id   \"42\""))
    #expect(back.output.contains("Rolled back  run "))
    let left = try sample.targetAsPythonReadsIt()
    #expect(left["user_id"] == nil && left.count == values.count - 1)

    let rest = try review(sample, "history", "2", "enter", "R", "a", "R", "yes", "quit")
    #expect(rest.output.contains("No key is chosen: space chooses one, a all of them."))
    #expect(rest.output.contains("Rolled back  run "), "\(rest.output)")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `the end of the input, and anything but yes in full, writes nothing (F3)`() throws {
    let sample = try SampleCopy("Clean")
    for lines in [["apply"], ["apply", "y"], ["apply", ""], ["yes"], ["apply", "Yes", "no", "yes"], []] {
      let result = try Tool.carryover(["review"] + sample.options, lines: lines)
      #expect(result.status == 0 && result.output.contains("The input ended."))
      #expect(try sample.files() == sample.originalFiles())
    }
  }

  @Test(.needsTools, arguments: ["INT", "TERM"])
  func `a signal while something is written waits until it is written and said`(_ name: String) throws {
    let sample = try SampleCopy("Clean")
    let result = try Tool.carryover(
      ["review"] + sample.options + ["--accessible"], "signal=SIG\(name):when=2", input: "apply\nyes\nagain\n")
    #expect(result.status == 128 + (SignalTests.numbers[name] ?? 0))
    #expect(result.output.contains("Applied  run ") && !result.output.contains("Result: again"))
    let again = try review(sample, "again")
    #expect(again.output.contains(": 8 unchanged\n") && !again.output.contains("nterrupted"))
  }

  @Test func `unapplied decisions are kept at the end of the input, offered again, forgotten on demand`() throws {
    try review(sample, "accept", "8", "edit", "420").ended(printing: "2 decisions saved for the next review of ")
    #expect(try sample.files() == sample.originalFiles())
    try review(sample, "later", "quit").prints("2 unapplied decisions from ")
    let taken = try review(sample, "yes", "apply", "esc", "quit", "yes")
    #expect(taken.output.contains("2 accepted") || taken.output.contains("1 accepted, 1 edited"), "\(taken.output)")
    #expect(taken.output.contains("+ rudder.app_build    integer  420"))
    #expect(taken.output.contains("2 decisions saved for the next review of "))
    let forgotten = try review(sample, "yes", "quit", "quit-and-forget")
    #expect(forgotten.status == 0 && !forgotten.output.contains("decisions saved for the next review of "))
    #expect(try !review(sample, "again").output.contains("unapplied decision"))
    #expect(try review(sample, "accept", "apply", "yes").output.contains("Applied  run "))
    #expect(try !review(sample, "again").output.contains("unapplied decision"))
  }

  @Test func `they are offered whatever way the container was opened, by a path or from the list of a folder`() throws {
    func opened(_ words: String..., lines: String = "") throws -> String {
      try Tool.run(Tool.carryover.path, ["review"] + words + ["--accessible"], input: lines).output
    }
    try review(sample, "accept").ended(printing: "1 decision saved for the next review of ")
    let folder = sample.folder
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path)
    for path in ["", "/", "/AppData", "/AppData/..", "/./AppData/"].map({ sample.path + $0 })
      + [folder.path("link/AcmeShop.xcappdata")]
    {
      #expect(try opened(path).contains("1 unapplied decision from "), "\(path)")
    }
    #expect(try opened(folder.path, "--container", "AcmeShop.xcappdata").contains("1 unapplied decision from "))
    #expect(try opened(folder.path, lines: "open\n").contains("1 unapplied decision from "))
  }

  @Test func `they are offered with every plan that follows their recipe, and as soon as one does`() throws {
    let sample = try SampleCopy("Person")
    let (person, other) = (["--recipe", "person"], ["--recipe", "rudderstack-objc"])
    try review(sample, "skip", extra: person).ended(printing: "1 decision saved for the next review of ")
    for recipes in [person, other + person, person + other, ["--recipe", "all"]] {
      let output = try review(sample, extra: recipes).output
      #expect(output.contains("1 unapplied decision from "), "\(recipes): \(output)")
    }
    let chosen = try review(sample, "W", "r", "person", "yes", "quit", "yes", extra: other).output
    #expect(chosen.contains("Decisions are saved for the recipe person, which this plan does not follow."))
    #expect(chosen.contains("1 decision of an earlier review restored"), "\(chosen)")
    try review(sample, "yes", "quit", "quit-and-forget", extra: other + person).ended()
    #expect(try !review(sample, extra: person).output.contains("unapplied"))
  }

  @Test func `a folder that does not exist is no part of the container`() throws {
    let result = try review(sample, "verdict", "save \(sample.folder.path("absent"))/verdict.txt", "esc", "quit")
    #expect(result.output.contains("Nothing was saved."), "\(result.output)")
    #expect(!result.output.contains("belongs to the container"))
  }

  @Test func `a text is saved neither in the container nor in its state folder`() throws {
    for place in ["/.carryover/journal.json", "/AppData/Library/Preferences/com.acme.shop.plist"] {
      try review(sample, "verdict", "save \(sample.path)\(place)", "esc", "quit").prints("belongs to the container")
      #expect(try sample.files() == sample.originalFiles())
      #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover/journal.json"))
    }
  }

  @Test func `with masks neither what is said nor what is repeated tells of a person`() throws {
    let result = try review(
      sample, "details", "edit", "typed-4711", "esc", "e typed-4712", "/typed-4713", "3", "details", "stores", "up",
      "search typed-4714", "leave", "apply",
      extra: ["--redact"]
    ).ended()
    try review(sample, "later", "3", "details").prints("ada@", "9f1c2a7e")
    for secret in ["typed-471", "ada@", "9f1c2a7e"] {
      let lines = result.output.split(separator: "\n").filter { $0.contains(secret) }
      #expect(lines.isEmpty, "\(lines)")
    }
    #expect(result.output.contains("(a value)"))
  }

  @Test func `a line of any length is refused, and the next one counts; a line may end in a return`() throws {
    let long = String(repeating: "confirm ", count: 200_000)
    let result = try review(sample, long, "again\r", "  " + String(repeating: "x", count: 65_536))
    #expect(result.status == 0 && result.output.utf8.count < 20_000)
    #expect(result.output.components(separatedBy: "This line is longer than 65536 bytes").count == 3)
    #expect(result.output.contains("Review: again\n") && !result.output.contains("\\r"))
    #expect(try !review(sample, String(repeating: "x", count: 65_536)).output.contains("longer than"))
    let unended = try Tool.run(
      Tool.carryover.path, ["review"] + sample.options + ["--accessible"], input: "confirm\nquit\nyes")
    #expect(unended.status == 0 && !unended.output.contains("The input ended."))
  }

  @Test func `a file or a link in the place of the state folder lets a container be read, and not written`() throws {
    for isLink in [false, true] {
      let sample = try SampleCopy("AcmeShop")
      let path = sample.path + "/.carryover"
      if isLink {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: sample.folder.path("away"))
      } else {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
      }
      let before = try sample.files()
      let result = try review(sample, "accept", "apply", "yes", "esc", "roll-back", "quit", "yes").ended()
      #expect(result.output.contains("Read-only: no backup"), "\(result.output)")
      for words in [
        isLink ? "is a symbolic link, and links are not followed" : "is a file, where a folder is needed",
        "nothing can be applied or rolled back", "--state-dir", "The decisions cannot be saved here.",
        "1 decision could not be saved.",
      ] { #expect(result.output.contains(words), "\(words)\n\(result.output)") }
      #expect(!result.output.contains("Applied  "))
      #expect(try sample.files() == before)
      #expect(try sample.run("apply", "--yes").status == 1)
      #expect(try sample.files() == before)
      let elsewhere = try review(
        sample, "accept", "apply", "yes", "quit", extra: ["--state-dir", sample.folder.path("state")])
      #expect(elsewhere.output.contains("Applied  run "), "\(elsewhere.output)")
    }
  }

  @Test func `without UTF-8 in the locale only ASCII is printed`() throws {
    let result = try review(sample, "details", "a", "esc", "help", extra: ["--ascii"])
    #expect(result.output.utf8.allSatisfy { $0 < 0x7F })
  }

  @Test func `containers are chosen by a number or a filter; the stores are read without a screen`() throws {
    let folder = try ContainerFolder(["AcmeShop": "AcmeShop", "Clean": "Clean"])
    let result = try Tool.carryover(
      ["browse", folder.path], lines: ["/clean", "open", "1", "list", "up", "search rl_anon", "leave"]
    ).ended()
    #expect(result.output.contains(": 2 containers\n") && result.output.contains("1 of 1. com.acme.shop, xcappdata"))
    #expect(result.output.contains("Stores: search rl_anon\n") && result.output.contains("rl_anonymous_id, string"))
    #expect(!result.output.contains("The input ended."))
  }
}

@Suite("Questions on a terminal") struct TerminalQuestionTests {
  @Test func `A store that changes while apply asks makes the plan stale: status 4, the store named`() throws {
    let sample = try SampleCopy("Clean")
    let path = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    let script = """
      import plistlib, sys
      values = plistlib.load(open(sys.argv[1], 'rb'))
      values['rl_session_id'] += 1
      plistlib.dump(values, open(sys.argv[1], 'wb'))
      """
    let change = "python3 -c \"\(script)\" '\(path)'"
    let result = try Tool.onTerminal(["apply"] + sample.options, [("[y/N]", change, "y\n")]).ended(4)
    #expect(result.output.contains("rl_session_id in com.acme.shop.plist changed after the plan was made"))
    #expect(!FileManager.default.fileExists(atPath: sample.target))
  }

  @Test func `The editor gets its arguments and a private file, in a folder that is gone afterwards`() throws {
    let folder = TemporaryFolder()
    let sample = try SampleCopy("AcmeShop")
    let (editor, log, places) = (folder.path("an editor"), folder.path("log"), folder.path("places"))
    try FileManager.default.createDirectory(atPath: places, withIntermediateDirectories: true)
    let lines = """
      #!/bin/sh
      stat -c '%a' "$2" "${2%/*}" > '\(log)'; echo "$1" >> '\(log)'; : > "$2~"; echo 421 > "$2"
      """
    try lines.write(toFile: editor, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
    try Tool.onTerminal(
      sample.options + ["--accessible"], environment: ["TMPDIR=" + places, "EDITOR='\(editor)' 'two words'"],
      [("Review:", "", "8\n"), ("8 of 8", "", "editor\n"), ("edited", "", "undo\n"), ("Undone", "", "q\n")]
    ).ended()
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "600\n700\ntwo words\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: places) == [])
  }

  @Test func `Without what a screen needs, review and browse name what works; a wrong configuration first`() throws {
    let sample = try SampleCopy("Clean")
    try Tool.carryover("browse", sample.path).ended(64, saying: "carryover inspect")
    try Tool.onTerminal(sample.options, environment: ["TERM=dumb"], []).ended(64, printing: "--accessible")
    let configuration = sample.folder.path("config")
    try "set theme ligth\n".write(toFile: configuration, atomically: true, encoding: .utf8)
    let wrong = try Tool.onTerminal(["browse", sample.path, "--config", configuration], [])
    #expect(wrong.status == 64 && wrong.output.contains("Did you mean light?"), "\(wrong.output)")
  }
}

/// Signals that arrive while something is written. strace sends them at a system call of the run's own making, so that
/// nothing depends on time.
@Suite("Signals while writing", .serialized, .needsTools) struct SignalTests {
  static let numbers = ["INT": 2, "TERM": 15, "HUP": 1, "QUIT": 3]

  @Test(arguments: ["INT", "TERM", "HUP", "QUIT"])
  func `apply and rollback finish and report the run; then the process ends by the signal`(_ signal: String) throws {
    let sample = try SampleCopy("Clean")
    let status = Int32(128 + (Self.numbers[signal] ?? 0))
    let second = "signal=SIG\(signal):when=2"
    let applied = try Tool.carryover(["apply"] + sample.options + ["--yes"], second)
    #expect(applied.status == status)
    #expect(applied.output.contains("Applied  run "))
    #expect(applied.error.isEmpty)
    try sample.run("apply", "--yes").ended(printing: "There was nothing to write.")
    let back = try Tool.carryover(["rollback", sample.path, "--yes"], second)
    #expect(back.status == status)
    #expect(back.output.contains("Rolled back  run"))
    #expect(try sample.files() == sample.originalFiles())
    #expect(try sample.run("rollback", "--yes").status == 1)
  }

  @Test func `a run that fails says so before the signal ends the process`() throws {
    let sample = try SampleCopy("Clean")
    let result = try Tool.carryover(["apply"] + sample.options + ["--yes"], "signal=SIGTERM:error=EIO:when=2")
    #expect(result.status == 128 + 15)
    #expect(result.error.contains("carryover: "))
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test func `a limit on file sizes is an error with a remedy, and nothing has changed`() throws {
    let sample = try SampleCopy("Clean")
    // The sentence goes through a pipe: the limit concerns every file.
    let script = "(ulimit -f 0; exec \"$@\") 2>&1 | cat; echo ${PIPESTATUS[0]}"
    let result = try Tool.run("bash", ["-c", script, "-", Tool.carryover.path, "apply"] + sample.options + ["--yes"])
    #expect(result.output.hasSuffix("\n1\n"))
    #expect(result.output.contains("File too large") && result.output.contains("ulimit"))
    #expect(try sample.files() == sample.originalFiles())
  }
}

extension Tool {
  /// A step of a conversation: what is waited for, then a shell command to run, then what is typed.
  typealias Step = (wait: String, run: String, type: String)

  /// Runs the command on a terminal of its own, and answers its questions. Screens are tested by `Tests/Terminals`.
  /// - Returns: how it ended, and everything that it showed.
  static func onTerminal(
    _ arguments: [String], environment: [String] = [], _ steps: [Step]
  ) throws -> Result {
    let script = """
      import os, pty, select, subprocess, sys
      steps = sys.argv[2:2 + 3 * int(sys.argv[1])]
      command = sys.argv[2 + len(steps):]
      process, terminal = pty.fork()
      if process == 0:
          os.execvp(command[0], command)
      shown, new = b"", b""
      def read():
          if not select.select([terminal], [], [], 60)[0]:
              os.kill(process, 9)
              sys.exit("waited in vain; shown: " + shown.decode(errors="replace"))
          try:
              return os.read(terminal, 65536)
          except OSError:
              return b""
      for wait, run, typed in zip(steps[::3], steps[1::3], steps[2::3]):
          while wait.encode() not in new:
              piece = read()
              if not piece:
                  sys.exit(f"ended before {wait}; shown: " + shown.decode(errors="replace"))
              shown, new = shown + piece, new + piece
          new = b""
          if run:
              subprocess.run(run, shell=True, check=True)
          os.write(terminal, typed.encode())
      while piece := read():
          shown += piece
      sys.stdout.write(shown.decode(errors="replace").replace("\\r\\n", "\\n"))
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
      """
    let words = steps.flatMap { [$0.wait, $0.run, $0.type] }
    let variables = ["env", "TERM=xterm-256color", "COLUMNS=400"] + environment
    return try Tool.run(
      "python3", ["-c", script, "\(steps.count)"] + words + variables + [Tool.carryover.path] + arguments)
  }
}
