extension Grid {
  /// Draws a frame along the inside of a rectangle. Where it meets a line that is there already the two are joined, so
  /// panes that share an edge get their tees by themselves. A rectangle below two by two gets none.
  ///
  /// - Parameters:
  ///   - rect: The cells whose outermost ones become the frame.
  ///   - title: Stands in the top edge, one column in, cut where it is too long.
  ///   - style: The style of the lines.
  ///   - titleStyle: The style of the title; the lines' own if nil.
  package mutating func frame(
    _ rect: Rect, title: String? = nil, style: Style = Style(.frame), titleStyle: Style? = nil
  ) {
    guard rect.size.columns >= 2, rect.size.rows >= 2 else { return }
    let left = rect.columnRange.lowerBound
    let right = rect.columnRange.upperBound - 1
    let top = rect.rowRange.lowerBound
    let bottom = rect.rowRange.upperBound - 1
    horizontalLine(row: top, from: left, through: right, style: style)
    horizontalLine(row: bottom, from: left, through: right, style: style)
    verticalLine(column: left, from: top, through: bottom, style: style)
    verticalLine(column: right, from: top, through: bottom, style: style)
    if let title, rect.size.columns >= 5, left > -Grid.maximum, left < Grid.maximum {
      let room = rect.size.columns - 4
      let (fitting, columns) = DisplayWidth.truncate(title, columns: room, glyphs: glyphs)
      if columns > 0 {
        put(
          " " + fitting + " ", at: Position(column: left + 1, row: top), width: columns + 2,
          style: titleStyle ?? style)
      }
    }
  }

  /// Draws a line within a row, joined at its ends and wherever it crosses another.
  package mutating func horizontalLine(
    row: Int, from first: Int, through last: Int, style: Style = Style(.frame)
  ) {
    guard first <= last, row >= 0, row < size.rows else { return }
    for column in max(0, first)..<max(max(0, first), min(last, size.columns - 1) + 1) {
      var arms: Arms = []
      if column > first { arms.insert(.left) }
      if column < last { arms.insert(.right) }
      join(arms, row: row, column: column, style: style)
    }
  }

  /// Draws a line within a column, joined at its ends and wherever it crosses another.
  package mutating func verticalLine(
    column: Int, from first: Int, through last: Int, style: Style = Style(.frame)
  ) {
    guard first <= last, column >= 0, column < size.columns else { return }
    for row in max(0, first)..<max(max(0, first), min(last, size.rows - 1) + 1) {
      var arms: Arms = []
      if row > first { arms.insert(.up) }
      if row < last { arms.insert(.down) }
      join(arms, row: row, column: column, style: style)
    }
  }

  private mutating func join(_ arms: Arms, row: Int, column: Int, style: Style) {
    let joined = arms.union(glyphs.arms(of: self[row, column]))
    place(Cell(shown: glyphs.lineScalar(joined), style: style), row: row, column: column)
  }
}
