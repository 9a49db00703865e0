import Carryover
import CarryoverTerminal
import PropertyLists

extension Canvas<ReviewState> {
  /// The two panes, or the one, with the warnings below, and in a very wide window the details beside them.
  mutating func drawReview() {
    let layout = state.layout
    drawFrames(layout)
    drawTitles(layout)
    drawFields(layout)
    let (warnings, details) = (state.panes.warnings, state.panes.details)
    drawText(
      warnings.lines(layout.warningRows.count), of: .warnings, isCut: warnings.count > layout.warningRows.count,
      top: warnings.top, rows: layout.warningRows, columns: layout.warningColumns,
      rest: "… \(state.key("warnings", .review)) shows the rest")
    drawText(
      Array(details.lines.dropFirst(details.top).prefix(layout.detailsRows.count)), of: .details,
      isCut: details.lines.count > layout.detailsRows.count, top: details.top, rows: layout.detailsRows,
      columns: layout.detailsColumns, rest: "… \(state.key("details", .review)) shows the rest")
  }

  /// The lines around the panes. Those of the pane that receives the keys are its own.
  private mutating func drawFrames(_ layout: Layout) {
    let active = state.activePane
    for pane in state.visiblePanes where pane != active { grid.frame(layout.frame(of: pane)) }
    // Last, so that the lines it shares are its own.
    let style = Style(.frameFocused)
    grid.frame(layout.frame(of: active), style: style)
    guard layout.shape != .narrow else { return }
    grid.verticalLine(
      column: layout.proposedColumns.lowerBound - 1, from: 1, through: layout.dividerRow,
      style: active == .fields ? style : Style(.frame))
    // The ends of that line belong to the edges it meets.
    if active == .warnings { grid.frame(layout.frame(of: active), style: style) }
  }

  /// Draws the visible fields, or the notice that there are none.
  private mutating func drawFields(_ layout: Layout) {
    let columns = RowColumns(layout: layout, widths: state.widths)
    let (range, wanted) = (state.range, state.searchText)
    for (row, line) in zip(state.list.top..., layout.listRows) {
      guard let position = state.rows[row] else { break }
      draw(position, isInRange: range?.contains(row) == true, row: line, columns, wanted)
    }
    let first = layout.listRows.lowerBound
    if state.plan.fields.isEmpty {
      let proposed = layout.proposedColumns
      field(
        ink.words(state.emptyWords), row: first, columns: (proposed.lowerBound + 1)..<proposed.upperBound,
        Style(.muted))
    } else if state.rows.count == 0 {
      let list = layout.listColumns
      field(
        ink.words(state.emptyWords), row: first, columns: (list.lowerBound + 1)..<list.upperBound, Style(.muted))
    }
  }

  /// The lines of a pane in sight. Of one that is cut the last says how the rest is seen, but where the pane is scrolled or
  /// can be: its frame says which part is in sight.
  private mutating func drawText(
    _ lines: [[Span]], of pane: Pane, isCut: Bool, top: Int, rows: Range<Int>, columns: Range<Int>, rest: String
  ) {
    var lines = lines
    if isCut, top == 0, pane != state.activePane, let last = lines.indices.last {
      lines[last] = [Span(ink.words(rest), .muted)]
    }
    for (row, line) in zip(rows, lines) { put(line, row: row, columns: columns) }
  }

  /// A field of the list, by its position in the plan.
  private mutating func draw(
    _ position: Int, isInRange: Bool, row: Int, _ columns: RowColumns, _ wanted: SearchText?
  ) {
    let item = state.plan.fields[position]
    let (decision, hasCursor) = (state.decision(at: position), position == state.cursorPosition)
    let standing = FieldState(item, decision)
    let isSelected = hasCursor || isInRange
    let name = Style(.label, selected: isSelected)
    field(hasCursor ? ink.pointer : isInRange ? ink.rangeMark : " ", row: row, columns: columns.pointer, name)
    if !columns.legacyKey.isEmpty {
      put(ink.name(item.sourceLabel, columns: columns.legacyKey.count), row, columns.legacyKey, name, wanted)
      put(
        ink.value(item.legacy, columns: columns.legacyValue.count), row, columns.legacyValue,
        Style(item.legacy == nil ? .muted : .value), wanted)
    }
    field(
      standing.mark(ink.glyphs), row: row, columns: columns.mark, Style(standing.role, selected: isSelected))
    field("", row: row, columns: columns.afterMark, name)
    put(ink.name(item.id, columns: columns.targetKey.count), row, columns.targetKey, name, wanted)
    let value = state.valueUnderDecision(item)
    put(
      ink.value(value, columns: columns.targetValue.count), row, columns.targetValue,
      Style(value == nil ? .muted : .value), wanted)
    if !columns.summary.isEmpty {
      let summary = ink.sentence(ChangeSummary.text(item, decision))
      put(summary, row, columns.summary, Style(standing.waits ? standing.role : .muted), wanted)
    }
  }

  /// A field of the row, with what a search found in it marked.
  private mutating func put(_ text: String, _ row: Int, _ columns: Range<Int>, _ style: Style, _ wanted: SearchText?) {
    field(text, row: row, columns: columns, style)
    if let wanted { markMatches(wanted, in: text, row: row, columns: columns) }
  }
}

/// The columns of the parts of a row.
struct RowColumns: Hashable {
  var pointer: Range<Int>
  var legacyKey: Range<Int>
  var legacyValue: Range<Int>
  var mark: Range<Int>
  var afterMark: Range<Int>
  var targetKey: Range<Int>
  var targetValue: Range<Int>
  var summary: Range<Int>

  init(layout: Layout, widths: NameWidths) {
    let right = layout.proposedColumns
    let isNarrow = layout.shape == .narrow
    if isNarrow {
      pointer = right.lowerBound..<(right.lowerBound + 1)
      legacyKey = 0..<0
      legacyValue = 0..<0
    } else {
      let left = layout.legacyColumns
      pointer = left.lowerBound..<(left.lowerBound + 1)
      // The key never takes more than it needs, nor so much that the value could not be told.
      let key = max(1, min(widths.legacy, left.count * 3 / 5))
      legacyKey = pointer.upperBound..<(pointer.upperBound + key)
      legacyValue = Self.after(legacyKey, until: left.upperBound - 1)
    }
    mark = (right.lowerBound + 1)..<(right.lowerBound + 2)
    afterMark = mark.upperBound..<(mark.upperBound + 1)
    let summaryWidth = layout.shape == .medium ? 0 : min(17, right.count / 3)
    let summaryStart = right.upperBound - 1 - summaryWidth
    summary = summaryStart..<(right.upperBound - 1)
    let valuesEnd = summaryWidth == 0 ? right.upperBound - 1 : summaryStart - 2
    let key = max(1, min(widths.target, (valuesEnd - afterMark.upperBound) * 3 / 5))
    targetKey = afterMark.upperBound..<(afterMark.upperBound + key)
    targetValue = Self.after(targetKey, until: valuesEnd)
  }

  /// What is left after a column and two blanks.
  private static func after(_ columns: Range<Int>, until end: Int) -> Range<Int> {
    let start = columns.upperBound + 2
    return start..<max(start, end)
  }
}
