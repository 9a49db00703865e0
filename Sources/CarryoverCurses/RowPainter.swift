internal import CCarryoverCurses
internal import CarryoverTerminal

/// Gives ncurses the cells of a frame row by row.
///
/// A value of its own, so that the terminal, a class, is entered once a row: for each cell that would cost more than the
/// cell.
struct RowPainter {
  /// The size of the screen.
  var size = Size(columns: 0, rows: 0)

  /// Whether cells of uncertain width are written past ncurses.
  private let usesOverlay: Bool
  private var looks: LookTable
  private var overlay = Overlay()
  private var run = CellRun()
  private var scratch: [UInt32] = []

  init(looks: LookTable, glyphs: Glyphs) {
    self.looks = looks
    usesOverlay = glyphs == .unicode
  }

  /// Gives ncurses what differs in a row: cells side by side together, and those of uncertain width one by one.
  mutating func draw(_ cells: [Cell], over old: [Cell]?, row: Int) {
    // Behind the last cell that was written by itself.
    var end = -1
    let empty = Cell.blank()
    let width = min(cells.count, size.columns)
    var next = 0
    while true {
      let stretch = Cell.nextToDraw(cells, over: old, from: next)
      let column = stretch.columns.lowerBound
      guard column < width else { break }
      next = stretch.columns.upperBound
      let cell = cells[column]
      if stretch.isPlain {
        let look = looks.entry(for: cell.style)
        run.begin(row: row, column: column, isGuarded: column == end)
        for cell in cells[column..<min(next, width)] { run.add(cell.base, look) }
        continue
      }
      guard cell.columns > 0 else { continue }
      let before = old.flatMap { column < $0.count ? $0[column] : nil } ?? empty
      let isNew = cell != before
      let isCertain = cell.hasCertainWidth
      if isNew, isCertain, cell.columns == 1, let scalar = cell.onlyScalar, agrees(scalar.value, 1) {
        run.begin(row: row, column: column, isGuarded: column == end)
        run.add(scalar.value, looks.entry(for: cell.style))
      } else if isNew {
        run.send()
        put(cell, row: row, column: column)
        end = column + cell.columns
      }
      // ncurses may have sent its mark again to reach a cell beyond.
      if !isCertain, isOverlaid(cell, column: column) {
        overlay.add(cell, row: row, column: column, look: looks.entry(for: cell.style))
        guardNeighbour(of: cell, in: cells, row: row, column: column)
      }
    }
    run.send()
  }

  /// Whether cells of uncertain width are to be written once ncurses has sent the others.
  var hasOverlay: Bool { !overlay.isEmpty }

  /// Writes the cells of uncertain width, once ncurses has sent the others.
  mutating func sendOverlay() { overlay.send() }

  /// Whether a cell is written past ncurses. In the last column it would have no room to be wider than it should.
  private func isOverlaid(_ cell: Cell, column: Int) -> Bool {
    !cell.hasCertainWidth && usesOverlay && column + cell.columns < size.columns
  }

  /// Has the cell after one of uncertain width written again, which that one may have run into.
  private mutating func guardNeighbour(of cell: Cell, in cells: [Cell], row: Int, column: Int) {
    let next = column + cell.columns
    let neighbour = cells[next]
    // Writing in the last cell of all could scroll.
    guard !isOverlaid(neighbour, column: next), row < size.rows - 1 || next + neighbour.columns < size.columns,
      neighbour.hasCertainWidth, neighbour.columns > 0
    else { return }
    overlay.add(neighbour, row: row, column: next, look: looks.entry(for: neighbour.style))
  }

  /// Gives ncurses a cell if the C library agrees with its width, and else a mark for each of its columns.
  private mutating func put(_ cell: Cell, row: Int, column: Int) {
    let look = looks.entry(for: cell.style)
    let fits = column + cell.columns <= size.columns
    scratch.removeAll(keepingCapacity: true)
    if fits, cell.hasCertainWidth {
      cell.forEachScalar { scratch.append($0.value) }
      if let base = scratch.first, agrees(base, cell.columns),
        cc_put(Int32(row), Int32(column), scratch, Int32(scratch.count), look.attributes, look.pair) == 0
      {
        return
      }
    }
    for offset in 0..<(fits ? cell.columns : 1) {
      let placeholder: [UInt32] = [fits ? 0x3F : 0x20]
      _ = cc_put(Int32(row), Int32(column + offset), placeholder, 1, look.attributes, look.pair)
    }
  }

  /// Whether the C library gives a scalar these columns.
  private func agrees(_ scalar: UInt32, _ columns: Int) -> Bool {
    scalar >= 0x20 && scalar < 0x7F ? columns == 1 : cc_width(scalar) == Int32(columns)
  }
}
