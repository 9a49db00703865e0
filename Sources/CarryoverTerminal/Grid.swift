/// A screen as cells. Every row is exactly as wide as the grid: drawing never leaves half a wide character, and clips
/// what is outside.
package struct Grid: Hashable, Sendable {
  package static let maximum = 1000

  package let size: Size
  /// With ``Glyphs/ascii`` every cell is printable ASCII.
  package let glyphs: Glyphs

  private var rows: [[Cell]]

  package init(size: Size, glyphs: Glyphs = .unicode) {
    self.size = Size(columns: min(size.columns, Grid.maximum), rows: min(size.rows, Grid.maximum))
    self.glyphs = glyphs
    rows = Array(repeating: Array(repeating: .blank(), count: self.size.columns), count: self.size.rows)
  }

  /// Outside the grid a cell is blank.
  package subscript(row: Int, column: Int) -> Cell {
    contains(row: row, column: column) ? rows[row][column] : .blank()
  }

  package var lines: [String] { (0..<size.rows).map(line) }

  /// Empty outside the grid.
  package func line(_ row: Int) -> String {
    var line = String.UnicodeScalarView()
    for cell in cells(row) { cell.forEachScalar { line.append($0) } }
    return String(line)
  }

  package func cells(_ row: Int) -> [Cell] { row >= 0 && row < size.rows ? rows[row] : [] }

  package mutating func clear(_ rect: Rect) {
    let columns = rect.columnRange.clamped(to: 0..<size.columns)
    for row in rect.rowRange.clamped(to: 0..<size.rows) {
      for column in columns { place(.blank(), row: row, column: column) }
    }
  }

  package mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let columns = rect.columnRange.clamped(to: 0..<size.columns)
    for row in rect.rowRange.clamped(to: 0..<size.rows) {
      for column in columns { rows[row][column] = rows[row][column].restyled(change(rows[row][column].style)) }
    }
  }

  func contains(row: Int, column: Int) -> Bool { row >= 0 && row < size.rows && column >= 0 && column < size.columns }

  /// Does nothing outside the grid; a wide cell in the last column becomes a blank. Mends wide characters that the cell
  /// cuts in half.
  mutating func place(_ cell: Cell, row: Int, column: Int) {
    guard contains(row: row, column: column) else { return }
    let wide = cell.columns == 2
    guard cell.columns != 0, !wide || column + 1 < size.columns else {
      return place(.blank(cell.style), row: row, column: column)
    }
    rows[row].withUnsafeMutableBufferPointer { cells in
      let last = wide ? column + 1 : column
      if cells[column].columns == 0 { cells[column - 1] = .blank(cells[column - 1].style) }
      if last + 1 < cells.count, cells[last + 1].columns == 0 { cells[last + 1] = .blank(cells[last + 1].style) }
      cells[column] = cell
      if wide { cells[last] = .continuation(cell.style) }
    }
  }

  /// Draws a frame along the inside of a rectangle of at least two by two cells, joined with the lines that are already
  /// there.
  /// - Parameter title: in the top edge, one column in, cut if it is too long.
  package mutating func frame(
    _ rect: Rect, title: String? = nil, style: Style = Style(.frame), titleStyle: Style? = nil
  ) {
    guard rect.size.columns >= 2, rect.size.rows >= 2 else { return }
    let (left, right) = (rect.columnRange.lowerBound, rect.columnRange.upperBound - 1)
    let (top, bottom) = (rect.rowRange.lowerBound, rect.rowRange.upperBound - 1)
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

  /// Lines are joined at their ends and wherever they cross others.
  package mutating func horizontalLine(row: Int, from first: Int, through last: Int, style: Style = Style(.frame)) {
    guard first <= last, row >= 0, row < size.rows else { return }
    for column in max(0, first)..<max(max(0, first), min(last, size.columns - 1) + 1) {
      var arms: Arms = []
      if column > first { arms.insert(.left) }
      if column < last { arms.insert(.right) }
      join(arms, row: row, column: column, style: style)
    }
  }

  package mutating func verticalLine(column: Int, from first: Int, through last: Int, style: Style = Style(.frame)) {
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
    place(Cell(shown: glyphs.line(joined), style: style), row: row, column: column)
  }

  /// Writes text on one row; text that does not fit ends in an ellipsis.
  ///
  /// Hidden scalars are always shown as escapes, so that nothing drawn can steer the terminal.
  /// - Parameter width: the columns of the field, which is filled with blanks. Without it, the text takes what it
  ///   needs, up to the right edge.
  /// - Returns: the columns it took, at most ``maximum``.
  @discardableResult
  package mutating func put(
    _ text: String, at position: Position, width: Int? = nil, style: Style = .plain
  ) -> Int {
    let start = max(-Grid.maximum, min(position.column, Grid.maximum))
    let room = width.map { max(0, min($0, Grid.maximum)) } ?? max(0, size.columns - start)
    let (clusters, columns) = DisplayWidth.fit(text, columns: room, glyphs: glyphs)
    var column = start
    for cluster in clusters {
      if column == -1, cluster.columns == 2 {
        place(.blank(style), row: position.row, column: 0)
      } else {
        place(Cell(cluster, style: style), row: position.row, column: column)
      }
      column += cluster.columns
    }
    for _ in 0..<(width == nil ? 0 : room - columns) {
      place(.blank(style), row: position.row, column: column)
      column += 1
    }
    return column - start
  }
}

