import Carryover
import CarryoverTerminal

extension Canvas {
  /// The name of the program, what is under review, and the counts of the states at the right.
  mutating func drawTitleBar() {
    field("", row: 0, columns: 0..<size.columns, Style(.header))
    let counts = state.titleCounts
    let room = (counts.first?.columns.lowerBound ?? size.columns) - 2
    for (index, count) in counts.enumerated() {
      let start = count.columns.lowerBound
      if index > 0 { _ = put(TitleCount.separator, start - TitleCount.separator.count, Style(.muted)) }
      _ = put(count.text, start, Style(count.role ?? .header))
    }
    var next = 1 + put(TitleCount.product, 1, Style(.header, bold: true))
    guard room > next else { return }
    let plan = state.plan
    let parts = plan.container.names + [plan.recipe.title]
    for (index, part) in parts.enumerated() {
      let separator = index > 0 ? ink.words(TitleCount.separator) : ""
      let text = separator + (part == plan.recipe.title ? ink.words(part) : ink.name(part))
      let width = DisplayWidth.columns(of: text)
      // A part is shown whole or not at all, but of the first what tells something.
      guard next + width <= room || index == 0 && next + Self.leastName <= room else { break }
      grid.put(text, at: Position(column: next, row: 0), width: min(width, max(0, room - next)), style: Style(.plain))
      next += width
    }
  }

  /// As much of the app's id as is worth its place.
  private static let leastName = 5

  private mutating func put(_ text: String, _ column: Int, _ style: Style) -> Int {
    let text = ink.words(text)
    let width = DisplayWidth.columns(of: text)
    return grid.put(text, at: Position(column: column, row: 0), width: width, style: style)
  }

  /// What the last key did, or else the keys.
  mutating func drawFooter() {
    let row = size.rows - 1
    field("", row: row, columns: 0..<size.columns, .plain)
    if state.isBusy {
      let what = state.running == nil ? "Reading…" : state.running == .apply ? "Applying…" : "Rolling back…"
      return drawMessage(what)
    }
    let footer = state.footerHints
    if let filter = state.helpFilter, filter.isTyping, state.screen == .helpSearch {
      cursor = drawHelpLine(filter, footer.hints)
      return
    }
    if drawFinding() { return }
    if let line = state.rowEntry {
      grid.put(":", at: Position(column: 1, row: row), style: Style(.key))
      cursor = drawLine(line, row: row, columns: 2..<max(8, footer.start - 1))
    } else if let message = state.count.message ?? state.message {
      drawMessage(message)
      drawFindWords()
      return
    } else {
      drawFindWords()
    }
    drawHints(footer.hints, from: footer.start)
  }
}
