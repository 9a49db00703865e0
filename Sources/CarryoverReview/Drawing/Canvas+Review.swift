import Carryover
import CarryoverTerminal
import PropertyLists

extension Canvas {
  /// The two panes, or the one, with the warnings below, and in a very wide window the details beside them.
  mutating func drawReview() {
    let form = state.form
    drawLines(form)
    draw(state.reviewRows(form), form)
  }

  /// Draws rows into the lines of the frames.
  mutating func draw(_ rows: ReviewRows, _ form: ReviewForm) {
    let columns = RowColumns(layout: form.layout, widths: form.widths)
    for row in 0..<size.rows { draw(rows.row(row, form.layout), row: row, form, columns) }
  }

  /// Draws a row into the lines of the frames, reading no more of the state than the row and the form stand for.
  mutating func draw(_ shown: ReviewRow, row: Int, _ form: ReviewForm, _ columns: RowColumns) {
    switch shown.content {
    case .none: break
    case .bar: drawTitleBar()
    case .field(let item): draw(item, row: row, columns, form.wanted)
    case .notice(let notice): field(notice.words, row: row, columns: notice.columns, Style(.muted))
    case .footer: drawFooter()
    }
    for label in shown.labels { draw(label) }
    if !shown.warning.isEmpty { put(shown.warning, row: row, columns: form.layout.warningColumns) }
    if !shown.details.isEmpty { put(shown.details, row: row, columns: form.layout.detailsColumns) }
  }

  private mutating func draw(_ content: ReviewRow.FieldRow, row: Int, _ columns: RowColumns, _ wanted: SearchText?) {
    let item = state.plan.fields[content.position]
    let (decision, hasCursor, isInRange) = (content.decision, content.hasCursor, content.isInRange)
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
