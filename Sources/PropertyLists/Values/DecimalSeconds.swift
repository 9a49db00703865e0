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
