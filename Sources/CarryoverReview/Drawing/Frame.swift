package import CarryoverTerminal

/// What is shown: a grid, and the place of the cursor where one is typed at.
package struct Frame: Hashable, Sendable {
  /// The cells.
  package var grid: Grid
  /// The cursor's place; nil where it is hidden.
  package var cursor: Position?
}

/// Draws the state. Pure, and reads only what is visible, however many fields there are.
package func render(_ state: ReviewState) -> Frame {
  if state.screen == .stores, let browser = state.browser { return render(browser) }
  var canvas = Canvas(state)
  canvas.draw()
  return Frame(grid: canvas.grid, cursor: canvas.cursor)
}

/// A grid being drawn from a state.
struct Canvas: Drawing {
  let state: ReviewState
  let ink: Ink
  var grid: Grid
  var cursor: Position?

  init(_ state: ReviewState) {
    self.state = state
    ink = Ink(state.options)
    grid = Grid(size: state.size, glyphs: state.options.glyphs)
  }

  private mutating func drawTooSmall() {
    let options = state.options
    drawTooSmall(leaving: options.key("quit", Screen.tooSmall), asking: quitQuestion)
  }

  mutating func draw() {
    guard !state.isTooSmall else { return drawTooSmall() }
    let shown = state.screens.last ?? .review
    switch shown {
    case .review: drawReview()
    case .decideMany, .filterMenu:
      drawReview()
      drawMenu()
    default:
      drawTitleBar()
      switch shown {
      case .history: drawHistory()
      case .run: drawRun()
      default: drawPage(shown)
      }
      drawFooter()
    }
    if state.editor != nil { drawEditor() }
  }

  /// The question before leaving, where there is room for no more than a line.
  private var quitQuestion: String? {
    guard state.screens.last == .quit else { return nil }
    let answers = "\(state.options.key("quit", Screen.quit)) or \(state.options.key("stay", Screen.quit))"
    return (state.keepingObstacle == nil ? "Quit? Decisions are kept. " : "Quit and lose the decisions? ") + answers
  }
}
