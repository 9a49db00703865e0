import Carryover
import Terminal

extension Canvas {
  /// The name of the program, what is under review, and the counts of the states at the right.
  mutating func drawTitleBar() {
    field("", row: 0, columns: 0..<size.columns, Style(.header))
    let counts = Self.counts(state.tally)
    let countWidth = counts.isEmpty ? 0 : DisplayWidth.columns(of: ink.words(Self.text(counts))) + 1
    var column = size.columns - countWidth
    let room = column - 2
    for (index, count) in counts.enumerated() {
      if index > 0 { column += put(separator, column, Style(.muted)) }
      column += put(count.text, column, Style(count.state.waits ? count.state.role : .header))
    }
    let product = "Carryover  "
    var next = 1 + put(product, 1, Style(.header, bold: true))
    guard room > next else { return }
    let plan = state.plan
    let parts = [plan.container.bundleID, plan.container.name, plan.recipe.title].compactMap { $0 }
    for (index, part) in parts.enumerated() {
      let text =
        (index > 0 ? ink.words(separator) : "") + (part == plan.recipe.title ? ink.words(part) : ink.name(part))
      let width = DisplayWidth.columns(of: text)
      // A part is shown whole or not at all, but the first is always there.
      guard index == 0 || next + width <= room else { break }
      grid.put(text, at: Position(column: next, row: 0), width: min(width, max(0, room - next)), style: Style(.plain))
      next += width
    }
  }

  private var separator: String { " · " }

  private mutating func put(_ text: String, _ column: Int, _ style: Style) -> Int {
    let text = ink.words(text)
    let width = DisplayWidth.columns(of: text)
    return grid.put(text, at: Position(column: column, row: 0), width: width, style: style)
  }

  private static func counts(_ tally: Tally) -> [(state: FieldState, text: String)] {
    FieldState.allCases.compactMap { state in
      tally[state] > 0 ? (state, "\(tally[state]) \(state.word)") : nil
    }
  }

  private static func text(_ counts: [(state: FieldState, text: String)]) -> String {
    counts.map(\.text).joined(separator: " · ")
  }

  /// What the last key did, or else the keys.
  mutating func drawFooter() {
    let row = size.rows - 1
    field("", row: row, columns: 0..<size.columns, .plain)
    if state.isBusy {
      let what = state.running == nil ? "Reading…" : state.running == .apply ? "Applying…" : "Rolling back…"
      field(ink.words(what), row: row, columns: 1..<size.columns, Style(.prompt))
      return
    }
    if let message = state.message {
      field(ink.sentence(message), row: row, columns: 1..<size.columns, Style(.prompt))
      return
    }
    var column = 1
    for hint in Footer.hints(state, columns: size.columns) {
      let style = hint.isEnabled ? Style(.key) : Style(.muted)
      column += grid.put(hint.key, at: Position(column: column, row: row), style: style) + 1
      column +=
        grid.put(
          hint.label, at: Position(column: column, row: row), style: hint.isEnabled ? .plain : Style(.muted)) + 2
    }
  }

  /// One line that says what is the matter, in whatever room there is.
  mutating func drawTooSmall() {
    let minimum = ReviewState.minimum
    var notice = "Too small: \(minimum.columns)×\(minimum.rows) needed. q quits."
    if state.screens.last == .quit { notice = "Quit and lose the decisions? y or esc" }
    for row in 0..<size.rows { field("", row: row, columns: 0..<size.columns, .plain) }
    let row = size.rows / 2
    grid.put(
      ink.words(notice), at: Position(column: 0, row: row), width: size.columns, style: Style(.prompt),
      alignment: .center)
  }
}
