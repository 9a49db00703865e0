/// A date of a property list: seconds since 2001-01-01T00:00:00Z, as any Double.
///
/// Two dates are equal if their bits are equal: a NaN is equal to itself.
public struct PropertyListDate: Sendable, Hashable {
  private let bits: UInt64

  /// Seconds since the start of 2001, UTC, without leap seconds. May be NaN, infinite or far outside any calendar.
  public var secondsSince2001: Double { Double(bitPattern: bits) }

  /// Creates a date from seconds since 2001-01-01T00:00:00Z.
  public init(secondsSince2001: Double) { bits = secondsSince2001.bitPattern }

  /// Creates a date from seconds since 1970-01-01T00:00:00Z.
  package init(secondsSince1970: Double) { self.init(secondsSince2001: secondsSince1970 - Self.epochs) }

  /// Seconds since the start of 1970, UTC.
  package var secondsSince1970: Double { secondsSince2001 + Self.epochs }

  /// The seconds from 1970 to 2001.
  static let epochs: Double = 978_307_200

  /// Whether the date is in the years 1 to 9999, which ISO 8601 text can represent.
  package var isInCalendarRange: Bool {
    secondsSince2001 >= Self.earliest && secondsSince2001 < Self.end
  }

  /// 0001-01-01T00:00:00Z and 10000-01-01T00:00:00Z.
  static let earliest: Double = -63_113_904_000
  static let end: Double = 252_423_993_600

  /// The text in the XML format; nil if the date is not a whole number of seconds, or if a Double cannot tell one second
  /// from the next.
  package var xmlText: String? {
    guard secondsSince2001.magnitude <= 0x1p53, let seconds = Int(exactly: secondsSince2001) else { return nil }
    return CivilTime(secondsSince2001: seconds).text + "Z"
  }
}

extension PropertyListDate: CustomStringConvertible, Described {
  /// `2025-11-21T08:15:30Z`, with the fraction of a second if there is one; in words if the date is out of range.
  package var words: String {
    if secondsSince2001.isNaN { return "not a date (NaN)" }
    guard isInCalendarRange else { return "no calendar date (\(secondsSince2001) seconds since 2001)" }
    let (whole, fraction) = DecimalSeconds.split(secondsSince2001)
    let time = CivilTime(secondsSince2001: whole)
    return time.text + (fraction.isEmpty ? "" : "." + fraction) + "Z"
  }

  /// Reads `YYYY-MM-DDThh:mm:ss`, an optional fraction, and `Z`; nil for anything else, including an impossible day.
  package init?(iso8601 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard let date = bytes.withUnsafeBufferPointer({ CivilTime.parse($0) }) else { return nil }
    self = date
  }
}
