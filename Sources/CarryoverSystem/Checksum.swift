/// FNV-1a over 64 bits, as 16 hexadecimal digits: for short names. It is easy to forge, so it proves nothing. The
/// parameters are those of draft-eastlake-fnv.
package enum Checksum {
  package static func text(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
