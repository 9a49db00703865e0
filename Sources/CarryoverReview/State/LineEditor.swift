package import Carryover
import PropertyLists

/// A line of text being typed for a field, and the other lines that can be put in its place: what was typed before and
/// the values there are. Each keeps what is changed in it while another one is shown.
package struct LineEditor: Hashable, Sendable {
  /// A text that can be put into the line.
  struct Choice: Hashable, Sendable {
    var text: String
    /// Where it comes from, in a few words.
    var origin: String
  }

  /// The field the text is for.
  package let field: Field.ID
  /// What can be put into the line, the nearest first.
  let choices: [Choice]
  /// The line that was begun with, then one for each choice.
  private var lines: [TypedLine]
  /// Which of them is shown.
  private(set) var number = 0

  /// The longest text that can be edited in place, in bytes of UTF-8.
  static let limit = TypedLine.limit

  /// An editor with the cursor behind the text.
  init(field: Field.ID, text: String, choices: [Choice] = []) {
    self.field = field
    var places: [String: Int] = [:]
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
    lines = [TypedLine(text)] + self.choices.map { TypedLine($0.text) }
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

  /// Shows the next line, or the one before; false where there is none.
  mutating func step(by distance: Int) -> Bool {
    guard lines.indices.contains(number + distance) else { return false }
    number += distance
    return true
  }

  mutating func insert(_ text: String) { line.insert(text) }
  mutating func move(_ motion: TypedLine.Motion) { line.move(motion) }
  mutating func delete(_ motion: TypedLine.Motion) { line.delete(motion) }
}

extension ReviewState {
  /// How many typed texts are remembered for a field.
  static let mostTyped = 50

  /// What can be put into the line for a field. What is shown nowhere is not put in either.
  func editorChoices(_ field: Field) -> [LineEditor.Choice] {
    var choices = (typed[field.id] ?? []).reversed().map { LineEditor.Choice(text: $0, origin: "typed before") }
    var values: [(PropertyListValue?, String)] = [
      (field.legacy, "legacy value"), (field.proposed, "proposal"), (field.current, "target's value"),
    ]
    values += field.alternatives.map { ($0.value, $0.label) }
    for case (let value?, let origin) in values where options.redaction.map({ $0.value(value) == value }) ?? true {
      if let text = value.editableText { choices.append(LineEditor.Choice(text: text, origin: origin)) }
    }
    return choices
  }

  /// Remembers what was typed for a field.
  mutating func remember(_ text: String, for field: Field.ID) {
    var texts = typed[field] ?? []
    texts.removeAll { $0 == text }
    texts.append(text)
    typed[field] = texts.suffix(Self.mostTyped)
  }
}
