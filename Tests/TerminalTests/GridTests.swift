@testable import CarryoverTerminal

@Suite("A grid keeps its shape") struct GridTests {
  /// What must hold for every grid, whatever was drawn.
  private func expectWellFormed(_ grid: Grid, _ comment: Comment) {
    for row in 0..<grid.size.rows {
      var column = 0
      while column < grid.size.columns {
        let cell = grid[row, column]
        #expect(cell.columns == 1 || cell.columns == 2, comment)
        #expect(!cell.text.isEmpty, comment)
        #expect(DisplayWidth.columns(of: cell.text) == cell.columns, comment)
        if cell.columns == 2 { #expect(column + 1 < grid.size.columns && grid[row, column + 1].columns == 0, comment) }
        guard cell.columns > 0 else { return }
        column += cell.columns
      }
      #expect(DisplayWidth.columns(of: grid.line(row)) == grid.size.columns, comment)
    }
  }

  @Test(arguments: [Glyphs.unicode, .ascii])
  func `Every row is as wide as the grid after any drawing of any text`(glyphs: Glyphs) {
    var random = SeededGenerator(seed: 7)
    for round in 0..<150 {
      let size = Size(columns: Int.random(in: 0...24, using: &random), rows: Int.random(in: 0...5, using: &random))
      var grid = Grid(size: size, glyphs: glyphs)
      for _ in 0..<20 {
        let column = Int.random(in: -6...26, using: &random)
        let row = Int.random(in: -2...6, using: &random)
        let at = Position(column: column, row: row)
        let width = Bool.random(using: &random) ? nil : Int.random(in: -2...30, using: &random)
        let rect = Rect(
          origin: at,
          size: Size(columns: Int.random(in: 0...26, using: &random), rows: Int.random(in: 0...6, using: &random)))
        switch UInt8.random(in: 0..<6, using: &random) {
        case 0: grid.frame(rect, title: random.text(upTo: 8))
        case 1: grid.clear(rect)
        case 2: grid.put(random.text(upTo: 2), at: at)
        case 3: grid.restyle(rect) { $0.selected() }
        default:
          let used = grid.put(random.text(upTo: 12), at: at, width: width)
          if let width { #expect(used == max(0, width)) }
        }
      }
      expectWellFormed(grid, "round \(round)")
      if glyphs == .ascii { #expect(grid.lines.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }) }
    }
  }

  @Test func `A wide character overwritten in either half leaves a blank, not a half`() {
    var grid = Grid(size: Size(columns: 6, rows: 1))
    grid.put("漢字漢", at: Position(column: 0, row: 0))
    grid.put("x", at: Position(column: 1, row: 0))
    #expect(grid.lines == [" x字漢"])
    grid.put("y", at: Position(column: 2, row: 0))
    #expect(grid.lines == [" xy 漢"])
    grid.put("字", at: Position(column: 3, row: 0))
    #expect(grid.lines == [" xy字 "])
  }

  @Test func `A wide character in the last column becomes a blank`() {
    var grid = Grid(size: Size(columns: 3, rows: 1))
    grid.place(Cell("漢"), row: 0, column: 2)
    #expect(grid.lines == ["   "])
    grid.put("漢", at: Position(column: -1, row: 0))
    #expect(grid.lines == ["   "])
  }

  @Test func `Text that does not fit its field ends in an ellipsis`() {
    var grid = Grid(size: Size(columns: 10, rows: 4))
    #expect(grid.put("abcdef", at: Position(column: 0, row: 0), width: 4) == 4)
    #expect(grid.put("漢字漢", at: Position(column: 0, row: 1), width: 4) == 4)
    #expect(grid.put("abcd", at: Position(column: 0, row: 2), width: 4) == 4)
    #expect(grid.put("a long line of text", at: Position(column: 2, row: 3)) == 8)
    #expect(grid.lines == ["abc…      ", "漢…       ", "abcd      ", "  a long …"])
  }

  @Test func `Text fills its field with blanks`() {
    var grid = Grid(size: Size(columns: 8, rows: 1))
    grid.put("########", at: Position(column: 0, row: 0))
    #expect(grid.put("ab", at: Position(column: 1, row: 0), width: 6) == 6)
    #expect(grid.lines == ["#ab    #"])
  }

  @Test func `Extreme positions and sizes are clipped`() {
    var grid = Grid(size: Size(columns: Int.max, rows: 2))
    #expect(grid.size == Size(columns: Grid.maximum, rows: 2))
    for value in [Int.min, -1, 0, Int.max] {
      for length in [Int.min, -1, 0, 3, Int.max] {
        let rect = Rect(column: value, row: value, columns: length, rows: length)
        grid.frame(rect, title: "title")
        grid.clear(rect)
        grid.restyle(rect) { $0.selected() }
        grid.horizontalLine(row: value, from: value, through: length)
        grid.verticalLine(column: value, from: value, through: length)
        grid.put("text", at: Position(column: value, row: value), width: length)
        grid.place(Cell("x"), row: value, column: value)
      }
    }
    #expect(grid.lines.allSatisfy { DisplayWidth.columns(of: $0) == Grid.maximum })
    #expect(grid[Int.max, Int.min] == .blank())
  }

  @Test func `A cell holds one cluster and never a hidden scalar`() {
    #expect(Cell("").text == " ")
    #expect(Cell("\u{1B}[2J").text == "\\")
    #expect(Cell("漢字").text == "漢")
    #expect(Cell("e\u{301}x").text.unicodeScalars.elementsEqual(["e", "\u{301}"]))
  }
}

@Suite("Frames") struct LinesTests {
  private func panes(_ glyphs: Glyphs) -> Grid {
    var grid = Grid(size: Size(columns: 24, rows: 6), glyphs: glyphs)
    grid.frame(Rect(column: 0, row: 0, columns: 12, rows: 4), title: "Legacy")
    grid.frame(Rect(column: 11, row: 0, columns: 13, rows: 4), title: "Proposed")
    grid.frame(Rect(column: 0, row: 3, columns: 24, rows: 3), title: "Notes")
    return grid
  }

  @Test func `Panes that share an edge are joined by tees`() {
    #expect(
      panes(.unicode).lines == [
        "┌ Legacy ──┬ Proposed ─┐",
        "│          │           │",
        "│          │           │",
        "├ Notes ───┴───────────┤",
        "│                      │",
        "└──────────────────────┘",
      ])
  }

  @Test func `Without UTF-8 the same frames are plus, minus and bar`() {
    #expect(
      panes(.ascii).lines == [
        "+ Legacy --+ Proposed -+",
        "|          |           |",
        "|          |           |",
        "+ Notes ---+-----------+",
        "|                      |",
        "+----------------------+",
      ])
  }

  @Test func `Lines that cross, meet and end take every junction`() {
    var grid = Grid(size: Size(columns: 5, rows: 5))
    grid.frame(Rect(column: 0, row: 0, columns: 5, rows: 5))
    grid.horizontalLine(row: 2, from: 0, through: 4)
    grid.verticalLine(column: 2, from: 0, through: 4)
    #expect(grid.lines == ["┌─┬─┐", "│ │ │", "├─┼─┤", "│ │ │", "└─┴─┘"])
  }

  @Test func `A title too long for its frame is cut`() {
    var grid = Grid(size: Size(columns: 10, rows: 2))
    grid.frame(Rect(column: 0, row: 0, columns: 10, rows: 2), title: "Everything there is")
    #expect(grid.lines == ["┌ Every… ┐", "└────────┘"])
  }

  @Test func `A frame partly outside is clipped, and one too small is not drawn`() {
    var grid = Grid(size: Size(columns: 4, rows: 2))
    grid.frame(Rect(column: 2, row: 0, columns: 9, rows: 2))
    grid.frame(Rect(column: 0, row: 0, columns: 1, rows: 2))
    #expect(grid.lines == ["  ┌─", "  └─"])
  }
}

extension SeededGenerator {
  mutating func text(upTo length: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &self) { text.append(contentsOf: piece().unicodeScalars) }
    return String(text)
  }

  private mutating func piece() -> String {
    let hostile = [
      "\u{1B}[2J", "\u{9B}31m", "\u{202E}", "\u{200D}", "\u{FE0F}", "\u{0}", "\n", "\t", "\u{7F}", "\\", "\\n",
      "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "漢", "ｆ", "가", "\u{1100}\u{1161}\u{11A8}", "e\u{301}", "\u{301}",
      "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", "\u{E000}", "\u{10FFFF}", "\u{2028}", "─", "┼", "-", "+", "|",
    ]
    switch UInt8.random(in: 0..<10, using: &self) {
    case 0..<4:
      return String(UnicodeScalar(UInt8.random(in: 0x20..<0x7F, using: &self)))
    case 4..<8:
      return hostile.randomElement(using: &self) ?? ""
    default:
      return Unicode.Scalar(UInt32.random(in: 0..<0x20000, using: &self)).map { String($0) } ?? "?"
    }
  }
}
