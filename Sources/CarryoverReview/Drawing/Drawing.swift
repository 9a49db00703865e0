import CarryoverPages
import CarryoverTerminal

/// The layout of a screen of text: a title, one frame, a footer.
struct PageLayout: Hashable {
  let rows: Range<Int>
  let columns: Range<Int>

  init(size: Size) {
    rows = 2..<max(2, size.rows - 2)
    columns = 2..<max(2, size.columns - 2)
  }
}

protocol Drawing {
  var ink: Ink { get }
  var grid: Grid { get set }
}

extension Drawing {
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

  mutating func drawMessage(_ sentence: String) {
    field(ink.words(sentence), row: size.rows - 1, columns: 1..<size.columns, Style(.prompt))
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
