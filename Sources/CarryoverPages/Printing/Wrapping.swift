import CarryoverTerminal

/// Breaks text into lines, between words and behind slashes.
package enum Wrapping {
  /// - Parameters:
  ///   - exact: whether lines are broken only where they are full.
  ///   - keepsWords: whether a word that is longer than a line stays whole, also one with slashes, and no line ends in
  ///     blanks.
  ///   - limit: the maximum number of lines.
  ///   - cutSign: ends the last of these if there are more, in one column.
  package static func wrap(
    _ spans: [Span], first: Int, rest: Int, exact: Bool = false, keepsWords: Bool = false, limit: Int = .max,
    cutSign: String = "…"
  ) -> [[Span]] {
    let text = WrappedText(spans, keepsWords: keepsWords)
    var lines: [[Span]] = []
    var line = Line(start: 0)
    var room = max(1, first)
    for (index, unit) in text.units.enumerated() {
      if line.columns + unit.columns > room {
        if lines.count + 1 >= limit {
          var units = line.broken(text, exact: exact)
          var columns = text.units[units].reduce(0) { $0 + $1.columns }
          while columns + 1 > room, let last = units.last {
            columns -= text.units[last].columns
            units = units.lowerBound..<last
          }
          lines.append(text.spans(units) + [Span(cutSign, .muted)])
          return lines
        }
        if !exact, unit.isBlank {
          // A blank at the end of a full line is the break itself.
          lines.append(text.spans(line.units))
          line = Line(start: index + 1, isAfterBreak: true)
          room = max(1, rest)
          continue
        }
        if !keepsWords || line.canBreak {
          lines.append(text.spans(line.broken(text, exact: exact)))
          room = max(1, rest)
        }
      }
      if !exact, unit.isBlank, line.units.isEmpty, line.isAfterBreak {
        line = Line(start: index + 1, isAfterBreak: true)
        continue
      }
      line.append(unit, at: index, keepsWords: keepsWords)
    }
    if !line.units.isEmpty || lines.isEmpty && !keepsWords { lines.append(text.spans(line.units)) }
    return lines
  }

  /// Paths with "or" between them, wrapped there; a longer path is wrapped behind slashes.
  package static func paths(_ span: Span, columns: Int) -> [[Span]] {
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
        lines += wrap([Span(text, style: span.style)], first: columns, rest: columns)
        used = lines.last?.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } ?? columns
      }
    }
    return lines
  }

  /// The units of a line so far.
  private struct Line {
    private let start: Int
    let isAfterBreak: Bool
    private var end: Int
    private(set) var columns = 0
    /// Where the next line may begin; a blank there is dropped.
    private var breakPoint: Int?
    private var hasWord = false

    init(start: Int, isAfterBreak: Bool = false) {
      self.start = start
      self.isAfterBreak = isAfterBreak
      end = start
    }

    var units: Range<Int> { start..<end }
    var canBreak: Bool { breakPoint != nil }

    mutating func append(_ unit: WrappedText.Unit, at index: Int, keepsWords: Bool) {
      if !unit.isBlank { hasWord = true } else if hasWord { breakPoint = index }
      // A path may be broken behind a slash.
      if !keepsWords, unit.text == "/", columns > 0 { breakPoint = index + 1 }
      columns += unit.columns
      end = index + 1
    }

    /// Returns the units that fit, and keeps the rest as the beginning of the next line.
    mutating func broken(_ text: WrappedText, exact: Bool) -> Range<Int> {
      let units = units
      guard !exact, let breakPoint, breakPoint < units.upperBound else {
        self = Line(start: units.upperBound, isAfterBreak: true)
        return units
      }
      let next = text.units[breakPoint..<units.upperBound].drop(while: \.isBlank)
      self = Line(start: next.startIndex, isAfterBreak: true)
      end = units.upperBound
      columns = next.reduce(0) { $0 + $1.columns }
      hasWord = !next.isEmpty
      return units.lowerBound..<breakPoint
    }
  }
}

/// The text of spans as units that no line break divides.
private struct WrappedText {
  /// A grapheme cluster.
  struct Unit {
    let text: String
    let columns: Int
    let style: Style

    var isBlank: Bool { text == " " }
  }

  let units: [Unit]
  let keepsWords: Bool

  init(_ spans: [Span], keepsWords: Bool) {
    self.keepsWords = keepsWords
    units = spans.flatMap { span in
      DisplayWidth.isPlain(span.text)
        ? span.text.unicodeScalars.map { Unit(text: String($0), columns: 1, style: span.style) }
        : DisplayWidth.clusters(of: span.text).map { Unit(text: $0.text, columns: $0.columns, style: span.style) }
    }
  }

  /// Units as spans, one for each run of a style.
  func spans(_ range: Range<Int>) -> [Span] {
    var units = units[range]
    while keepsWords, units.last?.isBlank == true { units.removeLast() }
    return units.reduce(into: []) { spans, unit in
      if spans.last?.style == unit.style {
        spans[spans.count - 1].text += unit.text
      } else {
        spans.append(Span(unit.text, style: unit.style))
      }
    }
  }
}
