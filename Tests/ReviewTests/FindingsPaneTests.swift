import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Findings below the list")
struct FindingsPaneTests {
  @Test(
    "the first sentence ends at the first full stop that is not quoted",
    arguments: [
      ("One. Two.", "One."), ("Only one", "Only one"), ("Version 4.2.0 is new. More.", "Version 4.2.0 is new."),
      ("It holds “a. b”. More.", "It holds “a. b”."), ("It holds “a. b. And more", "It holds “a. b. And more"),
      ("Why? So.", "Why?"), ("", ""), (".", "."), ("”. x", "”."),
    ])
  func sentences(text: String, first: String) {
    #expect(FirstSentence.of(text) == first)
  }

  @Test("the field's finding is whole on the first screen, with its remedy and the keys that decide it")
  func whole() throws {
    for (columns, rows) in [(80, 24), (100, 30), (120, 40), (200, 50)] {
      let session = Session(columns: columns, rows: rows, atFirstRow: false)
      let finding = try #require(session.state.selected?.findings.first)
      let shown = session.words
      let first = FirstSentence.of(finding.message)
      #expect(shown.contains(first) && shown.contains(finding.message.dropFirst(first.count).description.words))
      #expect(shown.contains("→ \(finding.commandRemedy)".words))
      #expect(shown.contains("space accept \"42\" e edit s skip"))
      #expect(session.text.contains("user_id · undecided"))
    }
  }

  @Test("a decided field says how to undo the decision, with the user's own keys")
  func decided() {
    var keymap = Keymap()
    keymap.set(.character("X"), "accept", on: "review", line: 1)
    var session = Session(columns: 120, rows: 40, keymap: keymap)
    session.type("jX")
    #expect(session.words.contains("X undo ──"))
  }

  @Test("once the decisions fix it, the verdict says so; undone, it says how certain it is")
  func mended() {
    var session = Session(columns: 80, rows: 24, atFirstRow: false)
    #expect(session.text.contains("✗ Likely: The update"))
    session.type(" ")
    #expect(
      session.words.contains("Fixed when you apply: the user id. Still lost: 2 other values.")
        && session.words.contains("Decided: accepted."))
    session.type("V")
    #expect(session.words.contains("Fixed when you apply: the user id.") && !session.words.contains("goes to user_id"))
    session.type("<esc>u")
    #expect(session.text.contains("✗ Likely: The update") && !session.text.contains("Fixed when"))
  }

  @Test("a conflict shows what would be overwritten, and a key for each of the two values")
  func conflict() throws {
    let session = Session(try samplePlan("HalfFilled"), columns: 120, rows: 40, atFirstRow: false)
    #expect(session.text.contains("u-2002 → u-1001"))
    #expect(session.words.contains("space replace with u-1001 t keep u-2002 e edit s skip"))
  }

  @Test("of findings that the pane has no room for it says so, and which key shows them")
  func cut() {
    var plan = acmePlan()
    let all = plan.findings
    plan.fields[0].findings = (0..<12).map { all[$0 % all.count] }
    let session = Session(plan, columns: 80, rows: 24)
    #expect(session.text.contains("w shows the rest"))
    #expect(session.state.panes.warnings.lines(7).first?.first?.text == "✗ ")
  }

  @Test("a finding that blocks the plan is whole, whatever field is selected")
  func blocked() throws {
    let session = Session(try samplePlan("Findings/consent.opted-out"), columns: 80, rows: 24)
    let blocker = try #require(session.state.blockers.first)
    #expect(session.words.contains(blocker.message.words))
    #expect(session.words.contains(blocker.commandRemedy.words))
  }

  @Test("the container's findings keep their place while the cursor moves, as far as a field's own leave them room")
  func place() {
    var session = Session(columns: 120, rows: 40)
    var places: Set<Int> = []
    for _ in 0..<8 {
      places.insert(session.state.panes.warnings.start)
      session.type("j")
    }
    #expect(places.count == 1)
  }
}

extension String {
  fileprivate var words: String { split { " \n│".contains($0) }.joined(separator: " ") }
}

extension Session {
  fileprivate var words: String { text.words }
}
