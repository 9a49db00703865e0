package import CarryoverSystem
package import PropertyLists

/// The reason that a timestamp cannot be converted.
package enum TimestampDefect: Hashable, Sendable {
  /// Zero or less.
  case notPositive
  /// In the future, relative to the plan's moment.
  case future
  /// Not a number.
  case notANumber
}

/// The steps for times.
extension Transform {
  /// The legacy SDK's seconds as milliseconds, truncated to an integer.
  package static func pastMilliseconds(_ value: PropertyListValue, now: Moment) throws(TransformFailure) -> Int64 {
    let milliseconds: Int64
    switch value {
    case .integer(let integer):
      guard let seconds = integer.int64 else { throw .time(integer.isNegative ? .notPositive : .future) }
      guard seconds > 0 else { throw .time(.notPositive) }
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
      guard !overflow else { throw .time(.future) }
      milliseconds = product
    case .real(let real):
      guard !real.value.isNaN else { throw .time(.notANumber) }
      guard real.value > 0 else { throw .time(.notPositive) }
      guard let whole = Int64(exactly: (real.value * 1000).rounded(.towardZero)) else { throw .time(.future) }
      guard whole > 0 else { throw .time(.notPositive) }
      milliseconds = whole
    default: throw .kind(value.kind)
    }
    guard milliseconds <= now.millisecondsSince1970 else { throw .time(.future) }
    return milliseconds
  }

  static func seconds(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListValue {
    let milliseconds: Double
    switch value {
    case .integer(let integer):
      guard let whole = integer.int64 else { throw .notInCalendar }
      milliseconds = Double(whole)
    case .real(let real): milliseconds = real.value
    default: throw .kind(value.kind)
    }
    // Within these bounds, every integer gives other seconds.
    guard PropertyListDate(secondsSince1970: milliseconds / 1000).isInCalendarRange else { throw .notInCalendar }
    return .real(PropertyListReal(milliseconds / 1000))
  }

  static func calendarDate(_ value: PropertyListValue) throws(TransformFailure) -> PropertyListDate {
    guard case .date(let date) = value else { throw .kind(value.kind) }
    guard date.isInCalendarRange else { throw .notInCalendar }
    return date
  }

  static func milliseconds(_ value: PropertyListValue) throws(TransformFailure) -> Int64 {
    // A date cannot express most milliseconds exactly: truncated, 0.123 seconds would be 122 milliseconds.
    guard let whole = Int64(exactly: (try calendarDate(value).secondsSince1970 * 1000).rounded()) else {
      throw .notInCalendar
    }
    return whole
  }
}
