import CarryoverSystem
package import PropertyLists

/// Values as command-line arguments, for ``value(fromText:)`` and ``value(fromJSON:)``.
extension TargetForm {
  /// The text for a value; nil if no text gives the value.
  package func text(of value: PropertyListValue) -> String? {
    let text: String? =
      switch value {
      case .string(let text): text
      case .integer(let integer): integer.description
      case .boolean(let flag): flag ? "true" : "false"
      case .data(let bytes): self == .data ? bytes.hexadecimal : String(utf8: bytes)
      default: nil
      }
    guard let text, (try? self.value(fromText: text)) == value else { return nil }
    return text
  }

  /// The JSON for a value; nil if no JSON gives the value. ASCII, except for letters of other scripts and symbols.
  package func json(of value: PropertyListValue) -> String? {
    let json: JSONValue? =
      switch value {
      case .string(let text): .string(text)
      case .integer(let integer): JSONNumber(lexeme: integer.description).map(JSONValue.number)
      case .boolean(let flag): .boolean(flag)
      case .data(let bytes): (self == .data ? bytes.hexadecimal : String(utf8: bytes)).map(JSONValue.string)
      default: nil
      }
    guard let text = json?.text(visible: true), (try? self.value(fromJSON: text)) == value else { return nil }
    return text
  }

  /// The value for JSON in this form: a string, an integer or a boolean. JSON in data is a string in
  /// UTF-8; other data is a string of hexadecimal digits.
  /// - Throws: `FormMismatch` if the value is not valid in this form.
  package func value(fromJSON text: String) throws(FormMismatch) -> PropertyListValue {
    let json: JSONValue
    do throws(JSONError) { json = try JSONText(text).value } catch { throw .notJSON(error) }
    let value: PropertyListValue
    switch json {
    case .string(let text) where self == .data: value = try self.value(fromText: text)
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
