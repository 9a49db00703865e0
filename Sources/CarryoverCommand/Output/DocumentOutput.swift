import Carryover
import PropertyLists

/// A JSON document that is printed piece by piece, masked where that is asked for: the bytes are those of the whole
/// document, printed at once.
struct DocumentOutput {
  private var writer = JSONWriter(pretty: true, visible: true)
  private let masking: Masking

  /// Begins a document with its schema.
  init(schema: String, _ masking: Masking) {
    self.masking = masking
    writer.beginObject()
    writer.name("schema")
    writer.write(.string(schema))
    if masking.isOn {
      writer.name("redacted")
      writer.write(true)
    }
  }

  /// A member of the object that was begun last.
  mutating func member(_ name: String, _ value: JSONValue) throws {
    writer.name(name)
    writer.write(masking.member(JSONMember(name, value)).value)
    try pass()
  }

  /// An element of the array that was begun last.
  mutating func element(_ value: JSONValue) throws {
    writer.write(masking.element(value))
    try pass()
  }

  /// Begins a member that is an array, whose elements follow.
  mutating func beginArray(_ name: String) {
    writer.name(name)
    writer.beginArray()
  }

  /// Begins an element that is an object, whose members follow.
  mutating func beginObject() { writer.beginObject() }

  /// Ends the array or object that was begun last.
  mutating func end() { writer.end() }

  /// Ends the document.
  mutating func finish() throws {
    writer.end()
    try Console.write(writer.take() + Array("\n".utf8))
  }

  private mutating func pass() throws {
    if writer.count >= PieceOutput.size { try Console.write(writer.take()) }
  }
}
