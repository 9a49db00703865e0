/// A JSON value that keeps what other parsers lose: the order of members, duplicates and the text of numbers.
///
/// Two values are equal if type, contents, order and the text of numbers are. Strings are equal if their bytes are.
public enum JSONValue: Sendable, Hashable {
  /// Members in order, including duplicates.
  case object([JSONMember])
  /// Elements in order.
  case array([JSONValue])
  /// Text.
  case string(String)
  /// A number with its text: `1`, `1.0` and `1e0` are three different values.
  case number(JSONNumber)
  /// `true` or `false`.
  case boolean(Bool)
  /// `null`.
  case null

  /// Nil for a value with a part that JSON does not have. By loops, because the frames of closures would be large.
  package init?(expressing value: PropertyListValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let integer): self = .number(JSONNumber(checked: integer.description))
    case .null: self = .null
    case .real(let real):
      guard let number = JSONNumber(real.value) else { return nil }
      self = .number(number)
    case .array(let values):
      var elements: [JSONValue] = []
      for value in values {
        guard let element = JSONValue(expressing: value) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    case .dictionary(let dictionary):
      var members: [JSONMember] = []
      for entry in dictionary.entries {
        guard let value = JSONValue(expressing: entry.value) else { return nil }
        members.append(JSONMember(entry.key, value))
      }
      self = .object(members)
    case .date, .data, .uid, .set: return nil
    }
  }

  /// An object with more members at its end.
  package func adding(_ members: [JSONMember]) -> JSONValue { .object((self.members ?? []) + members) }

  /// The value of the first member with a name; nil if there is none or the value is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// The text of a string; nil if the value has another type.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number; nil if the value has another type.
  public var numberValue: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The boolean; nil if the value has another type.
  public var booleanValue: Bool? {
    if case .boolean(let boolean) = self { boolean } else { nil }
  }

  /// The members of an object; nil if the value has another type.
  public var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array; nil if the value has another type.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// Whether type and contents are equal. Strings are compared by their UTF-8 bytes.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.number(let left), .number(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.null, .null): true
    default: false
    }
  }
}

/// A member of an object.
public struct JSONMember: Sendable, Hashable {
  private var nameByBytes: StringByBytes
  /// The name, decoded; compared by its UTF-8 bytes.
  public var name: String {
    get { nameByBytes.text }
    set { nameByBytes = StringByBytes(newValue) }
  }
  /// The value.
  public var value: JSONValue

  /// Creates a member from its decoded name and its value.
  public init(_ name: String, _ value: JSONValue) {
    nameByBytes = StringByBytes(name)
    self.value = value
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = value.json }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object with the members in the given order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
}

/// A number as written in JSON text. Two numbers are equal if their texts are: `1` and `1.0` differ.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible, Described {
  /// The text, according to the grammar of JSON.
  public let lexeme: String

  /// Creates a number from text that the parser has checked.
  init(checked lexeme: String) { self.lexeme = lexeme }

  /// Creates a number from its text; nil if JSON does not allow the text, such as `+1`, `01`, `.5` or `NaN`.
  public init?(lexeme: String) {
    var lexeme = lexeme
    let isValid = lexeme.withUTF8 { JSONNumber.end(of: $0, from: 0) == $0.count && !$0.isEmpty }
    guard isValid else { return nil }
    self.lexeme = lexeme
  }

  /// Creates a whole number.
  public init(_ value: some BinaryInteger) { lexeme = String(value) }

  /// Creates a number from the shortest text that reads back as the same Double; nil for a NaN or an infinity.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = value.description
    lexeme = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  package var words: String { lexeme }

  /// Whether the text has neither a fraction nor an exponent.
  package var isInteger: Bool { lexeme.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= 0x30 && $0 <= 0x39) } }

  /// The value; nil if the text is not an integer that fits.
  public var int64: Int64? { Int64(lexeme) }

  /// The nearest Double; nil if the number is beyond its range.
  public var double: Double? { Double(lexeme).flatMap { $0.isFinite ? $0 : nil } }

  /// Whether a parser that converts numbers to Int64 or Double would write the same text again.
  package var isCanonical: Bool {
    if isInteger { return int64.map(String.init) == lexeme }
    return double.flatMap { JSONNumber($0) }?.lexeme == lexeme
  }

  /// The end of the number that starts at an offset; the offset itself if there is none.
  static func end(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    func skipDigits() -> Bool {
      let first = position
      while position < text.count, text[position] >= 0x30, text[position] <= 0x39 { position += 1 }
      return position > first
    }
    if position < text.count, text[position] == UInt8(ascii: "-") { position += 1 }
    if position < text.count, text[position] == UInt8(ascii: "0") {
      position += 1
    } else if !skipDigits() {
      return start
    }
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() else { return start }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
        position += 1
      }
      guard skipDigits() else { return start }
    }
    return position
  }
}
