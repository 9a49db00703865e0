package import PropertyLists

/// The form in which a target's reader requires a value. The new SDK reads with a typed cast, so the property-list type
/// is part of the contract: a value of another type reads as absent.
package enum TargetForm: String, Hashable, Sendable {
  /// A string.
  case string
  /// A string holding the decimal digits of an unsigned 64-bit integer.
  case decimalString = "decimal-string"
  /// A string holding a JSON object.
  case jsonObjectString = "json-object-string"
  /// Data holding a JSON object, as text in UTF-8.
  case jsonObjectData = "json-object-data"
  /// A real boolean.
  case boolean
  /// An integer.
  case integer

  /// The property-list type the form needs.
  package var kind: PropertyListValue.Kind {
    switch self {
    case .string, .decimalString, .jsonObjectString: .string
    case .jsonObjectData: .data
    case .boolean: .boolean
    case .integer: .integer
    }
  }
}

/// Why a value does not have the form its reader requires.
package enum FormMismatch: Error, Hashable, Sendable {
  /// Another property-list type: it would read as absent.
  case type(PropertyListValue.Kind)
  /// A string that is not the decimal text of a number from 1 to 2^64 − 1.
  case notDecimal
  /// A string that is not the text of a JSON object; the error tells why, nil that it is another JSON value.
  case notJSONObject(JSONError?)
  /// No JSON, as the error tells, or JSON that stands for no value of a field.
  case notJSON(JSONError?)
  /// An integer outside the range of a signed 64-bit integer.
  case outOfRange
  /// Text that does not read as true or false.
  case notBoolean
  /// Text that is not a decimal integer.
  case notInteger
  /// An empty string where an empty one would be kept for ever.
  case empty
}
