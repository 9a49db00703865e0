/// Bytes as base64 text, with padding, according to RFC 4648, section 4.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each character, 255 for those that are not base64.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    append(bytes[...], to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
    func digit(_ bits: UInt32) -> UInt8 { alphabet[Int(bits & 0x3F)] }
    var rest = bytes
    while let first = rest.popFirst() {
      let second = rest.popFirst()
      let third = rest.popFirst()
      let bits = UInt32(first) << 16 | UInt32(second ?? 0) << 8 | UInt32(third ?? 0)
      text.append(digit(bits >> 18))
      text.append(digit(bits >> 12))
      text.append(second == nil ? UInt8(ascii: "=") : digit(bits >> 6))
      text.append(third == nil ? UInt8(ascii: "=") : digit(bits))
    }
  }

  /// The bytes of a text; nil if `text(_:)` does not produce that text.
  package static func bytes(_ text: String) -> [UInt8]? {
    // Each run of bytes has exactly one text, so this checks white space, padding and spare bits.
    text.utf8.withContiguous { decode($0) }.flatMap { self.text($0.bytes) == text ? $0.bytes : nil }
  }

  /// The bytes of a text as Apple's reader takes them: it ignores other ASCII characters, counts `=` as a character, and
  /// drops an incomplete group of four. Regular is a text with padding, and white space anywhere. Nil for characters
  /// beyond ASCII. CFPropertyList.c, `parseDataTag`.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], isRegular: Bool)? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var isRegular = true
    var bits: UInt32 = 0
    var filled = 0
    var padding = 0
    for byte in text where !byte.isSpace {
      let value = values[Int(byte)]
      if value < 64 {
        if padding > 0 { isRegular = false }
        padding = 0
        bits = bits << 6 | UInt32(value)
      } else if byte == UInt8(ascii: "=") {
        padding += 1
        bits <<= 6
      } else {
        guard byte < 0x80 else { return nil }
        isRegular = false
        if byte != 0x0B, byte != 0x0C { padding = 0 }
        continue
      }
      filled += 1
      guard filled == 4 else { continue }
      filled = 0
      bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
      if padding < 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 8)) }
      if padding < 1 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
    }
    return (bytes, isRegular && filled == 0 && padding <= 2)
  }
}
