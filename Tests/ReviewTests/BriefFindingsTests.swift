import Carryover
import CarryoverSystem
import CarryoverTerminal
import Testing

@testable import CarryoverReview

@Suite("Findings in brief")
struct BriefFindingsTests {
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

  @Test("while the list has the keys a finding is a line, and in full with the keys in the pane")
  func brief() throws {
    for (columns, rows) in [(120, 40), (80, 24)] {
      var session = Session(columns: columns, rows: rows)
      session.type("j")
      let finding = try #require(session.state.selected?.findings.first)
      let first = FirstSentence.of(finding.message)
      #expect(first != finding.message)
      #expect(session.text.contains(finding.code.rawValue + "  " + first.prefix(16)))
      #expect(!session.text.contains("→ " + finding.remedy.prefix(20)))
      #expect(session.text.contains("2 Warnings 3 · x or 2: in full"))
      session.type("2")
      #expect(session.text.contains("→ " + finding.remedy.prefix(20)) && !session.text.contains(": in full"))
      session.type("1")
      #expect(!session.text.contains("→ " + finding.remedy.prefix(20)))
    }
  }

  @Test("the keys that are named are the user's")
  func keys() {
    var keymap = Keymap()
    keymap.set(.character("X"), "explain", on: "review", line: 1)
    let session = Session(columns: 120, rows: 40, keymap: keymap)
    #expect(session.text.contains(" · X or 2: in full"))
  }

  @Test("many findings take few lines, the gravest first, and say that there are more", arguments: [60, 80, 120, 200])
  func many(columns: Int) throws {
    var plan = acmePlan()
    let all = plan.findings.filter { $0.field != nil }
    let sorted = all.sorted { $0.severity > $1.severity }
    for count in 0...12 {
      plan.fields[0].findings = (0..<count).map { all[$0 % all.count] }
      let session = Session(plan, columns: columns, rows: 40)
      let own = session.state.panes.warnings.own
      #expect(own.count <= 4)
      #expect(own.reduce(0) { $0 + $1.reduce(0) { $0 + $1.text.utf8.count } } < 240)
      if count >= all.count {
        #expect(own.contains { $0.contains { $0.text.contains(sorted[0].code.rawValue) } })
      }
      if count > 3 { #expect(own.contains { $0.contains { $0.text.hasSuffix(" more") } }) }
    }
  }
}
