/// A screen as cells. Every row is exactly as wide as the grid, whatever is drawn: half a wide character is never left
/// behind, and what lies outside is clipped.
package struct Grid: Hashable, Sendable {
  /// The most columns, and the most rows, a grid has.
  package static let maximum = 1000

  /// How large it is; each side at most ``maximum``.
  package let size: Size
  /// The characters its lines and ellipses are drawn with. With ``Glyphs/ascii`` every cell is printable ASCII.
  package let glyphs: Glyphs

  /// Row by row: a row is given to curses as a whole.
  private var rows: [[Cell]]

  /// An empty grid.
  package init(size: Size, glyphs: Glyphs = .unicode) {
    self.size = Size(
      columns: min(size.columns, Grid.maximum), rows: min(size.rows, Grid.maximum))
    self.glyphs = glyphs
    rows = Array(repeating: Array(repeating: .blank(), count: self.size.columns), count: self.size.rows)
  }

  /// The cell at a row and a column. Outside the grid it is blank and setting it does nothing; a wide cell set in the
  /// last column becomes a blank.
  package subscript(row: Int, column: Int) -> Cell {
    get {
      contains(row: row, column: column) ? rows[row][column] : .blank()
    }
    set {
      let unshowable = glyphs == .ascii && !newValue.isASCII
      if unshowable {
        let marks = DisplayWidth.Cluster(text: "?", columns: 1)
        place(Cell(marks, style: newValue.style), row: row, column: column)
        if newValue.columns == 2 {
          place(Cell(marks, style: newValue.style), row: row, column: column + 1)
        }
      } else {
        place(newValue, row: row, column: column)
      }
    }
  }

  /// The cell at a position, as ``subscript(_:_:)`` gives it.
  package subscript(position: Position) -> Cell {
    get { self[position.row, position.column] }
    set { self[position.row, position.column] = newValue }
  }

  /// The text of every row, each exactly as many columns as the grid.
  package var lines: [String] {
    (0..<size.rows).map { line($0) }
  }

  /// The text of one row; empty outside the grid.
  package func line(_ row: Int) -> String {
    var line = ""
    for cell in self.row(row) {
      cell.forEachScalar { line.unicodeScalars.append($0) }
    }
    return line
  }

  /// The cells of one row; none outside the grid.
  package func row(_ row: Int) -> ArraySlice<Cell> { self.cells(row)[...] }

  /// The cells of one row, from 0; none outside the grid.
  package func cells(_ row: Int) -> [Cell] {
    guard row >= 0, row < size.rows else { return [] }
    return rows[row]
  }

  /// Fills a rectangle with a cell, by default with blanks of `style`.
  package mutating func fill(_ rect: Rect, with text: String = " ", style: Style = .plain) {
    let cell = Cell(text, style: style)
    let columns = rect.columnRange.clamped(to: 0..<size.columns)
    for row in rect.rowRange.clamped(to: 0..<size.rows) {
      for column in stride(from: columns.lowerBound, to: columns.upperBound, by: max(1, cell.columns)) {
        // A wide cell that would reach past the rectangle is a blank, like one that reaches past the grid.
        let fits = column + cell.columns <= columns.upperBound
        self[row, column] = fits ? cell : .blank(style)
      }
    }
  }

  /// Gives the cells of a rectangle another style and leaves their text.
  package mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let columns = rect.columnRange.clamped(to: 0..<size.columns)
    for row in rect.rowRange.clamped(to: 0..<size.rows) {
      for column in columns {
        let cell = rows[row][column]
        rows[row][column] = cell.restyled(change(cell.style))
      }
    }
  }

  func contains(row: Int, column: Int) -> Bool {
    row >= 0 && row < size.rows && column >= 0 && column < size.columns
  }

  /// Puts blanks into columns of a row, as ``place(_:row:column:)`` would one by one.
  mutating func place(blanks columns: Range<Int>, row: Int, style: Style) {
    let columns = columns.clamped(to: 0..<size.columns)
    guard row >= 0, row < size.rows, let first = columns.first, let last = columns.last else { return }
    // The outermost two may cut a wide character in half; those between only overwrite.
    place(.blank(style), row: row, column: first)
    place(.blank(style), row: row, column: last)
    rows[row].withUnsafeMutableBufferPointer { cells in
      for column in columns { cells[column] = .blank(style) }
    }
  }

  /// Puts printable ASCII into a row of the grid, a column a byte, as ``place(_:row:column:)`` would one by one.
  mutating func place(plain bytes: Substring.UTF8View, row: Int, column: Int, style: Style) {
    guard row >= 0, row < size.rows else { return }
    let visible = column..<(column + bytes.count)
    let columns = visible.clamped(to: 0..<size.columns)
    guard let first = columns.first, let last = columns.last else { return }
    // The outermost two may cut a wide character in half; those between only overwrite.
    place(.blank(style), row: row, column: first)
    place(.blank(style), row: row, column: last)
    let shown = bytes.dropFirst(first - column).prefix(columns.count)
    rows[row].withUnsafeMutableBufferPointer { cells in
      for (index, byte) in zip(first...last, shown) {
        cells[index] = Cell(shown: Unicode.Scalar(byte), style: style)
      }
    }
  }

  /// Puts a cell and mends what it cut in half.
  mutating func place(_ cell: Cell, row: Int, column: Int) {
    guard contains(row: row, column: column) else { return }
    let wide = cell.columns == 2
    guard cell.columns != 0, !wide || column + 1 < size.columns else {
      place(.blank(cell.style), row: row, column: column)
      return
    }
    rows[row].withUnsafeMutableBufferPointer { cells in
      let last = wide ? column + 1 : column
      if cells[column].columns == 0 {
        cells[column - 1] = .blank(cells[column - 1].style)
      }
      if last + 1 < cells.count, cells[last + 1].columns == 0 {
        cells[last + 1] = .blank(cells[last + 1].style)
      }
      cells[column] = cell
      if wide {
        cells[last] = .continuation(cell.style)
      }
    }
  }
}

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

