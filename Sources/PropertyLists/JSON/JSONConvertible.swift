/// A value that is written as JSON, in the same form in every document.
package protocol JSONConvertible {
  var json: JSONValue { get }
}

extension JSONValue: JSONConvertible {
  package var json: JSONValue { self }

  /// Null for nil.
  package init(_ value: (some JSONConvertible)?) { self = value?.json ?? .null }

  /// An object of members in the given order. Nil is null.
  package static func object(_ members: KeyValuePairs<String, (any JSONConvertible)?>) -> JSONValue {
    .object(members.map { name, value in JSONMember(name, value?.json ?? .null) })
  }

  /// An object of the members that are not nil. `JSONValue(value)` is null for nil.
  package static func object(present members: KeyValuePairs<String, (any JSONConvertible)?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { JSONMember(name, $0.json) } })
  }
}

extension String: JSONConvertible {
  package var json: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
  package var json: JSONValue { .boolean(self) }
}

extension PropertyListValue.Kind: JSONConvertible {}
extension Int: JSONConvertible {}
extension Int32: JSONConvertible {}
extension Int64: JSONConvertible {}
extension UInt32: JSONConvertible {}

extension Double: JSONConvertible {
  /// Null for a NaN or an infinity.
  package var json: JSONValue { JSONNumber(self).map(JSONValue.number) ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  package var json: JSONValue { .array(map { $0.json }) }
}

extension JSONConvertible where Self: BinaryInteger {
  package var json: JSONValue { .number(JSONNumber(self)) }
}

extension JSONConvertible where Self: RawRepresentable<String> {
  package var json: JSONValue { .string(rawValue) }
}
