enum XMLScalars {
  /// Reads a decimal or, after `0x`, hexadecimal number with an optional sign, and with white space around it.
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> PropertyListInteger? {
    var text = trimmed(text)
    let negative = text.first == UInt8(ascii: "-")
    if negative || text.first == UInt8(ascii: "+") { text = dropping(text, 1) }
    var base: UInt64 = 10
    if text.count > 2, text[0] == UInt8(ascii: "0"), text[1] | 0x20 == UInt8(ascii: "x") {
      base = 16
      text = dropping(text, 2)
    }
    guard !text.isEmpty else { return nil }
    if base == 10, text.count <= 18 {
      var value: Int64 = 0
      for byte in text {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value &* 10 &+ Int64(byte &- 0x30)
      }
      return PropertyListInteger(negative ? -value : value)
    }
    var magnitude = Magnitude128()
    for byte in text {
      guard let digit = byte.hexadecimalDigit.map(UInt64.init), digit < base, magnitude.append(digit: digit, base: base)
      else { return nil }
    }
    return PropertyListInteger(magnitude: magnitude, negative: negative)
  }

  /// Reads a decimal number with optional fraction and exponent, or `nan`, `inf` or `infinity` in any case. Apple's
  /// reader takes white space only before a number in digits: CFPropertyList.c, `parseRealTag`.
  static func real(_ whole: UnsafeBufferPointer<UInt8>) -> (value: Double, isOutOfRange: Bool, hasSpace: Bool)? {
    let text = trimmed(whole)
    let hasSign = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
    let negative = text.first == UInt8(ascii: "-")
    let number = dropping(text, hasSign ? 1 : 0)
    // The longest exact decimal form of a Double has some 1,100 characters.
    guard !number.isEmpty, number.count <= 4096 else { return nil }
    switch String(decoding: number.prefix(9), as: UTF8.self).lowercased() {
    case "nan" where !hasSign: return (.nan, false, whole.count > text.count)
    case "inf", "infinity": return (negative ? -.infinity : .infinity, false, whole.count > text.count)
    default: break
    }
    guard number.allSatisfy(isOfDecimal), let value = Double(String(decoding: text, as: UTF8.self)) else { return nil }
    return (value, value.isInfinite, whole.last.map(\.isSpace) == true)
  }

  /// Of these, only decimal numbers are a Double.
  private static func isOfDecimal(_ byte: UInt8) -> Bool { "0123456789.eE+-".utf8.contains(byte) }

  static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = text.count
    while start < end, text[start].isSpace { start += 1 }
    while end > start, text[end - 1].isSpace { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  private static func dropping(_ text: UnsafeBufferPointer<UInt8>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text[count...])
  }
}
