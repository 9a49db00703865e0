/// One line of text being typed, with a cursor between its characters.
public struct TypedLine: Hashable, Sendable {
  /// The text, character by character as a person sees them.
  public private(set) var characters: [Character]
  /// How many characters stand before the cursor.
  public private(set) var cursor: Int

  /// The longest text that can be edited in place, in bytes of UTF-8.
  static let limit = 65_536

  /// A line with the cursor behind the text.
  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  /// The text as it stands.
  public var text: String { String(characters) }

  mutating func insert(_ text: String) {
    guard characters.count < Self.limit else { return }
    // Joined as text and split again: a combining mark belongs to the character before it.
    let before = String(characters[..<cursor]) + text.prefix(Self.limit - characters.count)
    let after = characters[cursor...]
    characters = Array(before)
    cursor = characters.count
    characters += after
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
  public enum Motion: Hashable, Sendable {
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
