/// Names and paths of files as text, also those whose bytes are not UTF-8.
///
/// A byte that is not UTF-8 is a scalar for private use, U+10FF80 to U+10FFFF, which is shown as an escape. A name's own
/// scalars of this range count as such bytes. So the text of every name is that name's alone, and opens its file.
package enum SystemName {
  /// The text of a name that ends with NUL.
  package static func text(_ characters: UnsafePointer<CChar>) -> String {
    var length = 0
    while characters[length] != 0 { length += 1 }
    return text(UnsafeRawBufferPointer(start: characters, count: length))
  }

  /// The text of a name's bytes.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.utf8.elementsEqual(bytes) || text.unicodeScalars.contains(where: isByte) else { return text }
    var result = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var source = bytes.makeIterator()
    var rest = bytes[...]
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if isByte(scalar) {
          for byte in rest.prefix(encoded.count) { result.append(Self.scalar(byte)) }
        } else {
          result.append(scalar)
        }
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        for byte in rest.prefix(length) { result.append(scalar(byte)) }
        rest = rest.dropFirst(length)
      case .emptyInput: return String(result)
      }
    }
  }

  /// The bytes of a name's or a path's text, with a final NUL.
  package static func bytes(_ text: String) -> [CChar] {
    guard text.unicodeScalars.contains(where: isByte) else { return Array(text.utf8CString) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if isByte(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += Array(String(scalar).utf8)
      }
    }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }

  private static func isByte(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x10_FF80 }

  /// The scalar of a byte from 0x80: no other byte is invalid by itself.
  private static func scalar(_ byte: UInt8) -> Unicode.Scalar { Unicode.Scalar(0x10_FF00 + UInt32(byte)) ?? "\u{FFFD}" }
}
