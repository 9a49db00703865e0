/// Puts scalars together from the bytes of UTF-8, however far apart they arrive.
///
/// Bytes that are no UTF-8 are dropped; a scalar that begins after them is not. In a locale that is not UTF-8 only ASCII
/// comes through, which is all that can be shown there.
struct ScalarAssembler {
  private var bytes: [UInt8] = []

  /// The scalar that `byte` completes.
  mutating func append(_ byte: UInt8) -> Unicode.Scalar? {
    if byte & 0xC0 != 0x80 {
      bytes.removeAll(keepingCapacity: true)
    } else if bytes.isEmpty {
      return nil
    }
    bytes.append(byte)
    guard let first = bytes.first, bytes.count == ScalarAssembler.length(first) else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    let lead = bytes.count == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(bytes.count))
    let value = bytes.dropFirst().reduce(lead) { $0 << 6 | UInt32($1 & 0x3F) }
    // A scalar has one encoding: one in more bytes than it needs is none.
    return Unicode.Scalar(value).flatMap { UTF8.width($0) == bytes.count ? $0 : nil }
  }

  /// How many bytes a scalar has that begins with `byte`; more than ever come if none does.
  private static func length(_ byte: UInt8) -> Int {
    switch byte {
    case ..<0x80: 1
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: Int.max
    }
  }
}
