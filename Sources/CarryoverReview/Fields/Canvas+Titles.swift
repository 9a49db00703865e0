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
      drawLabel("Proposed", row: layout.top, from: column + 1, room: layout.lastColumn - column - 3, Style(.title))
    }
    let row = state.rows.count > layout.listRows.count ? state.cursorRow : nil
    let place = row.map { "\($0 + 1) of \(state.rows.count)" }
    drawTitle(findingsTitle(layout), of: .warnings, layout, before: place.map { $0.utf8.count + 2 } ?? 0)
    if layout.hasDetails {
      let name = state.selected.map { ": " + ink.name($0.id, columns: layout.detailsColumns.count) } ?? ""
      drawTitle(Pane.details.title + name, of: .details, layout)
    }
    if let place { drawPlace(place, row: layout.dividerRow, before: layout.lastColumn) }
    let (warnings, details) = (state.panes.warnings, state.panes.details)
    drawPart(of: .warnings, warnings.count, top: warnings.top, layout.warningRows, before: layout.lastColumn)
    if layout.hasDetails {
      drawPart(of: .details, details.lines.count, top: details.top, layout.detailsRows, before: size.columns - 1)
    }
  }

  /// - Parameter place: the columns that the place in the list takes behind the title.
  private mutating func drawTitle(_ text: String, of pane: Pane, _ layout: Layout, before place: Int = 0) {
    let mark = pane == state.activePane ? ink.focusMark : ""
    let frame = layout.frame(of: pane)
    drawLabel(
      "\(mark)\(pane.rawValue) \(text)", row: frame.origin.row, from: frame.origin.column + 1,
      room: frame.size.columns - 4 - place, Style(.title))
  }

  /// Which lines of a pane are in sight, where it is scrolled or can be.
  private mutating func drawPart(of pane: Pane, _ count: Int, top: Int, _ rows: Range<Int>, before column: Int) {
    guard count > rows.count, pane == state.activePane || top > 0 else { return }
    drawPlace("\(top + 1)-\(min(count, top + rows.count)) of \(count)", row: size.rows - 2, before: column)
  }

  /// The title of the findings: the field, what becomes of its value where the list has no room for that, and how many
  /// findings it has. It ends before the line between the columns, which joins the frame.
  private func findingsTitle(_ layout: Layout) -> String {
    guard let position = state.cursorPosition else { return Pane.warnings.title }
    let field = state.plan.fields[position]
    let decision = state.decision(at: position)
    let standing = FieldState(field, decision)
    var parts = [standing.word]
    if layout.shape != .wide, standing != .absent { parts.append(ChangeSummary.text(field, decision)) }
    parts += Severity.counts(field.findings)
    var unique: [String] = []
    for part in parts.map(ink.sentence) where !unique.contains(part) { unique.append(part) }
    let room = layout.lastColumn - 8
    let name = ink.name(field.id, columns: max(8, room / 2))
    return ([name] + unique).joined(separator: ink.words(" · "))
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
