/// The text of an XML file in any encoding as valid UTF-8, and its conversion back to the file's bytes.
struct XMLSource {
  /// The encodings that can be read and, for an edit, written back.
  enum Encoding: Equatable {
    case utf8
    case utf16(bigEndian: Bool)
    case latin1
    case ascii

    /// The greatest scalar that can be written without a character reference.
    var greatestScalar: UInt32 {
      switch self {
      case .utf8, .utf16: 0x10FFFF
      case .latin1: 0xFF
      case .ascii: 0x7F
      }
    }
  }

  let encoding: Encoding
  let markSize: Int
  /// The text after the byte order mark as UTF-8; nil if the file's own bytes already are.
  let transcoded: [UInt8]?

  /// Finds the encoding from the byte order mark or the declaration and checks every byte.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(PropertyListError) {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      let bigEndian = bytes[0] == 0xFE
      encoding = .utf16(bigEndian: bigEndian)
      markSize = 2
      transcoded = try Self.utf8(fromUTF16: bytes, bigEndian: bigEndian)
      return
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      (encoding, markSize, transcoded) = (.utf8, 3, nil)
    } else {
      guard !bytes.prefix(4).contains(0) else {
        throw PropertyListError(.encodingUnsupported("UTF-16 without a byte order mark"))
      }
      markSize = 0
      encoding = try Self.declaredEncoding(bytes)
      transcoded = encoding == .latin1 ? Array(String(latin1: bytes).utf8) : nil
    }
    if encoding == .ascii, let position = bytes.firstIndex(where: { $0 >= 0x80 }) {
      throw PropertyListError(.encodingInvalid("US-ASCII"), at: PropertyListPosition(offset: position))
    }
    if encoding == .utf8, let position = firstInvalidUTF8(bytes) {
      var lines = LineCounter(bytes)
      throw PropertyListError(.encodingInvalid("UTF-8"), at: lines.position(at: position))
    }
  }

  /// The file's offset for an offset in the UTF-8 text; `utf16Units` is the length of the text before it.
  func fileOffset(of offset: Int, utf16Units: Int) -> Int {
    switch encoding {
    case .utf8, .ascii: markSize + offset
    case .latin1: utf16Units
    case .utf16: markSize + 2 * utf16Units
    }
  }

  /// UTF-8 text in the file's encoding, with its byte order mark. The text must be valid for the encoding.
  func fileBytes(of text: [UInt8]) -> [UInt8] {
    switch encoding {
    case .utf8, .ascii: return markSize == 0 ? text : [0xEF, 0xBB, 0xBF] + text
    case .latin1:
      return String(decoding: text, as: UTF8.self).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    case .utf16(let bigEndian):
      var result: [UInt8] = bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
      result.reserveCapacity(text.count * 2 + 2)
      for unit in String(decoding: text, as: UTF8.self).utf16 {
        let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
        result += bigEndian ? [high, low] : [low, high]
      }
      return result
    }
  }

  private static func declaredEncoding(_ bytes: UnsafeBufferPointer<UInt8>) throws(PropertyListError) -> Encoding {
    // A declaration is ASCII and short; what looks like one further down is content.
    let head = bytes.prefix(256)
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else { return .utf8 }
    let declaration = String(decoding: head[..<end], as: UTF8.self)
    // Apple's reader takes a name after white space for none: CFPropertyList.c, `encodingForXMLData`.
    let parts = declaration.split(separator: "encoding=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return .utf8 }
    guard let quote = parts[1].first, quote == "\"" || quote == "'",
      let name = parts[1].dropFirst().split(separator: quote, maxSplits: 1, omittingEmptySubsequences: false).first
    else { return .utf8 }
    switch name.uppercased() {
    case "UTF-8", "UTF8": return .utf8
    case "US-ASCII", "ASCII": return .ascii
    case "ISO-8859-1", "LATIN1", "ISO_8859-1", "LATIN-1": return .latin1
    case "UTF-16", "UTF-16LE", "UTF-16BE":
      throw PropertyListError(.encodingUnsupported("UTF-16 without a byte order mark"))
    default: throw PropertyListError(.encodingUnsupported(String(name.prefix(40))))
    }
  }

  private static func utf8(
    fromUTF16 bytes: UnsafeBufferPointer<UInt8>, bigEndian: Bool
  ) throws(PropertyListError) -> [UInt8] {
    func invalid(_ offset: Int) -> PropertyListError {
      PropertyListError(.encodingInvalid("UTF-16"), at: PropertyListPosition(offset: offset))
    }
    guard bytes.count % 2 == 0 else { throw invalid(bytes.count - 1) }
    let units = stride(from: 2, to: bytes.count, by: 2).map { position in
      let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
      return bigEndian ? first << 8 | second : second << 8 | first
    }
    let (text, firstHalf) = String.utf16(units)
    if let firstHalf { throw invalid(2 + 2 * firstHalf) }
    return Array(text.utf8)
  }
}
