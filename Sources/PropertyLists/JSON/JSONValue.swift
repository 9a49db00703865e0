/// A JSON value that keeps what other parsers lose: the order of members, duplicates and the text of numbers.
///
/// Two values are equal if type, contents, order and the text of numbers are. Strings are equal if their bytes are.
public enum JSONValue: Sendable {
  /// Members in order, duplicates included.
  case object([JSONMember])
  /// Elements in order.
  case array([JSONValue])
  /// Text.
  case string(String)
  /// A number as it is written: `1`, `1.0` and `1e0` are three different values.
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
  /// A number, or null for nil, a NaN and an infinity.
  package init(_ number: Double?) { self = number.flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null }
  /// The values of a sequence.
  package init(_ values: some Sequence<JSONValue>) { self = .array(Array(values)) }
  /// Strings.
  package init(_ texts: some Sequence<String>) { self = .array(texts.map(JSONValue.string)) }

  /// The first member with a name; nil for another name and for another type than object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// The text of a string; nil for another type.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number; nil for another type.
  public var numberValue: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The boolean; nil for another type.
  public var booleanValue: Bool? {
    if case .boolean(let boolean) = self { boolean } else { nil }
  }

  /// The members of an object; nil for another type.
  public var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array; nil for another type.
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

  /// A member.
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
    // The number of the case keeps apart what is empty: trees of `[]`, `{}` and null.
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
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self.init(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object, its members in the order given.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
}
