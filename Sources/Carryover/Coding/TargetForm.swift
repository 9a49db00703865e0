import CarryoverSystem
package import PropertyLists

/// The form that a target's reader requires of a value. The new SDK reads with a typed cast, so the property-list type
/// is part of the contract: a value of another type reads as missing.
package enum TargetForm: String, CaseIterable, Hashable, Sendable, JSONConvertible {
  case string
  /// A string with the decimal digits of an unsigned 64-bit integer.
  case decimalString = "decimal-string"
  case jsonObjectString = "json-object-string"
  /// Data with a JSON object, as UTF-8 text.
  case jsonObjectData = "json-object-data"
  case data
  case boolean
  case integer

  package var kind: PropertyListValue.Kind {
    switch self {
    case .string, .decimalString, .jsonObjectString: .string
    case .jsonObjectData, .data: .data
    case .boolean: .boolean
    case .integer: .integer
    }
  }

  /// The reason that the target's reader would not accept a value; nil if it would.
  ///
  /// This is the new SDK's typed cast. It checks an entered value before a write, and the written value afterwards.
  package func mismatch(_ value: PropertyListValue) -> FormMismatch? {
    guard value.kind == kind else { return .type(value.kind) }
    switch (self, value) {
    case (.decimalString, .string(let text)): return Self.isDecimal(text) ? nil : .notDecimal
    case (.jsonObjectString, .string(let text)): return Self.objectMismatch(text)
    case (.jsonObjectData, .data): return value.jsonText.map(Self.objectMismatch) ?? .notJSONObject(nil)
    case (.integer, .integer(let integer)): return integer.int64 == nil ? .outOfRange : nil
    default: return nil
    }
  }

  package func value(fromText text: String) throws(FormMismatch) -> PropertyListValue {
    let value: PropertyListValue
    switch self {
    case .string:
      guard !text.isEmpty else { throw .empty }
      value = .string(text)
    case .decimalString, .jsonObjectString: value = .string(text)
    case .jsonObjectData: value = .data(Array(text.utf8))
    case .data:
      guard let bytes = [UInt8](hexadecimal: text.lowercased()) else { throw .notHexadecimal }
      value = .data(bytes)
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "1": value = .boolean(true)
      case "false", "no", "0": value = .boolean(false)
      default: throw .notBoolean
      }
    case .integer:
      guard let integer = PropertyListInteger(text) else { throw .notInteger }
      value = .integer(integer)
    }
    if let mismatch = mismatch(value) { throw mismatch }
    return value
  }

  /// The new SDK parses these as unsigned 64-bit integers, and treats zero as "none".
  private static func isDecimal(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } && UInt64(text).map { $0 > 0 } == true
  }

  private static func objectMismatch(_ text: String) -> FormMismatch? {
    do throws(JSONError) {
      if case .object = try JSONText(text).value { return nil }
      return .notJSONObject(nil)
    } catch {
      return .notJSONObject(error)
    }
  }

  /// Whether the target's reader treats two values as equal.
  ///
  /// For a JSON object in text, the order of members, the spacing and the notation of numbers do not matter: a target
  /// that another migrator or the new SDK has written need not be written again.
  package func isEquivalent(_ left: PropertyListValue, _ right: PropertyListValue) -> Bool {
    if left == right { return true }
    guard self == .jsonObjectString || self == .jsonObjectData, left.kind == right.kind, let leftText = left.jsonText,
      let rightText = right.jsonText, let leftJSON = try? JSONText(leftText), let rightJSON = try? JSONText(rightText)
    else { return false }
    return leftJSON.value.means(rightJSON.value)
  }

  package func text(of value: PropertyListValue) -> String? {
    guard let text = plain(value), (try? self.value(fromText: text)) == value else { return nil }
    return text
  }

  private func plain(_ value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let integer): integer.description
    case .boolean(let flag): flag ? "true" : "false"
    case .data(let bytes): self == .data ? bytes.hexadecimal : String(utf8: bytes)
    default: nil
    }
  }

  /// The JSON for a value; nil if no JSON gives the value. ASCII, except for letters of other scripts and symbols.
  package func json(of value: PropertyListValue) -> String? {
    let json: JSONValue? =
      switch value {
      case .integer(let integer): JSONNumber(lexeme: integer.description).map(JSONValue.number)
      case .boolean(let flag): .boolean(flag)
      default: plain(value).map(JSONValue.string)
      }
    guard let text = json?.text(visible: true), (try? self.value(fromJSON: text)) == value else { return nil }
    return text
  }

  /// The value for JSON in this form: a string, an integer or a boolean. JSON in data is a string in
  /// UTF-8; other data is a string of hexadecimal digits.
  package func value(fromJSON text: String) throws(FormMismatch) -> PropertyListValue {
    let json: JSONValue
    do throws(JSONError) { json = try JSONText(text).value } catch { throw .notJSON(error) }
    let value: PropertyListValue
    switch json {
    case .string(let text) where self == .data: value = try self.value(fromText: text)
    case .string(let text): value = kind == .data ? .data(Array(text.utf8)) : .string(text)
    case .boolean(let flag): value = .boolean(flag)
    case .number(let number):
      guard let integer = PropertyListInteger(number.lexeme) else { throw .notInteger }
      value = .integer(integer)
    case .object, .array, .null: throw .notJSON(nil)
    }
    if let mismatch = mismatch(value) { throw mismatch }
    return value
  }
}

