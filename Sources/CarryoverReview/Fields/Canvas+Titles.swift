import Carryover
import CarryoverSystem
import CarryoverTerminal

extension Canvas<ReviewState> {
  /// The titles of the panes, and which part of one is in sight. The pane that receives the keys has a mark in its title
  /// besides the colour of its lines.
  mutating func drawTitles(_ layout: Layout) {
    let first = layout.shape == .narrow ? "Proposed" : "Legacy"
    // The number, the mark of the keys and the frame stand around it.
    drawTitle(listTitle(first, columns: layout.listColumns.count - 6), of: .fields, layout)
    if layout.shape != .narrow {
      let column = layout.proposedColumns.lowerBound - 1
      drawLabel("Proposed", row: 1, from: column + 1, room: layout.lastColumn - column - 3, Style(.title))
    }
    drawTitle(ink.words(warningsTitle(layout)), of: .warnings, layout)
    if layout.hasDetails {
      let name = state.selected.map { ": " + ink.name($0.id, columns: layout.detailsColumns.count) } ?? ""
      drawTitle(Pane.details.title + name, of: .details, layout)
    }
    if state.rows.count > layout.listRows.count, let row = state.cursorRow {
      drawPlace("\(row + 1) of \(state.rows.count)", row: layout.dividerRow, before: layout.lastColumn)
    }
    let (warnings, details) = (state.panes.warnings, state.panes.details)
    drawPart(of: .warnings, warnings.count, top: warnings.top, layout.warningRows, before: layout.lastColumn)
    if layout.hasDetails {
      drawPart(of: .details, details.lines.count, top: details.top, layout.detailsRows, before: size.columns - 1)
    }
  }

  private mutating func drawTitle(_ text: String, of pane: Pane, _ layout: Layout) {
    let mark = pane == state.activePane ? ink.focusMark : ""
    let frame = layout.frame(of: pane)
    drawLabel(
      "\(mark)\(pane.rawValue) \(text)", row: frame.origin.row, from: frame.origin.column + 1,
      room: frame.size.columns - 4, Style(.title))
  }

  /// Which lines of a pane are in sight, where it is scrolled or can be.
  private mutating func drawPart(of pane: Pane, _ count: Int, top: Int, _ rows: Range<Int>, before column: Int) {
    guard count > rows.count, pane == state.activePane || top > 0 else { return }
    drawPlace("\(top + 1)-\(min(count, top + rows.count)) of \(count)", row: size.rows - 2, before: column)
  }

  /// The title of the warnings: how many there are, and while only their first sentences are shown, how to see more. The
  /// same for every field. It ends before the line between the columns, which joins the frame.
  private func warningsTitle(_ layout: Layout) -> String {
    guard state.findingsCount > 0 else { return "No warnings" }
    let count = "Warnings \(state.findingsCount)"
    guard state.panes.warnings.ownKey?.room != nil, state.findingsCount > state.plan.containerFindings.count else {
      return count
    }
    let keys = ["explain", "focus-warnings"].compactMap {
      ReviewState.table.key($0, in: .review, state.options.keymap)?.name
    }
    let hint = keys.isEmpty ? "" : " · \(keys.joined(separator: " or ")): in full"
    let end = layout.shape == .narrow ? layout.lastColumn : layout.proposedColumns.lowerBound - 2
    // The frame and the pane's number stand before it, a space after it.
    let room = end - 5
    return count.utf8.count + DisplayWidth.columns(of: hint) <= room ? count + hint : count
  }

  /// The title of the list, with the filter where one is on.
  private func listTitle(_ title: String, columns: Int) -> String {
    guard let text = state.list.filter?.text, let filter = state.filterTitle.map({ typed($0) }) else { return title }
    let both = title + "  " + filter
    if DisplayWidth.columns(of: both) <= columns { return both }
    guard DisplayWidth.columns(of: filter) > columns else { return filter }
    // The count is kept whole, whatever was typed.
    let count = "filter (\(state.rows.count) of \(state.plan.fields.count)): "
    return count + typed(text, columns: max(1, columns - count.utf8.count))
  }

  /// The typed text, escaped and cut to the columns.
  private func typed(_ text: String, columns: Int = Grid.maximum) -> String {
    DisplayText.visible(text, limit: columns, ascii: ink.glyphs == .ascii)
  }
}

extension Ink {
  /// Marks the title of the pane that receives the keys, so that it can be told without colours.
  fileprivate var focusMark: String { glyphs == .ascii ? ">" : "»" }
}
