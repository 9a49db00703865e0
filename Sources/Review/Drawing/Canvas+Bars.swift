import Carryover
import Terminal

extension Canvas {
  /// The name of the program, what is under review, and the counts of the states at the right.
  mutating func drawTitleBar() {
    field("", row: 0, columns: 0..<size.columns, Style(.header))
    let counts = standing + Self.counts(state.tally)
    let countWidth = counts.isEmpty ? 0 : DisplayWidth.columns(of: ink.words(Self.text(counts))) + 1
    var column = size.columns - countWidth
    let room = column - 2
    for (index, count) in counts.enumerated() {
      if index > 0 { column += put(separator, column, Style(.muted)) }
      column += put(count.text, column, Style(count.role ?? .header))
    }
    let product = "Carryover  "
    var next = 1 + put(product, 1, Style(.header, bold: true))
    guard room > next else { return }
    let plan = state.plan
    let parts = plan.container.names + [plan.recipe.title]
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

  /// What keeps the whole plan from being applied, whatever its fields are.
  private var standing: [(role: Role?, text: String)] {
    if state.readOnly != nil { return [(.flagged, FieldSummary.readOnly)] }
    return state.blockers.isEmpty ? [] : [(.flagged, FieldSummary.blocked)]
  }

  private static func counts(_ tally: Tally) -> [(role: Role?, text: String)] {
    FieldState.allCases.compactMap { state in
      tally[state] > 0 ? (state.waits ? state.role : nil, "\(tally[state]) \(state.word)") : nil
    }
  }

  private static func text(_ counts: [(role: Role?, text: String)]) -> String {
    counts.map(\.text).joined(separator: " · ")
  }

  /// What the last key did, or else the keys.
  mutating func drawFooter() {
    let row = size.rows - 1
    field("", row: row, columns: 0..<size.columns, .plain)
    if state.isBusy {
      let what = state.running == nil ? "Reading…" : state.running == .apply ? "Applying…" : "Rolling back…"
      return drawMessage(what)
    }
    if drawFinding() { return }
    if let message = state.message {
      drawMessage(message)
      _ = drawFindWords()
      return
    }
    drawHints(Footer.hints(state, columns: drawFindWords()))
  }
}
