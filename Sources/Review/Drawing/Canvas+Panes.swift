import Carryover
import Terminal

extension Canvas {
  /// The lines around the panes and their titles. The pane that receives the keys has a mark in its title besides the
  /// colour of its lines.
  mutating func drawFrames(_ layout: Layout) {
    let active = state.activePane
    for pane in state.visiblePanes where pane != active { grid.frame(layout.frame(of: pane)) }
    // Last, so that the lines it shares are its own.
    let style = Style(.frameFocused)
    grid.frame(layout.frame(of: active), style: style)
    let middle = layout.proposedColumns.lowerBound - 1
    if layout.shape != .narrow {
      grid.verticalLine(
        column: middle, from: 1, through: layout.dividerRow, style: active == .fields ? style : Style(.frame))
      // The ends of that line belong to the edges it meets.
      if active == .warnings { grid.frame(layout.frame(of: active), style: style) }
    }
    let findings = state.findingsCount == 0 ? "No warnings" : "Warnings \(state.findingsCount)"
    let first = layout.shape == .narrow ? "Proposed" : "Legacy"
    // The number, the mark of the keys and the frame stand around it.
    title(listTitle(first, columns: layout.listColumns.count - 6), of: .fields, row: 1, from: 0)
    if layout.shape != .narrow { title("Proposed", row: 1, from: middle, until: layout.lastColumn) }
    title(findings, of: .warnings, row: layout.dividerRow, from: 0)
    if layout.hasDetails {
      let name = state.selected.map { ": " + ink.name($0.id, columns: layout.detailsColumns.count) } ?? ""
      title(Pane.details.title + name, of: .details, row: 1, from: layout.lastColumn)
    }
    if state.rows.count > layout.listRows.count, let row = state.cursorRow {
      drawPlace("\(row + 1) of \(state.rows.count)", row: layout.dividerRow, before: layout.lastColumn)
    }
  }

  private mutating func title(_ text: String, of pane: Pane, row: Int, from column: Int) {
    let mark = pane == state.activePane ? ink.focusMark : ""
    let frame = state.layout.frame(of: pane)
    title("\(mark)\(pane.rawValue) \(text)", row: row, from: column, until: frame.columnRange.upperBound - 1)
  }

  private mutating func title(_ text: String, row: Int, from column: Int, until end: Int) {
    let room = max(0, end - column - 3)
    let (text, columns) = DisplayWidth.truncate(text, columns: room, glyphs: ink.glyphs)
    guard columns > 0 else { return }
    grid.put(
      " \(text) ", at: Position(column: column + 1, row: row), width: columns + 2, style: Style(.title))
  }

  /// Says at the right of a line of a frame which part is in sight.
  mutating func drawPlace(_ words: String, row: Int, before column: Int) {
    let place = " \(words) "
    grid.put(
      place, at: Position(column: column - place.utf8.count - 1, row: row), width: place.utf8.count,
      style: Style(.muted))
  }

  /// What was observed about the selected field, then about the container, and what is left behind.
  mutating func drawWarnings(_ layout: Layout) {
    let warnings = state.panes.warnings
    let isActive = state.activePane == .warnings
    for (offset, row) in layout.warningRows.enumerated() {
      put(warnings[warnings.top + offset], row: row, columns: layout.warningColumns)
    }
    drawRest(
      "… w shows the rest", of: warnings.count, top: warnings.top, isActive: isActive, rows: layout.warningRows,
      columns: layout.warningColumns, edge: layout.lastColumn)
  }

  /// All about the selected field, beside the list.
  mutating func drawDetails(_ layout: Layout) {
    guard layout.hasDetails else { return }
    let details = state.panes.details
    for (offset, row) in layout.detailsRows.enumerated() where details.lines.indices.contains(details.top + offset) {
      put(details.lines[details.top + offset], row: row, columns: layout.detailsColumns)
    }
    drawRest(
      "… enter shows the rest", of: details.lines.count, top: details.top, isActive: state.activePane == .details,
      rows: layout.detailsRows, columns: layout.detailsColumns, edge: size.columns - 1)
  }

  /// Of a pane that is cut, what shows the rest; of one that is scrolled or can be, which part is in sight.
  private mutating func drawRest(
    _ rest: String, of count: Int, top: Int, isActive: Bool, rows: Range<Int>, columns: Range<Int>, edge: Int
  ) {
    guard count > rows.count, let last = rows.last else { return }
    guard isActive || top > 0 else { return field(ink.words(rest), row: last, columns: columns, Style(.muted)) }
    drawPlace("\(top + 1)-\(min(count, top + rows.count)) of \(count)", row: size.rows - 2, before: edge)
  }
}

extension Ink {
  /// Marks the title of the pane that receives the keys, so that it can be told without colours.
  var focusMark: String { glyphs == .ascii ? ">" : "»" }
}
