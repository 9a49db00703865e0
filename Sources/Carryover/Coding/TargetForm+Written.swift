package import PropertyLists

/// Values as words of a command line: the ways back are ``value(fromText:)`` and ``value(fromJSON:)``.
extension TargetForm {
  /// The text that is read as a value; nil where no text is.
  package func text(of value: PropertyListValue) -> String? {
    let text: String? =
      switch value {
      case .string(let text): text
      case .integer(let integer): integer.description
      case .boolean(let flag): flag ? "true" : "false"
      case .data(let bytes): String(utf8: bytes)
      default: nil
      }
    guard let text, (try? self.value(fromText: text)) == value else { return nil }
    return text
  }

  /// The JSON that is read as a value, in ASCII but for what has a shape of its own; nil where none is.
  package func json(of value: PropertyListValue) -> String? {
    let json: JSONValue? =
      switch value {
      case .string(let text): .string(text)
      case .integer(let integer): JSONNumber(lexeme: integer.description).map(JSONValue.number)
      case .boolean(let flag): .boolean(flag)
      case .data(let bytes): String(utf8: bytes).map(JSONValue.string)
      default: nil
      }
    guard let text = json?.text(visible: true), (try? self.value(fromJSON: text)) == value else { return nil }
    return text
  }

  /// The value that JSON stands for in this form: a string, a whole number, or a boolean. Data is a string in UTF-8.
  /// - Throws: `FormMismatch` when the value does not fit.
  package func value(fromJSON text: String) throws(FormMismatch) -> PropertyListValue {
    let json: JSONValue
    do throws(JSONError) { json = try JSONText(text).value } catch { throw .notJSON(error) }
    let value: PropertyListValue
    switch json {
    case .string(let text): value = kind == .data ? .data(Array(text.utf8)) : .string(text)
    case .boolean(let flag): value = .boolean(flag)
    case .number(let number):
      guard let integer = PropertyListInteger(number.lexeme) else { throw .notInteger }
      value = .integer(integer)
    case .object, .array, .null: throw .notJSON(nil)
    }
    if let mismatch = mismatch(value) { throw mismatch }
    return value
  }
}
