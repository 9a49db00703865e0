/// Reads XML text tag by tag. Positions are offsets in the UTF-8 text, which was checked to be valid.
struct XMLScanner {
  let base: UnsafePointer<UInt8>
  let end: Int
  var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) throws(PropertyListError) {
    guard let base = text.baseAddress else { throw PropertyListError(.emptyFile) }
    self.base = base
    end = text.count
  }

  /// A start or end tag.
  struct Tag {
    let start: Int
    let name: Range<Int>
    let isEnd: Bool
    let isEmpty: Bool
  }

  func error(_ kind: PropertyListError.Kind, _ offset: Int) -> PropertyListError {
    PropertyListError(kind, at: PropertyListPosition(offset: offset))
  }

  func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  func string(_ range: Range<Int>) -> String { String(decoding: text(range), as: UTF8.self) }

  /// Text for a message, cut to a length that fits a line.
  func excerpt(_ range: Range<Int>) -> String { String(string(range.prefix(256)).prefix(40)) }

  @inline(__always)
  mutating func skipSpace() {
    while position < end, FormatRecognition.isSpace(base[position]) { position += 1 }
  }

  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - position >= count else { return false }
    for index in 0..<count where base[position + index] != text.utf8Start[index] { return false }
    return true
  }

  /// The offset after the next occurrence of a text.
  func find(_ text: StaticString, from start: Int, expected: String) throws(PropertyListError) -> Int {
    let count = text.utf8CodeUnitCount
    var candidate = start
    search: while end - candidate >= count {
      for index in 0..<count where base[candidate + index] != text.utf8Start[index] {
        candidate += 1
        continue search
      }
      return candidate + count
    }
    throw error(.xmlUnexpectedEnd(expected: expected), end)
  }

  /// Skips white space, comments and processing instructions; then the position is at a tag, at text or at the end.
  ///
  /// - Parameter isProlog: whether the root element is still to come. There, Apple's reader does not look for the end of
  ///   a comment in its first character, so `<!---->` does not end: CFPropertyList.c, `parseXMLPropertyList`.
  mutating func skipBetweenTags(isProlog: Bool = false) throws(PropertyListError) {
    while true {
      skipSpace()
      guard position + 1 < end, base[position] == UInt8(ascii: "<") else { return }
      if base[position + 1] == UInt8(ascii: "?") {
        position = try find("?>", from: position + 2, expected: "?>")
      } else if starts(with: "<!--") {
        position = try find("-->", from: position + (isProlog ? 5 : 4), expected: "-->")
      } else {
        return
      }
    }
  }

  /// Skips what may come before the root element: the declaration, comments and one document type. As in Apple's
  /// reader, quotes do not hide the end of the document type.
  mutating func skipProlog() throws(PropertyListError) {
    try skipBetweenTags(isProlog: true)
    guard starts(with: "<!DOCTYPE") else { return }
    while position < end {
      let byte = base[position]
      position += 1
      if byte == UInt8(ascii: "[") { throw error(.xmlInternalSubset, position - 1) }
      if byte == UInt8(ascii: ">") { return try skipBetweenTags(isProlog: true) }
    }
    throw error(.xmlUnexpectedEnd(expected: ">"), end)
  }

  /// Reads a tag; the position must be at `<`. Attributes are skipped: as in Apple's reader, a start tag ends at the next
  /// `>`, even in quotes, and is empty if a `/` is before it.
  mutating func readTag() throws(PropertyListError) -> Tag {
    let start = position
    position += 1
    let isEnd = position < end && base[position] == UInt8(ascii: "/")
    if isEnd { position += 1 }
    let nameStart = position
    while position < end, Self.isName(base[position]) { position += 1 }
    let name = nameStart..<position
    guard !name.isEmpty else {
      throw position >= end
        ? error(.xmlUnexpectedEnd(expected: "an element"), end) : error(.xmlMalformed("a tag has no name"), start)
    }
    if isEnd {
      skipSpace()
    } else if position < end, FormatRecognition.isSpace(base[position]) {
      while position < end, base[position] != UInt8(ascii: ">") { position += 1 }
    } else if position < end, base[position] == UInt8(ascii: "/") {
      position += 1
    }
    guard position < end else { throw error(.xmlUnexpectedEnd(expected: ">"), end) }
    guard base[position] == UInt8(ascii: ">") else { throw error(.xmlMalformed("a tag is not closed"), position) }
    let isEmpty = !isEnd && base[position - 1] == UInt8(ascii: "/")
    position += 1
    return Tag(start: start, name: name, isEnd: isEnd, isEmpty: isEmpty)
  }

  @inline(__always)
  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x2E, 0x3A, 0x5F, 0x80...0xFF: true
    default: false
    }
  }

  @inline(__always)
  func name(_ range: Range<Int>, is text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<range.count where base[range.lowerBound + index] != text.utf8Start[index] { return false }
    return true
  }

  func same(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    text(left).elementsEqual(text(right))
  }
}
