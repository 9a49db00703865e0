/// The text of numbers, dates and data in XML property lists.
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
      guard let digit = digit(byte), digit < base, magnitude.append(digit: digit, base: base) else { return nil }
    }
    return PropertyListInteger(magnitude: magnitude, negative: negative)
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x61...0x66: UInt64(byte - 0x61 + 10)
    case 0x41...0x46: UInt64(byte - 0x41 + 10)
    default: nil
    }
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
    return (value, value.isInfinite, whole.last.map(FormatRecognition.isSpace) == true)
  }

  /// Of these, only decimal numbers are a Double.
  private static func isOfDecimal(_ byte: UInt8) -> Bool { "0123456789.eE+-".utf8.contains(byte) }

  /// Reads irregular base64 as Apple's reader does: it ignores other ASCII characters, counts `=` as a character, and
  /// drops an incomplete group of four. Nil for characters beyond ASCII. CFPropertyList.c, `parseDataTag`.
  static func irregularData(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var filled = 0
    var padding = 0
    for byte in text {
      guard byte < 0x80 else { return nil }
      let isPadding = byte == UInt8(ascii: "=")
      if isPadding {
        padding += 1
      } else if !FormatRecognition.isSpace(byte), byte != 0x0B, byte != 0x0C {
        padding = 0
      }
      let value = Base64.values[Int(byte)]
      guard isPadding || value < 64 else { continue }
      bits = bits << 6 | (isPadding ? 0 : UInt32(value))
      filled += 1
      guard filled % 4 == 0 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      if padding < 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 8)) }
      if padding < 1 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
    }
    return bytes
  }

  static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = text.count
    while start < end, FormatRecognition.isSpace(text[start]) { start += 1 }
    while end > start, FormatRecognition.isSpace(text[end - 1]) { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  private static func dropping(_ text: UnsafeBufferPointer<UInt8>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text[count...])
  }
}
