@testable import CarryoverReview

@Suite("Browsing anything") struct BrowserPropertyTests {
  private static let keys: [Key] =
    Array("hjklgGnN yYx/?q[]aet{:59").map { .character($0) } + [
      .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .enter, .escape, .backspace, .delete, .tab,
      .control("u"), .control("w"), .control("z"), .function(1),
    ]

  @Test(arguments: Extent.seeds(0..<36, short: 12))
  func `hostile names and values keep the panes aligned, and random keys never crash`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sizes = [Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 60, rows: 16)]
    let size = sizes[Int(seed % 3)]
    let first = generator.hostileContainer()
    var browsing = Browsing(
      first, columns: size.columns, rows: size.rows, glyphs: seed.isMultiple(of: 2) ? .unicode : .ascii)
    for round in 0..<150 {
      if Int.random(in: 0..<50, using: &generator) == 0 {
        browsing.state.reload(Bool.random(using: &generator) ? first : generator.hostileContainer())
      } else {
        browsing.send(generator.input(Self.keys, browsing.state.size))
      }
      let state = browsing.state
      #expect(state.outline.rows.isEmpty || state.outline.rows.indices.contains(state.cursor))
      #expect(state.cursor >= state.topRow && state.cursor < state.topRow + max(1, state.layout.rows.count))
      var again = state
      again.stack.pageKey = nil
      again.refreshPage()
      #expect(render(again) == render(state), "the details were laid out for something else")
      if round % 5 == 0 { Self.expectSound(browsing.grid, state) }
    }
  }

  @Test func `of a value of a megabyte a row, the pane and a search read no more than they need`() {
    let long = String(repeating: "\u{202E}漢e\u{301}x", count: 1 << 17)
    var browsing = Browsing(container([store("a.plist", ["a": .string(long), "b": ""])]), columns: 120, rows: 40)
    browsing.type("j")
    Self.expectSound(browsing.grid, browsing.state)
    #expect(browsing.state.page.lines.count <= 2 * browsing.state.layout.rows.count * 10)
    browsing.type("jk/漢<enter> ")
    #expect(browsing.grid.lines.allSatisfy { DisplayWidth.columns(of: $0) == 120 })
  }

  @Test(arguments: Extent.seeds(0..<20, short: 6))
  func `hostile candidates keep the columns aligned, and random keys never crash`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let candidates = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
      ContainerCandidate(
        path: generator.hostileText(), kind: .folder,
        bundleID: Bool.random(using: &generator) ? nil : generator.hostileText(), name: generator.hostileText(),
        files: Int.random(in: 0...1_000_000, using: &generator), missing: Int.random(in: 0...3, using: &generator))
    }
    var picking = Picking(candidates, columns: 80, rows: 24, glyphs: seed.isMultiple(of: 2) ? .unicode : .ascii)
    for _ in 0..<200 {
      picking.send(generator.input(Self.keys, picking.state.size))
      let grid = render(picking.state).grid
      #expect(grid.lines.allSatisfy { DisplayWidth.columns(of: $0) == grid.size.columns })
      #expect(picking.state.list.rows.isEmpty == (picking.state.list.selected == nil))
    }
  }

  private static func expectSound(_ grid: Grid, _ state: BrowserState) {
    #expect(grid.size == state.size)
    #expect(grid.lines.allSatisfy { DisplayWidth.columns(of: $0) == grid.size.columns })
    guard state.topScreen == .stores, !state.isTooSmall else { return }
    let side = grid.glyphs == .ascii ? "|" : "│"
    for row in state.layout.rows {
      #expect(grid[row, 0].text == side)
      #expect(grid[row, grid.size.columns - 1].text == side)
      if state.layout.isWide { #expect(grid[row, state.layout.outline.upperBound].text == side) }
    }
  }
}

extension SeededGenerator {
  /// Mostly one of the keys.
  mutating func input(_ keys: [Key], _ size: Size) -> ScreenInput {
    switch Int.random(in: 0..<40, using: &self) {
    case 0: .resized(Size(columns: Int.random(in: 1...220, using: &self), rows: Int.random(in: 1...45, using: &self)))
    case 1: .paste(hostileText())
    case 2, 3, 4: .mouse(mouse(size))
    default: .key(keys.randomElement(using: &self) ?? .escape)
    }
  }

  mutating func mouse(_ size: Size) -> Mouse {
    Mouse(
      [Mouse.Action.select, .wheelUp, .wheelDown].randomElement(using: &self) ?? .select,
      at: Position(
        column: Int.random(in: -2...size.columns, using: &self), row: Int.random(in: -2...size.rows, using: &self)))
  }

  mutating func hostileContainer() -> Container {
    let stores = (0..<Int.random(in: 0...4, using: &self)).map { number in
      switch Int.random(in: 0...5, using: &self) {
      case 0: Store(path: hostileText(), content: .unreadable(hostileText()))
      default: store(hostileText() + "\(number)", hostileTree(depth: 3))
      }
    }
    return container(stores, notices: Bool.random(using: &self) ? [] : [hostileText()])
  }

  private mutating func hostileTree(depth: Int) -> PropertyListValue {
    let entries = (0..<Int.random(in: 0...6, using: &self)).map { _ in
      let name = Int.random(in: 0...9, using: &self) == 0 ? "rl_auth_token" : hostileText()
      let isInner = depth > 0 && Int.random(in: 0...2, using: &self) == 0
      var value = isInner ? hostileTree(depth: depth - 1) : hostileValue() ?? ""
      if Int.random(in: 0...30, using: &self) == 0 { value = .string(String(repeating: hostileText(), count: 300)) }
      return PropertyListDictionary.Entry(key: name, value: value)
    }
    return .dictionary(PropertyListDictionary(entries: entries))
  }
}

