package import Carryover
package import CarryoverSystem
package import CarryoverTerminal

/// A part of a page before it has a form. What is said in blocks can be printed in every form: see ``PageWriter``,
/// ``ReportMarkdown`` and ``ReportHTML``.
package enum Block {
  /// The answer of the page, how certain it is (nothing if the words say so), and the reason.
  case answer(Pieces, Sign? = nil, Role = .plain, certainty: String = "", because: Pieces = [])
  case heading(String, count: Int? = nil)
  case paragraph(Pieces, indent: Int = 0, hanging: Int? = nil)
  /// A path on a line of its own, which keeps its blanks, so that it can be copied.
  case path(String, Role = .value, indent: Int = 2)
  /// Paths with "or" between them.
  case paths(String, indent: Int)
  /// A remark on the page itself.
  case notice(Pieces)
  case list([Item])
  case table(Table)
  case commands([ShellCommand])
  /// Swift to paste, line by line.
  case code([String])
  case sides([Side])
  /// A list that is closed until the reader opens it, where the form can do that.
  case details(title: String, [Pieces])
  /// The next block can be chosen, where the form can do that.
  case anchor
  case blank

  package static func paragraph(_ text: String, _ role: Role = .plain, indent: Int = 0, hanging: Int? = nil) -> Block {
    .paragraph([.text(text, role)], indent: indent, hanging: hanging)
  }

  package static func list(_ sentences: [String], indent: Int = 2) -> Block {
    .list(sentences.map { Item([.text($0)], indent: indent) })
  }
}

/// A sentence in pieces.
package typealias Pieces = [Piece]

/// A piece of a sentence. It is neither escaped nor masked: the printer does both.
package enum Piece {
  /// Our own words, which may quote the container.
  case text(String, Role = .plain, bold: Bool = false)
  /// Our own words, which quote nothing from a container, so that no value can be in them. They are never masked.
  case words(String, Role = .plain)
  /// A name in an app's code, in our own words: never masked.
  case code(String)
  /// Our own words, which name a place in the container.
  case place(String, Role = .plain)
  /// A name from the container, or a code.
  case name(String, Role = .plain)
  /// The text of a path to a value, whose names are escaped already.
  case path(String, Role = .plain)
  /// A value of the container, with its key, which may be that of a secret. A value that is missing is said to be.
  case value(PropertyListValue?, of: String? = nil, Role = .plain, columns: Int = .max)
  /// A part of our own words that is a mask or a word in one, and never masked itself.
  case literal(StaticString)
  /// - Parameter role: nil for the usual one.
  case sign(Sign, Role? = nil)
  /// A key that can be pressed.
  case key(String)
  case bar(Bar)

  /// Never masked, as ``moment(_:)``: its digits say nothing of a user whose id has them.
  package static func count(_ count: Int, _ role: Role = .plain) -> Piece { .words("\(count)", role) }

  package static func moment(_ moment: Moment) -> Piece { .words(moment.text) }

  /// Pieces with commas between them.
  package static func list(_ pieces: some Sequence<Piece>) -> Pieces {
    Array(pieces.map { [$0] }.joined(separator: [.text(", ")]))
  }

  /// A recipe's words, in which backquotes surround code.
  package static func marked(_ text: String) -> Pieces {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    // The last backquote of an odd number stands for itself.
    guard parts.count % 2 == 1 else { return [.words(text)] }
    return parts.enumerated().filter { !$1.isEmpty }.map { $0 % 2 == 1 ? .code($1) : .words($1) }
  }

  package static func strong(_ text: String, _ role: Role = .plain) -> Piece { .text(text, role, bold: true) }
}

/// A sentence of a list, and what belongs to it.
package struct Item {
  let sign: Sign?
  let role: Role
  /// The sign in a word, for the forms without signs.
  let word: String?
  let words: Pieces
  /// Paragraphs.
  let below: [Pieces]
  let remedy: String?
  let indent: Int

  package init(
    _ words: Pieces, sign: Sign? = nil, role: Role? = nil, word: String? = nil, below: [Pieces] = [],
    remedy: String? = nil, indent: Int = 2
  ) {
    (self.sign, self.role, self.word) = (sign, role ?? sign?.role ?? .plain, word)
    (self.words, self.below, self.remedy, self.indent) = (words, below, remedy, indent)
  }

  /// For the forms with signs in words.
  var paragraphs: [Pieces] {
    [(word.map { [.strong($0), .text(" ")] } ?? []) + words] + below + (remedy.map { [[.text("→ " + $0)]] } ?? [])
  }
}

extension Sign {
  package var role: Role {
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

/// Parts of a whole as a bar, and as words for those who do not see it.
package struct Bar {
  package enum Kind: String {
    case good, ask, bad, nothing
  }

  private let parts: [(count: Int, kind: Kind)]
  private let whole: Int
  package let words: String

  package init(_ parts: [(count: Int, kind: Kind)], of whole: Int, _ words: String) {
    (self.parts, self.whole, self.words) = (parts, whole, words)
  }

  package static let length = 1_000
  /// The least length of a part that is not zero, so that it is visible.
  private static let least = 8

  package var pieces: [(start: Int, length: Int, kind: Kind)] {
    var start = 0
    return parts.filter { $0.count > 0 && whole > 0 }.map { count, kind in
      let length = min(max(Self.least, Int(Double(count) / Double(whole) * Double(Self.length))), Self.length)
      defer { start += length }
      return (min(start, Self.length - Self.least), length, kind)
    }
  }

  /// Rounding shows neither a few as none nor nearly all as all.
  package static func percent(_ count: Int, of whole: Int) -> String {
    guard whole > 0 else { return "0 %" }
    let tenths = Int((Double(count) / Double(whole) * 1_000).rounded())
    if count > 0, tenths == 0 { return "< 0.1 %" }
    if count < whole, tenths == 1_000 { return "> 99.9 %" }
    return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}
