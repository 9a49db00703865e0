internal import CCarryoverCurses

/// Cells side by side that ncurses is given in one call: one by one, they would be most of what a frame costs.
struct CellRun {
  private var cells: [cc_cell] = []
  private var row = 0
  private var column = 0
  private var isGuarded = false

  /// Says where the next cell is. One that does not follow the last begins a new run.
  /// - Parameter isGuarded: Whether the cell before was just written by itself. ncurses may hold the second half of a
  ///   wide character here that has lost its first; told of several cells it would blank what stands in front of that,
  ///   so such a run is given one by one.
  mutating func begin(row: Int, column: Int, isGuarded: Bool) {
    if row != self.row || column != self.column + cells.count {
      send()
    }
    if cells.isEmpty {
      self.row = row
      self.column = column
      self.isGuarded = isGuarded
    }
  }

  /// Adds a cell of one column, behind the last.
  mutating func add(_ scalar: UInt32, _ look: LookTable.Entry) {
    cells.append(cc_cell(scalar: scalar, attributes: look.attributes, pair: look.pair))
  }

  /// Gives the run to ncurses.
  mutating func send() {
    guard !cells.isEmpty else { return }
    if isGuarded {
      for (offset, cell) in cells.enumerated() {
        _ = cc_put(Int32(row), Int32(column + offset), [cell.scalar], 1, cell.attributes, cell.pair)
      }
    } else {
      cc_put_run(Int32(row), Int32(column), cells, Int32(cells.count))
    }
    cells.removeAll(keepingCapacity: true)
  }
}
