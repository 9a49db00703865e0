import CarryoverTerminal
import Testing

@testable import CarryoverReview

@Suite("Numbers in front of keys")
struct CountsTests {
  @Test("on a page of text a number says how often, or which line")
  func pages() {
    var session = Session(columns: 80, rows: 24)
    session.type("r5j")
    #expect(session.state.pageTop == 5)
    session.type("2k")
    #expect(session.state.pageTop == 3)
    session.type("12G")
    #expect(session.state.pageTop == 11)
    session.type("10g")
    #expect(session.state.pageTop == 9)
    session.type("99999999j")
    #expect(session.state.pageTop == session.state.page.lines.count - 20)
  }

  @Test("a number is shown until its key comes; Esc and every other key drop it")
  func pending() {
    var session = Session(columns: 80, rows: 24)
    session.type("r12")
    #expect(session.lines.last?.contains("12 … then a key") == true)
    session.type("<esc>")
    #expect(session.state.screen == .recipes && session.lines.last?.contains("esc back") == true)
    session.type("j")
    #expect(session.state.pageTop == 1)
    session.type("7xj")
    #expect(session.state.pageTop == 2)
    session.type("3<esc><esc>")
    #expect(session.state.screen == .review)
    session.type("r0j")
    #expect(session.state.pageTop == 1, "a zero begins no number")
  }

  @Test("in the history, in a run and in the stores a number says how often, or which row")
  func lists() {
    var session = Session(columns: 80, rows: 24)
    session.openHistory()
    session.type("3j")
    #expect(session.state.runs.row == 3)
    session.type("2G")
    #expect(session.state.runs.row == 1)
    session.openRun(largeRollback(100))
    session.type("50G3n")
    #expect(session.state.draft?.row == 73)
    var browsing = Browsing(columns: 80, rows: 24)
    browsing.type("l3j")
    #expect(browsing.state.cursor == 4)
    browsing.type("2G")
    #expect(browsing.state.cursor == 1)
    browsing.type("4")
    #expect(browsing.lines.last?.contains("4 … then a key") == true)
    browsing.type("<esc>x")
    #expect(browsing.effects.contains(.leave) == false)
    browsing.type("/anonymous<enter>:1<enter>")
    #expect(browsing.state.cursor == 0 && browsing.state.search?.query == "anonymous")
    var picking = Picking()
    picking.type(":3<enter>")
    #expect(picking.state.row == 2 && picking.state.shown.count == 4)
    picking.type("g2j")
    #expect(picking.state.row == 2)
    picking.type("2G")
    #expect(picking.state.row == 1)
  }

  @Test("in the review and the details, where digits mean something else, : asks for the row")
  func goTo() {
    var session = Session(largePlan(100), columns: 80, rows: 24)
    session.type(":42")
    #expect(session.lines.last?.contains(":42") == true && render(session.state).cursor != nil)
    session.type("<enter>")
    #expect(session.state.cursor == "key_41" && session.state.screen == .review)
    session.type(":100000<enter>")
    #expect(session.state.cursor == "key_99")
    session.type(":5<esc>")
    #expect(session.state.cursor == "key_99")
    session.type(":<c-u>no such thing<enter><esc>")
    #expect(session.effects.last == .bell && session.state.cursor == "key_99")
    var details = Session(columns: 80, rows: 16)
    details.type("jj<enter>:9<enter>")
    #expect(details.state.screen == .details && details.state.pageTop == 8)
  }
}
