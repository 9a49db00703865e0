import CarryoverPages
import CarryoverSystem
package import CarryoverTerminal

package struct Frame: Hashable, Sendable {
  package var grid: Grid
  package var cursor: Position?
}

/// Draws a program. Pure, and reads only what is visible, however much there is.
package func render<State: Program>(_ state: State) -> Frame {
  var canvas = Canvas(state)
  canvas.draw()
  return Frame(grid: canvas.grid, cursor: canvas.cursor)
}

struct Canvas<State: Program> {
  let state: State
  let ink: Ink
  var grid: Grid
  var cursor: Position?

  init(_ state: State) {
    self.state = state
    ink = Ink(state.options)
    grid = Grid(size: state.size, glyphs: state.options.glyphs)
  }

  mutating func draw() {
    guard !state.isTooSmall else { return drawNotice() }
    let content = State.table[state.topScreen]
    if content.ownsFrame {
      if case .drawn(let draw) = content.kind { draw(&self) }
      return
    }
    drawTitleBar()
    if case .drawn(let draw) = content.kind {
      draw(&self)
    } else {
      let title = content.title.map { $0(state, ink) } ?? ink.words(content.screen.title)
      drawPage(state.page, from: state.pageTop, title: title)
      if let chosen = content.chosen { drawChosen(chosen.number(state)) }
    }
    markFound()
    drawFooter()
    if let typing = state.stack.typing, case .pane(let draw) = State.table[typing.screen].kind { draw(&self) }
  }

  /// The one line that a window has when it is too small for anything else.
  private mutating func drawNotice() {
    let minimum = ScreenStack.minimum
    let leave = State.table.bindings(in: State.table.tooSmall, state.options.keymap).first { $0.hintRank != nil }
    let notice =
      State.table[state.topScreen].question?(state)
      ?? "Too small: \(minimum.columns)×\(minimum.rows) needed. \(leave?.keyLabel ?? "no key") quits."
    for row in 0..<size.rows { field("", row: row, columns: 0..<size.columns, .plain) }
    let (text, columns) = DisplayWidth.truncate(ink.words(notice), columns: size.columns, glyphs: ink.glyphs)
    let margin = String(repeating: " ", count: (size.columns - columns) / 2)
    field(margin + text, row: size.rows / 2, columns: 0..<size.columns, Style(.prompt))
  }

  private mutating func drawFooter() {
    let row = size.rows - 1
    field("", row: row, columns: 0..<size.columns, .plain)
    if let busy = state.busy { return drawMessage(busy) }
    if let typed = state.typedLine, let line = state.stack.typing?.line {
      grid.put(typed.prompt, at: Position(column: 1, row: row), style: Style(.key))
      cursor = drawLine(line, row: row, columns: typed.line)
      let width = DisplayWidth.columns(of: typed.words)
      grid.put(
        typed.words, at: Position(column: typed.footer.start - 2 - width, row: row), width: width,
        style: Style(typed.isFlagged ? .flagged : .muted))
      drawNote()
      return drawHints(typed.footer)
    }
    let message = state.countMessage ?? state.message
    if let message { drawMessage(message) }
    let room = size.columns - (message.map { DisplayWidth.columns(of: ink.words($0, isEscaped: true)) + 2 } ?? 0)
    if let words = state.statusWords, DisplayWidth.columns(of: words) + 2 <= room {
      let start = size.columns - DisplayWidth.columns(of: words) - 1
      field(words, row: row, columns: start..<(size.columns - 1), Style(.prompt))
    }
    drawHints(state.footer)
  }

  private mutating func drawNote() {
    guard let note = State.table[state.screen].note?(state) else { return }
    let text = " " + ink.words(note.text) + " "
    let width = min(DisplayWidth.columns(of: text), size.columns - 4)
    grid.put(
      text, at: Position(column: 2, row: size.rows - 2), width: width, style: Style(note.isFlagged ? .flagged : .muted))
  }

  /// Draws the part of the line around its cursor, with an ellipsis where it is cut, and returns the cursor's place.
  mutating func drawLine(_ editor: TypedLine, row: Int, columns: Range<Int>) -> Position {
    // One column is for the cursor behind the last character, one for the ellipsis.
    let room = columns.count - 2
    var text = ""
    var before = 0
    var start = editor.cursor
    while start > 0 {
      let shown = visible(editor.characters[start - 1])
      let width = DisplayWidth.columns(of: shown)
      guard before + width <= room else { break }
      text = shown + text
      before += width
      start -= 1
    }
    if start > 0 {
      text = ink.glyphs.ellipsis + text
      before += 1
    }
    var after = before
    for character in editor.characters[editor.cursor...] {
      let shown = visible(character)
      text += shown
      after += DisplayWidth.columns(of: shown)
      // One beyond the edge makes the row end in an ellipsis.
      guard after <= columns.count else { break }
    }
    field(text, row: row, columns: columns, Style(.value))
    return Position(column: min(columns.lowerBound + before, columns.upperBound - 1), row: row)
  }

