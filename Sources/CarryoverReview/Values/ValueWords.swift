import Carryover
import PropertyLists

extension PropertyListValue.Kind {
  /// The type as a person reads it.
  var word: String { rawValue }

  /// The type without the difference between whole and other numbers.
  var plainWord: String { self == .integer || self == .real ? "number" : rawValue }
}

extension PropertyListValue {
  /// The value on one line: text as it is, unless it could be taken for a value of another type; containers by their
  /// size. Reads no more of a long text than `limit` characters need.
  func inline(limit: Int) -> String {
    switch self {
    case .string(let text):
      Self.looksLikeSomethingElse(text)
        ? "\"\(text)\"" : text.head(columns: limit)
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .data(let bytes):
      "\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes") "
        + bytes.prefix(min(limit, 64)).map { Self.hex($0) }.joined(separator: "")
    case .array(let elements): "array of \(counted(elements.count, "element"))"
    case .dictionary(let dictionary): "dictionary of \(counted(dictionary.count, "key"))"
    case .uid(let number): "UID \(number)"
    case .set(let elements): "set of \(counted(elements.count, "element"))"
    case .null: "null"
    }
  }

  /// The text of data that holds a JSON object, as apps store their models; nil for any other value. What is no JSON, or
  /// too long to be looked at in every frame, stays data.
  var readable: PropertyListValue? {
    guard case .data(let bytes) = self, bytes.first == UInt8(ascii: "{"), bytes.count <= ShownText.limit,
      let text = jsonText
    else { return nil }
    return .string(text)
  }

  /// The whole value as text for the clipboard and the line editor; nil where text cannot stand for it.
  var editableText: String? {
    switch self {
    case .string(let text): text
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .data: readable?.editableText
    default: nil
    }
  }

  /// Two hexadecimal digits.
  static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }

  private static func looksLikeSomethingElse(_ text: String) -> Bool {
    guard text.utf8.count <= 40 else { return false }
    if text.isEmpty || text.first == " " || text.last == " " || text.first == "\"" { return true }
    switch text {
    case "true", "false", "null", "none": return true
    default: return Double(text) != nil
    }
  }
}

/// How much of a text is shown.
enum ShownText {
  /// The longest text that is shown in full, in scalars.
  static let limit = 65_536
}
