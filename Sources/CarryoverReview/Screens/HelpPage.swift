import Carryover
import CarryoverTerminal

extension PageWriter {
  /// Every binding, what its marks mean, and why a key can do nothing now.
  mutating func help(_ state: ReviewState) {
    let origin = state.screens.dropLast().last ?? .review
    let filter = state.helpFilter
    keys(Bindings.registry.shown(state.options.keymap), origin: origin, filter: filter, state)
    marks("Marks", filter, FieldState.allCases.map { ($0.mark(ink.glyphs), $0.role, $0.word) })
    marks("Marks of runs", filter, RunStanding.allCases.map { ($0.mark(ink.glyphs), $0.role, $0.words) })
    marks(
      "Marks of a run's keys", filter,
      RollbackDraft.Choice.allCases.map { ($0.mark(ink.glyphs), $0.role, $0.words(1)) })
    nothingFound(filter)
  }

  /// Marks with what they mean, as far as a filter leaves them.
  mutating func marks(_ title: String, _ filter: HelpFilter?, _ marks: [(mark: String, role: Role, words: String)]) {
    let shown = marks.filter { filter.matches("\($0.mark) \($0.words)") }
    guard !shown.isEmpty else { return }
    heading(title)
    for (mark, role, text) in shown { add([Span(mark + "  ", role), Span(ink.words(text))], indent: 2) }
  }

  /// Says that a filter leaves nothing.
  mutating func nothingFound(_ filter: HelpFilter?) {
    guard let filter, lines.isEmpty else { return }
    add([
      Span(ink.words("No line of the help holds “")), Span(ink.text(filter.line.text), .value), Span(ink.words("”.")),
    ])
  }

  /// The bindings of the screen the help was opened from first, then those of the others by group, with the places they
  /// work in; for each why it can do nothing now. A filter leaves those that hold every word of it.
  mutating func keys<Place, Meaning, State>(
    _ bindings: [KeyBinding<Place, Meaning, State>], origin: Place, filter: HelpFilter?, _ state: State
  ) {
    let keyWidth = (bindings.map { DisplayWidth.columns(of: $0.allKeysLabel) }.max() ?? 0) + 2
    let here = bindings.filter { $0.screens.contains(origin) }
    section("Here: \(origin.title)", here, origin, filter, keyWidth, state)
    for group in BindingGroup.allCases {
      let others = bindings.filter { $0.group == group && !$0.screens.contains(origin) }
      section(group.rawValue, others, origin, filter, keyWidth, state)
    }
  }

  private mutating func section<Place, Meaning, State>(
    _ title: String, _ bindings: [KeyBinding<Place, Meaning, State>], _ origin: Place, _ filter: HelpFilter?,
    _ keyWidth: Int, _ state: State
  ) {
    var isFirst = true
    for binding in bindings {
      let label = binding.allKeysLabel
      var remark: Span?
      if !binding.screens.contains(origin) {
        let places = Place.allCases.filter { binding.screens.contains($0) }.map { $0.title.lowercased() }
        remark = Span("  in: " + places.joined(separator: ", "), .muted)
      } else if let reason = binding.disabledReason(state) {
        remark = Span("  not now: " + ink.words(reason), .flagged)
      }
      guard filter.matches("\(label) \(binding.label) \(binding.help)\(remark?.text ?? "")") else { continue }
      if isFirst { heading(title) }
      isFirst = false
      let gap = String(repeating: " ", count: max(1, keyWidth - DisplayWidth.columns(of: label)))
      add(
        [Span(label + gap, .key), Span(ink.words(binding.help))] + (remark.map { [$0] } ?? []), indent: 2,
        hanging: min(2 + keyWidth, columns / 2))
    }
  }
}

extension Drawing {
  /// The line that narrows the help, with the keys that end it.
  /// - Returns: the cursor's place.
  mutating func drawHelpLine(_ filter: HelpFilter, _ hints: [Footer.Hint]) -> Position {
    let row = size.rows - 1
    field("", row: row, columns: 0..<size.columns, .plain)
    let shown = Array(hints.prefix(2))
    let keys = shown.reduce(0) { $0 + $1.columns + 2 }
    grid.put("/", at: Position(column: 1, row: row), style: Style(.key))
    let cursor = drawLine(filter.line, row: row, columns: 2..<max(8, size.columns - keys - 1))
    drawHints(shown, from: max(8, size.columns - keys))
    return cursor
  }
}
