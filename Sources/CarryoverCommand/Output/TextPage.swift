import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// Lines laid out for a paper. Only a word can be longer than a line.
struct TextPage {
  let paper: Paper
  let ink: Ink
  private(set) var lines: [[Span]] = []

  init(on paper: Paper, _ masking: Masking) {
    self.paper = paper
    ink = Ink(ReviewOptions(glyphs: paper.glyphs, redaction: masking.redaction))
  }

  func name(_ text: String) -> Span { Span(ink.name(text)) }

  /// - Parameter key: the value's key, which may be a secret's.
  func value(_ value: PropertyListValue?, of key: String? = nil) -> Span {
    Span(
      key.map { ink.value(value, of: $0, columns: paper.columns) } ?? ink.value(value, columns: paper.columns))
  }

  /// Never two in a row, nor one at the top.
  mutating func blank() {
    if lines.last?.isEmpty == false { lines.append([]) }
  }

  /// One of our own sentences, which may quote a container.
  mutating func add(_ text: String, _ role: Role = .plain, indent: Int = 0, hanging: Int? = nil) {
    add([Span(ink.prose(text), role)], indent: indent, hanging: hanging)
  }

  mutating func add(_ sign: Sign, _ text: String, indent: Int = 0) {
    add([sign.span(ink), Span(" " + ink.prose(text))], indent: indent, hanging: indent + 2)
  }

  /// Text that is escaped already.
  /// - Parameter hanging: the indent of every line but the first, if it differs.
  mutating func add(_ spans: [Span], indent: Int = 0, hanging: Int? = nil) {
    lines += Self.wrapped(spans, first: paper.columns - indent, rest: paper.columns - (hanging ?? indent))
      .enumerated().map { index, line in Self.margin(index == 0 ? indent : hanging ?? indent) + line }
  }

  /// Paths with "or" between them, wrapped there; a longer path is wrapped behind slashes.
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

  /// A line that is not wrapped: a path, a command, a row.
  mutating func line(_ spans: [Span]) { lines.append(spans) }

  mutating func line(_ text: String) { lines.append([Span(ink.sentence(text))]) }

  /// A line of text that is escaped and laid out already.
  mutating func escaped(_ text: String) {
    if text.isEmpty { blank() } else { lines.append([Span(text)]) }
  }

  mutating func add(_ table: Table) { lines += table.lines(columns: paper.columns, glyphs: paper.glyphs) }

  static func margin(_ columns: Int) -> [Span] {
    columns > 0 ? [Span(String(repeating: " ", count: columns))] : []
  }

  /// Breaks a line between words. A word that is longer than a line stays whole.
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

  /// A word can begin in one span and end in another.
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
  /// - Parameters:
  ///   - masking: must have learned what is on the page.
  ///   - most: the most columns.
  func print(
    _ masking: Masking = Masking(false), columns most: Int = .max, _ write: (inout TextPage) throws -> Void
  ) throws {
    var page = Paper(columns: min(columns, most), glyphs: glyphs, hasColors: hasColors).page(masking)
    try write(&page)
    try Console.print(page)
  }

  /// Prints a JSON document or a page on standard output.
  func print(
    json: Bool, _ document: @autoclosure () throws -> JSONValue, _ masking: Masking = Masking(false),
    _ write: (inout TextPage) throws -> Void
  ) throws {
    guard json else { return try print(masking, write) }
    try Console.printDocument(masking.document(try document()))
  }
}

extension Console {
  static func print(_ page: TextPage) throws {
    try printVerbatim(page.lines.map(page.paper.text).joined(separator: "\n"))
  }

  static func error(_ page: TextPage) { errorText(page.lines.map { page.paper.text($0) + "\n" }.joined()) }
}

struct Paper {
  let columns: Int
  let glyphs: Glyphs
  let hasColors: Bool

  init(columns: Int = Console.columns, glyphs: Glyphs = Console.glyphs, hasColors: Bool) {
    (self.columns, self.glyphs, self.hasColors) = (columns, glyphs, hasColors)
  }

  /// Standard output.
  init(_ color: ColorWhen = .auto) { self.init(hasColors: color.isOn(isTerminal: Console.outputIsTerminal)) }

  static var error: Paper { Paper(hasColors: ColorWhen.auto.isOn(isTerminal: Console.errorIsTerminal)) }

  func page(_ masking: Masking = Masking(false)) -> TextPage { TextPage(on: self, masking) }

  /// Escapes what could control the terminal.
  func text(_ line: [Span]) -> String {
    line.reduce(into: "") { text, span in
      let shown = DisplayText.harmless(span.text)
      if hasColors, let look = span.style.role.look, shown.contains(where: { $0 != " " }) {
        text += "\u{1B}[\(look)m\(shown)\u{1B}[0m"
      } else {
        text += shown
      }
    }
  }
}

enum ColorWhen: String, CaseIterable {
  case auto, always, never

  func isOn(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if Console.variable("NO_COLOR") != nil { return false }
      if let forced = Console.variable("CLICOLOR_FORCE"), forced != "0" { return true }
      return isTerminal && (Console.variable("TERM") ?? "dumb") != "dumb"
    }
  }
}

extension Role {
  /// The escape sequence's parameter, of the 16 colours that every terminal has.
  fileprivate var look: String? {
    switch self {
    case .error, .conflict: "31"
    case .flagged: "33"
    case .ready, .confirmed: "32"
    case .muted, .skipped: "2"
    case .title: "1"
    default: nil
    }
  }
}

extension Sign {
  func span(_ ink: Ink) -> Span { Span(text(ascii: ink.glyphs == .ascii), role) }

  private var role: Role {
    switch self {
    case .error: .error
    case .warning, .undecided: .flagged
    case .conflict: .conflict
    case .ready, .done: .confirmed
    case .omitted, .unchanged: .skipped
    case .note, .nothing: .plain
    }
  }
}

enum ByteCount {
  /// `512 bytes`, `12 KB`, `3.4 MB`: in thousands, rounded down, with one digit behind the point below ten.
  static func text(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var (whole, rest) = bytes.quotientAndRemainder(dividingBy: 1000)
    var unit = 0
    while whole >= 1000, unit < units.count - 1 {
      (whole, rest) = whole.quotientAndRemainder(dividingBy: 1000)
      unit += 1
    }
    return (whole < 10 ? "\(whole).\(rest / 100)" : "\(whole)") + " " + units[unit]
  }

  private static let units = ["KB", "MB", "GB", "TB"]
}
