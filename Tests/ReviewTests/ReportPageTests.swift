import CarryoverTerminal
import Testing

@testable import CarryoverReview

@Suite("The report in the review")
struct ReportPageTests {
  private let report = SharedReport(markdown: "# Report\n\n* one\\_two\n", html: "<!doctype html>")

  private func session() -> Session {
    var session = Session()
    session.type("X")
    #expect(session.effects.last == .report)
    session.send(.reported(report))
    #expect(session.state.screen == .report)
    return session
  }

  @Test("it is shown before it is saved, and dropped with its screen")
  func shown() {
    var session = session()
    #expect(session.text.contains("# Report") && session.text.contains("one\\_two"))
    session.type("<esc>")
    #expect(session.state.screen == .review && session.state.sharedReport == nil)
  }

  @Test("it is saved as Markdown, or as HTML under such a name", arguments: ["report.md", "a.HTML", "report.htm"])
  func saved(name: String) throws {
    var session = session()
    session.type("<c-s>")
    #expect(session.state.stack.typing?.text == "report.md")
    session.type("<c-u>" + name + "<enter>")
    let expected = name == "report.md" ? report.markdown + "\n" : report.html
    #expect(session.lastErrand == .save(expected, path: name, replacing: false))
    session.answer(try #require(session.lastErrand), "")
    session.type("y")
    #expect(session.lastErrand == .save(expected, path: name, replacing: true))
  }

  @Test("the verdict is saved as text; under the name of a web page it points to the report")
  func verdict() {
    var session = Session()
    session.type("V<c-s>")
    #expect(session.state.stack.typing?.text == "verdict.txt")
    session.type("<c-u>v.html<enter>")
    #expect(session.lastErrand == nil && session.state.message == "Nothing was saved: X saves the report as HTML.")
    session.type("<c-s><enter>")
    guard case .save(_, "verdict.txt", replacing: false)? = session.lastErrand else { return #expect(Bool(false)) }
  }
}
