package import CarryoverSystem
package import CarryoverTerminal

/// Rows in columns. If there is little room, optional columns are omitted, then names are cut in the middle, and at
/// last every row becomes a block.
package struct Table {
  package struct Column {
    package enum Kind {
      /// Never cut.
      case whole
      /// Cut in the middle: names are alike at their ends.
      case name
      /// Cut at the end.
      case value
      /// Wrapped between words.
      case sentence
      /// Wrapped between paths; one that is longer than a line, behind slashes.
      case path
    }

    var kind: Kind
    /// The heading, and the label in a block, which omits a column without one.
    var label: String
    var place = Place.line
    /// Whether it is omitted if there is little room.
    var isOptional = false

    package enum Place {
      /// On a line of its own, after its label.
      case line
      /// Behind the column before.
      case joined
      /// On the first line.
      case head
    }

    package init(_ kind: Kind, _ label: String = "", _ place: Place = .line, isOptional: Bool = false) {
      self.kind = kind
      self.label = label
      self.place = place
      self.isOptional = isOptional
    }
  }

  private let columns: [Column]
  private let indent: Int
  private let hasHeading: Bool
  package private(set) var rows: [[Pieces]] = []

  package init(_ columns: [Column], indent: Int = 0, heading: Bool = false) {
    self.columns = columns
    self.indent = indent
    hasHeading = heading
  }

  package init(_ columns: [Column], _ rows: [[Pieces]]) {
    self.init(columns, indent: 2, heading: true)
    self.rows = rows
  }

  /// A table of which every column may be wrapped.
  package init(head: [String], rows: [[Pieces]]) { self.init(head.map { Column(.sentence, $0) }, rows) }

  package mutating func add(_ cells: [Pieces]) { rows.append(cells) }

  /// A cell is one piece.
  package mutating func add(_ cells: [Piece]) { rows.append(cells.map { [$0] }) }

  package var isEmpty: Bool { rows.isEmpty }

  /// The headings, for the forms that have them above every table.
  package var head: [String] { columns.map(\.label) }

  /// - Parameter keepsWords: whether a word that is longer than its column stays whole.
  func lines(columns width: Int, _ ink: Ink, keepsWords: Bool) -> [[Span]] {
    guard !rows.isEmpty else { return [] }
    let cells = rows.map { $0.map { ink.cell($0, columns: width) } }
    return TableLayout(
      columns: columns, indent: indent, hasHeading: hasHeading, rows: cells, glyphs: ink.glyphs, keepsWords: keepsWords
    ).lines(width)
  }
}

extension Ink {
  /// The pieces of a cell, in the style of the first.
  fileprivate func cell(_ words: Pieces, columns: Int) -> Span {
    let spans = words.map { span($0, columns: columns) }
    return Span(spans.map(\.text).joined(), style: spans.first?.style ?? .plain)
  }
}

private struct TableLayout {
  typealias Column = Table.Column
  let columns: [Column]
  let indent: Int
  let hasHeading: Bool
  let rows: [[Span]]
  let glyphs: Glyphs
  let keepsWords: Bool

  func lines(_ width: Int) -> [[Span]] {
    guard let widths = widths(within: width - indent) else { return blocks(width) }
    let heading = hasHeading ? [columns.map { Span($0.label, .muted) }] : []
    return (heading + rows).flatMap { lines($0, widths) }
  }

  // MARK: - Columns

  private static let leastValue = 12
  private static let leastSentence = 24
  private static let leastName = 18
  private static let gap = 2

  /// Nil for a column that is not shown; nil instead of all if there is too little room for columns.
  private func widths(within width: Int) -> [Int?]? {
    let natural = columns.indices.map { index in
      let widest = rows.reduce(0) { max($0, DisplayWidth.columns(of: $1[index].text)) }
      // An empty column is not shown.
      return widest > 0 && hasHeading ? max(widest, DisplayWidth.columns(of: columns[index].label)) : widest
    }
    let all = columns.indices.filter { natural[$0] > 0 }
    let needed = all.filter { !columns[$0].isOptional }
    return fitted(all, natural, width, cutsNames: false) ?? fitted(needed, natural, width, cutsNames: false)
      ?? fitted(needed, natural, width, cutsNames: true)
  }

  private func fitted(_ shown: [Int], _ natural: [Int], _ width: Int, cutsNames: Bool) -> [Int?]? {
    var widths: [Int?] = columns.map { _ in nil }
    for index in shown {
      widths[index] =
        switch columns[index].kind {
        case .whole: natural[index]
        case .name: cutsNames ? min(natural[index], Self.leastName) : natural[index]
        case .value: min(natural[index], Self.leastValue)
        case .sentence, .path: min(natural[index], Self.leastSentence)
        }
    }
    var spare = width - shown.reduce(0) { $0 + (widths[$1] ?? 0) } - Self.gap * max(0, shown.count - 1)
    guard spare >= 0 else { return nil }
    // All grow alike; names before values.
    for kinds in [[Column.Kind.name], [.value, .sentence, .path]] {
      while spare > 0 {
        let growing = shown.filter { kinds.contains(columns[$0].kind) && (widths[$0] ?? 0) < natural[$0] }
        guard !growing.isEmpty else { break }
        let share = max(1, spare / growing.count)
        for index in growing where spare > 0 {
          let more = min(share, spare, natural[index] - (widths[index] ?? 0))
          widths[index] = (widths[index] ?? 0) + more
          spare -= more
        }
      }
    }
    return widths
  }

