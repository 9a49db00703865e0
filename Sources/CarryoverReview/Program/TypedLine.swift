/// One line of text being typed, with a cursor between its characters.
package struct TypedLine: Hashable, Sendable {
  /// The text, character by character as a person sees them.
  package private(set) var characters: [Character]
  /// How many characters stand before the cursor.
  package private(set) var cursor: Int

  /// The longest text that can be edited in place, in bytes of UTF-8.
  static let limit = 65_536

  /// A line with the cursor behind the text.
  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  /// The text as it stands.
  package var text: String { String(characters) }

  mutating func insert(_ text: String) {
    let room = Self.limit - characters.reduce(0) { $0 + $1.utf8.count }
    guard room > 0 else { return }
    // Joined as text and split again: a combining mark belongs to the character before it.
    let before = String(characters[..<cursor]) + Self.head(text, bytes: room)
    let after = characters[cursor...]
    characters = Array(before)
    cursor = characters.count
    characters += after
  }

  /// The beginning of a text, as many scalars as fit.
  private static func head(_ text: String, bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var head = ""
    for scalar in text.unicodeScalars {
      guard head.utf8.count + UTF8.width(scalar) <= bytes else { break }
      head.unicodeScalars.append(scalar)
    }
    return head
  }

  mutating func move(_ motion: Motion) {
    cursor = target(motion)
  }

  mutating func delete(_ motion: Motion) {
    let other = target(motion)
    characters.removeSubrange(min(cursor, other)..<max(cursor, other))
    cursor = min(cursor, other)
  }

  /// How far a key reaches from the cursor.
  package enum Motion: Hashable, Sendable {
    case left, right, start, end, wordLeft
  }

  private func target(_ motion: Motion) -> Int {
    switch motion {
    case .left: return max(0, cursor - 1)
    case .right: return min(characters.count, cursor + 1)
    case .start: return 0
    case .end: return characters.count
    case .wordLeft:
      var position = cursor
      while position > 0, !characters[position - 1].isWordPart { position -= 1 }
      while position > 0, characters[position - 1].isWordPart { position -= 1 }
      return position
    }
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
