/// The comments and the blank lines of a YAML text, which libyaml does not report.
struct Remarks {
  /// A comment, or a blank line.
  struct Remark {
    var line: Int
    var column: Int
    /// The comment with its `#`; empty for a blank line.
    var text: String
    /// Whether nothing else is on the line.
    var isAlone: Bool
  }

  private let all: [Remark]
  private var next = 0

  /// - Parameters:
  ///   - lines: the text's lines, without their ends.
  ///   - events: the events of the text, which say where scalars are: a `#` in them is no comment.
  init(_ lines: [[Unicode.Scalar]], _ events: [YAMLEvents.Event]) {
    var scalars: [Int: [Range<Int>]] = [:]
    var content: Set<Int> = []
    for event in events {
      guard case .scalar(_, _, let isBlock) = event.kind else { continue }
      if isBlock {
        content.formUnion(BlockText(lines, event).places)
      } else if event.start.line == event.end.line {
        scalars[event.start.line, default: []].append(event.start.column..<max(event.start.column, event.end.column))
      }
    }
    all = lines.enumerated().compactMap { index, scalarsOfLine in
      content.contains(index + 1) ? nil : Self.remark(in: scalarsOfLine, line: index + 1, scalars[index + 1] ?? [])
    }
  }

  /// The comments, sorted: what must not get lost.
  var comments: [String] { all.map(\.text).filter { !$0.isEmpty }.sorted() }

  /// The comments and blank lines above a line that were not taken yet; none that is beside a value.
  mutating func take(above line: Int) -> [String] {
    var taken: [String] = []
    while next < all.count, all[next].line < line { taken.append(takeNext()) }
    return taken
  }

  /// The comments up to the end of a line that were not taken yet: the first one beside something, and the others.
  mutating func take(through line: Int) -> (beside: String?, above: [String]) {
    var above = take(above: line)
    guard next < all.count, all[next].line == line else { return (nil, above) }
    let isAlone = all[next].isAlone
    let text = takeNext()
    if isAlone { above.append(text) }
    return (isAlone ? nil : text, above)
  }

  /// The comments that follow the last member of a collection and are indented like one, with the blank lines between.
  /// - Parameters:
  ///   - column: the least column of these comments.
  ///   - line: the line of what follows the collection.
  mutating func take(fromColumn column: Int, above line: Int) -> [String] {
    var end = next
    var index = next
    while index < all.count, all[index].line < line, all[index].text.isEmpty || all[index].column >= column {
      index += 1
      if !all[index - 1].text.isEmpty { end = index }
    }
    var taken: [String] = []
    while next < end { taken.append(takeNext()) }
    return taken
  }

  private mutating func takeNext() -> String {
    next += 1
    return all[next - 1].text
  }

  private static func remark(in line: [Unicode.Scalar], line number: Int, _ scalars: [Range<Int>]) -> Remark? {
    if line.allSatisfy({ $0 == " " }) { return Remark(line: number, column: 1, text: "", isAlone: true) }
    // Between values, libyaml takes a # for a comment without a blank before it too.
    for (index, scalar) in line.enumerated() where scalar == "#" && !scalars.contains(where: { $0.contains(index + 1) })
    {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: line[index...])
      while text.last == " " { text.removeLast() }
      return Remark(
        line: number, column: index + 1, text: String(text), isAlone: line[..<index].allSatisfy { $0 == " " })
    }
    return nil
  }
}

/// A text over several lines after `|` or `>`, as it is written.
struct BlockText {
  /// `|`, `|-`, `>` or `>-`.
  let header: String
  /// The lines without their indentation. Blank lines at the end are not part of the text.
  let lines: [String]
  /// The numbers of the lines in the file.
  let places: Range<Int>

  init(_ source: [[Unicode.Scalar]], _ event: YAMLEvents.Event) {
    let first = min(event.start.line, source.count)
    let header = source[first - 1].dropFirst(event.start.column - 1).prefix { "|>-".unicodeScalars.contains($0) }
    // At the end of a file without a last line end, the text has none either.
    let isCut = if case .scalar(let text, _, _) = event.kind { !text.isEmpty && !text.hasSuffix("\n") } else { false }
    self.header = Self.text(header) + (isCut && header.last != "-" ? "-" : "")
    // The event ends at the beginning of a line, or at the end of a file without a last line end.
    let last = min(event.end.column > 1 ? event.end.line : event.end.line - 1, source.count)
    var found = first < last ? Array(source[first..<last]) : []
    let indent = found.first { $0.contains { $0 != " " } }?.prefix { $0 == " " }.count ?? .max
    while let line = found.last, line.count <= indent, line.allSatisfy({ $0 == " " }) { found.removeLast() }
    lines = found.map { Self.text($0.dropFirst(indent)) }
    places = (first + 1)..<(first + 1 + found.count)
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
