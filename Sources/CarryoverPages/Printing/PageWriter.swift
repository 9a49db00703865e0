package import Carryover
import CarryoverSystem
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

  /// - Parameter role: nil for the usual one.
  package init(_ sign: Sign, _ ink: Ink, _ role: Role? = nil) { self.init(ink.sign(sign), role ?? sign.role) }
}

/// Text laid out for a width: each line fits.
package struct Page: Hashable, Sendable {
  package var lines: [[Span]]
  /// The first lines of the items that can be chosen, ascending.
  package var anchors: [Int]

  package init(lines: [[Span]] = [], anchors: [Int] = []) {
    (self.lines, self.anchors) = (lines, anchors)
  }
}

/// Prints blocks, or lines one by one, into lines of so many columns: for a screen, for standard output, and for the
/// accessible mode.
package struct PageWriter {
  package let columns: Int
  package let ink: Ink
  /// The number of lines that are wanted.
  private let limit: Int
  /// Whether a word that is longer than a line stays whole, so that a path or a command can be copied.
  private let keepsWords: Bool
  package private(set) var lines: [[Span]] = []
  private var anchors: [Int] = []

  package init(columns: Int, ink: Ink, limit: Int? = nil, keepsWords: Bool = false) {
    self.columns = max(1, columns)
    self.ink = ink
    self.limit = limit ?? .max
    self.keepsWords = keepsWords
  }

  package mutating func blank() {
    // Never two in a row, nor one at the top.
    if lines.last?.isEmpty == false, lines.count < limit { lines.append([]) }
  }

  /// Begins an item that can be chosen with the next line.
  package mutating func anchor() { anchors.append(lines.count) }

  package mutating func heading(_ text: String) {
    blank()
    add([Span(ink.words(text), .title)])
  }

  /// A heading in a line across the page.
  package mutating func rule(_ text: String) {
    let line: Character = ink.glyphs == .ascii ? "-" : "─"
    let words = " " + ink.words(text) + " "
    let rest = max(0, columns - 2 - DisplayWidth.columns(of: words))
    add([
      Span(String(repeating: line, count: 2), .frame), Span(words, .title),
      Span(String(repeating: line, count: rest), .frame),
    ])
  }

  /// Our own words, wrapped.
  package mutating func words(_ text: String, _ role: Role = .plain, indent: Int = 0) {
    add([Span(ink.words(text), role)], indent: indent)
  }

  /// One of our own sentences, which may quote a container.
  package mutating func add(_ text: String, _ role: Role = .plain, indent: Int = 0, hanging: Int? = nil) {
    add([Span(ink.prose(text), role)], indent: indent, hanging: hanging)
  }

  package mutating func add(_ sign: Sign, _ text: String, indent: Int = 0) {
    add([Span(ink.sign(sign) + " ", sign.role), Span(ink.prose(text))], indent: indent, hanging: indent + 2)
  }

  /// Wraps spans.
  /// - Parameters:
  ///   - indent: The columns in front of every line.
  ///   - hanging: The columns in front of every line but the first, if they differ.
  ///   - exact: Whether lines are broken only where they are full, so that no blank of a value is lost.
  package mutating func add(_ spans: [Span], indent: Int = 0, hanging: Int? = nil, exact: Bool = false) {
    guard lines.count < limit, !keepsWords || spans.contains(where: { !$0.text.isEmpty }) else { return }
    let most = columns / 2
    let first = min(indent, most)
    let rest = min(hanging ?? indent, most)
    if ink.isWhole || Self.plainColumns(spans).map({ $0 <= columns - first }) ?? false {
      lines.append(Self.margin(first) + spans)
      return
    }
    let wrapped = Wrapping.wrap(
      spans, first: columns - first, rest: columns - rest, exact: exact, keepsWords: keepsWords,
      limit: limit - lines.count, cutSign: ink.glyphs.ellipsis)
    lines += wrapped.enumerated().map { index, line in Self.margin(index == 0 ? first : rest) + line }
  }

  package mutating func row(_ label: String, width: Int, _ spans: [Span], indent: Int = 0, exact: Bool = false) {
    let name = ink.words(label)
    add([Span(name.padded(width - 1, gap: 1), .label)] + spans, indent: indent, hanging: indent + width, exact: exact)
  }

  /// A line that is not wrapped: a path, a command, a row.
  package mutating func line(_ spans: [Span]) { lines.append(spans) }

  package mutating func line(_ text: String) { lines.append([Span(ink.sentence(text))]) }

  package static func margin(_ columns: Int) -> [Span] {
    columns > 0 ? [Span(String(repeating: " ", count: columns))] : []
  }

  package var page: Page { Page(lines: lines, anchors: anchors) }

  package func names(_ names: [String], atMost limit: Int) -> String {
    names.prefix(limit).map { ink.name($0, columns: 60) }.joined(separator: ", ")
      + (names.count > limit ? " and \(names.count - limit) more" : "")
  }

  /// The width of a column of names: that of the longest, between 8 and 40, within a part of the page.
  package func nameColumns(_ names: some Sequence<String>, part: Int = 3) -> Int {
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
  package func padded(_ columns: Int, gap: Int = 2) -> String {
    self + String(repeating: " ", count: max(0, columns - DisplayWidth.columns(of: self)) + gap)
  }
}

// MARK: - Blocks

extension PageWriter {
  package mutating func add(_ blocks: [Block]) { for block in blocks { add(block) } }

  package mutating func add(_ block: Block) {
    switch block {
    case .answer(let words, let sign, let role, let certainty, let because):
      add(
        (sign.map { [Span(ink.sign($0) + " ", role)] } ?? [])
          + [Span(ink.words(certainty.isEmpty ? "" : certainty + ": "), .muted)]
          + words.map { ink.span($0, columns: columns).bold }, hanging: sign == nil ? 0 : 2)
      if !because.isEmpty { add(because.map { Span(ink.span($0, columns: columns).text, .muted) }, indent: 2) }
    case .heading(let text, let count):
      blank()
      add([Span(ink.prose(text) + (count.map { " \($0)" } ?? ""), .title)])
    case .paragraph(let words, let indent, let hanging): add(words, indent: indent, hanging: hanging)
    case .paths(let text, let indent):
      lines += Wrapping.paths(Span(ink.sentence(text)), columns: columns - indent).map { Self.margin(indent) + $0 }
    case .notice(let words): add(words)
    case .list(let items): for item in items { add(item) }
    case .path(let path, let role, let indent):
      let span = Span(ink.sentence(path), role)
      if keepsWords { line(Self.margin(indent) + [span]) } else { add([span], indent: indent, exact: true) }
    case .table(let table):
      lines += table.lines(columns: columns, ink, keepsWords: keepsWords || ink.isWhole)
        .prefix(max(0, limit - lines.count))
    case .commands(let commands):
      for line in commands.flatMap({ $0.lines(columns: columns) }) { self.line([Span(ink.masked(line))]) }
    case .code(let code):
      for text in code {
        let span = Span(ink.words(text), .value)
        if keepsWords { line(Self.margin(2) + [span]) } else { add([span], indent: 2, hanging: 4, exact: true) }
      }
    case .sides(let sides): add(sides)
    case .details(let title, let items):
      heading(title)
      for item in items { add(item, indent: 2, hanging: 4) }
    case .anchor: anchor()
    case .blank: blank()
    }
  }

  package mutating func add(_ words: Pieces, indent: Int = 0, hanging: Int? = nil) {
    add(words.map { ink.span($0, columns: columns) }, indent: indent, hanging: hanging)
  }

  private mutating func add(_ sides: [Side]) {
    let names = nameColumns(sides.lazy.map(\.name), part: 2)
    for side in sides {
      let whole = ink.name(side.name, isPath: side.isPath)
      // A name without room beside its values has a line of its own: cut, it would not tell which key changes.
      let isBeside = DisplayWidth.columns(of: whole) <= names
      if !isBeside { add([Span(whole, .label)], indent: 4, hanging: 6, exact: true) }
      let name = isBeside ? whole.padded(names) : ""
      for (sign, value, role) in side.lines {
        add(
          [Span("\(sign) \(name)", role), Span(ink.whole(value, of: side.key), role)], indent: isBeside ? 4 : 6,
          hanging: isBeside ? min(columns / 2, 8 + names) : 8, exact: !keepsWords)
      }
      if let note = side.note { words(note, .conflict, indent: 6) }
    }
  }

  package mutating func add(_ table: Table) { add(.table(table)) }

  private mutating func add(_ item: Item) {
    let sign = item.sign.map { [Span(ink.sign($0) + " ", item.role)] } ?? []
    add(
      sign + item.words.map { ink.span($0, columns: columns) }, indent: item.indent,
      hanging: item.indent + (item.sign == nil ? 0 : 2))
    for words in item.below { add(words, indent: item.indent + 2) }
    if let remedy = item.remedy { add("→ " + remedy, indent: item.indent + 2, hanging: item.indent + 4) }
  }
}

extension Ink {
  package func span(_ piece: Piece, columns: Int) -> Span {
    switch piece {
    case .text(let text, let role, let bold): Span(prose(text), role, bold: bold)
    case .words(let text, let role): Span(words(text), role)
    case .code(let text): Span(words(text), .value)
    case .place(let text, let role): Span(sentence(text), role)
    case .name(let text, let role): Span(name(text), role)
    case .path(let text, let role): Span(path(text), role)
    case .value(let value, let key, let role, let most):
      Span(self.value(value, of: key, columns: min(columns, most)), role)
    case .sign(let sign, let role): Span(sign, self, role)
    case .literal(let text): Span(words(text.description))
    case .key(let key): Span(key, .key)
    case .bar(let bar): Span(words(bar.words))
    }
  }

  /// The text of a piece, masked where it quotes the container, and not escaped.
  func text(_ piece: Piece) -> String {
    switch piece {
    case .text(let text, _, _): quoted(text)
    case .words(let text, _), .code(let text), .key(let text): text
    case .place(let text, _), .name(let text, _), .path(let text, _): masked(text)
    case .value(let value, let key, _, _): text(value, of: key) ?? ""
    case .sign(let sign, _): sign.text()
    case .literal(let text): text.description
    case .bar(let bar): bar.words
    }
  }
}

extension Span {
  fileprivate var bold: Span { Span(text, style: Style(style.role, bold: true)) }
}
