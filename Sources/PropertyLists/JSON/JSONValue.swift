/// A JSON value that keeps what other parsers lose: the order of members, duplicates and the text of numbers.
///
/// Two values are equal if type, contents, order and the text of numbers are. Strings are equal if their bytes are.
public enum JSONValue: Sendable {
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

  /// A string, or null for nil.
  package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
  /// A whole number, or null for nil.
  package init(_ number: Int?) { self = number.map { .number(JSONNumber($0)) } ?? .null }
  /// A boolean, or null for nil.
  package init(_ boolean: Bool?) { self = boolean.map(JSONValue.boolean) ?? .null }
  /// A number, or null for nil, a NaN or an infinity.
  package init(_ number: Double?) { self = number.flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null }
  /// An array of the values of a sequence.
  package init(_ values: some Sequence<JSONValue>) { self = .array(Array(values)) }
  /// An array of strings.
  package init(_ texts: some Sequence<String>) { self = .array(texts.map(JSONValue.string)) }

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

extension JSONValue: Hashable, HashableTree {
  package var children: [JSONValue] {
    switch self {
    case .array(let values): values
    case .object(let members): members.map(\.value)
    default: []
    }
  }

  package func isShallowlyEqual(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.number(let left), .number(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.array, .array), (.null, .null): true
    case (.object(let left), .object(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.name.hasSameBytes(as: $1.name) }
    default: false
    }
  }

  package func feedShallowly(_ hasher: inout Hasher) {
    // The number of the case distinguishes empty values: trees of `[]`, `{}` and null.
    switch self {
    case .string(let text): text.hashBytes(into: &hasher)
    case .number(let number): hasher.combine(number)
    case .boolean(let boolean): hasher.combine(boolean)
    case .object(let members):
      hasher.combine(1)
      for member in members { member.name.hashBytes(into: &hasher) }
    case .array: hasher.combine(2)
    case .null: hasher.combine(3)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self.init(value) }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object with the members in the given order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
}
