/// The characters that lines and ellipses are drawn with.
package enum Glyphs: Hashable, Sendable {
  /// Box drawing characters and `…`.
  case unicode
  /// `+`, `-`, `|` and `~`, for terminals whose locale is not UTF-8.
  case ascii

  /// What stands for text that was cut off; one column.
  package var ellipsis: String { self == .ascii ? "~" : "…" }

  /// The character whose lines leave the middle of the cell in these directions.
  func line(_ arms: Arms) -> String {
    switch self {
    case .unicode: Arms.unicode[Int(arms.rawValue & 15)]
    case .ascii:
      if arms.isSubset(of: [.left, .right]) {
        "-"
      } else if arms.isSubset(of: [.up, .down]) {
        "|"
      } else {
        "+"
      }
    }
  }

  /// The scalar of ``line(_:)``.
  func lineScalar(_ arms: Arms) -> Unicode.Scalar {
    switch self {
    case .unicode: Arms.scalars[Int(arms.rawValue & 15)]
    case .ascii: arms.isSubset(of: [.left, .right]) ? "-" : arms.isSubset(of: [.up, .down]) ? "|" : "+"
    }
  }

  /// The directions of a cell with a character that `line` gives; none of any other.
  package func arms(of cell: Cell) -> Arms {
    guard cell.columns == 1, !cell.isCombined, let scalar = Unicode.Scalar(cell.base) else { return [] }
    switch (self, scalar) {
    case (.unicode, "\u{2500}"..."\u{257F}"):
      return Arms.scalars.firstIndex(of: scalar).map { Arms(rawValue: UInt8($0)) } ?? []
    case (.ascii, "-"): return [.left, .right]
    case (.ascii, "|"): return [.up, .down]
    case (.ascii, "+"): return [.up, .down, .left, .right]
    default: return []
    }
  }

  /// The directions of a character that `line` gives; none of any other.
  package func arms(of text: String) -> Arms {
    switch (self, text) {
    case (.unicode, _): Arms.byCharacter[text] ?? []
    case (.ascii, "-"): [.left, .right]
    case (.ascii, "|"): [.up, .down]
    case (.ascii, "+"): [.up, .down, .left, .right]
    default: []
    }
  }
}

/// The directions in which lines leave the middle of a cell.
package struct Arms: OptionSet, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let up = Arms(rawValue: 1)
  package static let down = Arms(rawValue: 2)
  package static let left = Arms(rawValue: 4)
  package static let right = Arms(rawValue: 8)

  /// Indexed by raw value.
  static let scalars: [Unicode.Scalar] = [
    " ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼",
  ]

  static let unicode = scalars.map { String($0) }

  static let byCharacter: [String: Arms] = {
    var arms: [String: Arms] = [:]
    for (index, character) in unicode.enumerated().dropFirst() {
      arms[character] = Arms(rawValue: UInt8(index))
    }
    return arms
  }()
}
