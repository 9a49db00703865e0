internal import CCarryoverCurses
internal import CarryoverTerminal

/// The cells of a frame whose width is uncertain. curses is given a mark in their place; they are written to the terminal
/// afterwards, each at a position of its own, so that none can push another, nor a frame's border, from its place.
struct Overlay {
  private var cells: [(row: Int, column: Int, cell: Cell, look: LookTable.Entry)] = []
  private var scalars: [UInt32] = []

  var isEmpty: Bool { cells.isEmpty }

  /// Notes a cell.
  mutating func add(_ cell: Cell, row: Int, column: Int, look: LookTable.Entry) {
    cells.append((row, column, cell, look))
  }

  /// Writes what was noted, once curses has sent its part.
  mutating func send() {
    guard !cells.isEmpty else { return }
    cc_overlay_begin()
    for (row, column, cell, look) in cells {
      scalars.removeAll(keepingCapacity: true)
      scalars.append(contentsOf: cell.text.unicodeScalars.lazy.map(\.value))
      cc_overlay_put(
        Int32(row), Int32(column), Int32(cell.columns), scalars, Int32(scalars.count), look.attributes, look.pair)
    }
    cc_overlay_end()
    cells.removeAll(keepingCapacity: true)
  }
}
