import Terminal
import Testing

@Suite("What differs between two grids")
struct GridChangesTests {
  private let size = Size(columns: 8, rows: 2)

  private func changes(_ grid: Grid, since previous: Grid?) -> [String] {
    var changes: [String] = []
    grid.forEachChange(since: previous) { row, column, cell in changes.append("\(row),\(column) \(cell.text)") }
    return changes
  }

  @Test("without a grid before, all that is not blank; of equal grids nothing")
  func first() {
    var grid = Grid(size: size)
    grid.put("ab", at: Position(column: 1, row: 1))
    #expect(changes(grid, since: nil) == ["1,1 a", "1,2 b"])
    #expect(changes(grid, since: grid).isEmpty)
  }

  @Test("a wide character is one change, and what it leaves behind is a blank")
  func wide() {
    var before = Grid(size: size)
    before.put("漢", at: Position(column: 2, row: 0))
    #expect(changes(before, since: nil) == ["0,2 漢"])
    #expect(changes(Grid(size: size), since: before) == ["0,2  ", "0,3  "])
  }

  @Test("a style alone is a change, and a grid of another size no grid before")
  func styleAndSize() {
    var plain = Grid(size: size)
    plain.put("a", at: Position(column: 0, row: 0))
    var bold = plain
    bold.put("a", at: Position(column: 0, row: 0), style: Style(.title))
    #expect(changes(bold, since: plain) == ["0,0 a"])
    #expect(changes(plain, since: Grid(size: Size(columns: 9, rows: 2))) == ["0,0 a"])
  }

  @Test("a cell keeps its base and all four that combine with it")
  func combined() {
    let text = "e\u{301}\u{302}\u{303}\u{304}"
    #expect(Cell(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(Cell(text) != Cell("e\u{301}\u{302}\u{303}\u{305}"))
  }

  @Test("plain text is put as it is cluster by cluster: cut, over wide characters, and partly outside")
  func plainText() {
    for column in -6..<9 {
      for width in [nil, 0, 1, 3, 5, 9] {
        var quick = Grid(size: size)
        quick.put("漢字漢字", at: Position(column: 0, row: 0))
        var slow = quick
        // Aligned in a field it exactly fills, or does not fit, the text goes the other way to the same cells.
        let quickEnd = quick.put("plain", at: Position(column: column, row: 0), width: width)
        let slowEnd = slow.put(
          "plain", at: Position(column: column, row: 0), width: width.map { min($0, 5) }, alignment: .trailing)
        if let width, width > 5 {
          slow.put("", at: Position(column: column + 5, row: 0), width: width - 5)
          #expect(quickEnd == width)
        } else {
          #expect(quickEnd == slowEnd)
        }
        #expect(quick == slow, "\(column), \(String(describing: width))")
      }
    }
  }
}
