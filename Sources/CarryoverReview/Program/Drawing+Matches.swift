import CarryoverTerminal

extension Drawing {
  /// Marks wherever a search finds something in a text that was drawn into a field.
  mutating func markMatches(_ wanted: SearchText, in text: String, row: Int, columns: Range<Int>) {
    let shown = Array(text)
    let characters = wanted.isExact ? shown : Array(text.lowercased())
    let query = Array(wanted.isExact ? wanted.text : wanted.text.lowercased())
    // Where small letters are more or fewer than the capitals, nothing stands where it is looked for.
    guard characters.count == shown.count, !query.isEmpty else { return }
    var column = columns.lowerBound
    var start = 0
    while start + query.count <= characters.count, column < columns.upperBound {
      guard characters[start] == query[0], characters[start..<(start + query.count)].elementsEqual(query) else {
        column += DisplayWidth.columns(of: String(shown[start]))
        start += 1
        continue
      }
      let width = DisplayWidth.columns(of: String(shown[start..<(start + query.count)]))
      let end = min(column + width, columns.upperBound)
      grid.restyle(Rect(column: column, row: row, columns: end - column, rows: 1)) { _ in Style(.match) }
      column += width
      start += query.count
    }
  }
}
