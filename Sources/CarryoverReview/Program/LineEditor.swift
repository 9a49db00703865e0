import Carryover
import PropertyLists

/// A line typed over a screen, with other lines that can replace it, such as earlier ones. Each keeps its changes while
/// another one is shown.
package struct LineEditor: Hashable, Sendable {
  struct Choice: Hashable, Sendable {
    var text: String
    var origin: String
  }

  let screen: Screen
  /// What the text is a value of; nil for a search or a setting.
  let part: EditedPart?
  /// The parameter of a recipe that the text is a value of.
  let parameter: RecipeParameter?
  let choices: [Choice]
  /// The original line, then one for each choice.
  private var lines: [TypedLine]
  private(set) var number = 0

  init(
    _ screen: Screen, of part: EditedPart? = nil, parameter: RecipeParameter? = nil, text: String = "",
    choices: [Choice] = []
  ) {
    self.screen = screen
    self.part = part
    self.parameter = parameter
    var places: [StringByBytes: Int] = [:]
    var merged: [Choice] = []
    for choice in choices where choice.text.utf8.count <= TypedLine.limit {
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

  var line: TypedLine {
    get { lines[number] }
    _modify { yield &lines[number] }
  }

  package var text: String { line.text }

  /// What is typed, in words; nil for that of the screen.
  var title: String? { parameter?.title }

  /// The origin of the shown line and its place among the choices; nil for the original line.
  var origin: String? {
    guard number > 0 else { return nil }
    let choice = choices[number - 1]
    let origin = choice.text == text ? choice.origin : choice.origin + ", changed"
    return "\(origin) (\(number) of \(choices.count))"
  }

  var hasNext: Bool { lines.indices.contains(number + 1) }

  mutating func step(by distance: Int) -> Bool {
    guard lines.indices.contains(number + distance) else { return false }
    number += distance
    return true
  }

  /// Joins a pasted text to one line, unless it is a value.
  func accepted(_ text: String) -> String {
    if part != nil { return text }
    return String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}

/// A value that is typed: of a field, or of a member of it.
struct EditedPart: Hashable, Sendable {
  var field: String
  /// The names that lead to the member; empty for the whole value.
  var path: [String] = []

  var name: String { ([field] + path).joined(separator: ".") }
}

package struct TypedLine: Hashable, Sendable {
  /// Grapheme clusters.
  package private(set) var characters: [Character]
  package private(set) var cursor: Int

  /// The longest text that can be edited in place, in bytes of UTF-8.
  static let limit = 65_536

  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

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

  private static func head(_ text: String, bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var head = ""
    for scalar in text.unicodeScalars {
      guard head.utf8.count + UTF8.width(scalar) <= bytes else { break }
      head.unicodeScalars.append(scalar)
    }
    return head
  }

  mutating func move(_ motion: Motion) { cursor = target(motion) }

  mutating func delete(_ motion: Motion) {
    let other = target(motion)
    characters.removeSubrange(min(cursor, other)..<max(cursor, other))
    cursor = min(cursor, other)
  }

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
