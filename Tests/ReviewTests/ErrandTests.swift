import Carryover
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("The pager, files and the editor")
struct ErrandTests {
  private static let long = String(repeating: "0123456789", count: 8000)

  private func session(_ change: (inout Field) -> Void) -> Session {
    var plan = acmePlan()
    change(&plan.fields[0])
    return Session(plan)
  }

  @Test("a text that is cut on the screen says which key shows all of it, and the pager gets it whole, in one line")
  func wholeText() throws {
    var session = session { $0.legacy = .string(Self.long) }
    session.type("<enter>")
    session.type("G")
    for _ in 0..<60 where !session.text.contains("cut here") { session.type("k") }
    #expect(session.text.contains("80000 bytes in all; | shows all of it"))
    session.type("|")
    guard case .page(let text)? = session.lastErrand else { return #expect(Bool(false)) }
    #expect(text.split(separator: "\n").contains { $0.hasSuffix(Self.long) } && !text.contains("cut here"))
  }

  @Test("what goes to a pager or a file is escaped, and masked where values are")
  func harmless() throws {
    var plan = acmePlan()
    plan.fields[0].legacy = "\u{1B}[2J3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    var session = Session(redaction.findings(of: plan), redaction: redaction)
    session.type("<enter>|")
    guard case .page(let text)? = session.lastErrand else { return #expect(Bool(false)) }
    #expect(!text.contains("3b8e55d0") && !text.contains("\u{1B}") && text.contains("Legacy"))
  }

  @Test("a file that is there is replaced only by y; esc leaves it and goes back to the text")
  func saving() {
    var session = session { _ in }
    session.type("<enter><c-s>")
    #expect(session.text.contains("Save as: details.txt"))
    session.type("<c-u>notes.txt<enter>")
    guard case .save(let text, "notes.txt", replacing: false)? = session.lastErrand else { return #expect(Bool(false)) }
    #expect(text.contains("Source and target"))
    session.send(.answer(.exists("notes.txt")))
    #expect(session.text.contains("notes.txt exists already."))
    session.type("<enter> <esc>")
    #expect(session.state.screen == .details && session.effects.count { $0.errand != nil } == 1)
    session.type("<c-s><c-u>notes.txt<enter>")
    session.send(.answer(.exists("notes.txt")))
    session.type("y")
    #expect(session.lastErrand == .save(text, path: "notes.txt", replacing: true) && session.state.screen == .details)
    session.send(.answer(.done("Saved as notes.txt, 12 bytes.")))
    #expect(session.text.contains("Saved as notes.txt"))
  }

  @Test("the editor gets the value as it is; what it leaves decides, and is one step to undo")
  func editing() {
    var session = Session()
    session.type("jjE")
    #expect(session.lastErrand == .edit(acmeStrippedTraits, name: "value.json"))
    session.send(.answer(.edited("{\n \"a\": 1.0\n}")))
    #expect(session.state.decisions["traits"] == .edit("{\n \"a\": 1.0\n}") && session.state.screen == .review)
    session.type("u")
    #expect(session.state.decisions.isEmpty)
  }

  @Test(
    "the end of the last line is no part of the value, nor is CRLF where every line got it from the editor",
    arguments: [
      ("a", "b\n", "b"), ("a", "b\r\n", "b"), ("a\nb\n", "a\r\nc\r\n", "a\nc\n"), ("a", "a\r\nb", "a\nb"),
      // Some were meant.
      ("a\r\nb", "a\r\nc\r\n", "a\r\nc\r"), ("a", "b\r\nc\n", "b\r\nc"), ("a", "b\rc\r\n", "b\rc\r"),
      ("a\r", "a\r\n", nil), ("a", "a\r\n", nil), ("a\n", "a\r\n", nil), ("é", "e\u{301}\n", "e\u{301}"),
    ] as [(String, String, String?)])
  func lineEnds(before: String, left: String, after: String?) {
    let answer = ErrandAnswer(edited: Array(left.utf8), of: before)
    guard let after else { return #expect(answer == .done("Nothing was changed.")) }
    guard case .edited(let text) = answer else { return #expect(Bool(false), "\(answer)") }
    #expect(text.utf8.elementsEqual(after.utf8), "\(text.debugDescription)")
  }

  @Test("an editor that leaves no text changes nothing")
  func notText() {
    #expect(ErrandAnswer(edited: [0xFF], of: "a") != .edited("a"))
  }

  @Test("what does not fit is offered again with the reason, in the line and in the editor")
  func misfit() {
    var session = Session()
    session.type("jjE")
    session.send(.answer(.edited("{\"a\":")))
    #expect(session.state.decisions.isEmpty && session.state.editor?.text == "{\"a\":")
    #expect(session.text.contains("Enter a JSON object, such as"))
    session.type("2}<enter>")
    #expect(session.state.decisions["traits"] == .edit("{\"a\":2}"))
    session.type("E")
    #expect(session.lastErrand == .edit("{\"a\":2}", name: "value.json"))
    let long = "{\"a\":\"" + Self.long
    session.send(.answer(.edited(long)))
    #expect(session.state.editor == nil && session.text.contains("E opens it again."))
    session.type("E")
    #expect(session.lastErrand == .edit(long, name: "value.json"))
    session.send(.answer(.edited(long + "\"}")))
    #expect(session.state.decisions["traits"] == .edit(.string(long + "\"}")))
  }

  @Test("what is typed goes on in the editor, and a value that is too long for the line says where it can be changed")
  func fromTheLine() {
    var session = session { $0.proposed = .string(Self.long) }
    session.type("e")
    #expect(session.text.contains("E opens it in your editor"))
    session.type("je<c-u>u-7<c-o>")
    #expect(session.lastErrand == .edit("u-7", name: "value.txt"))
    session.send(.answer(.done("The editor ended with status 1. Nothing was changed.")))
    #expect(session.state.editor?.text == "u-7" && session.text.contains("status 1"))
  }

  @Test("masked values go to no editor")
  func masked() {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(acmePlan())
    var session = Session(redaction: redaction)
    session.type("E")
    #expect(session.lastErrand == nil && session.text.contains("Values are masked here"))
    session.type("ex<c-o>")
    #expect(session.lastErrand == nil && session.state.editor?.text == "x")
  }

  @Test("line by line, the words page, save and editor do the same")
  func lines() {
    var talk = LineTalk()
    talk.type("details", "pager")
    guard case .page? = talk.lastErrand else { return #expect(Bool(false)) }
    talk.type("save notes.txt")
    talk.send(.answer(.exists("notes.txt")))
    #expect(talk.answer.contains("notes.txt exists already."))
    talk.type("yes")
    guard case .save(_, "notes.txt", replacing: true)? = talk.lastErrand else { return #expect(Bool(false)) }
    talk.type("esc", "3", "E")
    talk.send(.answer(.edited("{")))
    #expect(talk.answer.contains("editor opens it again") || talk.answer.contains("E opens it again"))
    talk.type("E")
    #expect(talk.lastErrand == .edit("{", name: "value.json"))
  }

  @Test("one long value takes no more of the preview than a few lines; m shows it and what stays as it is")
  func preview() throws {
    let members = (0..<240).map { #""member\#($0)":"value \#($0)""# }.joined(separator: ",")
    var plan = acmePlan()
    plan.fields[2].legacy = .string("{\"id\":1,\(members)}")
    plan.fields[2].proposed = .string("{\(members)}")
    plan.fields[6].proposed = .string(Self.long)
    var session = Session(plan, rows: 60)
    session.type("a")
    let (folded, text) = (session.state.page.lines.count, session.text)
    #expect(
      folded < 60 && text.contains("- id  1")
        && text.contains("… 240 nested values as in the legacy value; m shows them"))
    #expect(text.contains("80000 bytes in all; m shows all"))
    session.type("m")
    #expect(session.state.page.lines.count > folded + 240)
    session.type("m|")
    #expect(session.state.page.lines.count == folded)
    guard case .page(let whole)? = session.lastErrand else { return #expect(Bool(false)) }
    #expect(whole.contains("member239") && whole.contains(Self.long))
  }
}
