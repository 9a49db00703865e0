import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Searching the fields")
struct FieldSearchTests {
  @Test("the cursor jumps while the search is typed; enter keeps it, esc goes back")
  func incremental() {
    var session = Session()
    session.type("jj/ses")
    #expect(session.state.screen == .search)
    #expect(session.state.cursor == "session_id")
    #expect(session.lines.last?.contains("/ses") == true)
    session.type("sion_auto")
    #expect(session.state.cursor == "is_manual_session")
    session.type("<c-w>")
    #expect(session.state.cursor == "traits")
    session.type("is_man<esc>")
    #expect(session.state.cursor == "traits" && session.state.list.search == nil)
    session.type("/is_man<enter>")
    #expect(session.state.cursor == "is_manual_session" && session.state.screen == .review)
  }

  @Test("n and N go through the matches and round, and say so; without a search to what is to decide")
  func nextMatch() {
    var session = Session()
    session.type("/session<enter>")
    #expect(session.state.cursor == "session_id")
    #expect(session.lines.last?.contains("/session  1 of 2") == true)
    session.type("n")
    #expect(session.state.cursor == "is_manual_session")
    session.type("n")
    #expect(session.state.cursor == "session_id" && session.state.message == "The search went round.")
    session.type("N")
    #expect(session.state.cursor == "is_manual_session" && session.state.message == "The search went round.")
    session.type("<home>n")
    #expect(session.state.cursor == "session_id" && session.state.message == nil)
    session.type("<esc>n")
    #expect(session.state.cursor == "user_id")
  }

  @Test(
    "keys, values, changes and findings are found",
    arguments: [
      ("rl_traits.userId", "user_id"), ("rudder.app_v", "rudder.app_version"), ("1763640123", "last_activity_time"),
      ("members", "traits"), ("user-id-not-string", "user_id"), ("gold", "traits"), ("4.2.0-rc1", "rudder.app_build"),
      ("inverted", "is_manual_session"),
    ])
  func finds(text: String, field: String) {
    var session = Session()
    session.type("/\(text)<enter>")
    #expect(session.state.cursor == field)
  }

  @Test("what is decided is found, and what was proposed instead of it")
  func findsDecided() {
    var session = Session()
    session.type("<end>e<c-u>77123<enter><home>/77123<enter>")
    #expect(session.state.cursor == "rudder.app_build")
    session.type("<home>s/skipped<enter>")
    #expect(session.state.list.search?.matches == [0])
    session.type("js")
    session.type("n")
    #expect(session.state.list.search?.matches == [0, 1])
  }

  @Test("capitals count once one is typed")
  func smartCase() {
    var session = Session()
    session.type("/USERID<enter>")
    #expect(session.state.list.search?.matches == [])
    session.type("/userid<enter>")
    #expect(session.state.list.search?.matches == [1, 2])
    session.type("/userId<enter>")
    #expect(session.state.list.search?.matches == [1, 2])
  }

  @Test("nothing found is said, and the cursor stays")
  func nothing() {
    var session = Session()
    session.type("j/zzz")
    #expect(session.state.cursor == "user_id")
    #expect(session.lines.last?.contains("no match") == true)
    session.type("<enter>")
    #expect(session.state.message == "No field contains “zzz”. b opens the stores; search there.")
    // What does not fit beside the sentence makes room for it.
    #expect(session.lines.last?.contains("search there.") == true)
    session.type("n")
    #expect(session.state.message == "There is no match; esc ends the search.")
  }

  @Test("a search that fails leaves cursor, list and panes as they were")
  func failed() throws {
    var session = Session(columns: 80, rows: 20)
    session.type("j<tab>jj")
    let before = session.state
    try #require(before.panes.warnings.top > 0 && before.focus == .warnings)
    for text in ["session_idx", "write keyx", "Not migratedx", "zzz"] {
      session.type("/\(text)<enter>")
      #expect(session.state.cursor == before.cursor && session.state.focus == before.focus, "\(text)")
      #expect(session.state.list.top == before.list.top, "\(text)")
      #expect(session.state.panes.warnings.top == before.panes.warnings.top, "\(text)")
      session.type("<esc>")
    }
  }

  @Test("up and down bring earlier searches back, and an empty line repeats the last")
  func history() {
    var session = Session()
    session.type("/traits<enter>/session<enter><esc><home>")
    session.type("/<up><up>")
    #expect(session.state.stack.typing?.text == "traits" && session.state.cursor == "user_id")
    session.type("<down>")
    #expect(session.state.stack.typing?.text == "session")
    session.type("<down>")
    #expect(session.state.stack.typing?.text == "")
    session.type("<enter>")
    #expect(session.state.list.search?.wanted.text == "session" && session.state.cursor == "session_id")
  }

  @Test("matches are marked where they are seen, in the row with the cursor too")
  func highlight() throws {
    var session = Session()
    session.type("/session_id<enter>")
    let grid = render(session.state).grid
    let row = try #require(grid.lines.firstIndex { $0.contains("▸") })
    let marked = (0..<grid.size.columns).filter { grid[row, $0].style.role == .match }.map { grid[row, $0].text }
    #expect(marked.joined() == "session_idsession_id")
  }

  @Test("what is masked is found by its mask and not by its value")
  func redaction() {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(acmePlan())
    var session = Session(redaction.findings(of: acmePlan()), redaction: redaction)
    for text in ["9f1c2a7e", "gold", "b.co"] {
      session.type("/\(text)<enter>")
      #expect(session.state.list.search?.matches == [], "\(text)")
      session.type("<esc>f\(text)<enter>")
      #expect(session.state.rows.count == 0, "\(text)")
      session.type("<esc>")
    }
    session.type("/‹id-<enter>")
    #expect(session.state.list.search?.matches.contains(0) == true)
    session.type("<esc><end>e77<enter>/77<enter>")
    #expect(session.state.list.search?.matches == [])
  }

  @Test("a search stays with a new plan")
  func replanned() {
    var session = Session()
    session.type("/session<enter>")
    var plan = acmePlan()
    plan.fields.reverse()
    session.send(.replanned(plan))
    #expect(session.state.list.search?.matches == [3, 4])
    session.type("n")
    #expect(session.state.cursor == "is_manual_session")
  }

  @Test("a pasted text is one line")
  func paste() {
    var session = Session()
    session.type("/")
    session.send(.paste("rl_\nsession"))
    #expect(session.state.stack.typing?.text == "rl_ session")
  }
}
