package import PropertyLists

/// Describes a value without showing it: its type and its size.
package enum ValueShape {
  /// "a number of 2 digits", "a string of 36 characters".
  /// - Parameter text: the exact text of a number in JSON text.
  package static func words(_ value: PropertyListValue, text: String? = nil) -> String {
    switch value {
    case .string(""): "an empty string"
    case .string(let text): "a string of \(ValueWording.counted(text.count, "character"))"
    case .integer(let integer): number(text ?? integer.description)
    case .real(let real): number(text ?? real.description)
    case .data(let bytes): "data of \(ValueWording.counted(bytes.count, "byte"))"
    case .array(let elements): "an array of \(ValueWording.counted(elements.count, "element"))"
    case .dictionary(let dictionary): "a dictionary of \(ValueWording.counted(dictionary.count, "key"))"
    case .set(let elements): "a set of \(ValueWording.counted(elements.count, "element"))"
    default: ValueWording.name(value.kind)
    }
  }

  private static func number(_ text: String) -> String {
    let digits = text.unicodeScalars.count { ("0"..."9").contains($0) }
    return (text.hasPrefix("-") ? "a negative number" : "a number") + " of \(ValueWording.counted(digits, "digit"))"
  }
}
