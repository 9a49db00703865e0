import Foundation
import Testing

/// The review in a real terminal.
@Suite("The review in a terminal", .serialized, .needsTools)
struct ReviewInTerminalTests {
  private func start(_ sample: SampleCopy, columns: Int = 100, rows: Int = 30, extra: String = "") throws -> TmuxSession
  {
    let session = try TmuxSession(columns: columns, rows: rows)
    try session.enter("\(Tool.carryover.path) \(sample.options.joined(separator: " ")) \(extra); echo status $?")
    // The footer is drawn last: with it the screen is whole.
    try session.waitFor("q quit")
    return session
  }

  @Test("the sample is decided, previewed, applied, and taken back in a later session (F1, F2, F4)")
  func wholeJob() throws {
    let sample = try SampleCopy("AcmeShop")
    var session = try start(sample)
    let review = try session.screen()
    for words in [
      "rl_traits.userId", "number → string", "−3 members", "inverted", "s → ms, → string", "not an integer",
    ] {
      #expect(review.contains(words), "\(words)")
    }
    try session.press("n", "Space")
    try session.waitFor("1 accepted")
    try session.press("G", "e", "C-u")
    try session.type("420")
    try session.press("Enter")
    try session.waitFor("1 edited")
    #expect(try sample.files() == sample.originalFiles())
    try session.press("a")
    try session.waitFor("the whole preview") {
      $0.contains("Nothing is written yet") && $0.contains("+ rudder.app_build")
    }
    try session.press("Enter", "Enter")
    try session.waitFor("Nothing is written yet")
    #expect(try sample.files() == sample.originalFiles())
    try session.press("y")
    try session.waitFor("Applied")
    #expect(try sample.targetAsPythonReadsIt()["rudder.app_build"] == "int\t420")
    try session.press("Escape", "q")
    #expect(try session.waitFor("status 0").contains("wrote"))

    session = try start(sample)
    try session.waitFor("8 unchanged")
    try session.press("R")
    try session.waitFor("Roll back")
    try session.press("Enter")
    #expect(FileManager.default.fileExists(atPath: sample.target))
    try session.press("y")
    try session.waitFor("Rolled back")
    #expect(try sample.files() == sample.originalFiles())
    try session.press("Escape", "q")
    try session.waitFor("status 0")
  }

  @Test("one key is taken back from the history, then the rest, and every file is as it was (F5)")
  func takesBackByKeys() throws {
    let sample = try SampleCopy("Clean")
    let session = try start(sample)
    try session.press("a")
    try session.waitFor("Nothing is written yet")
    try session.press("y")
    try session.waitFor("Applied")
    let applied = try sample.targetAsPythonReadsIt()
    try session.press("H")
    try session.waitFor("┌ History")
    try session.press("Enter")
    try session.waitFor("8 not chosen")
    try session.press("j", "Space", "R")
    try session.waitFor("Roll back 1 of 8 keys")
    try session.press("Enter")
    #expect(try sample.targetAsPythonReadsIt() == applied)
    try session.press("y")
    try session.waitFor("Rolled back")
    let left = try sample.targetAsPythonReadsIt()
    #expect(left.count == applied.count - 1 && left["user_id"] == nil)
    #expect(left.allSatisfy { applied[$0.key] == $0.value })
    try session.press("Escape")
    try session.waitFor("partly rolled back")
    try session.press("j", "Enter")
    try session.waitFor("7 not chosen")
    try session.press("a", "R")
    try session.waitFor("Roll back run")
    try session.press("y")
    try session.waitFor("Rolled back")
    #expect(try sample.files() == sample.originalFiles())
    try session.press("Escape")
    try session.waitFor("a run that is taken back") { $0.contains("rolled back") && !$0.contains("partly") }
    try session.press("Escape", "q")
    try session.waitFor("status 0")
  }

  @Test("A run that was killed is brought to an end, and the review begins by saying so")
  func recoveryNotice() throws {
    let sample = try SampleCopy("Clean")
    let killed = try Tool.run(
      "strace",
      ["-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=KILL:when=4", Tool.carryover.path, "apply"]
        + sample.options + ["--yes"])
    #expect(killed.status == 128 + 9)
    let session = try TmuxSession(columns: 100, rows: 30)
    try session.enter("\(Tool.carryover.path) \(sample.options.joined(separator: " ")); echo status $?")
    let notice = try session.waitFor("Any key")
    #expect(notice.contains("Recovery") && notice.contains("AppData/Library/Preferences"))
    try session.press("y")
    try session.waitFor("q quit")
    try session.press("q")
    let screen = try session.waitFor("status 0")
    #expect(screen.contains("was interrupted"))
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("A container in an archive is shown, says that it is only read, and y does nothing")
  func wrapped() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try FileState.files(under: forms.folder.url.path)
    let session = try TmuxSession(columns: 120, rows: 30)
    try session.enter(
      "\(Tool.carryover.path) \(forms.path("package.zip")) --write-key \(SampleCopy.writeKey) --now \(SampleCopy.now); "
        + "echo status $?")
    try session.waitFor("Read-only archive. To migrate, extract the container with carryover extract.")
    try session.press("a")
    try session.waitFor("the preview") { $0.contains("┌ Preview") && $0.contains("carryover extract") }
    try session.press("y", "Escape")
    try session.waitFor(" Legacy ─")
    try session.press("q")
    try session.waitFor("status 0")
    #expect(try FileState.files(under: forms.folder.url.path) == before)
  }

