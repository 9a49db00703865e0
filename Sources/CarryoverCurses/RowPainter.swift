internal import CCarryoverCurses
internal import CarryoverTerminal

/// Gives ncurses the cells of a frame row by row.
///
/// A value of its own, so that the terminal, a class, is entered once a row: for each cell that would cost more than the
/// cell.
struct RowPainter {
  /// The size of the screen.
  var size = Size(columns: 0, rows: 0)

  private var looks: LookTable
  private var scalars: [UInt32] = []

  init(looks: LookTable) {
    self.looks = looks
  }

  /// Puts a row where nothing but blanks is.
  mutating func draw(_ cells: [Cell], row: Int) {
    let empty = Cell.blank()
    for (column, cell) in cells.prefix(size.columns).enumerated() where cell.columns > 0 && cell != empty {
      put(cell, row: row, column: column)
    }
  }

  /// Puts a cell if the C library agrees with its width, and else a mark in each of its columns.
  private mutating func put(_ cell: Cell, row: Int, column: Int) {
    let look = looks.entry(for: cell.style)
    let fits = column + cell.columns <= size.columns
    if fits, agrees(cell.base, cell.columns) {
      scalars.removeAll(keepingCapacity: true)
      cell.forEachScalar { scalars.append($0.value) }
      if scalars.dropFirst().allSatisfy({ cc_width($0) == 0 }),
        cc_put(Int32(row), Int32(column), scalars, Int32(scalars.count), look.attributes, look.pair) == 0
      {
        return
      }
    }
    for offset in 0..<(fits ? cell.columns : 1) {
      _ = cc_put(Int32(row), Int32(column + offset), [fits ? 0x3F : 0x20], 1, look.attributes, look.pair)
    }
  }

  /// Whether the C library gives a scalar these columns.
  private func agrees(_ scalar: UInt32, _ columns: Int) -> Bool {
    scalar >= 0x20 && scalar < 0x7F ? columns == 1 : cc_width(scalar) == Int32(columns)
  }
}