  private func lines(_ row: [Span], _ widths: [Int?]) -> [[Span]] {
    let shown = columns.indices.compactMap { index in widths[index].map { (index: index, width: $0) } }
    let cells = shown.map { cut(row[$0.index], $0.width, columns[$0.index].kind) }
    let height = cells.reduce(1) { max($0, $1.count) }
    return (0..<height).map { line in
      var spans = PageWriter.margin(indent)
      var blanks = 0
      for (cell, column) in zip(cells, shown) {
        let pieces = line < cell.count ? cell[line] : []
        let used = pieces.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
        if used > 0 {
          spans += PageWriter.margin(blanks) + pieces
          blanks = 0
        }
        blanks += column.width - used + Self.gap
      }
      return spans
    }
  }

  private func cut(_ cell: Span, _ width: Int, _ kind: Column.Kind) -> [[Span]] {
    switch kind {
    case .whole: [[cell]]
    case .name: [[Span(DisplayText.fitMiddle(cell.text, columns: width, glyphs: glyphs), style: cell.style)]]
    case .value: [[Span(DisplayText.fit(cell.text, columns: width, glyphs: glyphs), style: cell.style)]]
    case .sentence: Wrapping.wrap([cell], first: width, rest: width, keepsWords: keepsWords)
    case .path: Wrapping.paths(cell, columns: width)
    }
  }

  // MARK: - Blocks

  /// A head for every row, and below it a line for each other cell.
  private func blocks(_ width: Int) -> [[Span]] {
    let labels = columns.filter { $0.place == .line }.reduce(0) { max($0, $1.label.count) }
    return rows.flatMap { block($0, width, labels: labels) }
  }

  private func block(_ row: [Span], _ width: Int, labels: Int) -> [[Span]] {
    var head: [Span] = []
    var lines: [[Span]] = []
    let start = indent + Self.gap + labels + Self.gap
    for (column, cell) in zip(columns, row) where !cell.text.isEmpty {
      switch column.place {
      case .head:
        let isSign = head.count == 1 && DisplayWidth.columns(of: head[0].text) == 1
        head += PageWriter.margin(head.isEmpty ? 0 : isSign ? 1 : Self.gap) + [cell]
      case .line where column.label.isEmpty: break
      case .line:
        let name = Span(column.label + String(repeating: " ", count: labels - column.label.count + Self.gap), .muted)
        for (index, part) in cut(cell, width - start, column.kind).enumerated() {
          lines.append(
            index == 0 ? PageWriter.margin(indent + Self.gap) + [name] + part : PageWriter.margin(start) + part)
        }
      case .joined:
        guard let last = lines.popLast() else { break }
        let used = last.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } + Self.gap
        let text = DisplayText.fit(cell.text, columns: max(Self.leastValue, width - used), glyphs: glyphs)
        lines.append(last + PageWriter.margin(Self.gap) + [Span(text, style: cell.style)])
      }
    }
    return Wrapping.wrap(head, first: width - indent, rest: width - start, keepsWords: keepsWords).enumerated().map {
      index, line in
      PageWriter.margin(index == 0 ? indent : start) + line
    } + lines
  }
}

extension DisplayText {
  /// Cuts escaped text with an ellipsis at its end.
  package static func fit(_ text: String, columns: Int, glyphs: Glyphs) -> String {
    DisplayWidth.truncate(text, columns: columns, glyphs: glyphs).text
  }

  /// Cuts escaped text with an ellipsis in its middle. The end gets a little more: names differ there.
  package static func fitMiddle(_ text: String, columns: Int, glyphs: Glyphs) -> String {
    guard columns > 2, DisplayWidth.columns(of: text) > columns else {
      return fit(text, columns: columns, glyphs: glyphs)
    }
    let clusters = DisplayWidth.clusters(of: text)
    var (head, tail) = ("", "")
    var (room, end) = ((columns - 1) / 2, columns - 1 - (columns - 1) / 2)
    for cluster in clusters {
      guard cluster.columns <= room else { break }
      head += cluster.text
      room -= cluster.columns
    }
    end += room
    for cluster in clusters.reversed() {
      guard cluster.columns <= end else { break }
      tail = cluster.text + tail
      end -= cluster.columns
    }
    return head + glyphs.ellipsis + tail
  }
}
