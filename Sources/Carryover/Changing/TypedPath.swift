/// The path to a value in a store, as a user types it: `rl_traits.address.lines[2]`.
///
/// Names have dots between them, and an element has its number in brackets, counted from 0. A backslash before a
/// character makes it a part of the name; `\n`, `\t`, `\r` and `\u{1B}` stand for hidden characters. A name may also be
/// in quotation marks, as ``InspectedPath/text`` shows it.
package struct TypedPath {
  package let labels: [InspectedChild.Label]

  /// The greatest number of labels.
  package static let mostLabels = 64

  /// Nil for a text of another form.
  package init?(_ text: String) {
    var parser = Parser(Array(text.unicodeScalars))
    guard let labels = parser.labels() else { return nil }
    self.labels = labels
  }

  /// The path to a value in a store. Text that is itself a key of the store means that key, unless it also leads
  /// to a value.
  /// - Throws: the reason that the text leads nowhere or to two values, with the key to type instead.
  package init(_ text: String, in root: InspectedValue) throws(ChangeError) {
    let whole = InspectedChild.Label.name(text)
    let parts = TypedPath(text)?.labels
    guard root.index(of: whole) != nil, parts != [whole] else {
      guard let parts else { throw .malformedKey(text) }
      labels = parts
      return
    }
    if let parts, root.value(at: parts) != nil { throw .ambiguousKey(text, [[whole], parts]) }
    labels = [whole]
  }

  private struct Parser {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func labels() -> [InspectedChild.Label]? {
      var labels: [InspectedChild.Label] = []
      while let next, labels.count < TypedPath.mostLabels {
        if next == "[" {
          guard let index = index() else { return nil }
          labels.append(.index(index))
        } else {
          if !labels.isEmpty {
            guard next == "." else { return nil }
            position += 1
          }
          guard let name = name() else { return nil }
          labels.append(.name(name))
        }
      }
      return next == nil && !labels.isEmpty ? labels : nil
    }

    private mutating func index() -> Int? {
      position += 1
      var digits = ""
      while let next, next != "]", digits.utf8.count < 10 {
        digits.unicodeScalars.append(next)
        position += 1
      }
      guard next == "]", let index = Int(digits), index >= 0, String(index) == digits else { return nil }
      position += 1
      return index
    }

    private mutating func name() -> String? {
      let isQuoted = next == "\""
      if isQuoted { position += 1 }
      var name = String.UnicodeScalarView()
      while let scalar = next {
        if isQuoted ? scalar == "\"" : scalar == "." || scalar == "[" { break }
        position += 1
        guard scalar == "\\" else {
          name.append(scalar)
          continue
        }
        guard let escaped = escaped() else { return nil }
        name.append(escaped)
      }
      if isQuoted {
        guard next == "\"" else { return nil }
        position += 1
        return String(name)
      }
      return name.isEmpty ? nil : String(name)
    }

    /// The character that an escape stands for, after its backslash.
    private mutating func escaped() -> Unicode.Scalar? {
      guard let scalar = next else { return nil }
      position += 1
      switch scalar {
      case "n": return "\n"
      case "t": return "\t"
      case "r": return "\r"
      case "u" where next == "{":
        position += 1
        var digits = ""
        while let next, next != "}", digits.utf8.count < 8 {
          digits.unicodeScalars.append(next)
          position += 1
        }
        guard next == "}" else { return nil }
        position += 1
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      default: return scalar
      }
    }
  }
}