package enum FormMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  case type(PropertyListValue.Kind)
  case notDecimal
  /// A string that is not a JSON object. The error is nil if it is another JSON value.
  case notJSONObject(JSONError?)
  case notJSON(JSONError?)
  case outOfRange
  case notBoolean
  case notHexadecimal
  case notInteger
  case empty

  package var description: String {
    switch self {
    case .type(let kind): "The new SDK does not read \(ValueWording.name(kind)) here."
    case .notDecimal: "Enter an integer from 1 to 18446744073709551615, digits only."
    case .notJSONObject(let error):
      "Enter a JSON object, such as {\"plan\":\"pro\"}. "
        + (error?.description ?? "This is another JSON value.")
    case .notJSON(let error):
      "Enter a JSON string, an integer, true or false." + (error.map { " " + $0.description } ?? "")
    case .outOfRange: "The number must be between -9223372036854775808 and 9223372036854775807."
    case .notBoolean: "Enter true or false."
    case .notHexadecimal: "Enter the bytes as pairs of hexadecimal digits, such as 0aff."
    case .notInteger: "Not an integer. Enter digits, such as 42."
    case .empty: "The new SDK would keep the empty string; skip the field instead."
    }
  }
}

extension JSONValue {
  fileprivate func means(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      let left = Self.lastByName(left)
      let right = Self.lastByName(right)
      return left.count == right.count
        && left.allSatisfy { name, value in right[name].map { value.means($0) } ?? false }
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
    case (.number(let left), .number(let right)):
      if left.lexeme == right.lexeme { return true }
      // Above 2^53, a Double does not distinguish all integers.
      if left.isInteger, right.isInteger { return false }
      return left.double != nil && left.double == right.double
    default: return self == other
    }
  }

  /// The members by the bytes of their name. Of members with the same name, readers use the last.
  private static func lastByName(_ members: [JSONMember]) -> [[UInt8]: JSONValue] {
    Dictionary(members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { $1 })
  }
}

/// How the new SDK reads a value of its store on Apple's systems. The raw value is the word in recipe files.
package enum TargetReader: String, CaseIterable, Hashable, Sendable {
  /// Only a value of the form's own type. All others read as absent.
  case typed
  /// With `string(forKey:)`: a number or a boolean is its text.
  case text
  /// With Swift's `as?`: a number that is 0 or 1 is a boolean, and one without a fraction an integer.
  case cast
  /// The same, and data is decoded as JSON.
  case json

  package func value(_ stored: PropertyListValue, as form: TargetForm) -> PropertyListValue? {
    let read =
      switch self {
      case .typed: stored
      case .text: form.kind == .string ? Self.text(stored) : Self.cast(stored, to: form.kind)
      case .cast: Self.cast(stored, to: form.kind)
      case .json: Self.decoded(stored, as: form).flatMap { Self.cast($0, to: form.kind) }
      }
    guard let read = read.map({ self == .typed ? $0 : Self.parsed($0, as: form) }), form.mismatch(read) == nil else {
      return nil
    }
    return read
  }

  private static func text(_ value: PropertyListValue) -> PropertyListValue {
    switch value {
    case .boolean(let flag): .string(flag ? "1" : "0")
    case .integer(let integer): .string(integer.description)
    case .real(let real): .string(PropertyListInteger(exactly: real.value)?.description ?? "\(real.value)")
    default: value
    }
  }

  /// Both kinds of numbers and booleans are `NSNumber`.
  private static func cast(_ value: PropertyListValue, to kind: PropertyListValue.Kind) -> PropertyListValue {
    switch (kind, value) {
    case (.boolean, .integer(let integer)): flag(integer.int64.map { Double($0) }) ?? value
    case (.boolean, .real(let real)): flag(real.value) ?? value
    case (.integer, .boolean(let flag)): .integer(flag ? 1 : 0)
    case (.integer, .real(let real)): PropertyListInteger(exactly: real.value).map(PropertyListValue.integer) ?? value
    default: value
    }
  }

  private static func flag(_ number: Double?) -> PropertyListValue? {
    number == 0 ? .boolean(false) : number == 1 ? .boolean(true) : nil
  }

  private static func decoded(_ value: PropertyListValue, as form: TargetForm) -> PropertyListValue? {
    guard case .data(let bytes) = value, form.kind != .data else { return value }
    switch try? JSONText(bytes: bytes).value {
    case .string(let text)? where form.kind == .string: return .string(text)
    case .boolean(let flag)? where form.kind == .boolean: return .boolean(flag)
    case .number(let number)? where form.kind == .integer:
      return number.double.flatMap { PropertyListInteger(exactly: $0) }.map(PropertyListValue.integer)
    default: return nil
    }
  }

  /// Swift parses `+5` and `007` as numbers.
  private static func parsed(_ value: PropertyListValue, as form: TargetForm) -> PropertyListValue {
    guard form == .decimalString, case .string(let text) = value, let number = UInt64(text) else { return value }
    return .string(String(number))
  }
}

extension PropertyListInteger {
  fileprivate init?(exactly number: Double) {
    guard let integer = Int64(exactly: number) else { return nil }
    self.init(integer)
  }
}
