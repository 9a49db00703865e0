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

  struct Tag {
    let start: Int
    let name: Range<Int>
    let isEnd: Bool
    let isEmpty: Bool
  }

  func error(_ reason: PropertyListError.Reason, _ offset: Int) -> PropertyListError {
    PropertyListError(reason, at: PropertyListPosition(offset: offset))
  }

  func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  func string(_ range: Range<Int>) -> String { String(decoding: text(range), as: UTF8.self) }

  /// Text for a message, cut to a length that fits a line.
  func excerpt(_ range: Range<Int>) -> String { String(string(range.prefix(256)).prefix(40)) }

  @inline(__always)
  mutating func skipSpace() {
    while position < end, base[position].isSpace { position += 1 }
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
    throw error(.unexpectedEnd(expected: expected), end)
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
      if byte == UInt8(ascii: "[") {
        throw error("The document type has declarations of its own, which are not supported", position - 1)
      }
      if byte == UInt8(ascii: ">") { return try skipBetweenTags(isProlog: true) }
    }
    throw error(.unexpectedEnd(expected: ">"), end)
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
        ? error(.unexpectedEnd(expected: "an element"), end) : error(.malformed("a tag has no name"), start)
    }
    if isEnd {
      skipSpace()
    } else if position < end, base[position].isSpace {
      while position < end, base[position] != UInt8(ascii: ">") { position += 1 }
    } else if position < end, base[position] == UInt8(ascii: "/") {
      position += 1
    }
    guard position < end else { throw error(.unexpectedEnd(expected: ">"), end) }
    guard base[position] == UInt8(ascii: ">") else { throw error(.malformed("a tag is not closed"), position) }
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

  func same(_ left: Range<Int>, _ right: Range<Int>) -> Bool { text(left).elementsEqual(text(right)) }
}

/// Reads the text of an element up to its end tag.
struct XMLText {
  private(set) var decoded: [UInt8] = []
  /// The first control character in the element that XML does not allow.
  private(set) var controlCharacter: (byte: UInt8, offset: Int)?
  private(set) var comment: Int?

