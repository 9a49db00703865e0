/// Bytes as base64 text, with padding, according to RFC 4648, section 4.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text for bytes.
  package static func text(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var rest = bytes[...]
    while let first = rest.popFirst() {
      let second = rest.popFirst()
      let third = rest.popFirst()
      let bits = UInt32(first) << 16 | UInt32(second ?? 0) << 8 | UInt32(third ?? 0)
      result.append(digit(bits >> 18))
      result.append(digit(bits >> 12))
      result.append(second == nil ? UInt8(ascii: "=") : digit(bits >> 6))
      result.append(third == nil ? UInt8(ascii: "=") : digit(bits))
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes of a text; nil if `text(_:)` does not produce that text.
  package static func bytes(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var digits = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") { break }
      guard let value = value(byte) else { return nil }
      bits = bits << 6 | value
      digits += 1
      if digits % 4 == 0 {
        result += [UInt8(bits >> 16 & 0xff), UInt8(bits >> 8 & 0xff), UInt8(bits & 0xff)]
        bits = 0
      }
    }
    switch digits % 4 {
    case 2: result.append(UInt8(bits >> 4 & 0xff))
    case 3: result += [UInt8(bits >> 10 & 0xff), UInt8(bits >> 2 & 0xff)]
    default: break
    }
    // Each run of bytes has exactly one text, so this checks padding, spare bits and length.
    return self.text(result) == text ? result : nil
  }

  private static func digit(_ bits: UInt32) -> UInt8 { alphabet[Int(bits & 0x3f)] }

  private static func value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
