import Carryover
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Searching what a screen shows")
struct FindTests {
  @Test("a wrapped sentence is found whole, also over the end of a line, and marked on both")
  func wrapped() {
    let text = PageText(["  the user would be logged", "  out of the app", "", "Next"], columns: 26, isExact: false)
    #expect(text.lines(holding: SearchText("logged out")) == [0])
    #expect(text.lines(holding: SearchText("the")) == [0, 1])
    #expect(text.lines(holding: SearchText("app next")).isEmpty)
    let hit = text.hits(SearchText("logged out")).first
    #expect(hit?.start.line == 0 && hit?.start.byte == 18 && hit?.end.line == 1 && hit?.end.byte == 3)
    let apart = PageText(["one", "two"], columns: nil, isExact: false)
    #expect(apart.lines(holding: SearchText("one two")).isEmpty && apart.lines(holding: SearchText("onetwo")).isEmpty)
  }

  @Test("the columns of a match are those it is drawn in, whatever stands before it")
  func columns() {
    let line = "  漢字 İx acme"
    let text = PageText([line], columns: 40, isExact: false)
    let hit = text.hits(SearchText("ac")).first
    let bytes = (hit?.start.byte ?? 0)..<(hit?.end.byte ?? 0)
    #expect(PageText.columns(of: bytes, in: line, isExact: false) == 10..<12)
  }

  @Test("on a text: the first match from the top as it is typed, n and N round, esc first ends the search")
  func text() throws {
    var session = Session(columns: 80, rows: 20)
    session.type("w")
    #expect(session.state.screen == .warnings)
    session.type("/Keys without a field")
    #expect(session.lines.last?.contains("1 of 1") == true)
    session.type("<enter>")
    let page = session.state.page.lines.map { $0.map(\.text).joined() }
    let line = try #require(page.firstIndex { $0.hasPrefix("Keys without a field") })
    #expect(session.lines.contains { $0.contains("Keys without a field") })
    #expect(line == session.state.find?.matches.first)
    session.type("<esc>")
    #expect(session.state.screen == .warnings && session.state.find == nil)
    session.type("<esc>")
    #expect(session.state.screen == .review)
  }

  @Test("a match out of sight is shown with a line above it, and the position is said")
  func context() throws {
    var session = Session(columns: 80, rows: 16)
    session.type("gjj<enter>/gold<enter>")
    let find = try #require(session.state.find)
    let line = try #require(find.matches.first)
    #expect(session.state.pageTop <= max(0, line - 1))
    #expect(session.lines.last?.contains("/gold  1 of \(find.matches.count)") == true)
    let grid = render(session.state).grid
    let marked = grid.lines.indices.flatMap { row in grid.cells(row).filter { $0.style.role == .match } }
    #expect(marked.count >= 4)
  }

  @Test("capitals count once one is typed, and nothing found is said", arguments: [("USERID", 0), ("userid", 1)])
  func capitals(text: String, least: Int) {
    var session = Session()
    session.type("w/\(text)<enter>")
    let count = session.state.find?.matches.count ?? -1
    #expect(least == 0 ? count == 0 : count >= least)
    if least == 0 { #expect(session.state.message == "Nothing here contains “USERID”.") }
    session.type("n")
    #expect((session.state.message != nil) == (count < 2))
  }

  @Test("a search that fails leaves the chosen finding and the text where they were")
  func failed() throws {
    var session = Session(columns: 80, rows: 16)
    session.type("wjj")
    let (chosen, top) = (session.state.findingList.index, session.state.pageTop)
    try #require(chosen == 2)
    session.type("/user_idx<enter>")
    #expect(session.state.findingList.index == chosen && session.state.pageTop == top)
    session.type("/user_id")
    #expect(session.state.findingList.index != chosen)
    session.type("<esc>")
    #expect(session.state.findingList.index == chosen && session.state.pageTop == top)
  }

  @Test("n goes to the next field to decide in the preview, and to the next match while a search is on")
  func preview() {
    var session = Session()
    session.type("a/rudder<enter>")
    let first = session.state.find?.current
    session.type("n")
    #expect(session.state.screen == .preview && session.state.find?.current != first)
    session.type("<esc>n")
    #expect(session.state.screen == .review)
  }

  @Test("what stands below the list is found after the fields, and its pane goes there")
  func leftBehind() throws {
    var session = Session(columns: 120, rows: 24)
    let dropped = try #require(session.state.plan.dropped.last)
    session.type("/\(dropped.key)<enter>")
    let search = try #require(session.state.list.search)
    #expect(search.notes.count >= 1)
    for _ in 0..<search.matches.count where session.state.list.search?.note == nil { session.type("n") }
    #expect(session.state.focus == .warnings)
    #expect(session.state.matchWords == "\(search.count) of \(search.count)" || search.notes.count > 1)
    #expect(session.lines[session.state.layout.warningRows].contains { $0.contains(dropped.key) })
    session.type("<esc>")
    #expect(session.state.list.search == nil)
  }

  @Test("the sentences of a field's findings are found")
  func findings() {
    var session = Session()
    session.type("/migrator<enter>")
    #expect(session.state.list.search?.matches.isEmpty == false)
  }

  @Test("in the history a run is found by a key it wrote")
  func history() {
    var session = Session()
    session.openHistory()
    session.type("/user_id<enter>")
    #expect(session.state.find?.matches.isEmpty == false)
    #expect(session.state.screen == .history)
    session.type("<esc><esc>")
    #expect(session.state.screen == .review)
  }

  @Test("line by line the match is read with the lines around it")
  func accessible() {
    var talk = LineTalk()
    talk.type("findings", "/Keys without a field")
    let lines = talk.said
    #expect(lines.contains { $0.hasPrefix("Keys without a field") })
    #expect(lines.contains { $0.contains("1 of ") })
  }
}
