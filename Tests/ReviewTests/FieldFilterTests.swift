@testable import CarryoverReview

@Suite("Filtering the fields") struct FieldFilterTests {
  private static func listed(_ session: Session) -> [Field.ID] {
    session.state.rows.map { session.state.plan.fields[$0].id }
  }

  private static func listed(_ filter: String, _ plan: Plan = acmePlan(), decisions: Decisions = [:]) -> [Field.ID] {
    let session = Session(plan, decisions: decisions, typing: "f\(filter)<enter>")
    return listed(session)
  }

  @Test func `texts all have to match, wherever they stand in the field`() {
    #expect(Self.listed("session") == ["session_id", "is_manual_session"])
    #expect(Self.listed("session auto") == ["is_manual_session"])
    #expect(Self.listed("AUTO session").isEmpty)
  }

  @Test func `words narrow by state, findings and group`() {
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

  @Test func `the list narrows while the words are typed, and the frame says by what`() {
    var session = Session(typing: "jjfses")
    #expect(session.state.screen == .filter)
    #expect(Self.listed(session) == ["session_id", "is_manual_session"])
    #expect(session.state.cursor == "session_id")
    #expect(session.text.contains("filter: ses (2 of 8)"))
    session.type("<esc>")
    #expect(session.state.filter == nil && session.state.cursor == "traits" && session.state.rows.count == 8)
    session.type("fis:unde", then: \.state.rows.count, is: 8)
    session.type("cided<enter>", shows: "filter: is:undecided (1 of 8)")
    #expect(session.lines[0].contains("6 ready"))
    session.type("<esc>")
    #expect(session.state.rows.count == 8 && session.state.cursor == "user_id")
  }

  @Test func `a word that is not known is said, and the line stays to be mended`() {
    var session = Session(typing: "fis:tidy")
    #expect(session.text.contains("“is:tidy” is not a filter word. After is:, use one of: undecided,"))
    #expect(session.state.rows.count == 8)
    session.type("<enter>")
    #expect(session.state.screen == .filter && session.effects == [.bell])
    #expect(session.text.contains("“is:tidy” is not a filter word. After is:"))
    session.type("<c-w>ready<enter>")
    #expect(session.state.screen == .review && session.state.rows.count == 6)
  }

  @Test func `tab completes a word as far as there is only one way to, and one without what stands before the colon`() {
    var session = Session(typing: "fi<tab>")
    #expect(session.state.stack.typing?.text == "is:")
    session.type("s<tab>", then: \.state.stack.typing?.text, is: "is:skipped ")
    session.type("und<tab>", then: \.state.stack.typing?.text, is: "is:skipped is:undecided ")
    session.type("has:w<tab>", then: \.state.stack.typing?.text, is: "is:skipped is:undecided has:warning ")
    session.type("<tab>", then: \.effects, is: [.bell])
    session.type("is:unc", shows: "tab: is: unchanged")
  }

  @Test func `a decision moves no row; f and enter list anew`() {
    var session = Session(typing: "fis:ready<enter>ss")
    #expect(session.state.decisions.isEmpty && session.state.rows.count == 6)
    session.type("s")
    #expect(session.state.rows.count == 6 && session.state.cursor == "anonymous_id")
    session.type("f<enter>")
    #expect(session.state.rows.count == 5 && session.state.cursor == "traits")
  }

  @Test func `no field left is said; nothing can be decided there, and esc brings the cursor back`() {
    var session = Session(typing: "jjfzzz<enter>")
    #expect(session.state.message == "No field matches; esc shows all of them again.")
    #expect(session.state.cursor == nil)
    session.type(" svA<enter>")
    #expect(session.state.decisions.isEmpty && session.state.screen == .review)
    #expect(session.text.contains("No field matches the filter"))
    session.type("<esc>", then: \.state.cursor, is: "traits")
    session.type("fx<bs><enter>", then: \.state.filter, is: nil)
  }

  @Test func `F lists the filters with counts and sets one`() {
    var session = Session(typing: "F")
    #expect(session.text.contains("undecided, including conflicts"))
    session.type("d")
    #expect(Self.listed(session) == ["user_id"] && session.state.filter?.text == "is:undecided")
    session.type("F<down><down><down>", shows: "Same as typing f is:ready enter.")
    session.type("<enter>", then: \.state.rows.count, is: 6)
    session.type("Fe")
    #expect(session.state.screen == .filterMenu && session.state.message != nil)
    session.type("a")
    #expect(session.state.filter == nil && session.state.rows.count == 8)
  }

  @Test func `a previews and applies the listed fields; the others stay as they are, decided or not`() throws {
    var session = Session(typing: "sfgroup:app<enter>")
    #expect(session.lines.last?.contains("a apply these") == true, "\(session.text)")
    session.type("n", then: \.state.message, is: "1 undecided field is not listed; esc leaves the filter.")
    session.type("a", shows: "Preview, 2 of 8 fields: only those listed", "y applies this change")
    #expect(!session.text.contains("Undecided") && !session.text.contains("+ anonymous_id"))
    session.type("ny")
    guard case .apply(let run)? = session.effects.last else { return #expect(Bool(false)) }
    #expect(session.state.plan.changes(run).map(\.key) == ["rudder.app_version"])
    #expect(run["user_id"] == .omit && run["anonymous_id"] == .omit && run["rudder.app_build"] == nil)
    session.send(.applied(.success(acmeReport)))
    var plan = acmePlan()
    (plan.fields[6].current, plan.fields[6].status) = (plan.fields[6].proposed, .unchanged)
    session.send(.replanned(plan), then: \.state.decisions, is: ["anonymous_id": .skip])
    #expect(session.state.hasUnappliedDecisions && session.state.decisionsToKeep == ["anonymous_id": .skip])
    #expect(session.state.tally.waiting == 1 && session.state.message == nil)
  }

  @Test func `a previews all fields if the hidden ones have nothing to write, and none if none is listed`() {
    var session = Session(typing: "fis:ready is:undecided<enter>a")
    #expect(session.state.pages.preview.scope == nil && session.text.contains("Undecided 1: user_id."))
    session.type("n")
    #expect(session.state.screen == .review && session.state.rows.count == 7 && session.state.cursor == "user_id")
    session.type("f<c-u>zzz<enter>a", shows: "0 of 8 fields: only those listed", "There is nothing to write")
    session.type("y", then: \.effects.last, is: .bell)
  }

  @Test func `undo goes to a listed field, and says where none is`() {
    let session = Session(typing: "sfgroup:app<enter>u")
    #expect(session.state.message == "Undone: anonymous_id is ready, not listed.")
    #expect(session.state.cursor == "rudder.app_version" && session.state.decisions.isEmpty)
  }

  @Test func `a new plan is listed through the same filter`() {
    var session = Session(typing: "fis:undecided<enter>f x")
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

  @Test func `a search goes through what is listed`() {
    var session = Session(typing: "fgroup:session<enter>/rl_<enter>")
    #expect(session.state.search?.matches == [3, 4, 5])
    session.type("f session_id<enter>", then: \.state.search?.matches, is: [3])
    session.type("<esc><esc>")
    #expect(session.state.search == nil && session.state.filter == nil)
  }
}

@Suite("Searching the fields") struct FieldSearchTests {
  @Test func `the cursor jumps while the search is typed; enter keeps it, esc goes back`() {
    var session = Session(typing: "jj/ses")
    #expect(session.state.screen == .search)
    #expect(session.state.cursor == "session_id")
    #expect(session.lines.last?.contains("/ses") == true)
    session.type("sion_auto", then: \.state.cursor, is: "is_manual_session")
    session.type("<c-w>", then: \.state.cursor, is: "traits")
    session.type("is_man<esc>")
    #expect(session.state.cursor == "traits" && session.state.search == nil)
    session.type("/is_man<enter>")
    #expect(session.state.cursor == "is_manual_session" && session.state.screen == .review)
  }

  @Test func `n and N go through the matches and round, and say so; without a search to what is to decide`() {
    var session = Session(typing: "/session<enter>")
    #expect(session.state.cursor == "session_id")
    #expect(session.lines.last?.contains("/session  1 of 2") == true)
    session.type("n", then: \.state.cursor, is: "is_manual_session")
    session.type("n")
    #expect(session.state.cursor == "session_id" && session.state.message == "The search wrapped around.")
    session.type("N")
    #expect(session.state.cursor == "is_manual_session" && session.state.message == "The search wrapped around.")
    session.type("<home>n")
    #expect(session.state.cursor == "session_id" && session.state.message == nil)
    session.type("<esc>n", then: \.state.cursor, is: "user_id")
  }

  @Test(arguments: [
    ("rl_traits.userId", "user_id"), ("rudder.app_v", "rudder.app_version"), ("1763640123", "last_activity_time"),
    ("members", "traits"), ("user-id-not-string", "user_id"), ("gold", "traits"), ("4.2.0-rc1", "rudder.app_build"),
    ("inverted", "is_manual_session"),
  ])
  func `keys, values, changes and findings are found`(text: String, field: String) {
    let session = Session(typing: "/\(text)<enter>")
    #expect(session.state.cursor == field)
  }

  @Test func `what is decided is found, and what was proposed instead of it`() {
    var session = Session(typing: "<end>e<c-u>77123<enter><home>/77123<enter>")
    #expect(session.state.cursor == "rudder.app_build")
    session.type("<home>s/skipped<enter>", then: \.state.search?.matches, is: [0])
    session.type("js")
    session.type("n", then: \.state.search?.matches, is: [0, 1])
  }

  @Test func `capitals count once one is typed`() {
    var session = Session(typing: "/USERID<enter>")
    #expect(session.state.search?.matches == [])
    session.type("/userid<enter>", then: \.state.search?.matches, is: [1, 2])
    session.type("/userId<enter>", then: \.state.search?.matches, is: [1, 2])
  }

  @Test func `nothing found is said, and the cursor stays`() {
    var session = Session(typing: "j/zzz")
    #expect(session.state.cursor == "user_id")
    #expect(session.lines.last?.contains("no match") == true)
    session.type("<enter>", then: \.state.message, is: "No field contains “zzz”. b opens the stores; search there.")
    // What does not fit beside the sentence makes room for it.
    #expect(session.lines.last?.contains("search there.") == true)
    session.type("n", then: \.state.message, is: "There is no match; esc ends the search.")
  }

  @Test func `a search that fails leaves cursor, list and panes as they were`() throws {
    var session = Session(columns: 80, rows: 20, typing: "j<tab>jj")
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

  @Test func `up and down bring earlier searches back, and an empty line repeats the last`() {
    var session = Session(typing: "/traits<enter>/session<enter><esc><home>")
    session.type("/<up><up>")
    #expect(session.state.stack.typing?.text == "traits" && session.state.cursor == "user_id")
    session.type("<down>", then: \.state.stack.typing?.text, is: "session")
    session.type("<down>", then: \.state.stack.typing?.text, is: "")
    session.type("<enter>")
    #expect(session.state.search?.wanted.text == "session" && session.state.cursor == "session_id")
  }

  @Test func `matches are marked where they are seen, in the row with the cursor too`() throws {
    let session = Session(typing: "/session_id<enter>")
    let grid = render(session.state).grid
    let row = try #require(grid.lines.firstIndex { $0.contains("▸") })
    let marked = (0..<grid.size.columns).filter { grid[row, $0].style.role == .match }.map { grid[row, $0].text }
    #expect(marked.joined() == "session_idsession_id")
  }

  @Test func `what is masked is found by its mask and not by its value`() {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(acmePlan())
    var session = Session(redaction.findings(of: acmePlan()), redaction: redaction)
    for text in ["9f1c2a7e", "gold", "b.co"] {
      session.type("/\(text)<enter>")
      #expect(session.state.search?.matches == [], "\(text)")
      session.type("<esc>f\(text)<enter>")
      #expect(session.state.rows.count == 0, "\(text)")
      session.type("<esc>")
    }
    session.type("/‹id-<enter>")
    #expect(session.state.search?.matches.contains(0) == true)
    session.type("<esc><end>e77<enter>/77<enter>", then: \.state.search?.matches, is: [])
  }

  @Test func `a search stays with a new plan`() {
    var session = Session(typing: "/session<enter>")
    var plan = acmePlan()
    plan.fields.reverse()
    session.send(.replanned(plan))
    #expect(session.state.search?.matches == [3, 4])
    session.type("n", then: \.state.cursor, is: "is_manual_session")
  }

  @Test func `a pasted text is one line`() {
    var session = Session(typing: "/")
    session.send(.paste("rl_\nsession"))
    #expect(session.state.stack.typing?.text == "rl_ session")
  }
}
