public import Terminal

/// What is shown: a grid, and the place of the cursor where one is typed at.
public struct Frame: Hashable, Sendable {
  /// The cells.
  public var grid: Grid
  /// The cursor's place; nil where it is hidden.
  public var cursor: Position?
}

/// Draws the state. Pure, and reads only what is visible, however many fields there are.
public func render(_ state: ReviewState) -> Frame {
  var canvas = Canvas(state)
  canvas.draw()
  return Frame(grid: canvas.grid, cursor: canvas.cursor)
}

/// A grid being drawn from a state.
struct Canvas {
  let state: ReviewState
  let ink: Ink
  var grid: Grid
  var cursor: Position?

  init(_ state: ReviewState) {
    self.state = state
    ink = Ink(state.options)
    grid = Grid(size: state.size, glyphs: state.options.glyphs)
  }

  var size: Size { grid.size }

  mutating func draw() {
    guard !state.isTooSmall else { return drawTooSmall() }
    drawTitleBar()
    let shown = state.screens.last ?? .review
    switch shown {
    case .review: drawReview()
    case .history: drawHistory()
    case .run: drawRun()
    default: drawPage(shown)
    }
    if state.editor != nil { drawEditor() }
    drawFooter()
  }

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

  /// Draws text into a field of its own and fills the rest with blanks.
  mutating func field(_ text: String, row: Int, columns: Range<Int>, _ style: Style) {
    guard !columns.isEmpty else { return }
    grid.put(text, at: Position(column: columns.lowerBound, row: row), width: columns.count, style: style)
  }
}
