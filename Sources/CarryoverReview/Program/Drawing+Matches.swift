import CarryoverTerminal

extension Drawing {
  /// Marks what a search finds in what was drawn into some rows, whatever it is.
  /// - Parameters:
  ///   - isWrapped: Whether the rows are a text that was wrapped to the columns.
  ///   - current: The row with the match that was gone to last.
  mutating func markMatches(
    _ wanted: SearchText, rows: Range<Int>, columns: Range<Int>, isWrapped: Bool = false, current: Int? = nil
  ) {
    guard !wanted.isEmpty, !columns.isEmpty else { return }
    let lines = rows.map { grid.text(row: $0, columns: columns) }
    let text = PageText(lines, columns: isWrapped ? columns.count : nil, isExact: wanted.isExact)
    for hit in text.hits(wanted) {
      for line in hit.start.line...hit.end.line {
        let from = line == hit.start.line ? hit.start.byte : 0
        let to = line == hit.end.line ? hit.end.byte : Int.max
        let found = PageText.columns(of: from..<max(from, to), in: lines[line], isExact: wanted.isExact)
        let row = rows.lowerBound + line
        grid.restyle(
          Rect(column: columns.lowerBound + found.lowerBound, row: row, columns: found.count, rows: 1)
        ) { _ in Style(.match, selected: row == current) }
      }
    }
  }
}

extension Grid {
  /// The text in some columns of a row.
  fileprivate func text(row: Int, columns: Range<Int>) -> String {
    let cells = cells(row)
    var text = ""
    for column in columns.clamped(to: 0..<cells.count) {
      cells[column].forEachScalar { text.unicodeScalars.append($0) }
    }
    return text
  }
}
