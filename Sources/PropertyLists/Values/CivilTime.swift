/// Days, hours and seconds in the proleptic Gregorian calendar, UTC.
struct CivilTime {
  var year: Int
  var month: Int
  var day: Int
  var secondOfDay: Int

  /// Days from 0001-01-01 to 2001-01-01: 2000 years with 485 leap days.
  private static let daysTo2001 = 730_485
  private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

  init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, year: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    secondOfDay = hour * 3600 + minute * 60 + second
  }

  /// The civil time of a moment.
  init(secondsSince2001 seconds: Int) {
    let (days, second) = Self.floorDivide(seconds, 86_400)
    secondOfDay = second
    // Count from the start of a 400-year cycle, in which every calendar repeats.
    let (cycle, dayOfCycle) = Self.floorDivide(days + Self.daysTo2001, 146_097)
    let century = min(dayOfCycle / 36_524, 3)
    let dayOfCentury = dayOfCycle - century * 36_524
    let quad = dayOfCentury / 1461
    let dayOfQuad = dayOfCentury - quad * 1461
    let yearOfQuad = min(dayOfQuad / 365, 3)
    var rest = dayOfQuad - yearOfQuad * 365
    year = cycle * 400 + century * 100 + quad * 4 + yearOfQuad + 1
    month = 1
    while month < 12, rest >= Self.length(ofMonth: month, year: year) {
      rest -= Self.length(ofMonth: month, year: year)
      month += 1
    }
    day = rest + 1
  }

  /// Whole seconds since the start of 2001.
  var secondsSince2001: Int { Self.days(year: year, month: month, day: day) * 86_400 + secondOfDay }

  /// Days since the start of 2001, also for days and months beyond the calendar's: as in Apple's libraries, month 13
  /// follows December, and other such months add nothing. The year has at most 32 bits.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let before = year - 1
    let leapDays =
      floorDivide(before, 4).quotient - floorDivide(before, 100).quotient + floorDivide(before, 400).quotient
    var inYear = day - 1
    if (1...13).contains(month) {
      inYear += month == 13 ? 365 : daysBeforeMonth[month - 1]
      if month > 2, isLeap(year) { inYear += 1 }
    }
    return before * 365 + leapDays + inYear - daysTo2001
  }

  /// `YYYY-MM-DDThh:mm:ss`, with more digits and a sign for other years.
  var text: String {
    let time = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { Self.padded($0, 2) }
    return "\(year < 0 ? "-" : "")\(Self.padded(abs(year), 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))T"
      + time.joined(separator: ":")
  }

  /// Reads the form that ``PropertyListDate/init(iso8601:)`` describes.
  static func parse(_ text: UnsafeBufferPointer<UInt8>) -> PropertyListDate? {
    guard text.count >= 20, text[text.count - 1] == UInt8(ascii: "Z") else { return nil }
    func number(_ start: Int, _ length: Int) -> Int? {
      var value = 0
      for position in start..<(start + length) {
        guard text[position] >= 0x30, text[position] <= 0x39 else { return nil }
        value = value * 10 + Int(text[position] - 0x30)
      }
      return value
    }
    let separators: [(Int, UInt8)] = [
      (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
      (16, UInt8(ascii: ":")),
    ]
    guard separators.allSatisfy({ text[$0.0] == $0.1 }),
      let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
      let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
      let time = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    let whole = time.secondsSince2001
    guard text.count > 20 else { return PropertyListDate(secondsSince2001: Double(whole)) }
    let digits = text[20..<(text.count - 1)]
    // Two dozen digits are more than a Double can represent; no clock gives more.
    guard text[19] == UInt8(ascii: "."), !digits.isEmpty, digits.count <= 24,
      digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    return DecimalSeconds.join(whole, Array(digits)).map(PropertyListDate.init(secondsSince2001:))
  }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  /// The days of a month; 0 for one that does not exist.
  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    case 1...12: 31
    default: 0
    }
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

/// Seconds as decimal text, so that a fraction survives the conversion to a calendar date without a rounding error.
enum DecimalSeconds {
  /// The whole second at or before a moment, and the decimal digits of the rest ("" for none).
  ///
  /// The moment must be within ±2^53.
  static func split(_ seconds: Double) -> (whole: Int, fraction: String) {
    let floor = seconds.rounded(.down)
    guard floor != seconds else { return (Int(floor), "") }
    var digits = fractionDigits(of: seconds.magnitude)
    if seconds < 0 { digits = complement(digits) }
    return (Int(floor), String(decoding: digits, as: UTF8.self))
  }

  /// The moment nearest to a whole second and the decimal digits after it.
  static func join(_ whole: Int, _ fraction: [UInt8]) -> Double? {
    var digits = fraction
    while digits.last == 0x30 { digits.removeLast() }
    guard !digits.isEmpty else { return Double(whole) }
    guard whole < 0 else { return Double("\(whole)." + String(decoding: digits, as: UTF8.self)) }
    let text = String(decoding: complement(digits), as: UTF8.self)
    return Double("-\(-(whole + 1)).\(text)")
  }

  /// The digits after the point of the shortest decimal form of a positive number with a fraction.
  private static func fractionDigits(of value: Double) -> [UInt8] {
    let parts = value.description.utf8.split(separator: UInt8(ascii: "e"), omittingEmptySubsequences: false)
    let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let decimals = mantissa.count > 1 ? Array(mantissa[1]) : []
    guard parts.count > 1, let exponent = Int(String(Substring(parts[1]))), exponent < 0 else { return decimals }
    // 5e-05 or 5.5e-05: zeros, then the digit before the point, then those after it.
    return Array(repeating: 0x30, count: -exponent - 1) + Array(mantissa[0]) + (decimals == [0x30] ? [] : decimals)
  }

  /// The digits of 1 − 0.digits; the last digit is not zero.
  private static func complement(_ digits: [UInt8]) -> [UInt8] {
    var result = digits.map { 0x30 + (0x39 - $0) }
    if let last = digits.last { result[result.count - 1] = 0x30 + (0x3A - last) }
    return result
  }
}