  /// Calls `body` with the text of the element whose start tag was just read, and moves past its end tag.
  @inline(__always)
  mutating func read<Result>(
    _ scanner: inout XMLScanner, of tag: XMLScanner.Tag,
    _ body: (UnsafeBufferPointer<UInt8>) throws(PropertyListError) -> Result
  ) throws(PropertyListError) -> Result {
    controlCharacter = nil
    comment = nil
    if tag.isEmpty { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    let start = scanner.position
    scanToSpecial(&scanner)
    if scanner.position < scanner.end, scanner.base[scanner.position] == UInt8(ascii: "<"),
      scanner.position + 1 < scanner.end, scanner.base[scanner.position + 1] == UInt8(ascii: "/")
    {
      let range = start..<scanner.position
      try readEnd(&scanner, of: tag)
      return try body(scanner.text(range))
    }
    try decode(&scanner, from: start)
    try readEnd(&scanner, of: tag)
    var result: Swift.Result<Result, PropertyListError>?
    decoded.withUnsafeBufferPointer { buffer in
      do throws(PropertyListError) { result = .success(try body(buffer)) } catch { result = .failure(error) }
    }
    guard let result else { throw scanner.error(.malformed("text"), start) }
    return try result.get()
  }

  /// The text up to the next `<`, which must begin the end tag: Apple's reader decodes no references, CDATA sections or
  /// comments in integers, dates, data and booleans.
  func readRaw(
    _ scanner: inout XMLScanner, of tag: XMLScanner.Tag
  ) throws(PropertyListError) -> UnsafeBufferPointer<UInt8> {
    let start = scanner.position
    guard !tag.isEmpty else { return scanner.text(start..<start) }
    while scanner.position < scanner.end, scanner.base[scanner.position] != UInt8(ascii: "<") { scanner.position += 1 }
    guard scanner.position < scanner.end else {
      throw scanner.error(.unexpectedEnd(expected: "an end tag"), scanner.end)
    }
    let text = scanner.text(start..<scanner.position)
    try readEnd(&scanner, of: tag)
    return text
  }

  private func readEnd(_ scanner: inout XMLScanner, of tag: XMLScanner.Tag) throws(PropertyListError) {
    let end = try scanner.readTag()
    guard end.isEnd, scanner.same(end.name, tag.name) else {
      throw scanner.error(
        .mismatchedEnd(expected: scanner.excerpt(tag.name), found: scanner.excerpt(end.name)), end.start)
    }
  }

  /// Moves to the next `<` or `&` or the end, eight bytes at a time.
  @inline(__always)
  private mutating func scanToSpecial(_ scanner: inout XMLScanner) {
    let raw = UnsafeRawPointer(scanner.base)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while scanner.position < scanner.end {
      if scanner.end - scanner.position >= 8 {
        let word = raw.loadUnaligned(fromByteOffset: scanner.position, as: UInt64.self)
        let less = word ^ (ones &* 0x3C)
        let ampersand = word ^ (ones &* 0x26)
        let found = ((less &- ones) & ~less) | ((ampersand &- ones) & ~ampersand) | ((word &- ones &* 0x20) & ~word)
        if found & highs == 0 {
          scanner.position += 8
          continue
        }
      }
      // One of the next eight bytes is special, or fewer than eight are left.
      let stop = min(scanner.position + 8, scanner.end)
      while scanner.position < stop {
        let byte = scanner.base[scanner.position]
        if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { return }
        if byte < 0x20, !byte.isSpace, controlCharacter == nil {
          controlCharacter = (byte, scanner.position)
        }
        scanner.position += 1
      }
    }
  }

  /// The slow path, for text with references, CDATA sections or comments.
  private mutating func decode(_ scanner: inout XMLScanner, from start: Int) throws(PropertyListError) {
    decoded.removeAll(keepingCapacity: true)
    var runStart = start
    while true {
      scanToSpecial(&scanner)
      decoded.append(contentsOf: scanner.text(runStart..<scanner.position))
      guard scanner.position < scanner.end else {
        throw scanner.error(.unexpectedEnd(expected: "an end tag"), scanner.end)
      }
      if scanner.base[scanner.position] == UInt8(ascii: "&") {
        try appendReference(&scanner)
      } else if scanner.starts(with: "<![CDATA[") {
        let content = scanner.position + 9
        let end = try scanner.find("]]>", from: content, expected: "]]>")
        decoded.append(contentsOf: scanner.text(content..<(end - 3)))
        scanner.position = end
      } else if scanner.starts(with: "<!--") {
        if comment == nil { comment = scanner.position }
        scanner.position = try scanner.find("-->", from: scanner.position + 4, expected: "-->")
      } else {
        return
      }
      runStart = scanner.position
    }
  }

  private mutating func appendReference(_ scanner: inout XMLScanner) throws(PropertyListError) {
    let start = scanner.position
    var end = start + 1
    // No entity or character number we know is longer.
    while end < scanner.end, end - start <= 12, scanner.base[end] != UInt8(ascii: ";") { end += 1 }
    guard end < scanner.end, scanner.base[end] == UInt8(ascii: ";") else {
      throw scanner.error(.malformed("& does not begin a reference"), start)
    }
    let name = (start + 1)..<end
    scanner.position = end + 1
    if scanner.base[start + 1] == UInt8(ascii: "#") {
      guard let scalar = Self.characterNumber(scanner.text((start + 2)..<end)) else {
        throw scanner.error("The character reference &\(scanner.excerpt(name)); is not a character", start)
      }
      appendUTF8(scalar, to: &decoded)
      return
    }
    let known: [(StaticString, UInt8)] = [
      ("amp", UInt8(ascii: "&")), ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")),
      ("quot", UInt8(ascii: "\"")), ("apos", UInt8(ascii: "'")),
    ]
    for (entity, byte) in known where scanner.name(name, is: entity) {
      decoded.append(byte)
      return
    }
    throw scanner.error("The entity &\(scanner.excerpt(name)); is unknown", start)
  }

  /// The scalar value of `65` or `x41`; nil for anything else, including surrogates and zero.
  private static func characterNumber(_ text: UnsafeBufferPointer<UInt8>) -> UInt32? {
    let isHexadecimal = text.first == UInt8(ascii: "x")
    let digits = text.dropFirst(isHexadecimal ? 1 : 0)
    guard !digits.isEmpty, digits.count <= 8,
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      value != 0, digits.first != UInt8(ascii: "+"), Unicode.Scalar(value) != nil
    else { return nil }
    return value
  }
}