@Suite("Searching what a screen shows") struct FindTests {
  @Test func `a wrapped sentence is found whole, also over the end of a line, and marked on both`() {
    let text = PageText(["  the user would be logged", "  out of the app", "", "Next"], columns: 26, isExact: false)
    #expect(text.lines(containing: SearchText("logged out")) == [0])
    #expect(text.lines(containing: SearchText("the")) == [0, 1])
    #expect(text.lines(containing: SearchText("app next")).isEmpty)
    let hit = text.hits(SearchText("logged out")).first
    #expect(hit?.start.line == 0 && hit?.start.byte == 18 && hit?.end.line == 1 && hit?.end.byte == 3)
    let apart = PageText(["one", "two"], columns: nil, isExact: false)
    #expect(
      apart.lines(containing: SearchText("one two")).isEmpty && apart.lines(containing: SearchText("onetwo")).isEmpty)
  }

  @Test func `the columns of a match are those it is drawn in, whatever stands before it`() {
    let line = "  漢字 İx acme"
    let text = PageText([line], columns: 40, isExact: false)
    let hit = text.hits(SearchText("ac")).first
    let bytes = (hit?.start.byte ?? 0)..<(hit?.end.byte ?? 0)
    #expect(PageText.columns(of: bytes, in: line, isExact: false) == 10..<12)
  }

  @Test func `on a text: the first match from the top as it is typed, n and N round, esc ends the search`() throws {
    var session = Session(columns: 80, rows: 20, typing: "w")
    #expect(session.state.screen == .warnings)
    session.type("/Not migrated")
    #expect(session.lines.last?.contains("1 of 1") == true)
    session.type("<enter>")
    let page = session.state.page.lines.map { $0.map(\.text).joined() }
    let line = try #require(page.firstIndex { $0.hasPrefix("Not migrated") })
    #expect(session.lines.contains { $0.contains("Not migrated") })
    #expect(line == session.state.find?.matches.first)
    session.type("<esc>")
    #expect(session.state.screen == .warnings && session.state.find == nil)
    session.type("<esc>", then: \.state.screen, is: .review)
  }

  @Test func `a match out of sight is shown with a line above it, and the position is said`() throws {
    let session = Session(columns: 80, rows: 16, typing: "gjj<enter>/gold<enter>")
    let find = try #require(session.state.find)
    let line = try #require(find.matches.first)
    #expect(session.state.pageTop <= max(0, line - 1))
    #expect(session.lines.last?.contains("/gold  1 of \(find.matches.count)") == true)
    let grid = render(session.state).grid
    let marked = grid.lines.indices.flatMap { row in grid.cells(row).filter { $0.style.role == .match } }
    #expect(marked.count >= 4)
  }

  @Test(arguments: [("USERID", 0), ("userid", 1)])
  func `capitals count once one is typed, and nothing found is said`(text: String, least: Int) {
    var session = Session(typing: "w/\(text)<enter>")
    let count = session.state.find?.matches.count ?? -1
    #expect(least == 0 ? count == 0 : count >= least)
    if least == 0 { #expect(session.state.message == "Nothing here contains “USERID”.") }
    session.type("n")
    #expect((session.state.message != nil) == (count < 2))
  }

  @Test func `a search that fails leaves the chosen finding and the text where they were`() throws {
    var session = Session(columns: 80, rows: 16, typing: "wjj")
    let (chosen, top) = (session.state.findings.row, session.state.pageTop)
    try #require(chosen == 2)
    session.type("/user_idx<enter>")
    #expect(session.state.findings.row == chosen && session.state.pageTop == top)
    session.type("/user_id")
    #expect(session.state.findings.row != chosen)
    session.type("<esc>")
    #expect(session.state.findings.row == chosen && session.state.pageTop == top)
  }

  @Test func `n goes to the next field to decide in the preview, and to the next match while a search is on`() {
    var session = Session(typing: "a/rudder<enter>")
    let first = session.state.find?.current
    session.type("n")
    #expect(session.state.screen == .preview && session.state.find?.current != first)
    session.type("<esc>n", then: \.state.screen, is: .review)
  }

  @Test func `what stands below the list is found after the fields, and its pane goes there`() throws {
    var session = Session(columns: 120, rows: 24)
    let dropped = try #require(session.state.plan.dropped.last)
    session.type("/\(dropped.key)<enter>")
    let search = try #require(session.state.search)
    #expect(search.notes.count >= 1)
    for _ in 0..<search.matches.count where session.state.search?.note == nil { session.type("n") }
    #expect(session.state.focus == .warnings)
    #expect(session.state.matchWords == "\(search.count) of \(search.count)" || search.notes.count > 1)
    #expect(session.lines[session.state.layout.warningRows].contains { $0.contains(dropped.key) })
    session.type("<esc>", then: \.state.search, is: nil)
  }

  @Test func `the sentences of a field's findings are found`() {
    let session = Session(typing: "/migrator<enter>")
    #expect(session.state.search?.matches.isEmpty == false)
  }

  @Test func `in the history a run is found by a key it wrote`() {
    var session = Session()
    session.openHistory()
    session.type("/user_id<enter>", then: \.state.find?.matches.isEmpty, is: false)
    #expect(session.state.screen == .history)
    session.type("<esc><esc>", then: \.state.screen, is: .review)
  }

  @Test func `line by line the match is read with the lines around it`() {
    var talk = LineTalk()
    talk.type("findings", "/Not migrated")
    let lines = talk.said
    #expect(lines.contains { $0.hasPrefix("Not migrated") })
    #expect(lines.contains { $0.contains("1 of ") })
  }
}
