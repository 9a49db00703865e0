import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

extension Screen {
  package static let review = Screen("review", "Review")
}

extension ScreenContent<ReviewState> {
  static var review: ScreenContent {
    drawn(.review) { $0.drawReview() }.with {
      $0.scroller = { $0.paneScroller(at: $1) }
      $0.click = { $0.clickFields(at: $1) }
      $0.empty = { $0.emptyWords }
      $0.summary = { $0.verdictText($1) }
      $0.line = { $0.line(ofField: $1, $2) }
      $0.pane = { $0.findings(around: $1) }
    }
  }
}

extension ReviewState {
  package var lastLineWords: String? {
    guard topScreen == .review, range != nil || search != nil else { return nil }
    let ink = Ink(options)
    var parts: [String] = []
    if let range { parts.append("range of \(range.count)") }
    if let wanted = searchText {
      let text = DisplayText.visible(wanted.text, limit: size.columns / 3, ascii: ink.glyphs == .ascii)
      parts.append((options.repeatsTyped ? "/" + text + "  " : "") + ink.words(matchWords))
    }
    return parts.isEmpty ? nil : parts.joined(separator: "   ")
  }

  package var foundLines: [String] {
    guard topScreen == .review else { return foundOnPage }
    let lines: [[Span]]
    let place: Int
    switch search?.note.flatMap({ search?.notes.element($0) }) {
    case nil: return []
    case .verdict(let line)?: (lines, place) = (verdictLines, line)
    case .finding(let line)?: (lines, place) = (panes.warnings.shared, line)
    }
    return (place - 1...place + 1).compactMap { lines.element($0)?.map(\.text).joined() }
  }

  var emptyWords: String {
    plan.fields.isEmpty
      ? "This recipe has no fields." : "No field matches the filter; \(key("clear", .review)) shows all of them."
  }

  fileprivate func line(ofField row: Int, _ ink: Ink) -> String {
    guard let position = rows.element(row) else { return "" }
    let field = plan.fields[position]
    let decision = decision(at: position)
    let standing = FieldState(field, decision)
    func value(_ value: PropertyListValue?) -> String { ink.value(value, columns: 200) }
    var words = "\(ink.sign(standing.sign)) \(ink.name(field.id)): \(standing.word)"
    words += ". Legacy \(ink.name(field.sourceLabel)): \(value(field.legacy))"
    words += ". Proposed: \(value(field.proposed))"
    if case .edit(let typed) = decision { words += ". Edited: \(value(typed))" }
    if let current = field.current { words += ". Target now: \(value(current))" }
    let summary = ink.sentence(ChangeSummary.text(field, decision))
    let label = standing == .dropped ? "Reason" : "Change"
    return words + (summary == standing.word ? "." : ". \(label): \(summary).")
  }

  /// A click on a count goes to the next field in that state, on a row selects it, on a mark accepts the proposal.
  mutating func clickFields(at position: Position) {
    if position.row == 0 {
      let count = titleCounts.first { $0.columns.contains(position.column) }
      goToNext(count?.tag.flatMap(FieldState.init(rawValue:)))
      return
    }
    let layout = layout
    guard let pane = layout.pane(at: position) else { return }
    focus = pane
    guard pane == .fields, selectRow(at: position),
      RowColumns(layout: layout, widths: indexed.widths).mark.contains(position.column), let field = selected
    else { return }
    let accept = Self.table.bindings(in: .review, options.keymap).first { $0.name == "accept" }
    if let reason = accept?.disabledReason(self) {
      message = reason
    } else {
      // Only this field, even in a range.
      record(decisions[field.id] == .migrate ? nil : .migrate, for: field)
    }
  }

  private mutating func goToNext(_ state: FieldState?) {
    guard let state, rows.count > 0 else { return }
    let start = cursorRow ?? rows.count - 1
    guard let row = row(from: start, step: 1, where: { $0 == state }) else { return }
    focus = .fields
    select(row: row)
  }
}

extension Canvas<ReviewState> {
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

  private mutating func drawFrames(_ layout: Layout) {
    let active = state.activePane
    for pane in state.visiblePanes where pane != active { grid.frame(layout.frame(of: pane)) }
    // Last, so that the shared lines are its own.
    let style = Style(.frameFocused)
    grid.frame(layout.frame(of: active), style: style)
    guard layout.shape != .narrow else { return }
    grid.verticalLine(
      column: layout.proposedColumns.lowerBound - 1, from: layout.top, through: layout.dividerRow,
      style: active == .fields ? style : Style(.frame))
    // The ends of that line belong to the edges it meets.
    if active == .warnings { grid.frame(layout.frame(of: active), style: style) }
  }