/// Where text stands in a field that is wider than it.
package enum Alignment: Hashable, Sendable {
  /// At the left.
  case leading
  /// In the middle.
  case center
  /// At the right.
  case trailing
}

extension Grid {
  /// Writes text and returns how many columns it took.
  ///
  /// Hidden scalars are shown as escapes even where the caller did not escape them, so nothing drawn can steer the
  /// terminal. Text that does not fit ends in an ellipsis.
  ///
  /// - Parameters:
  ///   - text: What to write, on one row.
  ///   - position: Where it begins. It may lie outside; what falls outside is not drawn.
  ///   - width: The columns of the field. The field is filled: the rest of it becomes blanks of `style`, and `width` is
  ///     returned. Without it, the text takes what it needs, up to the right edge.
  ///   - style: How it is shown.
  ///   - alignment: Where in the field it stands.
  /// - Returns: The columns to go on by; at most ``maximum``.
  @discardableResult
  package mutating func put(
    _ text: String, at position: Position, width: Int? = nil, style: Style = .plain,
    alignment: Alignment = .leading
  ) -> Int {
    let start = max(-Grid.maximum, min(position.column, Grid.maximum))
    let room = width.map { max(0, min($0, Grid.maximum)) } ?? max(0, size.columns - start)
    if alignment == .leading, DisplayWidth.isPlain(text) {
      return put(plain: text, row: position.row, column: start, room: room, fills: width != nil, style: style)
    }
    let (clusters, columns) = DisplayWidth.fit(text, columns: room, glyphs: glyphs)
    let spare = width == nil ? 0 : room - columns
    let before =
      switch alignment {
      case .leading: 0
      case .center: spare / 2
      case .trailing: spare
      }
    var column = start
    blank(before, row: position.row, column: &column, style: style)
    for cluster in clusters {
      if column == -1, cluster.columns == 2 {
        place(.blank(style), row: position.row, column: 0)
      } else {
        place(Cell(cluster, style: style), row: position.row, column: column)
      }
      column += cluster.columns
    }
    blank(spare - before, row: position.row, column: &column, style: style)
    return column - start
  }

  /// What ``put(_:at:width:style:alignment:)`` does, for printable ASCII: most text is, and needs no clusters.
  private mutating func put(plain text: String, row: Int, column: Int, room: Int, fills: Bool, style: Style) -> Int {
    let count = text.utf8.count
    guard count > room else {
      place(plain: text[...].utf8, row: row, column: column, style: style)
      var end = column + count
      if fills { blank(room - count, row: row, column: &end, style: style) }
      return end - column
    }
    guard room > 0 else { return 0 }
    place(plain: text[...].utf8.prefix(room - 1), row: row, column: column, style: style)
    let ellipsis = DisplayWidth.Cluster(text: glyphs.ellipsis, columns: 1)
    place(Cell(ellipsis, style: style), row: row, column: column + room - 1)
    return room
  }

  private mutating func blank(_ count: Int, row: Int, column: inout Int, style: Style) {
    guard count > 0 else { return }
    place(blanks: column..<(column + count), row: row, style: style)
    column += count
  }
}

/// The characters that lines and ellipses are drawn with.
package enum Glyphs: Hashable, Sendable {
  /// Box drawing characters and `…`.
  case unicode
  /// `+`, `-`, `|` and `~`, for terminals whose locale is not UTF-8.
  case ascii

  /// What stands for text that was cut off; one column.
  package var ellipsis: String { self == .ascii ? "~" : "…" }

  /// The character whose lines leave the middle of the cell in these directions.
  func line(_ arms: Arms) -> String {
    switch self {
    case .unicode: Arms.unicode[Int(arms.rawValue & 15)]
    case .ascii:
      if arms.isSubset(of: [.left, .right]) {
        "-"
      } else if arms.isSubset(of: [.up, .down]) {
        "|"
      } else {
        "+"
      }
    }
  }

  /// The scalar of ``line(_:)``.
  func lineScalar(_ arms: Arms) -> Unicode.Scalar {
    switch self {
    case .unicode: Arms.scalars[Int(arms.rawValue & 15)]
    case .ascii: arms.isSubset(of: [.left, .right]) ? "-" : arms.isSubset(of: [.up, .down]) ? "|" : "+"
    }
  }

  /// The directions of a cell with a character that `line` gives; none of any other.
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

  /// The directions of a character that `line` gives; none of any other.
  package func arms(of text: String) -> Arms {
    switch (self, text) {
    case (.unicode, _): Arms.byCharacter[text] ?? []
    case (.ascii, "-"): [.left, .right]
    case (.ascii, "|"): [.up, .down]
    case (.ascii, "+"): [.up, .down, .left, .right]
    default: []
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

  static let unicode = scalars.map { String($0) }

  static let byCharacter: [String: Arms] = {
    var arms: [String: Arms] = [:]
    for (index, character) in unicode.enumerated().dropFirst() {
      arms[character] = Arms(rawValue: UInt8(index))
    }
    return arms
  }()
}

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
