@testable import Carryover
@testable import CarryoverReview

@Suite("Panes") struct PanesTests {
  @Test func `tab and numbers move the keys about, and the pane that has them shows a mark and lines of its own`() {
    for (columns, order) in [(120, [Pane.warnings, .fields]), (200, [.warnings, .details, .fields])] {
      var session = Session(columns: columns, rows: 50)
      #expect(session.lines[session.state.layout.top].contains("»1 Legacy"))
      for pane in order {
        session.type("<tab>", then: \.state.activePane, is: pane)
        let grid = render(session.state).grid
        let frame = session.state.layout.frame(of: pane)
        #expect(grid[frame.origin.row, frame.origin.column].style.role == .frameFocused)
        #expect(grid.lines.filter { $0.contains("»\(pane.rawValue) ") }.count == 1)
        #expect(grid.lines.joined().filter { $0 == "»" }.count == 1)
      }
      session.type("<s-tab>", then: \.state.activePane, is: order[order.count - 2])
      session.type("1", then: \.state.activePane, is: .fields)
    }
    #expect(Session(columns: 80, rows: 24, glyphs: .ascii, typing: "2").text.contains("+ >2 anonymous_id"))
  }

  @Test func `3 shows the details as a screen where they have no room, and a wider window brings them back`() {
    var session = Session(columns: 120, rows: 40, typing: "3")
    #expect(session.state.screen == .details)
    session.type("<esc>")
    session.send(.resized(Size(columns: 180, rows: 40)))
    session.type("3")
    #expect(session.state.screen == .review && session.state.activePane == .details)
    session.send(.resized(Size(columns: 100, rows: 40)))
    #expect(session.state.activePane == .fields)
    session.type("j", then: \.state.cursorRow, is: 1)
    session.send(.resized(Size(columns: 180, rows: 40)))
    #expect(session.state.activePane == .details)
  }

  @Test func `the warnings scroll to their end, and deciding and going on keep to the fields`() throws {
    var session = Session(columns: 60, rows: 16, typing: "j2")
    let count = session.state.panes.warnings.count
    let visible = session.state.layout.warningRows.count
    #expect(count > visible && session.text.contains("1-\(visible) of \(count)"))
    session.type("jj")
    #expect(session.text.contains("3-\(visible + 2) of \(count)") && session.state.cursor == "user_id")
    session.type("G", shows: "\(count - visible + 1)-\(count) of \(count)", "rl_server_last_updated")
    session.type("j ")
    // A decided field asks for nothing, so it takes fewer lines.
    let warnings = session.state.panes.warnings
    #expect(session.state.decisions["user_id"] == .migrate && warnings.top == warnings.count - visible)
    session.type("1j")
    #expect(session.state.panes.warnings.top == 0, "another field is shown from its beginning")
    session.type("2<pgdn><pgdn>g", then: \.state.panes.warnings.top, is: 0)
  }

