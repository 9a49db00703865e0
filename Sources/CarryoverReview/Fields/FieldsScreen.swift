import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

extension ScreenContent<ReviewState> {
  /// The two panes, or the one, with the warnings below, and in a very wide window the details beside them.
  static var review: ScreenContent {
    drawn(.review) { $0.drawReview() }.with {
      $0.scroller = { $0.paneScroller(at: $1) }
      $0.click = { $0.clickFields(at: $1) }
      $0.empty = { $0.emptyWords }
      $0.summary = { state, ink in
        state.verdictText(ink)
      }
      $0.line = { $0.line(ofField: $1, $2) }
      $0.pane = { $0.findings(around: $1) }
    }
  }

  /// A search being typed.
  static var search: ScreenContent {
    line(.search, prompt: "/").with {
      $0.words = { state in
        (state.matchWords, state.list.search.map { !$0.wanted.isEmpty && $0.count == 0 } ?? false)
      }
    }
  }

  /// A filter being typed, with what can be typed next above it.
  static var filter: ScreenContent {
    line(.filter, prompt: "filter: ").with {
      $0.words = { state in
        (state.isFiltered ? "\(state.rows.count) of \(state.plan.fields.count)" : "", state.rows.count == 0)
      }
      $0.note = { $0.filterNote($0.list.filter?.text ?? "") }
    }
  }
}

extension ReviewState {
  /// The range and the search that are on.
  package var lastLineWords: String? {
    guard topScreen == .review, list.anchor != nil || list.search != nil else { return nil }
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
    guard let search = list.search, let line = search.note.flatMap({ search.notes.element($0) }) else { return [] }
    return (line - 1...line + 1).compactMap { panes.warnings.shared.element($0)?.map(\.text).joined() }
  }

  /// What is said where no field is listed.
  var emptyWords: String {
    plan.fields.isEmpty
      ? "This recipe has no fields." : "No field matches the filter; \(key("clear", .review)) shows all of them."
  }

  /// A field of the list in words.
  fileprivate func line(ofField row: Int, _ ink: Ink) -> String {
    guard let position = rows[row] else { return "" }
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

  /// Handles a click: a count goes to the next field in that state, a row gets the cursor, a mark accepts the proposal.
  mutating func clickFields(at position: Position) -> [ReviewEffect] {
    if position.row == 0 {
      let count = titleCounts.first { $0.columns.contains(position.column) }
      goToNext(count?.tag.flatMap(FieldState.init(rawValue:)))
      return []
    }
    let layout = layout
    guard let pane = layout.pane(at: position) else { return [] }
    focus = pane
    guard pane == .fields, selectRow(at: position),
      RowColumns(layout: layout, widths: widths).mark.contains(position.column), let field = selected
    else { return [] }
    let accept = Self.table.bindings(in: .review, options.keymap).first { $0.name == "accept" }
    if let reason = accept?.disabledReason(self) {
      message = reason
    } else {
      // This field's alone, whatever else a key would decide with it.
      record(decisions[field.id] == .migrate ? nil : .migrate, for: field)
    }
    return []
  }

  /// The next field that stands so, going round at the end.
  private mutating func goToNext(_ state: FieldState?) {
    guard let state, rows.count > 0 else { return }
    let start = cursorRow ?? rows.count - 1
    guard let row = row(from: start, step: 1, where: { $0 == state }) else { return }
    focus = .fields
    select(row: row)
  }
}
