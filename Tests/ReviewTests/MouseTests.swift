@testable import CarryoverReview

@Suite("Mouse") struct MouseTests {
  private static let sizes = [
    Size(columns: 60, rows: 16), Size(columns: 80, rows: 24), Size(columns: 120, rows: 40),
    Size(columns: 200, rows: 50),
  ]

  private static func click(_ state: ReviewState, _ column: Int, _ row: Int) -> (ReviewState, [ReviewEffect]) {
    var state = state
    let effects = reduce(&state, .mouse(Mouse(.select, at: Position(column: column, row: row))))
    return (state, effects)
  }

  @Test(arguments: sizes)
  func `a click selects the field that is drawn there, and on a mark it confirms that one alone`(size: Size) {
    let session = Session(largePlan(200), columns: size.columns, rows: size.rows, typing: ":60<enter>kkk")
    let grid = render(session.state).grid
    let width = session.state.layout.lastColumn
    // Of a large screen the warnings' rows are all alike.
    for row in 1..<min(size.rows - 1, session.state.layout.dividerRow + 4) {
      let text = grid.cells(row)[..<width].map(\.text).joined()
      let drawn = text.firstRange(of: "rl_key_").map { text[$0.upperBound...].prefix { $0.isNumber } }
      let narrow = text.firstRange(of: " key_").map { text[$0.upperBound...].prefix { $0.isNumber } }
      let inList = session.state.layout.listRows.contains(row)
      #expect(!inList || narrow != nil, "every row of the list holds a field")
      for column in 0..<size.columns {
        let mark = grid[row, column].text
        // Each column is clicked in one row of five, and each mark in its own.
        guard Extent.isFull || (column + row) % 5 == 0 || inList && (mark == "·" || mark == "?") else { continue }
        let (after, effects) = Self.click(session.state, column, row)
        #expect(effects.isEmpty)
        #expect(after.list.top == session.state.list.top)
        if let id = (drawn ?? narrow).map({ "key_\($0)" }), (1..<width).contains(column), inList {
          #expect(after.cursor == id)
          let isMark = (mark == "·" || mark == "?") && column > width / 3 || (mark == "·" && size.columns == 60)
          #expect(after.decisions == (isMark ? [id: .migrate] : [:]), "\(column) \(row)")
        } else {
          #expect(after.cursor == session.state.cursor && after.decisions.isEmpty)
        }
      }
    }
  }

  @Test func `a click gives the keys to the pane it hits`() {
    let session = Session(columns: 200, rows: 50)
    let layout = session.state.layout
    for pane in Pane.allCases {
      let frame = layout.frame(of: pane)
      let (after, _) = Self.click(session.state, frame.origin.column + 3, frame.origin.row + 1)
      #expect(after.activePane == pane)
    }
  }

  @Test(arguments: Scene.all.map(\.name))
  func `a click on a hint is its key, and nothing that is clicked writes or loses decisions`(name: String) throws {
    let scene = try #require(Scene.all.first { $0.name == name })
    var session = try scene.session(Size(columns: 60, rows: 16))
    for size in [Size(columns: 60, rows: 16), Size(columns: 120, rows: 24)] {
      session.send(.resized(size))
      let rows = size.columns == 60 ? Array(0..<size.rows) : [0, size.rows - 1]
      for row in rows {
        // No hint is narrower than three columns, and only the first row and the last have hints.
        let step = Extent.isFull ? 1 : row == 0 || row == size.rows - 1 ? 3 : 9
        for column in stride(from: row % step, to: size.columns, by: step) {
          let (after, effects) = Self.click(session.state, column, row)
          for effect in effects {
            switch effect {
            case .apply, .rollback: Issue.record("\(effect)")
            case .quit: #expect(!session.state.hasUnappliedDecisions)
            default: break
            }
          }
          if case .run = after.waiting { Issue.record("a click has written") }
        }
      }
      guard session.state.screen != .stores else { continue }
      let line = try #require(session.lines.last)
      let footer = session.state.footer
      let cells = render(session.state).grid.cells(size.rows - 1)
      for (hint, columns) in footer.places {
        let text = cells.dropFirst(columns.lowerBound).prefix(columns.count).map(\.text).joined()
        #expect(text == "\(hint.key) \(hint.label)", "\(line)")
        guard let key = hint.press, key != .character("y") else { continue }
        let (after, effects) = Self.click(session.state, columns.lowerBound, size.rows - 1)
        var typed = session.state
        let asked = reduce(&typed, .key(key))
        guard asked != [.quitForgetting] else {
          #expect(effects == [.bell])
          continue
        }
        #expect(effects == asked)
        #expect(after.screen == typed.screen && after.decisions == typed.decisions && after.cursor == typed.cursor)
      }
    }
  }

