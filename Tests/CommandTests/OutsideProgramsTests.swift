import Foundation
import Testing

/// The user's own editor and pager, given the terminal by a review.
@Suite("Editor and pager in a terminal", .serialized, .needsTools)
struct OutsideProgramsTests {
  private let folder: TemporaryFolder
  private let sample: SampleCopy
  private let session: TmuxSession

  init() throws {
    folder = try TemporaryFolder()
    sample = try SampleCopy("AcmeShop")
    session = try TmuxSession(columns: 100, rows: 30)
  }

  /// Writes a program of the shell's.
  private func program(_ name: String, _ lines: String) throws -> String {
    let path = folder.path(name)
    try "#!/bin/sh\n\(lines)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  private func start(_ variables: String, extra: String = "", until text: String = "q quit") throws {
    let places = folder.path("places")
    try FileManager.default.createDirectory(atPath: places, withIntermediateDirectories: true)
    let command = ([Tool.carryover.path] + sample.options).joined(separator: " ") + extra
    try session.enter(
      "clear; export TMPDIR=\(places) \(variables); sh -c 'echo $$ > \(sample.path).pid; exec \(command)'; echo status $?"
    )
    try session.waitFor(text)
  }

  private func expectNothingLeft() throws {
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("places")) == [])
  }

  private func end(by signal: String) throws {
    let number = try String(contentsOfFile: sample.path + ".pid", encoding: .utf8)
    #expect(try Tool.run("kill", ["-\(signal)", number.trimmingCharacters(in: .whitespacesAndNewlines)]).status == 0)
  }

  @Test("the editor gets its own arguments and a file nobody else can read, in a folder that is gone afterwards")
  func editing() throws {
    let log = folder.path("log")
    let editor = try program(
      "an editor",
      "stat -c '%a' \"$2\" \"${2%/*}\" > \(log); echo \"$1\" >> \(log); : > \"$2~\"; mkdir \"${2%/*}/x\"; echo 421 > \"$2\""
    )
    try start("EDITOR=\"'\(editor)' 'two words'\"")
    try session.press("G", "E")
    try session.waitFor("1 edited")
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "600\n700\ntwo words\n")
    try expectNothingLeft()
    try session.press("u")
    try session.waitForEnd(of: "1 edited")
    try session.press("q")
    try session.waitFor("status 0")
  }

  @Test("an editor that fails or is not there changes nothing and says so")
  func failing() throws {
    try start("VISUAL=false EDITOR=nonesuch")
    try session.press("E")
    try session.waitFor("The editor ended with status 1. Nothing was changed.")
    try session.press("q")
    try session.waitFor("status 0")
    try start("VISUAL= EDITOR=nonesuch")
    try session.press("E")
    try session.waitFor("The editor was not found: nonesuch")
    try expectNothingLeft()
    try session.press("q")
    try session.waitFor("status 0")
  }

  @Test("a signal ends the editor too, removes its file and gives the terminal back", arguments: ["TERM", "HUP"])
  func signals(name: String) throws {
    let editor = try program("editor", "echo waiting; echo $$ > \(folder.path("editor.pid")); sleep 1000")
    try start("EDITOR=\(editor)")
    try session.press("E")
    try session.waitFor("waiting")
    try session.waitFor("the editor's number") { _ in
      (try? String(contentsOfFile: folder.path("editor.pid"), encoding: .utf8))?.hasSuffix("\n") == true
    }
    try end(by: name)
    try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }
    try expectNothingLeft()
    let number = try String(contentsOfFile: folder.path("editor.pid"), encoding: .utf8)
    // Whoever adopts it may leave it unreaped.
    let state = try Tool.run("ps", ["-o", "stat=", "-p", number.trimmingCharacters(in: .whitespacesAndNewlines)]).output
    #expect(state.isEmpty || state.hasPrefix("Z"))
    try session.enter("stty -a | grep -c -w -- '[^-]echo'")
    try session.waitFor("1")
  }

  @Test("Ctrl-Z stops both, fg brings the editor back, and its keys are its own")
  func suspending() throws {
    try start("EDITOR=\(try program("editor", "echo begun; read line; echo $line > \"$1\""))")
    try session.press("G", "E")
    try session.waitFor("begun")
    try session.press("C-z")
    try session.waitFor("Stopped")
    try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }
    try session.enter("fg")
    try session.waitFor("exec")
    try session.enter("422")
    try session.waitFor("1 edited")
    try expectNothingLeft()
    try session.press("q")
    try session.waitFor("is saved for the next review")
    try session.press("d")
    try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }
  }

  @Test("the pager reads the whole text, and the screen comes back when it ends")
  func paging() throws {
    try start("PAGER='cat; echo end of page; read line </dev/tty'")
    try session.press("Enter")
    try session.waitFor("Comparison")
    try session.press("|")
    #expect(try session.waitFor("end of page").contains("Source and target"))
    try session.press("Enter")
    try session.waitFor("esc back")
    try expectNothingLeft()
    try session.press("Escape", "q")
    try session.waitFor("status 0")
  }

  @Test("a text is saved for its owner alone, and replaces a file only after y: its mode stays, and so do hard links")
  func saving() throws {
    let file = folder.path("saved.txt")
    try start("A=b")
    for (isThere, mode) in [(false, 0o600), (true, 0o640)] {
      try session.press("Enter")
      try session.waitFor("Comparison")
      try session.press("C-s", "C-u")
      try session.type(file)
      try session.press("Enter")
      if isThere {
        try session.waitFor("exists already")
        try "other".write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        try session.press("y")
      }
      try session.waitFor("Saved as")
      #expect(try String(contentsOfFile: file, encoding: .utf8).contains("Comparison"))
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
      try session.press("Escape")
    }
    try FileManager.default.linkItem(atPath: file, toPath: folder.path("other name"))
    let saved = try String(contentsOfFile: file, encoding: .utf8)
    try session.press("Enter")
    try session.waitFor("Comparison")
    try session.press("C-s", "C-u")
    try session.type(file)
    try session.press("Enter")
    try session.waitFor("exists already")
    try session.press("y")
    try session.waitFor("has hard links")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == saved)
    try session.press("Escape", "q")
    try session.waitFor("status 0")
  }

  @Test("line by line, the editor is opened by its word")
  func accessible() throws {
    try start("EDITOR=\(try program("editor", "echo 423 > \"$1\""))", extra: " --accessible", until: "Review:")
    try session.enter("8")
    try session.enter("editor")
    try session.waitFor("edited")
    try expectNothingLeft()
    try session.enter("undo")
    try session.enter("q")
    try session.waitFor("status 0")
  }
}
