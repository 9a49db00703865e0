/// SHA-256 as FIPS 180-4 defines it, and HMAC over it as RFC 2104 does.
///
/// It is here so that neither the command nor an app that embeds the library has to build a cryptography package for
/// one hash.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  private init() {}

  /// The 32 bytes of the digest.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    let whole = bytes.count / blockSize * blockSize
    bytes.withUnsafeBufferPointer { hash.take(blocks: UnsafeBufferPointer(rebasing: $0[..<whole])) }
    hash.take(blocks: padding(after: bytes[whole...], total: bytes.count))
    return hash.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  /// The digest as 64 hexadecimal digits.
  package static func text(_ bytes: [UInt8]) -> String { digest(bytes).hexadecimal }

  /// HMAC-SHA-256: 32 bytes that only somebody with the key can make.
  package static func authentication(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let short = key.count > blockSize ? digest(key) : key
    let block = short + [UInt8](repeating: 0, count: blockSize - short.count)
    return digest(block.map { $0 ^ 0x5c } + digest(block.map { $0 ^ 0x36 } + bytes))
  }

  /// In bytes.
  private static let blockSize = 64

  /// The rest of a message, a one bit, zeros, and the message's length in bits.
  private static func padding(after rest: ArraySlice<UInt8>, total: Int) -> [UInt8] {
    var block = Array(rest) + [0x80]
    while block.count % blockSize != blockSize - 8 { block.append(0) }
    let bits = UInt64(total) << 3
    return block + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
  }

  private mutating func take(blocks bytes: [UInt8]) { bytes.withUnsafeBufferPointer { take(blocks: $0) } }

  /// Takes whole blocks.
  private mutating func take(blocks bytes: UnsafeBufferPointer<UInt8>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      Self.constants.withUnsafeBufferPointer { constants in
        for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
          compress(UnsafeBufferPointer(rebasing: bytes[start..<(start + Self.blockSize)]), words, constants)
        }
      }
    }
  }

  private mutating func compress(
    _ block: UnsafeBufferPointer<UInt8>, _ words: UnsafeMutableBufferPointer<UInt32>,
    _ constants: UnsafeBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      let at = index * 4
      words[index] =
        UInt32(block[at]) &<< 24 | UInt32(block[at + 1]) &<< 16 | UInt32(block[at + 2]) &<< 8 | UInt32(block[at + 3])
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = Self.turned(early, 7) ^ Self.turned(early, 18) ^ early &>> 3
      let second = Self.turned(late, 17) ^ Self.turned(late, 19) ^ late &>> 10
      words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum = Self.turned(e, 6) ^ Self.turned(e, 11) ^ Self.turned(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum &+ choice &+ constants[index] &+ words[index]
      let other = Self.turned(a, 2) ^ Self.turned(a, 13) ^ Self.turned(a, 22)
      let second = other &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ value }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

extension [UInt8] {
  /// Two hexadecimal digits for each byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes that hexadecimal digits, two each, stand for; nil for anything else.
  init?(hexadecimal text: some StringProtocol) {
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