  private func visible(_ character: Character) -> String {
    DisplayText.visible(String(character), ascii: ink.glyphs == .ascii)
  }

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
    for (index, part) in state.titleParts(columns: room - next).enumerated() {
      let text = (index > 0 ? ink.words(TitleCount.separator) : "") + part
      let width = DisplayWidth.columns(of: text)
      // A part is shown whole or not at all, but the first may be cut.
      guard next + width <= room || index == 0 && next + Self.leastName <= room else { break }
      grid.put(text, at: Position(column: next, row: 0), width: min(width, max(0, room - next)), style: Style(.plain))
      next += width
    }
  }

  private static var leastName: Int { 5 }

  private mutating func put(_ text: String, _ column: Int, _ style: Style) -> Int {
    let text = ink.words(text)
    let width = DisplayWidth.columns(of: text)
    return grid.put(text, at: Position(column: column, row: 0), width: width, style: style)
  }

  mutating func drawHints(_ footer: Footer) {
    let row = size.rows - 1
    for (hint, columns) in footer.places {
      let start = Position(column: columns.lowerBound, row: row)
      let next = start.column + grid.put(hint.key, at: start, style: Style(.key)) + 1
      grid.put(hint.label, at: Position(column: next, row: row))
    }
  }

  var size: Size { grid.size }

  /// Draws spans one after the other into a row, cut at the end of the columns.
  mutating func put(_ spans: [Span], row: Int, columns: Range<Int>) {
    var column = columns.lowerBound
    for span in spans where column < columns.upperBound {
      let needed = DisplayWidth.columns(of: span.text)
      column += grid.put(
        span.text, at: Position(column: column, row: row), width: min(needed, columns.upperBound - column),
        style: span.style)
    }
  }

  /// Draws text and fills the rest of the columns with blanks.
  mutating func field(_ text: String, row: Int, columns: Range<Int>, _ style: Style) {
    guard !columns.isEmpty else { return }
    grid.put(text, at: Position(column: columns.lowerBound, row: row), width: columns.count, style: style)
  }

  /// In the last row. A sentence that does not fit covers the rows above it too.
  mutating func drawMessage(_ sentence: String) {
    let room = max(1, size.columns - 1)
    let lines = Wrapping.wrap(
      [Span(ink.words(sentence, isEscaped: true))], first: room, rest: room, limit: max(1, min(3, size.rows - 1)),
      cutSign: ink.glyphs.ellipsis)
    for (index, line) in lines.enumerated() {
      let row = size.rows - lines.count + index
      field("", row: row, columns: 0..<size.columns, .plain)
      field(line.map(\.text).joined(), row: row, columns: 1..<size.columns, Style(.prompt))
    }
  }

  mutating func drawPage(_ page: Page, from top: Int, title: String) {
    let layout = PageLayout(size: size)
    grid.frame(
      Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2), title: title, titleStyle: Style(.title))
    let lines = page.lines
    for (offset, row) in layout.rows.enumerated() {
      let index = top + offset
      guard lines.indices.contains(index) else { break }
      put(lines[index], row: row, columns: layout.columns)
    }
    guard lines.count > layout.rows.count else { return }
    drawPlace("\(top + 1)-\(min(lines.count, top + layout.rows.count)) of \(lines.count)", row: size.rows - 2)
  }

  /// Says in a line of a frame, at the right, which part is visible.
  /// - Parameter end: The column before which the line ends; nil for that of the last frame.
  mutating func drawPlace(_ words: String, row: Int, before end: Int? = nil) {
    let room = DisplayWidth.columns(of: words)
    drawLabel(words, row: row, from: (end ?? size.columns - 1) - room - 3, room: room, Style(.muted))
  }

  /// Draws words into a line of a frame, with a blank on either side, cut to `room` columns.
  mutating func drawLabel(_ words: String, row: Int, from column: Int, room: Int, _ style: Style) {
    let (words, columns) = DisplayWidth.truncate(words, columns: max(0, room), glyphs: ink.glyphs)
    guard columns > 0 else { return }
    grid.put(" \(words) ", at: Position(column: column, row: row), width: columns + 2, style: style)
  }
}

