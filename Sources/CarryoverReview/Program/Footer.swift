import CarryoverTerminal

/// A key in the last line, and the word after it.
struct FooterHint: Hashable {
  var key: String
  var label: String
  /// The key a click on it stands for; nil where it names several.
  var press: Key?
  /// How wide it is.
  var columns: Int { DisplayWidth.columns(of: key) + 1 + DisplayWidth.columns(of: label) }
}

/// The keys in the last line, and the column they begin at.
struct Footer: Hashable {
  var hints: [FooterHint] = []
  var start = 1

  /// The columns that all of them take, with the gaps behind each.
  var columns: Int { hints.reduce(0) { $0 + $1.columns + 2 } }

  /// Where each hint stands in the last line.
  var places: [(hint: FooterHint, columns: Range<Int>)] {
    var next = start
    return hints.map { hint in
      defer { next += hint.columns + 2 }
      return (hint, next..<(next + hint.columns))
    }
  }

  /// The key of the hint at a column.
  func key(at column: Int) -> Key? { places.first { $0.columns.contains(column) }?.hint.press }
}

extension Program {
  /// The hints of the keys that can be used now, as many as fit into a width: the lower the rank, the longer a hint is
  /// kept. They are in the table's order, whatever their ranks, so that nothing changes place.
  func hints(columns: Int) -> [FooterHint] {
    let bindings = bindings
    var ranked: [(rank: Int, index: Int)] = []
    for index in bindings.indices {
      let binding = bindings[index]
      guard binding.hintRank != nil, findStep(binding) != nil || binding.disabledReason(self) == nil else { continue }
      if let rank = binding.rank(self) { ranked.append((rank, index)) }
    }
    ranked.sort { $0 < $1 }
    var room = columns - 1
    var kept: [(index: Int, hint: FooterHint)] = []
    for entry in ranked {
      let binding = bindings[entry.index]
      let hint = FooterHint(
        key: lineWords(binding, in: screen) ?? binding.keyLabel, label: binding.label(self), press: binding.clicked)
      guard hint.columns + 2 <= room else { break }
      room -= hint.columns + 2
      kept.append((entry.index, hint))
    }
    return kept.sorted { $0.index < $1.index }.map(\.hint)
  }

  /// What the last line offers to be clicked; nothing while it says something else.
  var footer: Footer {
    if let typed = typedLine { return typed.footer }
    guard busy == nil, message == nil, stack.count.value == nil else { return Footer() }
    let room = statusWords.map { size.columns - DisplayWidth.columns(of: $0) - 2 } ?? size.columns
    return Footer(hints: hints(columns: room))
  }

  /// The line that is typed in the last row, with what stands behind it; nil without one.
  var typedLine: (prompt: String, line: Range<Int>, words: String, isFlagged: Bool, footer: Footer)? {
    let content = Self.table[screen]
    guard case .line(let prompt) = content.kind else { return nil }
    let found: (text: String, isFlagged: Bool) = content.words?(self) ?? ("", false)
    let words = Ink(options).words(found.text)
    let width = DisplayWidth.columns(of: words)
    // The line gets what is left, and never less than a quarter.
    var footer = Footer(hints: hints(columns: max(0, size.columns * 3 / 4 - width - prompt.utf8.count - 4)))
    let end = size.columns - width - 2 - footer.columns
    footer.start = end + width + 2
    let start = 1 + prompt.utf8.count
    return (prompt, start..<max(start + 8, end - 1), words, found.isFlagged, footer)
  }
}

extension Canvas {
  /// Draws the hints of the keys into the last line.
  mutating func drawHints(_ footer: Footer) {
    let row = size.rows - 1
    for (hint, columns) in footer.places {
      let start = Position(column: columns.lowerBound, row: row)
      let next = start.column + grid.put(hint.key, at: start, style: Style(.key)) + 1
      grid.put(hint.label, at: Position(column: next, row: row))
    }
  }
}
