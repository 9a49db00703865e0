/// Bytes as base64 text, with padding, according to RFC 4648, section 4.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each character, 255 for those that are not base64.
  static let values: [UInt8] = {
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
    let bytes = text.utf8.withContiguous { self.bytes($0) }
    // Each run of bytes has exactly one text, so this checks white space and spare bits.
    return bytes.flatMap { self.text($0) == text ? $0 : nil }
  }

  /// The bytes of a text with padding, and white space anywhere; nil for other characters or a wrong length.
  static func bytes(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var bits: UInt32 = 0
    var filled = 0
    var padding = 0
    for byte in text where !FormatRecognition.isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      let value = values[Int(byte)]
      guard value < 64, padding == 0 else { return nil }
      bits = bits << 6 | UInt32(value)
      filled += 1
      if filled == 4 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
        filled = 0
      }
    }
    switch (filled, padding) {
    case (0, 0): break
    case (3, 1):
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    case (2, 2): bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    default: return nil
    }
    return bytes
  }
}