  private mutating func drawFields(_ layout: Layout) {
    let columns = RowColumns(layout: layout, widths: state.indexed.widths)
    let range = state.range
    for (line, row, position) in state.list.visible(at: layout.listRows) {
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
      field(ink.words(state.emptyWords), row: first, columns: (list.lowerBound + 1)..<list.upperBound, Style(.muted))
    }
  }

  /// The last line of a cut pane says how to see the rest, unless the pane is scrolled or focused: then its frame says
  /// which part is visible.
  private mutating func drawText(
    _ lines: [[Span]], of pane: Pane, isCut: Bool, top: Int, rows: Range<Int>, columns: Range<Int>, rest: String
  ) {
    var lines = lines
    if isCut, top == 0, pane != state.activePane, let last = lines.indices.last {
      lines[last] = [Span(ink.words(rest), .muted)]
    }
    for (row, line) in zip(rows, lines) { put(line, row: row, columns: columns) }
  }

  private mutating func draw(_ position: Int, isInRange: Bool, row: Int, _ columns: RowColumns) {
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
    field(ink.sign(standing.sign), row: row, columns: columns.mark, Style(standing.role, selected: isSelected))
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

  /// What a conflict would overwrite: `u-2002 → u-1001`; nil without a conflict or without room.
  private func replaced(_ field: Field, _ standing: FieldState, _ columns: Int) -> String? {
    guard standing == .conflict, let current = field.current, let proposed = field.proposed, columns >= 15 else {
      return nil
    }
    let room = (columns - 3) / 2
    return ink.value(current, columns: room) + ink.words(" → ") + ink.value(proposed, columns: room)
  }

  private mutating func markMatches(_ layout: Layout) {
    guard let wanted = state.searchText else { return }
    markMatches(wanted, rows: 1..<layout.top, columns: 1..<(size.columns - 1), isWrapped: true)
    markMatches(wanted, rows: layout.listRows, columns: 1..<layout.lastColumn)
    markMatches(wanted, rows: layout.warningRows, columns: layout.warningColumns, isWrapped: true)
    markMatches(wanted, rows: layout.detailsRows, columns: layout.detailsColumns, isWrapped: true)
  }

  /// The focused pane has a mark in its title besides its colour.
  mutating func drawTitles(_ layout: Layout) {
    let first = layout.shape == .narrow ? "Proposed" : "Legacy"
    // Number, focus mark and frame take the rest.
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

  /// - Parameter place: The columns of the place in the list, behind the title.
  private mutating func drawTitle(_ text: String, of pane: Pane, _ layout: Layout, before place: Int = 0) {
    let mark = pane == state.activePane ? ink.focusMark : ""
    let frame = layout.frame(of: pane)
    drawLabel(
      "\(mark)\(pane.rawValue) \(text)", row: frame.origin.row, from: frame.origin.column + 1,
      room: frame.size.columns - 4 - place, Style(.title))
  }

  private mutating func drawPart(of pane: Pane, _ count: Int, top: Int, _ rows: Range<Int>, before column: Int) {
    guard count > rows.count, pane == state.activePane || top > 0 else { return }
    drawPlace("\(top + 1)-\(min(count, top + rows.count)) of \(count)", row: size.rows - 2, before: column)
  }

  /// The field, what becomes of its value where the list has no room for that, and its findings. It ends before the
  /// divider, which joins the frame.
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

  private func listTitle(_ title: String, columns: Int) -> String {
    guard let text = state.filter?.text, let filter = state.filterTitle.map({ typed($0) }) else { return title }
    let both = title + "  " + filter
    if DisplayWidth.columns(of: both) <= columns { return both }
    guard DisplayWidth.columns(of: filter) > columns else { return filter }
    let count = "filter (\(state.rows.count) of \(state.plan.fields.count)): "
    return count + typed(text, columns: max(1, columns - count.utf8.count))
  }

  private func typed(_ text: String, columns: Int = Grid.maximum) -> String {
    DisplayText.visible(text, limit: columns, ascii: ink.glyphs == .ascii)
  }
}

struct RowColumns: Hashable {
  var pointer: Range<Int>
  var legacyKey: Range<Int>
  var legacyValue: Range<Int>
  var mark: Range<Int>
  var afterMark: Range<Int>
  var targetKey: Range<Int>
  var targetValue: Range<Int>
  var summary: Range<Int>
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

  private static func after(_ columns: Range<Int>, until end: Int) -> Range<Int> {
    let start = columns.upperBound + 2
    return start..<max(start, end)
  }
}

extension Ink {
  /// Shows the focus without colours.
  fileprivate var focusMark: String { glyphs == .ascii ? ">" : "»" }
}
