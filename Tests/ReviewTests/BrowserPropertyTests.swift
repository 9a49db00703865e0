import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Browsing anything")
struct BrowserPropertyTests {
  private static let keys: [Key] =
    Array("hjklgGnN yYx/?q[]aet{:59").map { .character($0) } + [
      .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .enter, .escape, .backspace, .delete, .tab,
      .control("u"), .control("w"), .control("z"), .function(1),
    ]

  @Test("hostile names and values keep the panes aligned, and random keys never crash", arguments: UInt64(0)..<36)
  func randomKeys(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let sizes = [Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 60, rows: 16)]
    let size = sizes[Int(seed % 3)]
    let first = generator.hostileContainer()
    var browsing = Browsing(
      first, columns: size.columns, rows: size.rows, glyphs: seed.isMultiple(of: 2) ? .unicode : .ascii)
    for round in 0..<150 {
      switch Int.random(in: 0..<50, using: &generator) {
      case 0:
        browsing.send(
          .resized(
            Size(columns: Int.random(in: 1...140, using: &generator), rows: Int.random(in: 1...45, using: &generator))))
      case 1: browsing.send(.paste(generator.hostileText()))
      case 3, 4, 5: browsing.send(.mouse(generator.mouse(browsing.state.size)))
      case 2: browsing.state.take(Bool.random(using: &generator) ? first : generator.hostileContainer())
      default: browsing.send(.key(Self.keys.randomElement(using: &generator) ?? .escape))
      }
      let state = browsing.state
      #expect(state.outline.rows.isEmpty || state.outline.rows.indices.contains(state.cursor))
      #expect(state.cursor >= state.topRow && state.cursor < state.topRow + max(1, state.layout.rows.count))
      var again = state
      again.stack.pageKey?.revision = -1
      again.refreshPage()
      #expect(render(again) == render(state), "the details were laid out for something else")
      if round % 5 == 0 { Self.expectSound(browsing.grid, state) }
    }
  }

  @Test("of a value of a megabyte a row, the pane and a search read no more than they need")
  func megabyte() {
    let long = String(repeating: "\u{202E}漢e\u{301}x", count: 1 << 17)
    var browsing = Browsing(container([store("a.plist", ["a": .string(long), "b": ""])]), columns: 120, rows: 40)
    browsing.type("j")
    Self.expectSound(browsing.grid, browsing.state)
    #expect(browsing.state.page.lines.count <= 2 * browsing.state.layout.rows.count * 10)
    browsing.type("jk/漢<enter> ")
    #expect(browsing.grid.lines.allSatisfy { DisplayWidth.columns(of: $0) == 120 })
  }

  @Test("hostile candidates keep the columns aligned, and random keys never crash", arguments: UInt64(0)..<20)
  func randomPicks(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let candidates = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
      ContainerCandidate(
        path: generator.hostileText(), kind: .folder,
        bundleID: Bool.random(using: &generator) ? nil : generator.hostileText(), name: generator.hostileText(),
        files: Int.random(in: 0...1_000_000, using: &generator), missing: Int.random(in: 0...3, using: &generator))
    }
    var picking = Picking(candidates, columns: 80, rows: 24, glyphs: seed.isMultiple(of: 2) ? .unicode : .ascii)
    for _ in 0..<200 {
      switch Int.random(in: 0..<40, using: &generator) {
      case 0:
        picking.send(
          .resized(
            Size(columns: Int.random(in: 1...140, using: &generator), rows: Int.random(in: 1...45, using: &generator))))
      case 1: picking.send(.paste(generator.hostileText()))
      case 2, 3: picking.send(.mouse(generator.mouse(picking.state.size)))
      default: picking.send(.key(Self.keys.randomElement(using: &generator) ?? .escape))
      }
      let grid = render(picking.state).grid
      #expect(grid.lines.allSatisfy { DisplayWidth.columns(of: $0) == grid.size.columns })
      #expect(picking.state.shown.isEmpty == (picking.state.cursor == nil))
    }
  }

  /// Every row is as wide as the grid, and the frames of the outline stand in their columns.
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
