/// The format of a property list.
public enum PropertyListFormat: String, Sendable, Hashable, CaseIterable {
  /// The binary format, `bplist00`.
  case binary
  /// An XML document with the vocabulary of PropertyList-1.0.
  case xml
}

enum FormatRecognition {
  static func recognise(_ bytes: UnsafeBufferPointer<UInt8>) throws(PropertyListError) -> PropertyListFormat {
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
    while position < bytes.count, bytes[position].isSpace { position += 1 }
    guard position < bytes.count else { throw PropertyListError(.unrecognised) }
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    switch bytes[position] {
    case UInt8(ascii: "<"):
      // `<` and a hexadecimal digit or `>` begins OpenStep data, unless one of our tags starts with that letter.
      if isXML(bytes[position...]) { return .xml }
      throw PropertyListError(next.isHexadecimal || next == UInt8(ascii: ">") ? .openStepText : .unrecognised)
    case UInt8(ascii: "("): throw PropertyListError(.openStepText)
    case UInt8(ascii: "["): throw PropertyListError(.jsonText)
    case UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "/"):
      throw PropertyListError(textFormat(bytes[position...]))
    default: throw PropertyListError(.unrecognised)
    }
  }

  private static func isXML(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let starts = [
      "<?", "<!", "<plist", "<dict", "<array", "<string", "<integer", "<real", "<true", "<false", "<date", "<data",
    ]
    return starts.contains { bytes.starts(with: $0.utf8) }
  }

  /// Tells OpenStep text from JSON by the first sign outside quotes that only one of them has.
  private static func textFormat(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> PropertyListError.Reason {
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
}

/// The limits beyond which a reader refuses a file. Each is checked before memory is reserved.
package struct PropertyListLimits: Sendable, Hashable {
  package var fileSize: Int
  package var depth: Int
  /// The maximum number of visited values and keys. A shared object counts each time it is reached.
  package var nodes: Int
  package var findings: Int

  /// Creates limits. A depth beyond 512, where Apple's readers stop on a Mac, counts as 512.
  package init(fileSize: Int = 1 << 30, depth: Int = 512, nodes: Int = 10_000_000, findings: Int = 1000) {
    self.fileSize = max(0, fileSize)
    self.depth = min(max(1, depth), Self.greatestDepth)
    self.nodes = max(1, nodes)
    self.findings = max(0, findings)
  }

  package static let `default` = PropertyListLimits()

  /// The depth at which Apple's readers stop on a Mac.
  package static let greatestDepth = 512
  /// The depth at which Apple's readers stop on iOS: CFPropertyList_Internal.h, `_CFPropertyListMaxRecursionDepth`.
  static let depthOnIOS = 128

  /// The limit on visits for a file of the given size.
  ///
  /// Without shared containers, no file has more visits than bytes, so a small multiple of the size is generous. A
  /// small file that expands without end is refused at once.
  func nodes(forFileOfSize size: Int) -> Int { min(nodes, max(65_536, size.multipliedClamped(by: 4))) }

  /// The limit on decoded string and data bytes for a file of the given size; only overlapping objects exceed it.
  func contentBytes(forFileOfSize size: Int) -> Int { max(65_536, size.multipliedClamped(by: 8)) }
}

extension Int {
  func multipliedClamped(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? Int.max : product
  }
}

package struct PropertyListPosition: Sendable, Hashable {
  /// The offset in bytes from the start of the file.
  package var offset: Int
  /// The line, counted from 1; XML and JSON only.
  package var line: Int?
  /// The column in characters, counted from 1; XML and JSON only.
  package var column: Int?
  /// The index in the object table; binary only.
  package var object: Int?

  package init(offset: Int, line: Int? = nil, column: Int? = nil, object: Int? = nil) {
    self.offset = offset
    self.line = line
    self.column = column
    self.object = object
  }

  var words: String {
    if let line, let column { return "line \(line), column \(column), byte \(offset)" }
    if let object { return "object \(object), byte \(offset)" }
    return "byte \(offset)"
  }
}

/// Turns offsets in ascending order into lines and columns in one pass over the text.
struct LineCounter {
  private let text: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var line = 1
  private var column = 1
  /// The number of UTF-16 units before the offset.
  private(set) var utf16Units = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The place of an offset, which must not be smaller than the last one. A column is a Unicode scalar.
  mutating func position(at target: Int) -> PropertyListPosition {
    while offset < target, offset < text.count {
      let byte = text[offset]
      offset += 1
      if byte & 0xC0 != 0x80 { utf16Units += byte >= 0xF0 ? 2 : 1 }
      if byte == 0x0A || (byte == 0x0D && !(offset < text.count && text[offset] == 0x0A)) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80, byte != 0x0D {
        column += 1
      }
    }
    return PropertyListPosition(offset: target, line: line, column: column)
  }
}
