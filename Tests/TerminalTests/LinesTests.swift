import CarryoverTerminal
import Testing

@Suite("Frames")
struct LinesTests {
  private func panes(_ glyphs: Glyphs) -> Grid {
    var grid = Grid(size: Size(columns: 24, rows: 6), glyphs: glyphs)
    grid.frame(Rect(column: 0, row: 0, columns: 12, rows: 4), title: "Legacy")
    grid.frame(Rect(column: 11, row: 0, columns: 13, rows: 4), title: "Proposed")
    grid.frame(Rect(column: 0, row: 3, columns: 24, rows: 3), title: "Notes")
    return grid
  }

  @Test("Panes that share an edge are joined by tees")
  func unicode() {
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

  @Test("Without UTF-8 the same frames are plus, minus and bar")
  func ascii() {
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

  @Test("Lines that cross, meet and end take every junction")
  func junctions() {
    var grid = Grid(size: Size(columns: 5, rows: 5))
    grid.frame(Rect(column: 0, row: 0, columns: 5, rows: 5))
    grid.horizontalLine(row: 2, from: 0, through: 4)
    grid.verticalLine(column: 2, from: 0, through: 4)
    #expect(grid.lines == ["┌─┬─┐", "│ │ │", "├─┼─┤", "│ │ │", "└─┴─┘"])
  }

  @Test("A title too long for its frame is cut")
  func longTitle() {
    var grid = Grid(size: Size(columns: 10, rows: 2))
    grid.frame(Rect(column: 0, row: 0, columns: 10, rows: 2), title: "Everything there is")
    #expect(grid.lines == ["┌ Every… ┐", "└────────┘"])
  }

  @Test("A frame partly outside is clipped, and one too small is not drawn")
  func clipped() {
    var grid = Grid(size: Size(columns: 4, rows: 2))
    grid.frame(Rect(column: 2, row: 0, columns: 9, rows: 2))
    grid.frame(Rect(column: 0, row: 0, columns: 1, rows: 2))
    #expect(grid.lines == ["  ┌─", "  └─"])
  }
}
