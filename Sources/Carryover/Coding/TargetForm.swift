package import PropertyLists

/// The form that a target's reader requires of a value. The new SDK reads with a typed cast, so the property-list type
/// is part of the contract: a value of another type reads as missing.
package enum TargetForm: String, CaseIterable, Hashable, Sendable {
  /// A string.
  case string
  /// A string with the decimal digits of an unsigned 64-bit integer.
  case decimalString = "decimal-string"
  /// A string with a JSON object.
  case jsonObjectString = "json-object-string"
  /// Data with a JSON object, as UTF-8 text.
  case jsonObjectData = "json-object-data"
  /// Any data, byte for byte.
  case data
  /// A boolean, not a number.
  case boolean
  /// An integer.
  case integer

  /// The property-list type of the form.
  package var kind: PropertyListValue.Kind {
    switch self {
    case .string, .decimalString, .jsonObjectString: .string
    case .jsonObjectData, .data: .data
    case .boolean: .boolean
    case .integer: .integer
    }
  }
}

/// The reason that a value does not have the form its reader requires.
package enum FormMismatch: Error, Hashable, Sendable {
  /// Another property-list type, which would read as missing.
  case type(PropertyListValue.Kind)
  /// A string that is not the decimal text of a number from 1 to 2^64 − 1.
  case notDecimal
  /// A string that is not a JSON object. The error is nil if it is another JSON value.
  case notJSONObject(JSONError?)
  /// Text that is not valid JSON, or JSON that is not a possible value of a field.
  case notJSON(JSONError?)
  /// An integer outside the range of a signed 64-bit integer.
  case outOfRange
  /// Text that does not read as true or false.
  case notBoolean
  /// Text that is not pairs of hexadecimal digits.
  case notHexadecimal
  /// Text that is not a decimal integer.
  case notInteger
  /// An empty string, which the reader would keep forever.
  case empty
}
