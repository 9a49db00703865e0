import CarryoverTerminal
import Testing

@Suite("Cells without strings")
struct PlainTextTests {
  private let size = Size(columns: 8, rows: 2)

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
