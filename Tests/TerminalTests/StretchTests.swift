import Testing

@testable import CarryoverTerminal

@Suite("What of a row has to be drawn")
struct StretchTests {
  /// A character stands for a cell: a capital for the same in bold, `é` for one that is not ASCII.
  private func row(_ text: String) -> [Cell] {
    text.map { Cell(String($0).lowercased(), style: Style(.plain, bold: $0.isUppercase)) }
  }

  private func stretches(_ cells: [Cell], over old: [Cell]?) -> [Cell.Stretch] {
    var found: [Cell.Stretch] = []
    var next = 0
    while true {
      let stretch = Cell.nextToDraw(cells, over: old, from: next)
      guard stretch.columns.lowerBound < cells.count else { return found }
      found.append(stretch)
      next = stretch.columns.upperBound
    }
  }

  @Test(
    "Cells side by side in one style are one stretch",
    arguments: [
      ("abcd", "abcd", []),
      ("abcd", "axxd", [1..<3]),
      ("abcd", "ab", [2..<4]),
      ("ab  ", "ab", []),
      ("abCD", "xxxx", [0..<2, 2..<4]),
      ("aéb", "xéx", [0..<1, 1..<2, 2..<3]),
      ("aéb", "aéb", [1..<2]),
    ])
  func ranges(_ text: String, _ old: String, _ expected: [Range<Int>]) {
    #expect(stretches(row(text), over: row(old)).map(\.columns) == expected)
  }

  @Test("Over blanks all that is no blank is drawn")
  func blanks() {
    #expect(stretches(row(" ab c"), over: nil).map(\.columns) == [1..<3, 4..<5])
  }

  @Test("What is plain differs, and nothing that differs is left out")
  func random() {
    var numbers = RandomText(seed: 7)
    for _ in 0..<500 {
      let (cells, old) = (anyRow(&numbers), anyRow(&numbers))
      let found = stretches(cells, over: old)
      var drawn = Set<Int>()
      for stretch in found {
        drawn.formUnion(stretch.columns)
        guard stretch.isPlain else { continue }
        #expect(Set(stretch.columns.map { cells[$0].style }).count == 1)
        for column in stretch.columns {
          #expect(cells[column].isPlain)
          #expect(cells[column] != (column < old.count ? old[column] : .blank()))
        }
      }
      for column in cells.indices where cells[column] != (column < old.count ? old[column] : .blank()) {
        #expect(drawn.contains(column))
      }
      for column in cells.indices where !cells[column].isASCII { #expect(drawn.contains(column)) }
    }
  }

  private func anyRow(_ numbers: inout RandomText) -> [Cell] {
    row(
      String((0..<Int.random(in: 0...12, using: &numbers)).map { _ in "aab Bé".randomElement(using: &numbers) ?? " " }))
  }
}
