package import CarryoverTerminal

/// What is shown: a grid, and the place of the cursor where one is typed at.
package struct Frame: Hashable, Sendable {
  /// The cells.
  package var grid: Grid
  /// The cursor's place; nil where it is hidden.
  package var cursor: Position?
}

/// Draws a program as it is. Pure, and reads only what is visible, however much there is.
package func render<State: Program>(_ state: State) -> Frame {
  var canvas = Canvas(state)
  canvas.draw()
  return Frame(grid: canvas.grid, cursor: canvas.cursor)
}

/// A grid being drawn from a program's state.
struct Canvas<State: Program>: Drawing {
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
      content.overlay?(&self)
    }
    markFound()
    drawFooter()
    if let typing = state.stack.typing { State.table[typing.screen].overlay?(&self) }
  }

  /// One line that says what is the matter, in whatever room there is.
  private mutating func drawNotice() {
    let minimum = ScreenStack.minimum
    let leave = State.table.bindings(in: State.table.tooSmall, state.options.keymap).first { $0.hintRank != nil }
    let notice =
      State.table[state.topScreen].question?(state)
      ?? "Too small: \(minimum.columns)×\(minimum.rows) needed. \(leave?.keyLabel ?? "no key") quits."
    for row in 0..<size.rows { field("", row: row, columns: 0..<size.columns, .plain) }
    grid.put(
      ink.words(notice), at: Position(column: 0, row: size.rows / 2), width: size.columns, style: Style(.prompt),
      alignment: .center)
  }

  /// What the last key did, or else the keys; or the line that is typed.
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
    let message = state.stack.count.message ?? state.message
    if let message { drawMessage(message) }
    // What the last key did is worth more than what it was.
    let room = size.columns - (message.map { DisplayWidth.columns(of: ink.words($0)) + 2 } ?? 0)
    if let words = state.statusWords, DisplayWidth.columns(of: words) + 2 <= room {
      let start = size.columns - DisplayWidth.columns(of: words) - 1
      field(words, row: row, columns: start..<(size.columns - 1), Style(.prompt))
    }
    drawHints(state.footer)
  }

  /// What can be typed next, in the frame above the line.
  private mutating func drawNote() {
    guard let note = State.table[state.screen].note?(state) else { return }
    let text = " " + ink.words(note.text) + " "
    let width = min(DisplayWidth.columns(of: text), size.columns - 4)
    grid.put(
      text, at: Position(column: 2, row: size.rows - 2), width: width, style: Style(note.isFlagged ? .flagged : .muted))
  }
}