  @Test func `y is never clicked: not to apply, not to take back, not to quit with decisions`() {
    var session = Session(columns: 80, rows: 24, typing: "jn s<end>sa")
    #expect(session.state.applyObstacle == nil)
    session.type("<end>")
    let column = session.state.footer.hints.first?.key == "y" ? 1 : -1
    #expect(column == 1)
    let (after, effects) = Self.click(session.state, column, 23)
    #expect(effects == [.bell] && after.waiting == nil)
    #expect(after.message == "A click does not do this. Press y.")
    session.type("<esc>q")
    let (stays, none) = Self.click(session.state, 1, 23)
    #expect(none == [.bell] && stays.screen == .quit)
  }

  @Test func `the wheel scrolls what is under it and leaves the keys where they are`() {
    var plan = largePlan(100)
    for index in plan.fields.indices { plan.fields[index].legacy = .string(acmeTraits) }
    var session = Session(plan, columns: 200, rows: 16)
    let layout = session.state.layout
    func turn(_ action: Mouse.Action, _ pane: Pane) {
      let frame = layout.frame(of: pane)
      session.send(.mouse(Mouse(action, at: Position(column: frame.origin.column + 4, row: frame.origin.row + 1))))
    }
    turn(.wheelDown, .fields)
    #expect(session.state.list.top == 3 && session.state.cursorRow == 3)
    turn(.wheelDown, .details)
    #expect(session.state.panes.details.top > 0 && session.state.activePane == .fields)
    turn(.wheelDown, .warnings)
    #expect(session.state.panes.warnings.top == 3 && session.state.activePane == .fields)
    turn(.wheelUp, .warnings)
    #expect(session.state.panes.warnings.top == 0)
    turn(.wheelUp, .fields)
    turn(.wheelUp, .fields)
    #expect(session.state.list.top == 0 && session.lines.contains { $0.contains("▸") })
    session.type("?")
    turn(.wheelDown, .fields)
    #expect(session.state.pageTop == 3)
  }

