package import CarryoverTerminal

/// A piece of text in one style, ready to be drawn.
package struct Span: Hashable, Sendable {
  package var text: String
  package var style: Style

  package init(_ text: String, _ role: Role = .plain, bold: Bool = false) {
    self.text = text
    style = Style(role, bold: bold)
  }

  package init(_ text: String, style: Style) {
    self.text = text
    self.style = style
  }
}

/// Text laid out for a width: each line fits.
struct Page: Hashable, Sendable {
  var lines: [[Span]] = []
  /// The first lines of the items that can be chosen, ascending.
  var anchors: [Int] = []
}

/// The layout of a screen of text: a title, one frame, a footer.
struct PageLayout: Hashable {
  let rows: Range<Int>
  let columns: Range<Int>

  init(size: Size) {
    rows = 2..<max(2, size.rows - 2)
    columns = 2..<max(2, size.columns - 2)
  }
}

struct PageWriter {
  let columns: Int
  let ink: Ink
  /// The number of lines that are wanted.
  let limit: Int
  private(set) var lines: [[Span]] = []
  private var anchors: [Int] = []

  init(columns: Int, ink: Ink, limit: Int? = nil) {
    self.columns = max(1, columns)
    self.ink = ink
    self.limit = limit ?? .max
  }

  mutating func blank() {
    // Never two in a row, nor one at the top.
    if lines.last?.isEmpty == false, lines.count < limit { lines.append([]) }
  }

  /// Begins an item that can be chosen with the next line.
  mutating func anchor() { anchors.append(lines.count) }

  mutating func heading(_ text: String) {
    blank()
    add([Span(ink.words(text), .title)])
  }

  /// A heading in a line across the page.
  mutating func rule(_ text: String) {
    let line: Character = ink.glyphs == .ascii ? "-" : "─"
    let words = " " + ink.words(text) + " "
    let rest = max(0, columns - 2 - DisplayWidth.columns(of: words))
    add([
      Span(String(repeating: line, count: 2), .frame), Span(words, .title),
      Span(String(repeating: line, count: rest), .frame),
    ])
  }

  /// Our own words, wrapped.
  mutating func words(_ text: String, _ role: Role = .plain, indent: Int = 0) {
    add([Span(ink.words(text), role)], indent: indent)
  }

  /// Wraps spans.
  /// - Parameters:
  ///   - indent: The columns in front of every line.
  ///   - hanging: The columns in front of every line but the first, if they differ.
  ///   - exact: Whether lines are broken only where they are full, so that no blank of a value is lost.
  mutating func add(_ spans: [Span], indent: Int = 0, hanging: Int? = nil, exact: Bool = false) {
    guard lines.count < limit else { return }
    let most = columns / 2
    let first = min(indent, most)
    let rest = min(hanging ?? indent, most)
    if ink.isWhole || Self.plainColumns(spans).map({ $0 <= columns - first }) ?? false {
      lines.append((first > 0 ? [Span(String(repeating: " ", count: first))] : []) + spans)
      return
    }
    let wrapped = Wrapping.wrap(
      spans, first: columns - first, rest: columns - rest, exact: exact, limit: limit - lines.count,
      cutSign: ink.glyphs.ellipsis)
    for (index, line) in wrapped.enumerated() {
      let margin = index == 0 ? first : rest
      lines.append((margin > 0 ? [Span(String(repeating: " ", count: margin))] : []) + line)
    }
  }

  mutating func row(_ label: String, width: Int, _ spans: [Span], indent: Int = 0, exact: Bool = false) {
    let name = ink.words(label)
    add([Span(name.padded(width - 1, gap: 1), .label)] + spans, indent: indent, hanging: indent + width, exact: exact)
  }

  var page: Page { Page(lines: lines, anchors: anchors) }

  func names(_ names: [String], atMost limit: Int) -> String {
    names.prefix(limit).map { ink.name($0, columns: 60) }.joined(separator: ", ")
      + (names.count > limit ? " and \(names.count - limit) more" : "")
  }

  /// The width of a column of names: that of the longest, between 8 and 40, within a part of the page.
  func nameColumns(_ names: some Sequence<String>, part: Int = 3) -> Int {
    var width = 8
    for name in names where width < 40 { width = max(width, DisplayWidth.columns(of: ink.name(name, columns: 40))) }
    return min(columns / part, width)
  }

  /// The columns of spans that are all printable ASCII, which is nearly every line; nil for any other.
  private static func plainColumns(_ spans: [Span]) -> Int? {
    var columns = 0
    for span in spans {
      guard DisplayWidth.isPlain(span.text) else { return nil }
      columns += span.text.utf8.count
    }
    return columns
  }
}

extension String {
  /// Pads to a width, and adds a gap.
  func padded(_ columns: Int, gap: Int = 2) -> String {
    self + String(repeating: " ", count: max(0, columns - DisplayWidth.columns(of: self)) + gap)
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
