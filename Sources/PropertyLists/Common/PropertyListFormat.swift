/// The format of a property list.
public enum PropertyListFormat: String, Sendable, Hashable, CaseIterable {
  /// The binary format, `bplist00`.
  case binary
  /// An XML document with the vocabulary of PropertyList-1.0.
  case xml
}

/// The format of a file, recognised by its first bytes.
enum FormatRecognition {
  case binary, xml

  static func recognise(_ bytes: UnsafeBufferPointer<UInt8>) throws(PropertyListError) -> FormatRecognition {
    guard !bytes.isEmpty else { throw PropertyListError(.emptyFile) }
    if bytes.count >= 6, bytes[..<6].elementsEqual("bplist".utf8) { return .binary }
    // A byte order mark of UTF-16, or its pattern around the first `<`; the XML reader says what it cannot read.
    if bytes.count >= 2 {
      switch (bytes[0], bytes[1]) {
      case (0xFF, 0xFE), (0xFE, 0xFF), (0x3C, 0), (0, 0x3C): return .xml
      default: break
      }
    }
    var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    guard position < bytes.count else { throw PropertyListError(.unrecognised) }
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    switch bytes[position] {
    case UInt8(ascii: "<"):
      // `<` and a hexadecimal digit or `>` begins OpenStep data, unless one of our tags starts with that letter.
      if isXML(bytes[position...]) { return .xml }
      throw PropertyListError(isHexadecimal(next) || next == UInt8(ascii: ">") ? .openStepText : .unrecognised)
    case UInt8(ascii: "("): throw PropertyListError(.openStepText)
    case UInt8(ascii: "["): throw PropertyListError(.jsonText)
    case UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "/"):
      throw PropertyListError(textFormat(bytes[position...]))
    default:
      throw PropertyListError(.unrecognised)
    }
  }

  private static func isXML(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let starts = [
      "<?", "<!", "<plist", "<dict", "<array", "<string", "<integer", "<real", "<true", "<false", "<date", "<data",
    ]
    return starts.contains { bytes.starts(with: $0.utf8) }
  }

  /// Tells OpenStep text from JSON by the first sign outside quotes that only one of them has.
  private static func textFormat(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> PropertyListError.Kind {
    var quoted = false
    var escaped = false
    for byte in bytes.prefix(1 << 16) {
      if quoted {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          quoted = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): quoted = true
      case UInt8(ascii: "="), UInt8(ascii: ";"): return .openStepText
      case UInt8(ascii: ":"): return .jsonText
      default: break
      }
    }
    return .unrecognised
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}
