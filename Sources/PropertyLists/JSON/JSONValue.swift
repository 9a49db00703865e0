/// A JSON value that keeps what other parsers lose: the order of members, duplicates and the text of numbers.
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
public struct JSONMember: Sendable {
  /// The name, decoded.
  public var name: String
  /// The value.
  public var value: JSONValue

  /// A member.
  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

extension JSONMember: Hashable {
  /// True when name and value are equal.
  public static func == (left: Self, right: Self) -> Bool { JSONValue.object([left]) == JSONValue.object([right]) }
  /// Feeds name and value.
  public func hash(into hasher: inout Hasher) { hasher.combine(JSONValue.object([self])) }
}

/// Walks with a list of its own instead of the call stack, so that any depth can be compared on a small stack.
extension JSONValue: Hashable {
  /// True when type, content, order and the text of numbers are the same; strings by their bytes.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    var pending = [(left, right)]
    while let pair = pending.popLast() {
      switch pair {
      case (.string(let left), .string(let right)):
        guard left.hasSameBytes(as: right) else { return false }
      case (.number(let left), .number(let right)):
        guard left == right else { return false }
      case (.boolean(let left), .boolean(let right)):
        guard left == right else { return false }
      case (.null, .null): break
      case (.array(let left), .array(let right)):
        guard left.count == right.count else { return false }
        pending.append(contentsOf: zip(left, right))
      case (.object(let left), .object(let right)):
        guard left.count == right.count else { return false }
        for (left, right) in zip(left, right) {
          guard left.name.hasSameBytes(as: right.name) else { return false }
          pending.append((left.value, right.value))
        }
      default: return false
      }
    }
    return true
  }

  /// Feeds type and content.
  public func hash(into hasher: inout Hasher) {
    var pending = [self]
    while let value = pending.popLast() {
      switch value {
      case .string(let text): text.hashBytes(into: &hasher)
      case .number(let number): hasher.combine(number)
      case .boolean(let boolean): hasher.combine(boolean)
      case .null: hasher.combine(0)
      case .array(let values):
        hasher.combine(values.count)
        pending.append(contentsOf: values)
      case .object(let members):
        hasher.combine(members.count)
        for member in members {
          member.name.hashBytes(into: &hasher)
          pending.append(member.value)
        }
      }
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
