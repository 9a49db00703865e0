/// A number as JSON text writes it. Two numbers are equal when their text is: `1` and `1.0` differ.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
  /// The text, in the grammar of JSON.
  public let lexeme: String

  /// A number from text that the parser has checked.
  init(checked lexeme: String) { self.lexeme = lexeme }

  /// A number from its text; nil when JSON does not allow it, as `+1`, `01`, `.5` and `NaN`.
  public init?(lexeme: String) {
    var lexeme = lexeme
    let isValid = lexeme.withUTF8 { JSONNumber.end(of: $0, from: 0) == $0.count && !$0.isEmpty }
    guard isValid else { return nil }
    self.lexeme = lexeme
  }

  /// A whole number.
  public init(_ value: some BinaryInteger) { lexeme = String(value) }

  /// The shortest text that gives the same Double; nil for a NaN and an infinity.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = value.description
    lexeme = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The text.
  public var description: String { lexeme }

  /// True when the text has neither a fraction nor an exponent.
  public var isInteger: Bool { lexeme.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= 0x30 && $0 <= 0x39) } }

  /// The value when the text is an integer that fits.
  public var int64: Int64? { Int64(lexeme) }

  /// The value when the text is an integer that fits.
  public var uint64: UInt64? { UInt64(lexeme) }

  /// The nearest Double; nil when the number is beyond its range.
  public var double: Double? { Double(lexeme).flatMap { $0.isFinite ? $0 : nil } }

  /// True when a parser that turns numbers into Int64 or Double would write the same text again.
  public var isCanonical: Bool {
    if isInteger { return int64.map(String.init) == lexeme }
    return double.flatMap { JSONNumber($0) }?.lexeme == lexeme
  }

  /// True when the nearest Double stands for exactly the decimal number in the text, so that no digit is lost.
  public var survivesDouble: Bool {
    guard let double else { return false }
    return Decimal(lexeme) == Decimal(double.description)
  }

  /// Digits without leading and trailing zeros and the power of ten behind the last one.
  private struct Decimal: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    init(_ text: String) {
      var digitsBehindPoint: Int?
      var written: Int?
      var bytes = text.utf8[...]
      while let byte = bytes.popFirst() {
        switch byte {
        case UInt8(ascii: "-"): isNegative = true
        case UInt8(ascii: "."): digitsBehindPoint = 0
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
          // An exponent too long for an Int belongs to a number beyond any Double, or to zero.
          written = Int(String(Substring(bytes)))
          bytes = bytes[bytes.endIndex...]
        default:
          digits.append(byte)
          digitsBehindPoint = digitsBehindPoint.map { $0 + 1 }
        }
      }
      exponent = (written ?? 0).subtractingReportingOverflow(digitsBehindPoint ?? 0).partialValue
      while digits.last == 0x30 {
        digits.removeLast()
        exponent = exponent.addingReportingOverflow(1).partialValue
      }
      digits = Array(digits.drop { $0 == 0x30 })
      if digits.isEmpty { exponent = 0 }
    }
  }

  /// The end of the number that starts at an offset; the offset itself when none does.
  static func end(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    func skipDigits() -> Bool {
      let first = position
      while position < text.count, text[position] >= 0x30, text[position] <= 0x39 { position += 1 }
      return position > first
    }
    if position < text.count, text[position] == UInt8(ascii: "-") { position += 1 }
    if position < text.count, text[position] == UInt8(ascii: "0") {
      position += 1
    } else if !skipDigits() {
      return start
    }
    if position < text.count, text[position] == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() else { return start }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") {
        position += 1
      }
      guard skipDigits() else { return start }
    }
    return position
  }
}
