/// Days, hours and seconds in the proleptic Gregorian calendar, UTC.
struct CivilTime {
  private var year: Int
  private var month: Int
  private var day: Int
  private var secondOfDay: Int

  /// Days from 0001-01-01 to 2001-01-01: 2000 years with 485 leap days.
  private static let daysTo2001 = 730_485
  private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

  init(secondsSince2001 seconds: Int) {
    let (days, second) = seconds.floorDivided(by: 86_400)
    secondOfDay = second
    // Count from the start of a 400-year cycle, in which every calendar repeats.
    let (cycle, dayOfCycle) = (days + Self.daysTo2001).floorDivided(by: 146_097)
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

  /// Days since the start of 2001, also for days and months beyond the calendar's: as in Apple's libraries, month 13
  /// follows December, and other such months add nothing. The year has at most 32 bits.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let before = year - 1
    let leapDays =
      before.floorDivided(by: 4).quotient - before.floorDivided(by: 100).quotient
      + before.floorDivided(by: 400).quotient
    var inYear = day - 1
    if (1...13).contains(month) {
      inYear += month == 13 ? 365 : daysBeforeMonth[month - 1]
      if month > 2, isLeap(year) { inYear += 1 }
    }
    return before * 365 + leapDays + inYear - daysTo2001
  }

  /// `YYYY-MM-DDThh:mm:ss`, with more digits and a sign for other years.
  var text: String {
    let time = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { String($0).zeroPadded(to: 2) }
    let date = [String(abs(year)).zeroPadded(to: 4), String(month).zeroPadded(to: 2), String(day).zeroPadded(to: 2)]
    return (year < 0 ? "-" : "") + date.joined(separator: "-") + "T" + time.joined(separator: ":")
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
}

extension BinaryInteger {
  /// With a remainder that is not negative.
  package func floorDivided(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
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

/// The text of a date as Apple's reader takes it: any year, and numbers of two digits beyond the calendar's, so that the
/// 30th of February is in March. CFPropertyList.c, `parseDateTag`; CFDate.c, `CFGregorianDateGetAbsoluteTime`.
struct DateText {
  let date: PropertyListDate
  let year: Int
  /// A fraction of a second, which Apple's reader refuses.
  let hasFraction: Bool
  /// The text is no day or time of the calendar.
  let isImpossible: Bool

  /// Nil if the text has another form.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var position = 0
    func skip(_ sign: Unicode.Scalar) -> Bool {
      guard position < text.count, text[position] == UInt8(ascii: sign) else { return false }
      position += 1
      return true
    }
    func digit() -> Int? {
      guard position < text.count, text[position] >= 0x30, text[position] <= 0x39 else { return nil }
      position += 1
      return Int(text[position - 1] - 0x30)
    }
    func pair() -> Int? {
      guard let first = digit(), let second = digit() else { return nil }
      return first * 10 + second
    }
    let isNegative = skip("-")
    var year = 0
    while let next = digit() {
      year = year * 10 + next
      // Beyond, the 32 bits of Apple's reader overflow.
      guard year <= Int(Int32.max) - 2000 else { return nil }
    }
    guard skip("-"), let month = pair(), skip("-"), let day = pair(), skip("T"), let hour = pair(), skip(":"),
      let minute = pair(), skip(":"), let second = pair()
    else { return nil }
    var fraction: [UInt8] = []
    if skip(".") {
      while let next = digit() { fraction.append(0x30 + UInt8(next)) }
      // Two dozen digits are more than a Double can represent; no clock gives more.
      guard !fraction.isEmpty, fraction.count <= 24 else { return nil }
    }
    guard skip("Z"), position == text.count else { return nil }
    let days = CivilTime.days(year: isNegative ? -year : year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    guard let moment = fraction.isEmpty ? Double(seconds) : DecimalSeconds.join(seconds, fraction) else { return nil }
    date = PropertyListDate(secondsSince2001: moment)
    hasFraction = !fraction.isEmpty
    self.year = year
    isImpossible =
      day < 1 || day > CivilTime.length(ofMonth: month, year: year) || hour > 23 || minute > 59 || second > 59
  }
}
