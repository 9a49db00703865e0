import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Filtering the fields")
struct FieldFilterTests {
  private static func listed(_ session: Session) -> [Field.ID] {
    (0..<session.state.rows.count).compactMap { session.state.rows[$0].map { session.state.plan.fields[$0].id } }
  }

  private static func listed(_ filter: String, _ plan: Plan = acmePlan(), decisions: Decisions = [:]) -> [Field.ID] {
    var session = Session(plan, decisions: decisions)
    session.type("f\(filter)<enter>")
    return listed(session)
  }

  @Test("texts all have to match, wherever they stand in the field")
  func texts() {
    #expect(Self.listed("session") == ["session_id", "is_manual_session"])
    #expect(Self.listed("session auto") == ["is_manual_session"])
    #expect(Self.listed("AUTO session").isEmpty)
  }

  @Test("words narrow by state, findings and group")
  func words() {
    #expect(Self.listed("is:undecided") == ["user_id"])
    #expect(Self.listed("is:not-migrated") == ["rudder.app_build"])
    #expect(Self.listed("group:identity") == ["anonymous_id", "user_id"])
    #expect(Self.listed("group:identity group:traits is:ready") == ["anonymous_id", "traits"])
    #expect(Self.listed("has:finding") == ["user_id", "rudder.app_build"])
    #expect(Self.listed("has:finding group:app") == ["rudder.app_build"])
    let decisions: Decisions = ["traits": .skip, "user_id": .edit("x"), "session_id": .migrate]
    #expect(Self.listed("is:skipped", decisions: decisions) == ["traits"])
    #expect(Self.listed("is:edited", decisions: decisions) == ["user_id"])
    #expect(Self.listed("is:accepted is:skipped", decisions: decisions) == ["traits", "session_id"])
    #expect(Self.listed("is:decided", decisions: decisions) == ["user_id", "traits", "session_id"])
    var plan = acmePlan()
    (plan.fields[0].status, plan.fields[0].current) = (.conflict, "b")
    (plan.fields[2].status, plan.fields[3].status) = (.unchanged, .absent)
    #expect(Self.listed("is:conflict", plan) == ["anonymous_id"])
    #expect(Self.listed("is:undecided", plan) == ["anonymous_id", "user_id"])
    #expect(Self.listed("is:unchanged is:absent", plan) == ["traits", "session_id"])
    for severity in [Severity.error, .warning, .note] {
      let expected = plan.fields.filter { $0.findings.contains { $0.severity == severity } }.map(\.id)
      #expect(Self.listed("has:\(severity)", plan) == expected)
    }
  }

  @Test("the list narrows while the words are typed, and the frame says by what")
  func incremental() {
    var session = Session()
    session.type("jjfses")
    #expect(session.state.screen == .filter)
    #expect(Self.listed(session) == ["session_id", "is_manual_session"])
    #expect(session.state.cursor == "session_id")
    #expect(session.text.contains("filter: ses (2 of 8)"))
    session.type("<esc>")
    #expect(session.state.list.filter == nil && session.state.cursor == "traits" && session.state.rows.count == 8)
    session.type("fis:unde")
    #expect(session.state.rows.count == 8)
    session.type("cided<enter>")
    #expect(session.text.contains("filter: is:undecided (1 of 8)"))
    #expect(session.lines[0].contains("6 ready"))
    session.type("<esc>")
    #expect(session.state.rows.count == 8 && session.state.cursor == "user_id")
  }

  @Test("a word that is not known is said, and the line stays to be mended")
  func unknown() {
    var session = Session()
    session.type("fis:tidy")
    #expect(session.text.contains("“is:tidy” is not known. After is: comes one of: undecided,"))
    #expect(session.state.rows.count == 8)
    session.type("<enter>")
    #expect(session.state.screen == .filter && session.effects == [.bell])
    #expect(session.text.contains("“is:tidy” is not known"))
    session.type("<c-w>ready<enter>")
    #expect(session.state.screen == .review && session.state.rows.count == 6)
  }

