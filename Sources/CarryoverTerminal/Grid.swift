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