  @Test func `a click on a count in the title goes to the next field that stands so`() throws {
    let session = Session(columns: 120, rows: 40)
    let waiting = try #require(session.lines[0].firstRange(of: "1 undecided"))
    let column = session.lines[0].distance(from: session.lines[0].startIndex, to: waiting.lowerBound)
    for column in column..<(column + 11) { #expect(Self.click(session.state, column, 0).0.cursor == "user_id") }
    #expect(Self.click(session.state, 3, 0).0.cursor == session.state.cursor)
  }

  @Test(arguments: sizes)
  func `in every other list a click selects the row that is drawn there`(size: Size) throws {
    var session = Session(columns: size.columns, rows: size.rows)
    session.openHistory(manyRuns(100))
    session.type("40Gkk")
    Self.expectRows(session.state, ids: sampleRuns[1].id.dropLast()) { $0.runs.selected?.id }
    session.openRun(largeRollback(100))
    session.type("40Gkk")
    Self.expectRows(session.state, ids: "key_") { $0.selectedKey?.entry.id.key }

    let browsing = Browsing(columns: size.columns, rows: size.rows, typing: "l")
    let (before, grid) = (browsing.state, browsing.grid)
    for (row, position) in zip(before.layout.rows, before.topRow..<before.outline.rows.count) {
      let mark = before.layout.markColumn(depth: before.outline.depth(before.outline.rows[position]))
      for column in 0..<size.columns {
        var clicked = browsing
        clicked.send(.mouse(Mouse(.select, at: Position(column: column, row: row))))
        #expect(clicked.state.cursor == (before.layout.outline.contains(column) ? position : before.cursor))
        let opens = column == mark && ["+", "-"].contains(grid[row, column].text)
        #expect((clicked.state.outline.rows.count != before.outline.rows.count) == opens, "\(column) \(row)")
        // What is opened at the end is scrolled up.
        let shown = row - (clicked.state.topRow - before.topRow)
        if column == mark { #expect(clicked.grid[shown, 1].text == "▸") }
      }
    }

    var picking = Picking(columns: size.columns, rows: size.rows)
    for (offset, candidate) in sampleCandidates.enumerated().dropFirst() {
      picking.send(.mouse(Mouse(.select, at: Position(column: 5, row: 3 + offset))))
      #expect(picking.state.selected == candidate && picking.effects.isEmpty)
    }
    picking.send(.mouse(Mouse(.select, at: Position(column: 5, row: 3 + sampleCandidates.count - 1))))
    #expect(picking.effects == [.choose(sampleCandidates[sampleCandidates.count - 1])])
    picking.send(.mouse(Mouse(.select, at: Position(column: 5, row: 3 + sampleCandidates.count))))
    #expect(picking.effects.count == 1, "below the last there is nothing to open")
  }

  /// Every cell of a row in which one of these names is drawn selects that one, and no other cell selects anything.
  private static func expectRows(
    _ state: ReviewState, ids prefix: some StringProtocol, selected: (ReviewState) -> String?
  ) {
    var count = 0
    for (row, line) in render(state).grid.lines.enumerated() where row < state.size.rows - 1 {
      let name = line.firstRange(of: String(prefix)).map { line[$0.lowerBound...].prefix { $0 != " " } }
      // The list begins in the third line; what is named below it, in the pane, is no row.
      let isRow = name != nil && line.first == "│" && count == row - 2
      let drawn = isRow ? name.map(String.init) : nil
      if isRow { count += 1 }
      for column in 0..<state.size.columns {
        let isInside = isRow && column > 0 && column < state.size.columns - 1
        #expect(selected(click(state, column, row).0) == (isInside ? drawn : selected(state)), "\(column) \(row)")
      }
    }
    #expect(count >= 3)
  }

  @Test func `the wheel moves the stores, the containers and the history, and hints can be clicked`() throws {
    var picking = Picking(
      (0..<100).map { ContainerCandidate(path: "app\($0)", kind: .folder, bundleID: "com.acme.app\($0)", name: "") },
      columns: 80, rows: 24)
    picking.send(.mouse(Mouse(.wheelDown, at: Position(column: 4, row: 5))))
    #expect(picking.state.list.top == 3 && picking.state.list.row == 3)
    let help = try #require(picking.state.footer.places.first { $0.hint.label == "help" })
    picking.send(.mouse(Mouse(.select, at: Position(column: help.columns.lowerBound, row: 23))))
    #expect(picking.state.screen == PickerState.table.help)
    var history = Session(columns: 80, rows: 24)
    history.openHistory(manyRuns(100))
    history.send(.mouse(Mouse(.wheelDown, at: Position(column: 4, row: 5))))
    #expect(history.state.runs.top == 3 && history.state.runs.row == 3)
    let long = container([store("a.plist", ["list": .array((0..<100).map { .string("\($0)") })])])
    var browsing = Browsing(long, columns: 80, rows: 24, typing: "jl")
    browsing.send(.mouse(Mouse(.wheelDown, at: Position(column: 4, row: 5))))
    #expect(browsing.state.topRow > 0 && browsing.lines.contains { $0.contains("▸") })
    var pane = Browsing(long, columns: 120, rows: 16, typing: "j")
    let (outline, count) = (pane.state.topRow, pane.state.page.lines.count)
    for _ in 0..<60 { pane.send(.mouse(Mouse(.wheelDown, at: Position(column: 100, row: 5)))) }
    #expect(pane.state.pageTop > 0 && pane.state.page.lines.count > count && pane.state.topRow == outline)
    #expect(pane.text.contains("-\(pane.state.page.lines.count) of \(pane.state.page.lines.count)"))
    pane.type("k")
    #expect(pane.state.pageTop == 0)
  }
}
