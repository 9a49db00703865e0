package import PropertyLists

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

  /// The value that the new SDK reads; nil if it reads none.
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
  /// An integer that a 64-bit number without a fraction expresses.
  fileprivate init?(exactly number: Double) {
    guard let integer = Int64(exactly: number) else { return nil }
    self.init(integer)
  }
}
