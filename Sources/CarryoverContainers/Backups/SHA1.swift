/// SHA-1 (FIPS 180-4), which backups use to name files. It does not authenticate them.
enum SHA1 {
  /// The 20 bytes of the digest as five words.
  struct Digest: Hashable {
    var words: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
    )

    static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

    func hash(into hasher: inout Hasher) {
      hasher.combine(words.0)
      hasher.combine(words.1)
    }
  }

  /// The digest of the bytes.
  static func digest(_ bytes: some Sequence<UInt8>) -> Digest {
    var digest = Digest()
    var schedule = [UInt32](repeating: 0, count: 80)
    var length: UInt64 = 0
    var word: UInt32 = 0

    func add(_ byte: UInt8) {
      word = word << 8 | UInt32(byte)
      length &+= 1
      guard length % 4 == 0 else { return }
      schedule[Int((length / 4 &- 1) % 16)] = word
      if length % 64 == 0 { mix(&schedule, into: &digest) }
    }

    for byte in bytes { add(byte) }
    let bits = length &* 8
    add(0x80)
    while length % 64 != 56 { add(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) { add(UInt8(truncatingIfNeeded: bits >> shift)) }
    return digest
  }

  private static func mix(_ schedule: inout [UInt32], into digest: inout Digest) {
    for place in 16..<80 {
      let word = schedule[place - 3] ^ schedule[place - 8] ^ schedule[place - 14] ^ schedule[place - 16]
      schedule[place] = rotated(word, 1)
    }
    var (a, b, c, d, e) = digest.words
    for place in 0..<80 {
      let (function, constant): (UInt32, UInt32) =
        switch place {
        case 0..<20: (b & c | ~b & d, 0x5A82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotated(a, 5) &+ function &+ e &+ constant &+ schedule[place]
      (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
    }
    digest.words.0 &+= a
    digest.words.1 &+= b
    digest.words.2 &+= c
    digest.words.3 &+= d
    digest.words.4 &+= e
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
