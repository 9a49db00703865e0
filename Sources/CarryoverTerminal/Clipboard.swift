import CarryoverSystem

/// The sequence that asks a terminal to set its clipboard: OSC 52, as xterm's control sequences define it.
package enum Clipboard {
  /// The most bytes of UTF-8 that are copied; terminals drop longer ones, some without a word.
  package static let limit = 48 * 1024

  /// The bytes to send for `text`, its hidden scalars shown as escapes, so that pasting it into a shell runs nothing;
  /// nil if that is longer than ``limit``.
  package static func sequence(for text: String) -> [UInt8]? {
    // An escape never takes fewer bytes than the scalar it stands for, so what is too long stays too long.
    guard text.utf8.count <= limit else { return nil }
    let bytes = Array(DisplayText.harmless(text).utf8)
    guard bytes.count <= limit else { return nil }
    return Array("\u{1B}]52;c;".utf8) + base64(bytes) + [0x07]
  }

  /// Base 64 as in RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group {
        bits = bits << 8 | UInt32(byte)
      }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
        encoded.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return encoded
  }
}
