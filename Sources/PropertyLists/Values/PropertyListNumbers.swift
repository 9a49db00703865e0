/// A whole number of a property list: the range of Int64 and UInt64, and 128-bit values as found in files.
public struct PropertyListInteger: Hashable, Sendable, Comparable {
  let high: Int64
  let low: UInt64

  init(high: Int64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package init(_ value: Int64) { self.init(high: value < 0 ? -1 : 0, low: UInt64(bitPattern: value)) }

  package init(_ value: UInt64) { self.init(high: 0, low: value) }

  /// Creates a number from an Int.
  public init(_ value: Int) { self.init(Int64(value)) }

  /// The value as an Int64; nil if it does not fit.
  public var int64: Int64? {
    let value = Int64(bitPattern: low)
    return high == (value < 0 ? -1 : 0) ? value : nil
  }

  package var uint64: UInt64? { high == 0 ? low : nil }

  package var isNegative: Bool { high < 0 }

  /// Whether the value is in Int64.min … UInt64.max, which every reader of property lists accepts.
  package var fitsIn64Bits: Bool { int64 != nil || uint64 != nil }

  /// Numeric order.
  public static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension PropertyListInteger: ExpressibleByIntegerLiteral {
  /// Creates a number from a literal.
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension PropertyListInteger: CustomStringConvertible, Described {
  /// Reads decimal text: an optional sign and digits, nothing else.
  ///
  /// Nil for other text and for values beyond 128 bits. Leading zeros are accepted.
  package init?(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)
    let negative = bytes.first == UInt8(ascii: "-")
    if negative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    guard !bytes.isEmpty else { return nil }
    var magnitude = Magnitude128()
    for byte in bytes {
      guard byte >= 0x30, byte <= 0x39, magnitude.append(digit: UInt64(byte - 0x30), base: 10) else { return nil }
    }
    self.init(magnitude: magnitude, negative: negative)
  }

  /// Creates a number; nil if it does not fit in 128 bits with its sign.
  init?(magnitude: Magnitude128, negative: Bool) {
    let top: UInt64 = 1 << 63
    if negative {
      guard magnitude.high < top || (magnitude.high == top && magnitude.low == 0) else { return nil }
      let (low, carry) = (~magnitude.low).addingReportingOverflow(1)
      self.init(high: Int64(bitPattern: ~magnitude.high &+ (carry ? 1 : 0)), low: low)
    } else {
      guard magnitude.high < top else { return nil }
      self.init(high: Int64(bitPattern: magnitude.high), low: magnitude.low)
    }
  }

  package var words: String {
    if let value = int64 { return String(value) }
    if let value = uint64 { return String(value) }
    var high = UInt64(bitPattern: high)
    var low = low
    if isNegative {
      let (negated, carry) = (~low).addingReportingOverflow(1)
      low = negated
      high = ~high &+ (carry ? 1 : 0)
    }
    var digits: [UInt8] = []
    while high != 0 || low != 0 {
      let upper = high.quotientAndRemainder(dividingBy: 10)
      let lower = (10 as UInt64).dividingFullWidth((upper.remainder, low))
      (high, low) = (upper.quotient, lower.quotient)
      digits.append(0x30 + UInt8(truncatingIfNeeded: lower.remainder))
    }
    if isNegative { digits.append(UInt8(ascii: "-")) }
    return String(decoding: digits.reversed(), as: UTF8.self)
  }
}

/// An unsigned 128-bit number built digit by digit; `UInt128` needs newer systems than the package supports.
struct Magnitude128 {
  var high: UInt64 = 0
  var low: UInt64 = 0

  /// Appends a digit; false, with the value unchanged, if the result needs more than 128 bits.
  mutating func append(digit: UInt64, base: UInt64) -> Bool {
    let lower = low.multipliedFullWidth(by: base)
    let (newLow, carry) = lower.low.addingReportingOverflow(digit)
    let upper = high.multipliedReportingOverflow(by: base)
    let (sum, overflow) = upper.partialValue.addingReportingOverflow(lower.high)
    let (newHigh, overflowByCarry) = sum.addingReportingOverflow(carry ? 1 : 0)
    guard !upper.overflow, !overflow, !overflowByCarry else { return false }
    (high, low) = (newHigh, newLow)
    return true
  }
}

/// A floating-point number with its width in the file.
///
/// Two numbers are equal if their width and their bits are: a NaN is equal to itself, and 0.0 differs from −0.0.
public struct PropertyListReal: Sendable, Hashable, CustomStringConvertible, Described {
  package enum Width: Sendable, Hashable {
    /// 32 bits; binary files only.
    case single
    case double
  }

  private let bits: UInt64
  package let width: Width

  /// The number; for a 32-bit real, its exact value.
  public var value: Double { Double(bitPattern: bits) }

  /// Creates a 64-bit number.
  public init(_ value: Double) { self.init(value, width: .double) }

  /// Creates a number of the given width. With `.single`, the value is rounded to the nearest 32-bit number.
  package init(_ value: Double, width: Width) {
    // A NaN is kept as it is, because a conversion to Float and back may change its bits.
    bits = (width == .single && !value.isNaN ? Double(Float(value)) : value).bitPattern
    self.width = width
  }

  /// Creates a 32-bit number.
  package init(single value: Float) { self.init(Double(value), width: .single) }

  /// The shortest text that reads back as the same number of the same width.
  package var words: String { width == .single ? Float(value).description : value.description }
}

extension PropertyListReal {
  /// A 32-bit real from its bits; a NaN keeps its bits.
  ///
  /// A conversion would turn a signalling NaN into a quiet one, so the bits are moved by hand.
  init(singleBits bits: UInt32) {
    let single = Float(bitPattern: bits)
    guard single.isNaN else {
      self.init(single: single)
      return
    }
    let sign = UInt64(bits >> 31) << 63
    self.init(Double(bitPattern: sign | 0x7FF0 << 48 | UInt64(bits & 0x7F_FFFF) << 29), width: .single)
  }

  /// The 32 bits of a `.single` real.
  var singleBits: UInt32 {
    guard value.isNaN else { return Float(value).bitPattern }
    let bits = value.bitPattern
    let payload = UInt32(truncatingIfNeeded: bits >> 29) & 0x7F_FFFF
    return UInt32(truncatingIfNeeded: bits >> 63) << 31 | 0x7F80_0000 | (payload == 0 ? 0x40_0000 : payload)
  }
}

/// A date of a property list: seconds since 2001-01-01T00:00:00Z, as any Double.
///
/// Two dates are equal if their bits are equal: a NaN is equal to itself.
public struct PropertyListDate: Sendable, Hashable {
  private let bits: UInt64

  /// Seconds since the start of 2001, UTC, without leap seconds. May be NaN, infinite or far outside any calendar.
  public var secondsSince2001: Double { Double(bitPattern: bits) }

  /// Creates a date from seconds since 2001-01-01T00:00:00Z.
  public init(secondsSince2001: Double) { bits = secondsSince2001.bitPattern }

  package init(secondsSince1970: Double) { self.init(secondsSince2001: secondsSince1970 - Self.epochs) }

  package var secondsSince1970: Double { secondsSince2001 + Self.epochs }

  /// The seconds from 1970 to 2001.
  static let epochs: Double = 978_307_200

  /// Whether the date is in the years 1 to 9999, which ISO 8601 text can represent.
  package var isInCalendarRange: Bool { secondsSince2001 >= Self.earliest && secondsSince2001 < Self.end }

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
    guard bytes.firstIndex(of: UInt8(ascii: "-")) == 4, let read = bytes.withUnsafeBufferPointer({ DateText($0) }),
      !read.isImpossible, (1...9999).contains(read.year)
    else { return nil }
    self = read.date
  }
}
