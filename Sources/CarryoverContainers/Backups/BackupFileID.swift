/// The name of a file in a backup: the SHA-1 of its domain and path, as 40 lowercase hexadecimal digits.
struct BackupFileID: Hashable {
  /// The 20 bytes as five words, to save memory: a backup has hundreds of thousands of files.
  let digest: SHA1.Digest

  /// The name for a path in a domain.
  init(domain: UnsafeBufferPointer<UInt8>, path: UnsafeBufferPointer<UInt8>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(domain.count + 1 + path.count)
    bytes.append(contentsOf: domain)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(contentsOf: path)
    digest = SHA1.digest(bytes)
  }

  /// Parses a name; nil if it is not valid.
  init?(_ text: some Collection<UInt8>) {
    guard text.count == 40 else { return nil }
    var digits: [UInt32] = []
    digits.reserveCapacity(40)
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(UInt32(byte - UInt8(ascii: "0")))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(UInt32(byte - UInt8(ascii: "a")) + 10)
      default: return nil
      }
    }
    func word(_ place: Int) -> UInt32 { digits[(place * 8)..<(place * 8 + 8)].reduce(0) { $0 << 4 | $1 } }
    digest = SHA1.Digest(words: (word(0), word(1), word(2), word(3), word(4)))
  }

  /// The name as text.
  var text: String {
    let (a, b, c, d, e) = digest.words
    return [a, b, c, d, e].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// The path of the file's content, relative to the backup.
  var payloadPath: String {
    let text = text
    return text.prefix(2) + "/" + text
  }
}
