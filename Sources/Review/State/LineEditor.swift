public import Carryover

/// A line of text being typed for a field.
public struct LineEditor: Hashable, Sendable {
  /// The field the text is for.
  public let field: Field.ID
  var line: TypedLine

  /// The longest text that can be edited in place, in bytes of UTF-8.
  static let limit = TypedLine.limit

  /// An editor with the cursor behind the text.
  init(field: Field.ID, text: String) {
    self.field = field
    line = TypedLine(text)
  }

  /// The text as it stands.
  public var text: String { line.text }
  /// The text, character by character as a person sees them.
  public var characters: [Character] { line.characters }
  /// How many characters stand before the cursor.
  public var cursor: Int { line.cursor }

  mutating func insert(_ text: String) { line.insert(text) }
  mutating func move(_ motion: TypedLine.Motion) { line.move(motion) }
  mutating func delete(_ motion: TypedLine.Motion) { line.delete(motion) }
}
