import Foundation
import Testing

/// Decisions that outlive the review they were taken in.
@Suite("Kept decisions in a terminal", .serialized, .needsTools)
struct KeptDecisionsInTerminalTests {
  private func start(
    _ session: TmuxSession, _ sample: SampleCopy, extra: String = "", until text: String = "q quit"
  ) throws {
    let command = ([Tool.carryover.path] + sample.options).joined(separator: " ")
    try session.enter("clear; sh -c 'echo $$ > \(sample.path).pid; exec \(command) \(extra)'; echo status $?")
    try session.waitFor(text)
  }

  private func decide(_ session: TmuxSession) throws {
    try session.press("n", "Space")
    try session.waitFor("1 accepted")
  }

  private func review(_ sample: SampleCopy, _ ending: String = "") -> String {
    sample.path + "/.carryover/review.json" + ending
  }

  private func end(_ sample: SampleCopy, by signal: String) throws {
    let number = try String(contentsOfFile: sample.path + ".pid", encoding: .utf8)
    let result = try Tool.run("kill", ["-\(signal)", number.trimmingCharacters(in: .whitespacesAndNewlines)])
    #expect(result.status == 0)
  }

  @Test("decisions made without a write key, or after it was set, are offered however the container is opened")
  func withoutKey() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 110, rows: 36)
    let bare = "clear; \(Tool.carryover.path) \(sample.path) --now \(SampleCopy.now); echo status $?"
    try session.enter(bare)
    try session.waitFor("write key missing")
    try session.press("W", "w")
    try session.type(SampleCopy.writeKey)
    try session.press("Enter")
    try session.waitForEnd(of: "write key missing")
    try session.press("Escape")
    try decide(session)
    try session.press("q")
    try session.waitFor("is saved for the next review")
    try session.press("y")
    try session.waitFor("status 0")
    try session.enter(bare)
    try session.waitFor("1 unapplied decision from")
    try session.press("y")
    try session.waitFor("1 accepted")
    try session.press("q")
    try session.waitFor("is saved for the next review")
    try session.press("y")
    try session.waitFor("status 0")
    try start(session, sample, until: "1 unapplied decision from")
    try session.press("d", "q")
    try session.waitFor("status 0")
    #expect(!FileManager.default.fileExists(atPath: review(sample)))
  }

  @Test("quitting says what is kept; the next review offers it, y takes it up, and the apply ends it")
  func quitAndReopen() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 110, rows: 36)
    try start(session, sample)
    try decide(session)
    try session.press("q")
    try session.waitFor("is saved for the next review")
    try session.press("Enter", "Space")
    try session.press("y")
    #expect(try session.waitFor("status 0").contains("1 decision saved for the next review of AcmeShop.xcappdata."))
    #expect(try sample.files() == sample.originalFiles())
    let attributes = try FileManager.default.attributesOfItem(atPath: review(sample))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.path + "/.carryover") == ["review.json"])
    // No other command minds it.
    #expect(try sample.run("plan").status == 0)
    #expect(try Tool.carryover("history", sample.path).status == 0)
    #expect(try Tool.carryover("recover", sample.path).status == 0)

    try start(session, sample, until: "1 unapplied decision from")
    try session.press("Enter", "Space", "y")
    try session.waitFor("1 accepted")
    try session.press("a")
    try session.waitFor("Nothing is written yet")
    try session.press("y")
    try session.waitFor("Applied")
    #expect(!FileManager.default.fileExists(atPath: review(sample)))
    try session.press("Escape", "q")
    try session.waitFor("status 0")
  }

  @Test("a signal keeps what was decided, for certain", arguments: ["TERM", "HUP", "INT", "QUIT"])
  func signals(name: String) throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 110, rows: 36)
    try start(session, sample)
    try decide(session)
    try end(sample, by: name)
    try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.path + "/.carryover") == ["review.json"])
    try start(session, sample, until: "Still apply 1")
    try session.press("Escape", "q")
    try session.waitFor("status 0")
    #expect(FileManager.default.fileExists(atPath: review(sample)), "no answer is no forgetting")
  }

  @Test("a kill costs at most the last moment")
  func kill() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 110, rows: 36)
    try start(session, sample)
    try decide(session)
    let draft = review(sample, ".draft")
    try session.waitFor("the quiet moment") { _ in FileManager.default.fileExists(atPath: draft) }
    try end(sample, by: "KILL")
    try session.waitFor("status 137")
    try start(session, sample, until: "Still apply 1")
    try session.press("y")
    try session.waitFor("1 accepted")
    try session.press("q")
    try session.waitFor("is saved for the next review")
    try session.press("y")
    try session.waitFor("status 0")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.path + "/.carryover") == ["review.json"])
  }

  @Test("d forgets, esc stays, and undoing all leaves nothing to keep")
  func forgetting() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 110, rows: 36)
    try start(session, sample)
    try decide(session)
    try session.press("q")
    try session.waitFor("d quits and discards it")
    try session.press("Escape", "u")
    try session.waitFor("1 undecided")
    try session.press("q")
    try session.waitFor("status 0")
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
    try start(session, sample)
    try decide(session)
    try session.press("q")
    try session.waitFor("d quits and discards it")
    try session.press("d")
    try session.waitFor("status 0")
    #expect(!FileManager.default.fileExists(atPath: sample.path + "/.carryover"))
  }

  @Test("a decision whose field has changed since is named and not taken up; a damaged file is said and left alone")
  func staleAndDamaged() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 110, rows: 36)
    try start(session, sample)
    try decide(session)
    try session.press("g", "s")
    try session.waitFor("1 skipped")
    try session.press("q")
    try session.waitFor("2 unapplied decisions")
    try session.press("y")
    try session.waitFor("status 0")
    let script = """
      import plistlib, sys, json, os
      for folder, _, names in os.walk(sys.argv[1] + '/AppData'):
          for name in names:
              path = os.path.join(folder, name)
              if not name.endswith('.plist'): continue
              values = plistlib.load(open(path, 'rb'))
              if 'rl_traits' in values:
                  traits = json.loads(values['rl_traits']); traits['userId'] = 43
                  values['rl_traits'] = json.dumps(traits)
                  plistlib.dump(values, open(path, 'wb'), fmt=plistlib.FMT_BINARY)
      """
    #expect(try Tool.run("python3", ["-c", script, sample.path]).status == 0)
    try start(session, sample, until: "No longer apply 1")
    #expect(try session.screen().contains("Still apply 1"))
    try session.press("y")
    #expect(!(try session.waitFor("1 skipped").contains("1 accepted")))
    try session.press("q")
    try session.waitFor("is saved for the next review")
    try session.press("y")
    try session.waitFor("status 0")

    try Data("{".utf8).write(to: URL(fileURLWithPath: review(sample)))
    try start(session, sample, until: "The saved decisions cannot be read")
    try session.press("j", "q")
    let said = try session.waitFor("status 0").replacing("\n", with: "")
    #expect(said.contains("It is not changed until"))
    #expect(try String(contentsOfFile: review(sample), encoding: .utf8) == "{")
  }

  @Test("an archive has no place for them, which is said; --state-dir has one")
  func wrapped() throws {
    let forms = try Forms(of: SampleCopy.original("Clean").path)
    let before = try FileState.files(under: forms.folder.url.path)
    let state = try TemporaryFolder()
    let session = try TmuxSession(columns: 120, rows: 30)
    let command =
      "\(Tool.carryover.path) \(forms.path("package.zip")) --write-key \(SampleCopy.writeKey) --now \(SampleCopy.now)"
    try session.enter("clear; \(command); echo status $?")
    try session.waitFor(" Legacy ─")
    try session.press("s")
    try session.waitFor("The decisions cannot be saved here.")
    try session.press("q")
    try session.waitFor("Quit and lose 1 decision?")
    try session.press("y")
    try session.waitFor("status 0")
    #expect(try FileState.files(under: forms.folder.url.path) == before)

    for text in [" Legacy ─", "Still apply 1"] {
      try session.enter("clear; \(command) --state-dir \(state.url.path); echo status $?")
      try session.waitFor(text)
      try session.press(text == " Legacy ─" ? "s" : "y")
      try session.waitFor("1 skipped")
      try session.press("q")
      try session.waitFor("is saved for the next review")
      try session.press("y")
      try session.waitFor("status 0")
    }
    #expect(try FileState.files(under: forms.folder.url.path) == before)
  }

  @Test("Ctrl-Z keeps them first")
  func suspended() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 110, rows: 36)
    try session.enter("\(Tool.carryover.path) \(sample.options.joined(separator: " "))")
    try session.waitFor("q quit")
    try decide(session)
    try session.press("C-z")
    try session.waitFor("Stopped")
    #expect(!(try FileManager.default.contentsOfDirectory(atPath: sample.path + "/.carryover").isEmpty))
    try session.enter("fg")
    try session.waitFor("1 accepted")
    try session.press("q")
    try session.waitFor("is saved for the next review")
    try session.press("y")
    try session.waitFor("saved for the next review")
  }

  @Test("a review that was chosen among several leads back to the choice, where cursor and filter are as they were")
  func backToTheChoice() throws {
    let folder = try TemporaryFolder()
    for name in ["AcmeShop", "Clean", "HalfFilled"] {
      try FileManager.default.copyItem(
        at: SampleCopy.original(name), to: URL(fileURLWithPath: folder.path(name + ".xcappdata")))
    }
    let session = try TmuxSession(columns: 110, rows: 30)
    try session.enter(
      "clear; \(Tool.carryover.path) \(folder.url.path) --write-key \(SampleCopy.writeKey) --now \(SampleCopy.now); "
        + "echo status $?")
    try session.waitFor("Which container?")
    try session.press("j", "Enter")
    try session.waitFor(" Legacy ─")
    try session.press("s")
    try session.waitFor("1 skipped")
    try session.press("q")
    try session.waitFor("is saved for the next review")
    try session.press("y")
    let back = try session.waitFor("Which container?")
    #expect(back.split(separator: "\n").contains { $0.contains("▸") && $0.contains("Clean.xcappdata") })
    // One that is gone by now is said here.
    try FileManager.default.removeItem(atPath: folder.path("HalfFilled.xcappdata"))
    try session.press("j", "Enter")
    try session.waitFor("┌ Not opened")
    try session.press("Escape")
    try session.waitFor("Which container?")
    try session.press("k", "Enter")
    try session.waitFor("Still apply 1")
    try session.press("Escape")
    try session.waitFor(" Legacy ─")
    try session.press("q")
    try session.waitFor("Which container?")
    try session.press("q")
    #expect(try session.waitFor("status 0").contains("1 decision saved for the next review of Clean.xcappdata."))
  }
}