package struct TitleCount: Hashable, Sendable {
  var text: String
  /// Nil for the colour of the bar.
  var role: Role?
  /// A number by which the program knows a click on it.
  var tag: Int?
  var columns = 0..<0

  static let separator = " · "
  static let product = "Carryover  "

  /// Places the counts at the right. Without room, the last ones without a role are dropped.
  static func placed(_ counts: [TitleCount], _ ink: Ink, columns: Int) -> [TitleCount] {
    var counts = counts
    for index in counts.indices { counts[index].text = ink.words(counts[index].text) }
    var room = columns - 2 - product.utf8.count + separator.count
    for count in counts { room -= DisplayWidth.columns(of: count.text) + separator.count }
    if room < 0 {
      let ellipsis = " " + ink.words("…")
      room -= DisplayWidth.columns(of: ellipsis)
      while room < 0, counts.count > 1, let last = counts.lastIndex(where: { $0.role == nil }) {
        room += DisplayWidth.columns(of: counts[last].text) + separator.count
        counts.remove(at: last)
      }
      if let last = counts.indices.last { counts[last].text += ellipsis }
    }
    var end = columns - 1
    for index in counts.indices.reversed() {
      counts[index].columns = (end - DisplayWidth.columns(of: counts[index].text))..<end
      end = counts[index].columns.lowerBound - separator.count
    }
    return counts
  }
}

struct FooterHint: Hashable {
  var key: String
  var label: String
  /// The key that a click on it presses; nil where it names several.
  var press: Key?
  var columns: Int { DisplayWidth.columns(of: key) + 1 + DisplayWidth.columns(of: label) }
}

struct Footer: Hashable {
  var hints: [FooterHint] = []
  var start = 1

  var columns: Int { hints.reduce(0) { $0 + $1.columns + 2 } }

  var places: [(hint: FooterHint, columns: Range<Int>)] {
    var next = start
    return hints.map { hint in
      defer { next += hint.columns + 2 }
      return (hint, next..<(next + hint.columns))
    }
  }

  func key(at column: Int) -> Key? { places.first { $0.columns.contains(column) }?.hint.press }
}

extension Program {
  /// The hints of the keys that can be used now. Those with the lowest ranks that fit are shown, in the table's order, so
  /// that none changes its place.
  func hints(columns: Int) -> [FooterHint] {
    let bindings = bindings
    let ranked = bindings.enumerated().compactMap { index, binding -> (rank: Int, index: Int)? in
      guard binding.hintRank != nil, findStep(binding) != nil || binding.disabledReason(self) == nil else { return nil }
      return binding.rank(self).map { ($0, index) }
    }
    var room = columns - 1
    var kept: [(index: Int, hint: FooterHint)] = []
    for (_, index) in ranked.sorted(by: <) {
      let binding = bindings[index]
      let hint = FooterHint(
        key: lineWords(binding, in: screen) ?? binding.keyLabel, label: binding.label(self), press: binding.clicked)
      guard hint.columns + 2 <= room else { break }
      room -= hint.columns + 2
      kept.append((index, hint))
    }
    return kept.sorted { $0.index < $1.index }.map(\.hint)
  }

  var footer: Footer {
    if let typed = typedLine { return typed.footer }
    guard busy == nil, message == nil, stack.count == nil else { return Footer() }
    let room = statusWords.map { size.columns - DisplayWidth.columns(of: $0) - 2 } ?? size.columns
    return Footer(hints: hints(columns: room))
  }

  var typedLine: (prompt: String, line: Range<Int>, words: String, isFlagged: Bool, footer: Footer)? {
    let content = Self.table[screen]
    guard case .line(let usual) = content.kind else { return nil }
    let prompt = stack.typing?.title.map { Ink(options).name($0, columns: 30) + ": " } ?? usual
    let start = 1 + DisplayWidth.columns(of: prompt)
    let found: (text: String, isFlagged: Bool) = content.words?(self) ?? ("", false)
    let words = Ink(options).words(found.text)
    let width = DisplayWidth.columns(of: words)
    // The line gets what is left, and never less than a quarter.
    var footer = Footer(hints: hints(columns: max(0, size.columns * 3 / 4 - width - start - 3)))
    let end = size.columns - width - 2 - footer.columns
    footer.start = end + width + 2
    return (prompt, start..<max(start + 8, end - 1), words, found.isFlagged, footer)
  }
}

struct PageLayout: Hashable {
  let rows: Range<Int>
  let columns: Range<Int>

  init(size: Size) {
    rows = 2..<max(2, size.rows - 2)
    columns = 2..<max(2, size.columns - 2)
  }
}
