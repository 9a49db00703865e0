import CarryoverTerminal

extension Canvas<ReviewState> {
  /// The frame of a list with a pane below it.
  /// - Parameters:
  ///   - titles: The title of each column, with the column of the screen its frame begins at.
  ///   - pane: The title of the pane.
  ///   - row: The row with the cursor, and of how many.
  mutating func drawListFrame(_ layout: Layout, titles: [(start: Int, title: String)], pane: String, row: Int, of: Int)
  {
    let last = size.columns - 1
    grid.frame(Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2))
    for (index, column) in titles.enumerated() {
      let end = titles.indices.contains(index + 1) ? titles[index + 1].start : last
      grid.frame(
        Rect(column: column.start, row: 1, columns: end - column.start + 1, rows: layout.dividerRow),
        title: ink.words(column.title), titleStyle: Style(.title))
    }
    var room = size.columns - 4
    if of > layout.listRows.count {
      let place = " \(row + 1) of \(of) "
      room -= place.utf8.count + 1
      let position = Position(column: last - place.utf8.count - 1, row: layout.dividerRow)
      grid.put(place, at: position, width: place.utf8.count, style: Style(.muted))
    }
    let title = " \(ink.words(pane)) "
    grid.put(
      title, at: Position(column: 1, row: layout.dividerRow), width: min(DisplayWidth.columns(of: title), max(0, room)),
      style: Style(.title))
  }

  /// The lines of the pane below a list, as far as they fit.
  mutating func drawPane(_ layout: Layout, _ lines: [[Span]], rest: String) {
    let columns = 2..<max(2, size.columns - 2)
    for (row, line) in zip(layout.warningRows, lines) { put(line, row: row, columns: columns) }
    guard lines.count > layout.warningRows.count, let last = layout.warningRows.last else { return }
    field(ink.words(rest), row: last, columns: columns, Style(.muted))
  }

  /// A writer for the pane below a list.
  var paneWriter: PageWriter { PageWriter(columns: max(1, size.columns - 4), ink: ink) }
}
