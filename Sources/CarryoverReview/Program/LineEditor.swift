import PropertyLists

/// A line that is typed over a screen, and the other lines that can be put in its place: what was typed before, or values
/// there are. Each keeps what is changed in it while another one is shown.
package struct LineEditor: Hashable, Sendable {
  /// A text that can be put into the line.
  struct Choice: Hashable, Sendable {
    var text: String
    /// Where it comes from, in a few words.
    var origin: String
  }

  /// What the line is for: it decides what the keys mean.
  let screen: Screen
  /// The name of the thing the text is for; empty for none.
  let subject: String
  /// The names that lead to the member the text is for; empty for the whole thing.
  let part: [String]
  /// What can be put into the line, the nearest first.
  let choices: [Choice]
  /// The line that was begun with, then one for each choice.
  private var lines: [TypedLine]
  /// Which of them is shown.
  private(set) var number = 0

  /// The longest text that can be edited in place, in bytes of UTF-8.
  static let limit = TypedLine.limit

  /// An editor with the cursor behind the text.
  init(
    _ screen: Screen, of subject: String = "", part: [String] = [], text: String = "", choices: [Choice] = []
  ) {
    self.screen = screen
    self.subject = subject
    self.part = part
    var places: [StringByBytes: Int] = [:]
    var merged: [Choice] = []
    for choice in choices where choice.text.utf8.count <= Self.limit {
      if let place = places[choice.text] {
        merged[place].origin += ", " + choice.origin
      } else {
        places[choice.text] = merged.count
        merged.append(choice)
      }
    }
    self.choices = merged
    lines = [TypedLine(text)] + merged.map { TypedLine($0.text) }
  }

  /// The line that is shown.
  var line: TypedLine {
    get { lines[number] }
    _modify { yield &lines[number] }
  }

  /// The text as it stands.
  package var text: String { line.text }
  /// The text, character by character as a person sees them.
  package var characters: [Character] { line.characters }
  /// How many characters stand before the cursor.
  package var cursor: Int { line.cursor }

  /// Where the text comes from, and its place among all; nil for the line that was begun with.
  var origin: String? {
    guard number > 0 else { return nil }
    let choice = choices[number - 1]
    let origin = choice.text == text ? choice.origin : choice.origin + ", changed"
    return "\(origin) (\(number) of \(choices.count))"
  }

  /// Whether there is another line after the one shown.
  var hasNext: Bool { lines.indices.contains(number + 1) }

  /// Shows the next line, or the one before; false where there is none.
  mutating func step(by distance: Int) -> Bool {
    guard lines.indices.contains(number + distance) else { return false }
    number += distance
    return true
  }

  /// A text as the line takes it: a value is typed as it is; any other line is one line.
  func accepted(_ text: String) -> String {
    if !subject.isEmpty { return text }
    return String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}

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
