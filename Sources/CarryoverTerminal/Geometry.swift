/// How large a screen, a grid or a part of one is, in cells.
public struct Size: Hashable, Sendable {
  /// Cells from left to right.
  public var columns: Int
  /// Cells from top to bottom.
  public var rows: Int

  /// A size of `columns` by `rows` cells; what is negative becomes 0.
  public init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

/// A cell's place, counted from 0 at the top left. It may lie outside a grid: drawing there is clipped.
public struct Position: Hashable, Sendable {
  /// Cells from the left.
  public var column: Int
  /// Cells from the top.
  public var row: Int

  /// The cell `column` from the left and `row` from the top.
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A rectangle of cells.
public struct Rect: Hashable, Sendable {
  /// The top left cell.
  public var origin: Position
  /// How many cells it covers.
  public var size: Size

  /// The rectangle of `size` whose top left cell is `origin`.
  public init(origin: Position, size: Size) {
    self.origin = origin
    self.size = size
  }

  /// The rectangle of `columns` by `rows` cells whose top left cell is at `column` and `row`.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(origin: Position(column: column, row: row), size: Size(columns: columns, rows: rows))
  }

  /// Whether `position` is one of its cells.
  public func contains(_ position: Position) -> Bool {
    columnRange.contains(position.column) && rowRange.contains(position.row)
  }

  /// The columns it covers, clamped to what an `Int` holds.
  public var columnRange: Range<Int> { Rect.range(from: origin.column, count: size.columns) }

  /// The rows it covers, clamped to what an `Int` holds.
  public var rowRange: Range<Int> { Rect.range(from: origin.row, count: size.rows) }

  private static func range(from start: Int, count: Int) -> Range<Int> {
    let (end, overflow) = start.addingReportingOverflow(max(0, count))
    return start..<(overflow ? Int.max : end)
  }
}
