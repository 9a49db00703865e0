import Carryover
import CarryoverTerminal
import PropertyLists

extension Canvas<ReviewState> {
  /// The two panes, or the one, with the warnings below, and in a very wide window the details beside them.
  mutating func drawReview() {
    let layout = state.layout
    for (row, line) in state.verdictLines.enumerated() { put(line, row: 1 + row, columns: 1..<(size.columns - 1)) }
    drawFrames(layout)
    drawTitles(layout)
    drawFields(layout)
    let (warnings, details) = (state.panes.warnings, state.panes.details)
    drawText(
      warnings.lines(layout.warningRows.count), of: .warnings, isCut: warnings.count > layout.warningRows.count,
      top: warnings.top, rows: layout.warningRows, columns: layout.warningColumns,
      rest: "… \(state.key("findings", .review)) shows the rest")
    drawText(
      Array(details.lines.dropFirst(details.top).prefix(layout.detailsRows.count)), of: .details,
      isCut: details.lines.count > layout.detailsRows.count, top: details.top, rows: layout.detailsRows,
      columns: layout.detailsColumns, rest: "… \(state.key("details", .review)) shows the rest")
    markMatches(layout)
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
      column: layout.proposedColumns.lowerBound - 1, from: layout.top, through: layout.dividerRow,
      style: active == .fields ? style : Style(.frame))
    // The ends of that line belong to the edges it meets.
    if active == .warnings { grid.frame(layout.frame(of: active), style: style) }
  }

  /// Draws the visible fields, or the notice that there are none.
  private mutating func drawFields(_ layout: Layout) {
    let columns = RowColumns(layout: layout, widths: state.widths)
    let range = state.range
    for (row, line) in zip(state.list.top..., layout.listRows) {
      guard let position = state.rows[row] else { break }
      draw(position, isInRange: range?.contains(row) == true, row: line, columns)
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
    _ position: Int, isInRange: Bool, row: Int, _ columns: RowColumns
  ) {
    let item = state.plan.fields[position]
    let (decision, hasCursor) = (state.decision(at: position), position == state.cursorPosition)
    let standing = FieldState(item, decision)
    let isSelected = hasCursor || isInRange
    let name = Style(.label, selected: isSelected)
    if isSelected { for side in columns.sides { field("", row: row, columns: side, Style(.plain, selected: true)) } }
    field(hasCursor ? ink.pointer : isInRange ? ink.rangeMark : " ", row: row, columns: columns.pointer, name)
    if !columns.legacyKey.isEmpty {
      field(ink.name(item.sourceLabel, columns: columns.legacyKey.count), row: row, columns: columns.legacyKey, name)
      field(
        ink.value(item.legacy, columns: columns.legacyValue.count), row: row, columns: columns.legacyValue,
        Style(item.legacy == nil ? .muted : .value, selected: isSelected))
    }
    field(
      ink.sign(standing.sign), row: row, columns: columns.mark, Style(standing.role, selected: isSelected))
    field("", row: row, columns: columns.afterMark, name)
    field(ink.name(item.id, columns: columns.targetKey.count), row: row, columns: columns.targetKey, name)
    let value = state.valueUnderDecision(item)
    field(
      replaced(item, standing, columns.targetValue.count) ?? ink.value(value, columns: columns.targetValue.count),
      row: row, columns: columns.targetValue, Style(value == nil ? .muted : .value, selected: isSelected))
    if !columns.summary.isEmpty {
      let summary = ink.sentence(ChangeSummary.text(item, decision))
      field(
        summary, row: row, columns: columns.summary,
        Style(standing.role == .ready ? .muted : standing.role, selected: isSelected))
    }
  }

  /// What a conflict would overwrite: "u-2002 → u-1001"; nil where nothing is in conflict, or there is no room for it.
  private func replaced(_ field: Field, _ standing: FieldState, _ columns: Int) -> String? {
    guard standing == .conflict, let current = field.current, let proposed = field.proposed, columns >= 15 else {
      return nil
    }
    let room = (columns - 3) / 2
    return ink.value(current, columns: room) + ink.words(" → ") + ink.value(proposed, columns: room)
  }

  /// Marks what the search finds in the list and in the panes.
  private mutating func markMatches(_ layout: Layout) {
    guard let wanted = state.searchText else { return }
    markMatches(wanted, rows: layout.listRows, columns: 1..<layout.lastColumn)
    markMatches(wanted, rows: layout.warningRows, columns: layout.warningColumns, isWrapped: true)
    markMatches(wanted, rows: layout.detailsRows, columns: layout.detailsColumns, isWrapped: true)
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
  /// Both sides of the list, frames and the line between them left out.
  var sides: [Range<Int>]

  init(layout: Layout, widths: NameWidths) {
    let right = layout.proposedColumns
    sides = [layout.legacyColumns, right].filter { !$0.isEmpty }
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
