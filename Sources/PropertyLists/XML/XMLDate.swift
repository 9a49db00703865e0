/// The text of a date as Apple's reader takes it: any year, and numbers of two digits beyond the calendar's, so that the
/// 30th of February is in March. CFPropertyList.c, `parseDateTag`; CFDate.c, `CFGregorianDateGetAbsoluteTime`.
struct XMLDate {
  let date: PropertyListDate
  /// White space around the text, which Apple's reader refuses.
  let hasSpace: Bool
  /// A fraction of a second, which Apple's reader refuses.
  let hasFraction: Bool
  /// The text is no day or time of the calendar.
  let isImpossible: Bool

  /// Nil if the text has another form.
  init?(_ whole: UnsafeBufferPointer<UInt8>) {
    let text = XMLScalars.trimmed(whole)
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
    hasSpace = text.count < whole.count
    hasFraction = !fraction.isEmpty
    isImpossible =
      day < 1 || day > CivilTime.length(ofMonth: month, year: year) || hour > 23 || minute > 59 || second > 59
  }
}
