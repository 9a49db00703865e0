import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("The values a line being typed can be replaced by")
struct EditorHistoryTests {
  @Test("up and down walk through what was typed, the legacy value, the proposal and the known ones, each named")
  func walk() {
    var session = Session()
    session.type("ne<c-u>mine<up>")
    #expect(session.state.editor?.text == "42" && session.text.contains("legacy value, proposal (1 of 2)"))
    session.type("<up>")
    #expect(session.state.editor?.text == "41" && session.text.contains("from rsDefaultsPersistence.plist (2 of 2)"))
    session.type("<up>")
    #expect(session.effects == [.bell])
    session.type("<down><down>")
    #expect(session.state.editor?.text == "mine" && !session.text.contains("of 2)"))
    session.type("<enter>e<c-u>other<enter>e<up>")
    #expect(session.state.editor?.text == "other" && session.text.contains("typed before (1 of 4)"))
    session.type("<up>")
    #expect(session.state.editor?.text == "mine" && session.text.contains("typed before (2 of 4)"))
    session.type("<up>")
    #expect(session.text.contains("legacy value, proposal (3 of 4)"))
  }

  @Test("what is changed in a line stays with it while another one is looked at")
  func changes() {
    var session = Session()
    session.type("ne<up><up>9<down><down>x<up><up>")
    #expect(session.state.editor?.text == "419")
    #expect(session.text.contains("from rsDefaultsPersistence.plist, changed"))
    session.type("<down><down>")
    #expect(session.state.editor?.text == "42x")
    session.type("<up><up><enter>")
    #expect(session.state.decisions == ["user_id": .edit("419")])
  }

  @Test("an id with blanks or hidden characters is shown with them, and asked about before it is written")
  func hiddenCharacters() {
    for (text, shown) in [
      (" u-42 \n", "“ u-42 \\n”"), ("u-42 ", "“u-42 ”"), ("u\u{200B}-42", "“u\\u{200B}-42”"),
      ("\u{FEFF}u-42", "“\\u{FEFF}u-42”"), ("u-42\u{A0}", "“u-42\\u{A0}”"), ("u-42\u{202E}", "“u-42\\u{202E}”"),
    ] {
      var session = Session()
      session.type("ne<c-u>")
      session.send(.paste(text))
      #expect(session.text.contains(shown) && !session.text.contains("Valid"), "\(session.text)")
      session.type("<enter>")
      #expect(session.state.editor?.text == text && session.state.decisions.isEmpty && session.effects == [.bell])
      #expect(session.text.contains("Save again to write it as it is."), "\(session.text)")
      // Another text is asked about by itself.
      session.type("x<enter>")
      #expect(session.state.decisions.isEmpty == (text.last != " " || text.contains("\n")))
    }
    var session = Session()
    session.type("ne<c-u> u-42<enter><enter>")
    #expect(session.state.decisions == ["user_id": .edit(" u-42")] && session.state.editor == nil)
  }

  @Test("redacted, nothing is put into the line that is masked elsewhere")
  func redacted() {
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(acmePlan())
    var session = Session(redaction: redaction)
    session.type("e<up><up><up><up>")
    #expect(session.state.editor?.text == "")
    session.type("u-7<enter>e<c-u><up>")
    #expect(session.state.editor?.text == "u-7")
  }

  @Test(
    "pasted keys are text, and a long hostile text scrolls, whatever is put into the line", arguments: UInt64(0)..<20)
  func hostile(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var session = Session(generator.hostilePlan(fields: 6), columns: 80, rows: 24)
    session.type("e")
    for _ in 0..<60 {
      session.send(.paste(generator.hostileText() + "\u{1B}[A\ry"))
      session.type(["<up>", "<down>", "<left>", "<home>", "<end>", "<bs>", "é"].randomElement(using: &generator) ?? "")
      #expect(session.state.screen == .editor)
      #expect(session.lines.count == 24)
    }
    #expect(session.state.decisions.isEmpty)
  }

  @Test("a line stays within its limit in bytes, however few characters they make")
  func limit() {
    var line = TypedLine("e")
    for _ in 0..<4 { line.insert(String(repeating: "\u{301}", count: 30_000)) }
    #expect(line.text.utf8.count <= TypedLine.limit && line.text.utf8.count > TypedLine.limit - 2)
    line.insert("x")
    #expect(line.text.utf8.count <= TypedLine.limit)
  }
}
