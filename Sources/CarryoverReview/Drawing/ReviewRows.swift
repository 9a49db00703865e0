import Carryover
import CarryoverTerminal

/// What all rows of the review's screen show, part by part: the rows in which two frames differ are found without a row
/// being made of either.
struct ReviewRows: Equatable {
  var bar: ReviewRow.Bar
  /// What stands in the lines of the frames, in no order.
  var labels: [FrameLabel] = []
  /// The fields in sight.
  var fields: [ReviewRow.FieldRow] = []
  /// What stands in place of fields.
  var notice: ReviewRow.Text?
  var warnings = Warnings()
  /// The lines of the details in sight.
  var details: [[Span]] = []
  var footing: ReviewRow.Footing

  /// The lines of the warnings in sight, in two parts that seldom change together.
  struct Warnings: Equatable {
    var own: [[Span]] = []
    var shared: [[Span]] = []
    /// The line at which the shared part begins.
    var start = 0
    var top = 0
    /// What stands in the last line in place of it.
    var last: [Span]?

    subscript(line: Int) -> [Span]? {
      let line = top + line
      return line < start ? own.element(line) : shared.element(line - start)
    }
  }

  /// What one row shows.
  func row(_ row: Int, _ layout: Layout) -> ReviewRow {
    var shown = ReviewRow()
    if row == 0 {
      shown.content = .bar(bar)
    } else if row == layout.size.rows - 1 {
      shown.content = .footer(footing)
    } else if let field = fields.element(row - layout.listRows.lowerBound) {
      shown.content = .field(field)
    } else if let notice, row == layout.listRows.lowerBound {
      shown.content = .notice(notice)
    }
    shown.labels = labels.filter { $0.row == row }
    if layout.warningRows.contains(row) {
      let isLast = row == layout.warningRows.upperBound - 1
      shown.warning = (isLast ? warnings.last : nil) ?? warnings[row - layout.warningRows.lowerBound] ?? []
    }
    if let line = details.element(row - layout.detailsRows.lowerBound) { shown.details = line }
    return shown
  }

  /// The rows that show something else than those of another frame of the same layout, ascending.
  func rows(differingFrom other: ReviewRows, _ layout: Layout) -> [Int] {
    var changed = ChangedRows(of: layout.size.rows)
    if bar != other.bar { changed.add(0) }
    if footing != other.footing { changed.add(layout.size.rows - 1) }
    if notice != other.notice { changed.add(layout.listRows.lowerBound) }
    changed.compare(labels, other.labels)
    changed.compare(fields, other.fields, from: layout.listRows.lowerBound)
    compareWarnings(other.warnings, layout.warningRows, &changed)
    changed.compare(details, other.details, from: layout.detailsRows.lowerBound)
    return changed.rows
  }

  private func compareWarnings(_ other: Warnings, _ rows: Range<Int>, _ changed: inout ChangedRows) {
    let isSharedSame = warnings.start == other.start && warnings.top == other.top && warnings.shared == other.shared
    let end = isSharedSame ? max(0, warnings.start - warnings.top) : rows.count
    for line in 0..<min(end, rows.count) where warnings[line] != other[line] { changed.add(rows.lowerBound + line) }
    if warnings.last != other.last { changed.add(rows.upperBound - 1) }
  }
}

extension ReviewState {
  /// What each row shows, from the title bar to the last line.
  /// - Parameters:
  ///   - hints: What ``footerHints`` is, where that is known.
  ///   - labels: What ``labels(_:_:)`` gives, where that is known.
  func reviewRows(
    _ form: ReviewForm, hints: FooterHints? = nil, labels: [FrameLabel]? = nil
  ) -> ReviewRows {
    let layout = form.layout
    var rows = ReviewRows(
      bar: ReviewRow.Bar(tally: tally, isReadOnly: readOnly != nil, isBlocked: !blockers.isEmpty),
      footing: ReviewRow.Footing(
        message: count.message ?? message, find: findWords?.words, hints: hints ?? footerHints))
    rows.labels = labels ?? self.labels(form, Ink(options))
    addFields(to: &rows, layout)
    let warnings = panes.warnings
    rows.warnings = ReviewRows.Warnings(
      own: warnings.own, shared: warnings.shared, start: warnings.start, top: warnings.top)
    if isCut(warnings.count, layout.warningRows, top: warnings.top, isActive: form.active == .warnings) {
      rows.warnings.last = [Span(Ink(options).words("… w shows the rest"), .muted)]
    }
    guard layout.hasDetails else { return rows }
    let details = panes.details
    rows.details = Array(details.lines.dropFirst(details.top).prefix(layout.detailsRows.count))
    if isCut(details.lines.count, layout.detailsRows, top: details.top, isActive: form.active == .details),
      let last = rows.details.indices.last
    {
      rows.details[last] = [Span(Ink(options).words("… enter shows the rest"), .muted)]
    }
    return rows
  }

  private func addFields(to rows: inout ReviewRows, _ layout: Layout) {
    let (range, cursor) = (range, cursorPosition)
    rows.fields.reserveCapacity(layout.listRows.count)
    for row in top..<(top + layout.listRows.count) {
      guard let position = self.rows[row] else { break }
      rows.fields.append(
        ReviewRow.FieldRow(
          position: position, decision: decision(at: position), hasCursor: position == cursor,
          isInRange: range?.contains(row) == true))
    }
    if plan.fields.isEmpty {
      rows.notice = ReviewRow.Text(
        words: Ink(options).words("This recipe has no fields."),
        columns: (layout.proposedColumns.lowerBound + 1)..<layout.proposedColumns.upperBound)
    } else if self.rows.count == 0 {
      rows.notice = ReviewRow.Text(
        words: Ink(options).words(
          "No field matches the filter; \(options.key("leave", Screen.review)) shows all of them."),
        columns: (layout.listColumns.lowerBound + 1)..<layout.listColumns.upperBound)
    }
  }

  /// Whether the last line of a pane says how the rest is seen; one that is scrolled or can be says which part is in sight.
  func isCut(_ count: Int, _ rows: Range<Int>, top: Int, isActive: Bool) -> Bool {
    count > rows.count && !isActive && top == 0
  }
}
