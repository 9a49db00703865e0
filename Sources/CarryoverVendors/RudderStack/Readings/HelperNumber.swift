import Carryover
import CarryoverSystem
import PropertyLists

/// A number as the example migrators get it from `NSNumber`. A boolean counts as a number.
enum HelperNumber {
  case integer(PropertyListInteger)
  case real(Double)

  var isTrue: Bool {
    switch self {
    case .integer(let integer): integer != 0
    case .real(let real): real != 0
    }
  }

  /// `uint64Value`: a negative number wraps, a fraction is truncated, and too large a number becomes the maximum.
  var unsigned: UInt64 {
    switch self {
    case .integer(let integer): integer.uint64 ?? integer.int64.map { UInt64(bitPattern: $0) } ?? 0
    case .real(let real):
      UInt64(exactly: real.rounded(.towardZero))
        ?? Int64(exactly: real.rounded(.towardZero)).map { UInt64(bitPattern: $0) } ?? (real > 0 ? .max : 0)
    }
  }

  /// Seconds in the past, as whole milliseconds; nil for other values.
  func milliseconds(notAfter now: Moment) -> Int64? {
    let seconds: Double
    switch self {
    case .integer(let integer):
      guard let exact = integer.int64 else { return nil }
      seconds = Double(exact)
    case .real(let real): seconds = real
    }
    guard seconds > 0, seconds <= Double(now.millisecondsSince1970) / 1000 else { return nil }
    return Int64(exactly: (seconds * 1000).rounded(.towardZero))
  }
}

extension PropertyListValue {
  /// The value as text from `UserDefaults`; a number as its text.
  var helperText: String? {
    switch self {
    case .string(let text): text
    case .integer(let integer): integer.description
    case .real(let real): real.value.numberText
    case .boolean(let flag): flag ? "1" : "0"
    default: nil
    }
  }

  /// The value, if the example migrators treat it as a number.
  var helperNumber: HelperNumber? {
    switch self {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real.value)
    default: nil
    }
  }
}
