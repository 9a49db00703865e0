import CCarryoverSystem
package import PropertyLists

/// SHA-256 according to FIPS 180-4, and HMAC-SHA-256 according to RFC 2104.
///
/// With it, neither the command nor an app that embeds the library has to build a cryptography package for one hash.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    let whole = bytes.count / blockSize * blockSize
    hash.take(blocks: bytes[..<whole])
    hash.take(blocks: padding(after: bytes[whole...], total: bytes.count)[...])
    return hash.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  package static func hexDigest(_ bytes: [UInt8]) -> String { digest(bytes).hexadecimal }

  /// Whether a text can be the digest of something.
  package static func isHexDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && [UInt8](hexadecimal: text) != nil
  }

  /// HMAC-SHA-256: 32 bytes that only the owner of the key can compute.
  package static func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let short = key.count > blockSize ? digest(key) : key
    let block = short + [UInt8](repeating: 0, count: blockSize - short.count)
    return digest(block.map { $0 ^ 0x5c } + digest(block.map { $0 ^ 0x36 } + bytes))
  }

  private static let blockSize = 64

  /// The rest of a message, a one bit, zeros, and the message's length in bits.
  private static func padding(after rest: ArraySlice<UInt8>, total: Int) -> [UInt8] {
    var block = Array(rest) + [0x80]
    while block.count % blockSize != blockSize - 8 { block.append(0) }
    let bits = UInt64(total) << 3
    return block + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
  }

  private mutating func take(blocks bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { carryover_sha256_compress(&state, $0.baseAddress, $0.count / Self.blockSize) }
  }
}

extension [UInt8] {
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Decodes pairs of hexadecimal digits; nil for anything else.
  package init?(hexadecimal text: some StringProtocol) {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let first = rest.popFirst() {
      guard let second = rest.popFirst(), let high = Self.digit(first), let low = Self.digit(second) else { return nil }
      bytes.append(high << 4 | low)
    }
    self = bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

package struct ContentDigest: Hashable, Sendable {
  package var size: Int
  var sha256: String

  package init(_ bytes: [UInt8]) {
    size = bytes.count
    sha256 = SHA256.hexDigest(bytes)
  }

  package func matches(_ bytes: [UInt8]) -> Bool { bytes.count == size && SHA256.hexDigest(bytes) == sha256 }

  package var members: [JSONMember] { [JSONMember("size", size.json), JSONMember("sha256", sha256.json)] }

  package init?(_ json: JSONValue) {
    guard let size = json["size"]?.numberValue.flatMap({ Int($0.lexeme) }), size >= 0,
      let sha256 = json["sha256"]?.stringValue, sha256.utf8.count == 64
    else { return nil }
    self.size = size
    self.sha256 = sha256
  }
}

/// FNV-1a over 64 bits, as 16 hexadecimal digits: for short names. It is easy to forge, so it proves nothing. The
/// parameters are those of draft-eastlake-fnv.
package enum Checksum {
  package static func text(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return String(hash, radix: 16).zeroPadded(to: 16)
  }
}
