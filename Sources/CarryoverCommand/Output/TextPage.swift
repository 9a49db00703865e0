import Carryover
import CarryoverReview
import CarryoverTerminal

/// Lines of text, laid out for the paper they are printed on. No line is longer than it is wide, but for a word that is.
struct TextPage {
  let paper: Paper
  /// Escapes and masks whatever the page shows.
  let ink: Ink
  private(set) var lines: [[Span]] = []

  init(on paper: Paper, _ masking: Masking) {
    self.paper = paper
    ink = Ink(ReviewOptions(glyphs: paper.glyphs, redaction: masking.redaction))
  }

  /// An empty line, never two in a row nor one at the top.
  mutating func blank() {
    if lines.last?.isEmpty == false { lines.append([]) }
  }

  /// A sentence of our own, which may quote a container, wrapped between words.
  mutating func add(_ text: String, _ role: Role = .plain, indent: Int = 0, hanging: Int? = nil) {
    add([Span(ink.prose(text), role)], indent: indent, hanging: hanging)
  }

  /// A sentence with a sign in front.
  mutating func add(_ sign: Sign, _ text: String, indent: Int = 0) {
    add([sign.span(ink), Span(" " + ink.prose(text))], indent: indent, hanging: indent + 2)
  }

  /// Text that is escaped already, wrapped between words.
  /// - Parameters:
  ///   - indent: the columns in front of every line.
  ///   - hanging: the columns in front of every line but the first, where they differ.
  mutating func add(_ spans: [Span], indent: Int = 0, hanging: Int? = nil) {
    lines += Self.wrapped(spans, first: paper.columns - indent, rest: paper.columns - (hanging ?? indent))
      .enumerated().map { index, line in Self.margin(index == 0 ? indent : hanging ?? indent) + line }
  }

  /// Paths with "or" between them, wrapped between them; one that is longer than a line, behind slashes.
  mutating func paths(_ text: String, indent: Int) {
    for line in Self.wrappedPaths(Span(ink.sentence(text)), columns: paper.columns - indent) {
      self.line(Self.margin(indent) + line)
    }
  }

  static func wrappedPaths(_ span: Span, columns: Int) -> [[Span]] {
    let paths = span.text.split(separator: " or ")
    var lines: [[Span]] = []
    var used = columns
    for (index, path) in paths.enumerated() {
      let text = String(path) + (index + 1 < paths.count ? " or" : "")
      let width = DisplayWidth.columns(of: text)
      if used + 1 + width <= columns {
        lines[lines.count - 1].append(Span(" " + text, style: span.style))
        used += 1 + width
      } else {
        lines += Wrapping.wrap([Span(text, style: span.style)], first: columns, rest: columns, exact: false)
        used = lines.last?.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } ?? columns
      }
    }
    return lines
  }

  /// A line as it is: a path, a command, the row of a table.
  mutating func line(_ spans: [Span]) { lines.append(spans) }

  /// A line of text as it is.
  mutating func line(_ text: String) { lines.append([Span(ink.sentence(text))]) }

  /// A line of text that is escaped and laid out already.
  mutating func escaped(_ text: String) {
    if text.isEmpty { blank() } else { lines.append([Span(text)]) }
  }

  /// The lines of a table.
  mutating func add(_ table: Table) { lines += table.lines(columns: paper.columns) }

  static func margin(_ columns: Int) -> [Span] {
    columns > 0 ? [Span(String(repeating: " ", count: columns))] : []
  }

  /// Breaks a line between words; a word that is longer than a line stands alone.
  /// - Parameters:
  ///   - first: the columns of the first line.
  ///   - rest: the columns of the others.
  static func wrapped(_ spans: [Span], first: Int, rest: Int) -> [[Span]] {
    var lines: [[Span]] = []
    var line: [Span] = []
    var columns = 0
    for word in words(spans) {
      let gap = line.isEmpty && !lines.isEmpty ? 0 : word.gap
      if !line.isEmpty, columns + gap + word.columns > (lines.isEmpty ? first : rest) {
        lines.append(line)
        (line, columns) = (word.spans, word.columns)
      } else {
        line += margin(gap) + word.spans
        columns += gap + word.columns
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// A word, which may begin in one span and end in another, with the blanks in front of it.
  private struct Word {
    var gap: Int
    var spans: [Span]
    var columns: Int
  }

  private static func words(_ spans: [Span]) -> [Word] {
    var words: [Word] = []
    var gap = 0
    var isInWord = false
    for span in spans {
      for (index, part) in span.text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        if index > 0 {
          gap = isInWord ? 1 : gap + 1
          isInWord = false
        }
        guard !part.isEmpty else { continue }
        let piece = Span(String(part), style: span.style)
        let columns = DisplayWidth.columns(of: piece.text)
        if isInWord, let last = words.indices.last {
          words[last].spans.append(piece)
          words[last].columns += columns
        } else {
          words.append(Word(gap: gap, spans: [piece], columns: columns))
          gap = 0
          isInWord = true
        }
      }
    }
    return words
  }
}

extension Paper {
  /// Prints a page on standard output.
  /// - Parameters:
  ///   - masking: what the page goes through. It must have learned what is on it.
  ///   - most: how many columns are used at most.
  func print(
    _ masking: Masking = Masking(false), columns most: Int = .max, _ write: (inout TextPage) throws -> Void
  ) throws {
    var page = Paper(columns: min(columns, most), glyphs: glyphs, hasColors: hasColors).page(masking)
    try write(&page)
    try Console.print(page)
  }
}

extension Console {
  /// Prints a page on standard output.
  static func print(_ page: TextPage) throws {
    try printVerbatim(page.lines.map(page.paper.text).joined(separator: "\n"))
  }

  /// Prints a page on standard error.
  static func error(_ page: TextPage) {
    errorText(page.lines.map { page.paper.text($0) + "\n" }.joined())
  }
}
