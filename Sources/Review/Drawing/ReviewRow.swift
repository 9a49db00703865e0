import Carryover
import Terminal

/// What a row of the review's screen shows inside of the frames' lines: all that its cells depend on, so that rows that
/// are equal look the same. Strings that take a while to make stand in it as what they are made from.
struct ReviewRow: Hashable {
  /// What the row is of: there is never more than one of them in it.
  var content = Content.none
  /// What stands in the lines of the frames: titles, and which part is in sight.
  var labels: [Label] = []
  /// A line of the warnings.
  var warning: [Span] = []
  /// A line of the details.
  var details: [Span] = []

  enum Content: Hashable {
    /// Nothing but what stands in the frames.
    case none
    /// The title bar.
    case bar(Bar)
    /// A field of the list.
    case field(FieldRow)
    /// What stands in the list in place of fields.
    case notice(Text)
    /// The last line.
    case footer(Footing)
  }

  /// What the counts of the title bar come from; the names are the plan's.
  struct Bar: Hashable {
    var tally: Tally
    var isReadOnly: Bool
    var isBlocked: Bool
  }

  /// A field by its position in the plan.
  struct FieldRow: Hashable {
    var position: Int
    var decision: Decision?
    var hasCursor: Bool
    var isInRange: Bool
  }

  struct Text: Hashable {
    var words: String
    var columns: Range<Int>
  }

  /// Words in a line of a frame, with a blank on either side.
  struct Label: Hashable {
    var words: String
    var column: Int
    /// How many columns there are for the words: longer ones are cut.
    var room: Int
    var style: Style
  }

  struct Footing: Hashable {
    var message: String?
    var find: String?
    var hints: FooterHints
  }
}

/// What every row of the review's screen depends on: where it changes, all are drawn again.
struct ReviewForm: Hashable {
  var layout: Layout
  var active: Pane
  var widths: NameWidths
  var wanted: SearchText?
  var planRevision: Int
}

extension ReviewState {
  /// What every row depends on. A property: an initializer would be given a copy of the whole state.
  var form: ReviewForm {
    ReviewForm(
      layout: layout, active: activePane, widths: widths, wanted: searchText, planRevision: planRevision)
  }

  /// What each row shows, from the title bar to the last line.
  func reviewRows(_ form: ReviewForm) -> [ReviewRow] {
    let (layout, ink) = (form.layout, Ink(options))
    var rows = Array(repeating: ReviewRow(), count: max(size.rows, layout.warningRows.upperBound + 1))
    rows[0].content = .bar(
      ReviewRow.Bar(tally: tally, isReadOnly: readOnly != nil, isBlocked: !blockers.isEmpty))
    rows[size.rows - 1].content = .footer(
      ReviewRow.Footing(message: count.message ?? message, find: findWords?.words, hints: footerHints))
    for (row, label) in labels(form, ink) where rows.indices.contains(row) { rows[row].labels.append(label) }
    addFields(to: &rows, layout, ink)
    let warnings = panes.warnings
    for (offset, row) in layout.warningRows.enumerated() { rows[row].warning = warnings[warnings.top + offset] }
    if isCut(warnings.count, layout.warningRows, top: warnings.top, isActive: form.active == .warnings),
      let last = layout.warningRows.last
    {
      rows[last].warning = [Span(ink.words("… w shows the rest"), .muted)]
    }
    guard layout.hasDetails else { return rows }
    let details = panes.details
    for (offset, row) in layout.detailsRows.enumerated() where details.lines.indices.contains(details.top + offset) {
      rows[row].details = details.lines[details.top + offset]
    }
    if isCut(details.lines.count, layout.detailsRows, top: details.top, isActive: form.active == .details),
      let last = layout.detailsRows.last
    {
      rows[last].details = [Span(ink.words("… enter shows the rest"), .muted)]
    }
    return rows
  }

  private func addFields(to rows: inout [ReviewRow], _ layout: Layout, _ ink: Ink) {
    let range = range
    for (offset, row) in layout.listRows.enumerated() {
      guard let position = self.rows[top + offset] else { break }
      let id = plan.fields[position].id
      rows[row].content = .field(
        ReviewRow.FieldRow(
          position: position, decision: decisions[id], hasCursor: id == cursor,
          isInRange: range?.contains(top + offset) == true))
    }
    let first = layout.listRows.lowerBound
    if plan.fields.isEmpty {
      rows[first].content = .notice(
        ReviewRow.Text(
          words: ink.words("This recipe has no fields."),
          columns: (layout.proposedColumns.lowerBound + 1)..<layout.proposedColumns.upperBound))
    } else if self.rows.count == 0 {
      rows[first].content = .notice(
        ReviewRow.Text(
          words: ink.words("No field matches the filter; \(options.key("leave", Screen.review)) shows all of them."),
          columns: (layout.listColumns.lowerBound + 1)..<layout.listColumns.upperBound))
    }
  }

  /// Whether the last line of a pane says how the rest is seen; one that is scrolled or can be says which part is in sight.
  func isCut(_ count: Int, _ rows: Range<Int>, top: Int, isActive: Bool) -> Bool {
    count > rows.count && !isActive && top == 0
  }
}
