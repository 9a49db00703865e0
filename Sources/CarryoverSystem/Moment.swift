import PropertyLists

/// A point in time, to the millisecond, as the planner and the run records use it.
///
/// The library never reads a clock: the app passes in the current time.
public struct Moment: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var millisecondsSince1970: Int64

  /// Creates a moment from milliseconds since 1970-01-01T00:00:00Z.
  public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

  /// Creates a moment from whole seconds since 1970-01-01T00:00:00Z; a value out of range is clamped.
  public init(secondsSince1970 seconds: Int64) {
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    self.millisecondsSince1970 = overflow ? (seconds < 0 ? .min : .max) : milliseconds
  }

  /// Creates a moment from seconds since 1970-01-01T00:00:00Z, such as a date's: `Date().timeIntervalSince1970`. It is
  /// rounded down to the millisecond; a value out of range is clamped.
  public init(timeIntervalSince1970 seconds: Double) {
    let milliseconds = (seconds * 1000).rounded(.down)
    self.millisecondsSince1970 = Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : milliseconds > 0 ? .max : 0)
  }

  /// Whether the left moment is earlier.
  public static func < (left: Moment, right: Moment) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }

  /// The moment in a text such as `2025-11-20T12:05:00Z`, to the millisecond; nil for another text.
  package init?(iso8601 text: String) {
    guard let date = PropertyListDate(iso8601: text),
      let milliseconds = Int64(exactly: (date.secondsSince1970 * 1000).rounded())
    else { return nil }
    self.init(millisecondsSince1970: milliseconds)
  }
}