package enum Glyphs: Hashable, Sendable {
  case unicode
  /// `+`, `-`, `|` and `~`, for terminals whose locale is not UTF-8.
  case ascii

  package var ellipsis: String { self == .ascii ? "~" : "…" }

  func line(_ arms: Arms) -> Unicode.Scalar {
    switch self {
    case .unicode: Arms.scalars[Int(arms.rawValue & 15)]
    case .ascii: arms.isSubset(of: [.left, .right]) ? "-" : arms.isSubset(of: [.up, .down]) ? "|" : "+"
    }
  }

  package func arms(of cell: Cell) -> Arms {
    guard cell.columns == 1, !cell.isCombined, let scalar = Unicode.Scalar(cell.base) else { return [] }
    switch (self, scalar) {
    case (.unicode, "\u{2500}"..."\u{257F}"):
      return Arms.scalars.firstIndex(of: scalar).map { Arms(rawValue: UInt8($0)) } ?? []
    case (.ascii, "-"): return [.left, .right]
    case (.ascii, "|"): return [.up, .down]
    case (.ascii, "+"): return [.up, .down, .left, .right]
    default: return []
    }
  }
}

/// The directions in which lines leave the middle of a cell.
package struct Arms: OptionSet, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let up = Arms(rawValue: 1)
  package static let down = Arms(rawValue: 2)
  package static let left = Arms(rawValue: 4)
  package static let right = Arms(rawValue: 8)

  /// Indexed by raw value.
  static let scalars: [Unicode.Scalar] = [
    " ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼",
  ]
}

package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  /// What is negative becomes 0.
  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

/// Counted from 0 at the top left. It may be outside a grid: drawing there is clipped.
package struct Position: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

package struct Rect: Hashable, Sendable {
  package var origin: Position
  package var size: Size

  package init(origin: Position, size: Size) {
    self.origin = origin
    self.size = size
  }

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    self.init(origin: Position(column: column, row: row), size: Size(columns: columns, rows: rows))
  }

  /// Clamped to what an `Int` holds.
  package var columnRange: Range<Int> { Rect.range(from: origin.column, count: size.columns) }
  package var rowRange: Range<Int> { Rect.range(from: origin.row, count: size.rows) }

  private static func range(from start: Int, count: Int) -> Range<Int> {
    let (end, overflow) = start.addingReportingOverflow(count)
    return start..<(overflow ? Int.max : end)
  }
}
