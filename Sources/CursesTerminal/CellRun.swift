internal import CCurses

/// Cells side by side that ncurses is given in one call: one by one, they would be most of what a frame costs.
struct CellRun {
  private var cells: [cc_cell] = []
  private var row = 0
  private var column = 0

  /// Adds a cell of one column. One that does not follow the last begins a new run.
  mutating func add(_ scalar: UInt32, _ look: LookTable.Entry, row: Int, column: Int) {
    if row != self.row || column != self.column + cells.count {
      send()
    }
    if cells.isEmpty {
      self.row = row
      self.column = column
    }
    cells.append(cc_cell(scalar: scalar, attributes: look.attributes, pair: look.pair))
  }

  /// Gives the run to ncurses.
  mutating func send() {
    guard !cells.isEmpty else { return }
    cc_put_run(Int32(row), Int32(column), cells, Int32(cells.count))
    cells.removeAll(keepingCapacity: true)
  }
}