  @Test("keys that were typed ahead answer neither the preview nor the result (F3)")
  func typedAhead() throws {
    let sample = try SampleCopy("Clean")
    let session = try start(sample)
    try session.type("ayyRy")
    try session.waitFor("┌ Preview")
    #expect(try sample.files() == sample.originalFiles())
    try session.type("yRy")
    try session.waitFor("┌ Result")
    try session.press("q")
    try session.waitFor(" Legacy ─")
    #expect(try sample.files() != sample.originalFiles())
    try session.press("q")
    try session.waitFor("status 0")
  }

  @Test("with a field undecided the preview says which, and y does nothing (F3)")
  func undecided() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try start(sample)
    try session.press("a")
    try session.waitFor("the field to decide") {
      $0.contains("┌ Preview") && $0.contains("user_id") && $0.contains("decide")
    }
    try session.press("y", "Escape")
    try session.waitFor(" Legacy ─")
    try session.press("q")
    try session.waitFor("status 0")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test(
    "After each signal the screen and the terminal's settings are as before",
    arguments: ["TERM", "HUP", "INT", "QUIT", "SEGV"])
  func restoresAfterSignals(_ name: String) throws {
    let session = try start(try SampleCopy("Clean"))
    try session.press("q")
    try session.waitFor("status 0")
    let sample = try SampleCopy("Clean")
    // Not in the folder the tests run in: the signals are tried at the same time.
    let (before, errors) = (sample.folder.path("before"), sample.folder.path("errors"))
    try session.enter("clear; stty -a > \(before)")
    try session.waitForEnd(of: "status")
    try session.enter("\(Tool.carryover.path) \(sample.options.joined(separator: " ")) 2> \(errors)")
    try session.waitFor(" Legacy ─")
    let process = try Tool.run("pgrep", ["-f", "^\(Tool.carryover.path) \(sample.path)"]).output
    let number = try #require(Int32(process.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(try Tool.run("kill", ["-\(name)", "\(number)"]).status == 0)
    let signal = ["TERM": 15, "HUP": 1, "INT": 2, "QUIT": 3, "SEGV": 11][name] ?? 0
    #expect(!(try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }.contains(" Legacy ─")))
    try session.enter("echo ended $?")
    try session.waitFor("\nended \(128 + signal)")
    try session.enter("stty -a | cmp - \(before) && echo same settings $?")
    try session.waitFor("same settings 0")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("A store that changes while apply asks makes the plan stale: status 4, nothing written, the store named once")
  func changeWhileAsking() throws {
    let sample = try SampleCopy("Clean")
    let session = try TmuxSession(columns: 120, rows: 40)
    try session.enter("\(Tool.carryover.path) apply \(sample.options.joined(separator: " ")); echo status $?")
    try session.waitFor("[y/N]")
    let path = sample.path + "/AppData/Library/Preferences/com.acme.shop.plist"
    let script = """
      import plistlib, sys
      values = plistlib.load(open(sys.argv[1], 'rb'))
      values['rl_session_id'] += 1
      plistlib.dump(values, open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)
      """
    #expect(try Tool.run("python3", ["-c", script, path]).status == 0)
    let changed = try sample.files()
    try session.enter("y")
    let screen = try session.waitFor("status 4")
    #expect(screen.contains("rl_session_id in com.acme.shop.plist changed after the plan was made"))
    #expect(try sample.files() == changed)
  }

  @Test("Ctrl-Z gives the shell back, fg the review")
  func suspends() throws {
    let sample = try SampleCopy("Clean")
    let session = try start(sample)
    try session.press("C-z")
    try session.waitFor("Stopped")
    try session.enter("fg")
    try session.waitFor(" Legacy ─")
    try session.press("q")
    try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }
  }

  @Test("A storm of resizes ends in a whole screen")
  func resizeStorm() throws {
    let session = try start(try SampleCopy("AcmeShop"))
    for step in 0..<40 { try session.resize(columns: 40 + (step * 37) % 120, rows: 8 + (step * 13) % 40) }
    try session.resize(columns: 50, rows: 10)
    try session.waitFor("Too small")
    try session.resize(columns: 120, rows: 40)
    let screen = try session.waitFor("└")
    #expect(
      screen.split(separator: "\n").filter { $0.hasPrefix("│") || $0.hasPrefix("├") }.allSatisfy { $0.count == 120 })
    try session.press("q")
    try session.waitFor("status 0")
  }

  @Test(
    "Mono, ASCII and plain terminals",
    arguments: [("xterm", "--no-color"), ("vt100", ""), ("screen", "--ascii"), ("linux", "")])
  func plainTerminals(_ terminal: String, _ option: String) throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 80, rows: 24, terminal: terminal)
    try session.enter("\(Tool.carryover.path) \(sample.options.joined(separator: " ")) \(option); echo status $?")
    try session.waitFor("user_id")
    if option == "--no-color" { #expect(!(try session.colouredScreen().contains(/\u{1B}\[([0-9]+;)*[34][0-7]/))) }
    if option == "--ascii" { #expect(try session.screen().unicodeScalars.allSatisfy { $0.isASCII }) }
    try session.press("q")
    try session.waitFor("status 0")
  }
}
