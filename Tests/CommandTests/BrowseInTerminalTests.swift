import Foundation
import Testing

/// Browsing the stores in a real terminal.
@Suite("Browsing in a terminal", .serialized, .needsTools)
struct BrowseInTerminalTests {
  @Test("the stores are opened, searched and left; a suspension and a resize keep the place; no file changes")
  func browses() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 120, rows: 40)
    try session.enter("\(Tool.carryover.path) browse \(sample.path); echo status $?")
    try session.waitFor("q leave")
    try session.press("Enter")
    try session.waitFor("rl_anonymous_id")
    try session.type("/königsallee 1")
    try session.waitFor("1 of 2 matches")
    try session.press("Enter")
    #expect(try session.waitFor("q leave").contains("street"))
    try session.resize(columns: 80, rows: 24)
    try session.waitFor("a narrow outline on the match") { screen in
      screen.split(separator: "\n").contains { $0.contains("▸") && $0.contains("street") && $0.count == 80 }
    }
    try session.press("C-z")
    try session.waitFor("Stopped")
    try session.enter("fg")
    try session.waitFor("▸")
    try session.press("i")
    try session.waitFor("14 bytes")
    try session.press("Escape", "q")
    try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }
    try session.enter("echo ended $?")
    try session.waitFor("\nended 0")
    #expect(try sample.files() == sample.originalFiles())
  }

  @Test("b leads from the review to the key of the field, q back; --ascii draws nothing else")
  func fromTheReview() throws {
    let sample = try SampleCopy("AcmeShop")
    let session = try TmuxSession(columns: 80, rows: 24)
    try session.enter("\(Tool.carryover.path) \(sample.options.joined(separator: " ")) --ascii; echo status $?")
    try session.waitFor("q quit")
    try session.press("j", "b")
    let screen = try session.waitFor("q leave")
    #expect(screen.contains(">") && screen.contains("rl_traits") && screen.unicodeScalars.allSatisfy { $0.isASCII })
    try session.press("q")
    try session.waitFor(" Legacy -")
    try session.press("q")
    try session.waitFor("status 0")
  }

  @Test("without a terminal, browse names inspect; without a write key, plan names browse")
  func sentences() throws {
    let sample = try SampleCopy("Clean")
    let browse = try Tool.carryover("browse", sample.path)
    #expect(browse.status == 64 && browse.error.contains("carryover inspect"))
    let plan = try Tool.carryover("plan", sample.path)
    #expect(plan.status == 64 && plan.error.contains("carryover browse"))
  }

  @Test("a signal ends browsing with the terminal as it was")
  func signal() throws {
    let sample = try SampleCopy("Clean")
    let session = try TmuxSession(columns: 100, rows: 30)
    let before = sample.folder.path("before")
    try session.enter(
      "stty -a > \(before); sh -c 'echo $$ > \(sample.path).pid; exec \(Tool.carryover.path) browse \(sample.path)'")
    try session.waitFor("q leave")
    let number = try String(contentsOfFile: sample.path + ".pid", encoding: .utf8)
    #expect(try Tool.run("kill", ["-TERM", number.trimmingCharacters(in: .whitespacesAndNewlines)]).status == 0)
    try session.waitFor("a prompt") { $0.split(separator: "\n").last == "$" }
    try session.enter("echo ended $?; stty -a | cmp - \(before) && echo same settings $?")
    // The line as it is typed holds the words, too, but no number.
    #expect(try session.waitFor("same settings 0").contains("ended \(128 + 15)"))
  }
}
