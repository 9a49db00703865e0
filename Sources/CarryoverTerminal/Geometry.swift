/// How large a screen, a grid or a part of one is, in cells.
package struct Size: Hashable, Sendable {
  /// Cells from left to right.
  package var columns: Int
  /// Cells from top to bottom.
  package var rows: Int

  /// A size of `columns` by `rows` cells; what is negative becomes 0.
  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

/// A cell's place, counted from 0 at the top left. It may lie outside a grid: drawing there is clipped.
package struct Position: Hashable, Sendable {
  /// Cells from the left.
  package var column: Int
  /// Cells from the top.
  package var row: Int

  /// The cell `column` from the left and `row` from the top.
  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A rectangle of cells.
package struct Rect: Hashable, Sendable {
  /// The top left cell.
  package var origin: Position
  /// How many cells it covers.
  package var size: Size

  /// The rectangle of `size` whose top left cell is `origin`.
  package init(origin: Position, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// The rectangle of `columns` by `rows` cells whose top left cell is at `column` and `row`.
  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(origin: Position(column: column, row: row), size: Size(columns: columns, rows: rows))
  }

  /// Whether `position` is one of its cells.
  package func contains(_ position: Position) -> Bool {
    columnRange.contains(position.column) && rowRange.contains(position.row)
  }

  /// The columns it covers, clamped to what an `Int` holds.
  package var columnRange: Range<Int> { Rect.range(from: origin.column, count: size.columns) }

  /// The rows it covers, clamped to what an `Int` holds.
  package var rowRange: Range<Int> { Rect.range(from: origin.row, count: size.rows) }

  private static func range(from start: Int, count: Int) -> Range<Int> {
    let (end, overflow) = start.addingReportingOverflow(max(0, count))
    return start..<(overflow ? Int.max : end)
  }
}
