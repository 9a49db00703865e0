import Carryover
import PropertyLists
import Terminal

extension Canvas {
  /// The two panes, or the one, with the warnings below, and in a very wide window the details beside them.
  mutating func drawReview() {
    let layout = state.layout
    drawFrames(layout)
    let columns = RowColumns(layout: layout, widths: state.widths)
    for (offset, row) in layout.listRows.enumerated() {
      guard let position = state.rows[state.top + offset] else { break }
      draw(state.plan.fields[position], row: row, columns)
    }
    if state.plan.fields.isEmpty {
      field(
        ink.words("This recipe has no fields."), row: layout.listRows.lowerBound,
        columns: (layout.proposedColumns.lowerBound + 1)..<layout.proposedColumns.upperBound, Style(.muted))
    }
    drawWarnings(layout)
    drawDetails(layout)
  }

  private mutating func draw(_ item: Field, row: Int, _ columns: RowColumns) {
    let decision = state.decisions[item.id]
    let standing = FieldState(item, decision)
    let isSelected = item.id == state.cursor
    let name = Style(.label, selected: isSelected)
    let pointer = isSelected ? ink.pointer : " "
    field(pointer, row: row, columns: columns.pointer, name)
    if !columns.legacyKey.isEmpty {
      field(ink.name(item.sourceLabel, columns: columns.legacyKey.count), row: row, columns: columns.legacyKey, name)
      field(
        ink.value(item.legacy, columns: columns.legacyValue.count), row: row, columns: columns.legacyValue,
        Style(item.legacy == nil ? .muted : .value))
    }
    field(
      standing.mark(ink.glyphs), row: row, columns: columns.mark, Style(standing.role, selected: isSelected))
    field("", row: row, columns: columns.afterMark, name)
    field(ink.name(item.id, columns: columns.targetKey.count), row: row, columns: columns.targetKey, name)
    let value = state.valueUnderDecision(item)
    field(
      ink.value(value, columns: columns.targetValue.count), row: row, columns: columns.targetValue,
      Style(value == nil ? .muted : .value))
    if !columns.summary.isEmpty {
      let summary = ink.sentence(ChangeSummary.text(item, decision))
      field(summary, row: row, columns: columns.summary, Style(standing.waits ? standing.role : .muted))
    }
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