  @Test("tab completes a word as far as there is only one way to, and one without what stands before the colon")
  func completion() {
    var session = Session()
    session.type("fi<tab>")
    #expect(session.state.stack.typing?.text == "is:")
    session.type("s<tab>")
    #expect(session.state.stack.typing?.text == "is:skipped ")
    session.type("und<tab>")
    #expect(session.state.stack.typing?.text == "is:skipped is:undecided ")
    session.type("has:w<tab>")
    #expect(session.state.stack.typing?.text == "is:skipped is:undecided has:warning ")
    session.type("<tab>")
    #expect(session.effects == [.bell])
    session.type("is:unc")
    #expect(session.text.contains("tab: is: unchanged"))
  }

  @Test("a decision moves no row; f and enter list anew")
  func staysUnderTheCursor() {
    var session = Session()
    session.type("fis:ready<enter>ss")
    #expect(session.state.decisions.isEmpty && session.state.rows.count == 6)
    session.type("s")
    #expect(session.state.rows.count == 6 && session.state.cursor == "anonymous_id")
    session.type("f<enter>")
    #expect(session.state.rows.count == 5 && session.state.cursor == "traits")
  }

  @Test("no field left is said; nothing can be decided there, and esc brings the cursor back")
  func empty() {
    var session = Session()
    session.type("jjfzzz<enter>")
    #expect(session.state.message == "No field matches; esc shows all of them again.")
    #expect(session.state.cursor == nil)
    session.type(" svA<enter>")
    #expect(session.state.decisions.isEmpty && session.state.screen == .review)
    #expect(session.text.contains("No field matches the filter"))
    session.type("<esc>")
    #expect(session.state.cursor == "traits")
    session.type("fx<bs><enter>")
    #expect(session.state.list.filter == nil)
  }

  @Test("F lists the filters with counts and sets one")
  func menu() {
    var session = Session()
    session.type("F")
    #expect(session.text.contains("undecided, including conflicts"))
    session.type("d")
    #expect(Self.listed(session) == ["user_id"] && session.state.list.filter?.text == "is:undecided")
    session.type("F<down><down><down>")
    #expect(session.text.contains("Same as typing f is:ready enter."))
    session.type("<enter>")
    #expect(session.state.rows.count == 6)
    session.type("Fe")
    #expect(session.state.screen == .filterMenu && session.state.message != nil)
    session.type("a")
    #expect(session.state.list.filter == nil && session.state.rows.count == 8)
  }

  @Test("the preview is about all fields, and n goes to one that the filter hides")
  func preview() {
    var session = Session()
    session.type("fgroup:app<enter>n")
    #expect(session.state.message == "1 undecided field is not listed; esc leaves the filter.")
    session.type("a")
    #expect(session.text.contains("Undecided 1: user_id."))
    #expect(session.text.contains("The filter hides it; n leaves the filter."))
    session.type("n")
    #expect(session.state.screen == .review && session.state.list.filter == nil && session.state.cursor == "user_id")
    session.type(" fgroup:app<enter>ay")
    guard case .apply(let decisions)? = session.effects.last else { return #expect(Bool(false)) }
    #expect(decisions == ["user_id": .migrate])
  }

  @Test("undo goes to a listed field, and says where none is")
  func undo() {
    var session = Session()
    session.type("sfgroup:app<enter>u")
    #expect(session.state.message == "Undone: anonymous_id is ready, not listed.")
    #expect(session.state.cursor == "rudder.app_version" && session.state.decisions.isEmpty)
  }

  @Test("a new plan is listed through the same filter")
  func replanned() {
    var session = Session()
    session.type("fis:undecided<enter>f x")
    var plan = acmePlan()
    plan.fields[5].status = .needsDecision
    session.send(.replanned(plan))
    session.type("<esc>")
    #expect(Self.listed(session) == ["user_id", "last_activity_time"])
    plan.fields = Array(plan.fields[2...3])
    session.send(.replanned(plan))
    #expect(session.state.cursor == nil && session.state.rows.count == 0)
    session.type("<esc>")
    #expect(session.state.cursor != nil && session.state.rows.count == 2)
  }

  @Test("a search goes through what is listed")
  func searchInFilter() {
    var session = Session()
    session.type("fgroup:session<enter>/rl_<enter>")
    #expect(session.state.list.search?.matches == [3, 4, 5])
    session.type("f session_id<enter>")
    #expect(session.state.list.search?.matches == [3])
    session.type("<esc><esc>")
    #expect(session.state.list.search == nil && session.state.list.filter == nil)
  }
}
