import CarryoverSystem
package import PropertyLists

extension TargetForm {
  /// The reason that the target's reader would not accept a value; nil if it would.
  ///
  /// This is the new SDK's typed cast. It checks an entered value before a write, and the written value afterwards.
  package func mismatch(_ value: PropertyListValue) -> FormMismatch? {
    guard value.kind == kind else { return .type(value.kind) }
    switch (self, value) {
    case (.decimalString, .string(let text)):
      return Self.isDecimal(text) ? nil : .notDecimal
    case (.jsonObjectString, .string(let text)):
      return Self.objectMismatch(text)
    case (.jsonObjectData, .data):
      return value.jsonText.map(Self.objectMismatch) ?? .notJSONObject(nil)
    case (.integer, .integer(let integer)):
      return integer.int64 == nil ? .outOfRange : nil
    default:
      return nil
    }
  }

  /// The value for an entered text in this form.
  /// - Throws: `FormMismatch` if the text is not valid in this form.
  package func value(fromText text: String) throws(FormMismatch) -> PropertyListValue {
    let value: PropertyListValue
    switch self {
    case .string:
      guard !text.isEmpty else { throw .empty }
      value = .string(text)
    case .decimalString, .jsonObjectString:
      value = .string(text)
    case .jsonObjectData: value = .data(Array(text.utf8))
    case .data:
      guard let bytes = [UInt8](hexadecimal: text.lowercased()) else { throw .notHexadecimal }
      value = .data(bytes)
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "1": value = .boolean(true)
      case "false", "no", "0": value = .boolean(false)
      default: throw .notBoolean
      }
    case .integer:
      guard let integer = PropertyListInteger(text) else { throw .notInteger }
      value = .integer(integer)
    }
    if let mismatch = mismatch(value) { throw mismatch }
    return value
  }

  /// The new SDK parses these as unsigned 64-bit integers, and treats zero as "none".
  private static func isDecimal(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } && UInt64(text).map { $0 > 0 } == true
  }

  private static func objectMismatch(_ text: String) -> FormMismatch? {
    do throws(JSONError) {
      if case .object = try JSONText(text).value { return nil }
      return .notJSONObject(nil)
    } catch {
      return .notJSONObject(error)
    }
  }
}
