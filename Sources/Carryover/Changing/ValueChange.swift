import CarryoverSystem
package import PropertyLists

/// A change of one value of a store, as a user requests it.
package struct ValueChange: Hashable, Sendable {
  package var path: InspectedPath
  package var new: NewValue
  /// The value required before the change: `.some(nil)` for no value, nil for any.
  package var expected: PropertyListValue??

  package init(_ path: InspectedPath, _ new: NewValue, expecting expected: PropertyListValue?? = nil) {
    self.path = path
    self.new = new
    self.expected = expected
  }
}

package enum NewValue: Hashable, Sendable {
  /// Text in the notation of a type. Without a type, an existing value keeps its own, and a new value is text.
  case typed(String, ValueType?)
  case value(PropertyListValue)
  case removed
}

/// The type of a typed value. The raw value is the word on the command line.
package enum ValueType: String, CaseIterable, Sendable {
  case text, integer, real, boolean
  /// As in `2026-01-31T12:00:00Z`.
  case date
  /// Pairs of hexadecimal digits.
  case data
  /// Only in JSON.
  case null

  /// The type of an existing value; nil if it cannot be written on one line.
  package init?(_ value: PropertyListValue) {
    switch value {
    case .string: self = .text
    case .integer: self = .integer
    case .real: self = .real
    case .boolean: self = .boolean
    case .date: self = .date
    case .data: self = .data
    case .array, .dictionary, .uid, .set, .null: return nil
    }
  }
}

extension NewValue {
  /// The reason that a value does not fit its place, as a sentence.
  struct Mismatch: Error {
    let sentence: String

    static let notInJSON = Mismatch(sentence: "JSON has no dates or data.")
    static let notANumber = Mismatch(sentence: "Not a number. Enter digits, such as 42 or 1.5.")
    static let tooLarge = Mismatch(sentence: "The number is too large: a real is below 1.8e308.")
  }

  /// The reason that typed text is not a value for a place, as a sentence; nil if it is one.
  package func problem(replacing old: InspectedValue.Content?, isInJSON: Bool) -> String? {
    do throws(Mismatch) {
      if isInJSON {
        var present: JSONValue?
        if case .json(let json)? = old { present = json }
        _ = try json(replacing: present)
      } else {
        _ = try propertyList(replacing: old?.propertyListValue)
      }
      return nil
    } catch {
      return error.sentence
    }
  }

  /// The value for a place in a property list or a keyed archive; nil removes it.
  func propertyList(replacing old: PropertyListValue?) throws(Mismatch) -> PropertyListValue? {
    switch self {
    case .removed: return nil
    case .value(let value):
      if let kind = value.foreignKind {
        throw Mismatch(sentence: "Apple's property lists have no \(kind.rawValue).")
      }
      return value
    case .typed(let text, let type):
      if type == nil, case .string(let old)? = old { try Self.requireJSON(text, inPlaceOf: old) }
      return try Self.value(text, Self.type(type, of: old), replacing: old)
    }
  }

  /// The same for a place in JSON.
  func json(replacing old: JSONValue?) throws(Mismatch) -> JSONValue? {
    switch self {
    case .removed: return nil
    case .value(let value):
      guard let json = JSONValue(expressing: value) else { throw .notInJSON }
      return json
    case .typed(let text, let type):
      // JSON has one type of numbers.
      if type == nil, case .number? = old { return .number(try Self.number(text)) }
      if type == nil, case .string(let old)? = old { try Self.requireJSON(text, inPlaceOf: old) }
      switch try Self.type(type, of: old?.propertyListValue) {
      case .text: return .string(text)
      case .null: return .null
      case .real: return .number(try Self.number(text))
      case .integer:
        let number = try Self.number(text)
        guard number.isInteger else { throw Mismatch(sentence: FormMismatch.notInteger.description) }
        return .number(number)
      case .boolean: return .boolean(try Self.value(text, .boolean, replacing: nil) == .boolean(true))
      case .date, .data: throw .notInJSON
      }
    }
  }

  /// A text that contains JSON keeps that, as a value keeps its type.
  private static func requireJSON(_ text: String, inPlaceOf old: String) throws(Mismatch) {
    guard case .json? = PackedValue(old, InspectionLimits.default.packed) else { return }
    do throws(JSONError) {
      _ = try JSONText(text)
    } catch {
      throw Mismatch(
        sentence: "The present value is JSON text, and the new one is not valid JSON: \(error.description) "
          + "Pass --type text to write it as it is.")
    }
  }

  private static func type(_ given: ValueType?, of old: PropertyListValue?) throws(Mismatch) -> ValueType {
    if let given { return given }
    guard let old else { return .text }
    guard let type = ValueType(old) else {
      throw Mismatch(
        sentence: "The current value is \(ValueWording.name(old.kind)). Change a value in it, or give a type.")
    }
    return type
  }

  private static func number(_ text: String) throws(Mismatch) -> JSONNumber {
    guard let number = JSONNumber(lexeme: text) else { throw .notANumber }
    guard number.double != nil else { throw .tooLarge }
    return number
  }

  private static func value(
    _ text: String, _ type: ValueType, replacing old: PropertyListValue?
  ) throws(Mismatch) -> PropertyListValue {
    switch type {
    case .text: return .string(text)
    case .integer:
      guard let integer = PropertyListInteger(text) else {
        throw Mismatch(sentence: FormMismatch.notInteger.description)
      }
      guard integer.fitsIn64Bits else {
        throw Mismatch(
          sentence: "The number must be between -9223372036854775808 and 18446744073709551615.")
      }
      return .integer(integer)
    case .real:
      guard let number = Double(text), number.isFinite else {
        throw JSONNumber(lexeme: text) == nil ? Mismatch.notANumber : Mismatch.tooLarge
      }
      guard case .real(let old)? = old, old.width == .single, Float(number).isFinite else {
        return .real(PropertyListReal(number))
      }
      return .real(PropertyListReal(number, width: .single))
    case .boolean: return try parsed(text, as: .boolean)
    case .data: return try parsed(text, as: .data)
    case .date:
      guard let date = PropertyListDate(iso8601: text) else {
        throw Mismatch(sentence: "Enter a date such as 2026-01-31T12:00:00Z.")
      }
      return .date(date)
    case .null: throw Mismatch(sentence: "Only JSON has null.")
    }
  }

  private static func parsed(_ text: String, as form: TargetForm) throws(Mismatch) -> PropertyListValue {
    try converting(try form.value(fromText: text)) { (error: FormMismatch) in
      Mismatch(sentence: error.description)
    }
  }
}