  @Test(arguments: [60, 80, 120, 200])
  func `every line of the warnings is there once they are scrolled through`(columns: Int) throws {
    var plan = acmePlan()
    plan.dropped += (0..<40).map { DroppedKey(key: "rl_more_\($0)", reason: "Nothing needs it.") }
    var session = Session(plan, columns: columns, rows: 24)
    var seen = session.text
    session.type("2")
    for _ in 0..<60 {
      session.type("j")
      seen += session.text
    }
    for index in 0..<40 { #expect(seen.contains("rl_more_\(index) ")) }
  }

  @Test func `a hundred thousand keys left behind are laid out as far as they are seen`() {
    var plan = acmePlan()
    plan.dropped = (0..<100_000).map { DroppedKey(key: "rl_\($0)", reason: "Nothing needs it.") }
    var session = Session(plan, columns: 120, rows: 40)
    #expect(session.state.panes.warnings.shared.count < 120)
    session.type("2G")
    #expect(session.state.panes.warnings.shared.count < 3000)
    #expect(session.text.contains("w shows all"))
  }

  @Test func `the details beside the list say what the details page says, line for line`() throws {
    for script in ["", "j", "jj", "jj ", "<end>"] {
      var session = Session(columns: 200, rows: 50)
      session.type(script + "3")
      let state = session.state
      var writer = PageWriter(columns: state.layout.detailsColumns.count, ink: Ink(state.options))
      writer.details(of: try #require(state.selected), state)
      #expect(state.panes.details.lines == writer.lines)
      session.type("<end>")
      let shown = session.lines.map { $0.dropFirst(state.layout.lastColumn) }
      let last = try #require(writer.lines.last).map(\.text).joined()
      #expect(shown.contains { $0.contains(last.trimmingPrefix(" ")) })
    }
  }

  @Test func `a move of the cursor lays out one field, and of it only what is seen`() {
    var plan = largePlan(1000)
    plan.fields[1].legacy = .string(String(repeating: "{x} ", count: 10_000))
    var session = Session(plan, columns: 200, rows: 50, typing: "j")
    #expect(session.state.panes.details.key?.position == 1)
    #expect(session.state.panes.details.lines.count == session.state.layout.detailsRows.count + 1)
    #expect(session.text.contains("enter shows the rest"))
    let key = session.state.panes.details.key
    session.send(.key(.function(9)))
    #expect(session.state.panes.details.key == key)
    session.type("3")
    #expect(session.state.panes.details.lines.count > 300)
  }

  @Test func `a move changes few cells beside and below the list; what the details differ in is their own`() {
    for (columns, rows, bound) in [(120, 40, 400), (200, 50, 2400)] {
      var session = Session(largePlan(1000), columns: columns, rows: rows, typing: "jjjjj")
      for _ in 0..<6 {
        let before = render(session.state).grid
        session.type("j")
        #expect(Self.changed(before, render(session.state).grid) < bound, "\(columns) columns")
      }
    }
  }

  static func changed(_ before: Grid, _ after: Grid) -> Int {
    var changed = 0
    for row in 0..<before.size.rows {
      for column in 0..<before.size.columns where before[row, column] != after[row, column] { changed += 1 }
    }
    return changed
  }

  @Test func `help and the way out are in every footer, the stores from 120 columns on`() throws {
    for scene in Scene.all {
      var session = try scene.session(Size(columns: 120, rows: 24))
      for columns in [60, 72, 80, 99, 120, 200] {
        session.send(.resized(Size(columns: columns, rows: 24)))
        let line = try #require(session.lines.last)
        guard session.state.footer.hints.isEmpty == false || session.state.screen == .stores else { continue }
        let isAsked: Set<Screen> = [
          .recovery, .kept, .quit, .editor, .search, .filter, .decideMany, .filterMenu, ReviewState.table.palette,
        ]
        if session.state.screen == .stores {
          if session.state.browser?.screen == .storesSearch { continue }
        } else if isAsked.contains(session.state.screen) {
          continue
        }
        let inner = session.state.screen == .stores ? session.state.browser?.screen : session.state.screen
        let isHelp = inner == BrowserState.table.help || inner == ReviewState.table.help
        #expect(line.contains("? help") || isHelp, "\(scene.name) \(columns)")
        #expect(["q quit", "esc back", "q leave"].contains { line.contains($0) }, "\(scene.name) \(columns)")
      }
    }
    let session = Session(columns: 120, rows: 40, container: nestedContainer())
    #expect(session.lines.last?.contains("b stores") == true)
    for columns in [60, 80, 99] {
      let line = try #require(Browsing(columns: columns, rows: 24).lines.last)
      #expect(line.contains("? help") && line.contains("q leave"))
    }
    for columns in [60, 80, 120] {
      let line = try #require(Picking(columns: columns, rows: 24).lines.last)
      #expect(line.contains("? help") && line.contains("q quit"))
    }
  }
}

@Suite("Findings below the list") struct FindingsPaneTests {
  @Test(arguments: [
    ("One. Two.", "One."), ("Only one", "Only one"), ("Version 4.2.0 is new. More.", "Version 4.2.0 is new."),
    ("It holds “a. b”. More.", "It holds “a. b”."), ("It holds “a. b. And more", "It holds “a. b. And more"),
    ("Why? So.", "Why?"), ("", ""), (".", "."), ("”. x", "”."),
  ])
  func `the first sentence ends at the first full stop that is not quoted`(text: String, first: String) {
    #expect(FirstSentence.of(text) == first)
  }

  @Test func `the field's finding is whole on the first screen, with its remedy and the keys that decide it`() throws {
    for (columns, rows) in [(80, 24), (100, 30), (120, 40), (200, 50)] {
      let session = Session(columns: columns, rows: rows, atFirstRow: false)
      let finding = try #require(session.state.selected?.findings.first)
      let shown = session.words
      let first = FirstSentence.of(finding.message)
      #expect(shown.contains(first) && shown.contains(finding.message.dropFirst(first.count).description.words))
      #expect(shown.contains("→ \(finding.commandRemedy)".words))
      #expect(shown.contains("space accept \"42\" (recommended) e edit s skip"))
      #expect(session.text.contains("user_id · undecided"))
    }
  }

  @Test func `a decided field says how to undo the decision, with the user's own keys`() {
    var keymap = Keymap()
    keymap.set(.character("X"), "accept", on: "review", line: 1)
    #expect(Session(columns: 120, rows: 40, keymap: keymap, typing: "jX").words.contains("X undo ──"))
  }

  @Test func `once the decisions fix it, the verdict says so; undone, it says how certain it is`() {
    var session = Session(columns: 80, rows: 24, atFirstRow: false)
    #expect(session.text.contains("✗ Likely: The update"))
    session.type(" ")
    #expect(
      session.words.contains("Fixed when you apply: the user id. Still lost: 2 other values.")
        && session.words.contains("Decided: accepted."))
    session.type("V")
    #expect(session.words.contains("Fixed when you apply: the user id.") && !session.words.contains("To repair:"))
    session.type("<esc>u")
    #expect(session.text.contains("✗ Likely: The update") && !session.text.contains("Fixed when"))
  }

  @Test func `a conflict shows what would be overwritten, and a key for each of the two values`() throws {
    let session = Session(try samplePlan("HalfFilled"), columns: 120, rows: 40, atFirstRow: false)
    #expect(session.text.contains("u-2002 → u-1001"))
    #expect(session.words.contains("space replace with u-1001 t keep u-2002 e edit s skip"))
  }

  @Test func `of findings that the pane has no room for it says so, and which key shows them`() {
    var plan = acmePlan()
    let all = plan.findings
    plan.fields[0].findings = (0..<12).map { all[$0 % all.count] }
    let session = Session(plan, columns: 80, rows: 24)
    #expect(session.text.contains("w shows the rest"))
    #expect(session.state.panes.warnings.lines(7).first?.first?.text == "✗ ")
  }

  @Test func `a finding that blocks the plan is whole, whatever field is selected`() throws {
    let session = Session(try samplePlan("Findings/consent.opted-out"), columns: 80, rows: 24)
    let blocker = try #require(session.state.blockers.first)
    #expect(session.words.contains(blocker.message.words))
    #expect(session.words.contains(blocker.remedy(for: .review(setup: "W")).words))
  }

  @Test func `the container's findings keep their place while the cursor moves, as a field's own leave room`() {
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
