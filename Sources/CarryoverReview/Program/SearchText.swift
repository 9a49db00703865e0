import CarryoverTerminal

/// The text of a search. Capitals count once it has one.
struct SearchText: Hashable, Sendable {
  let text: String
  /// Whether capitals count.
  let isExact: Bool
  /// In small letters unless capitals count.
  let bytes: [UInt8]

  init(_ text: String, isExact: Bool? = nil) {
    self.text = text
    let isExact = isExact ?? text.contains { $0.isUppercase }
    self.isExact = isExact
    bytes = Array((isExact ? text : text.lowercased()).utf8)
  }

  var isEmpty: Bool { bytes.isEmpty }

  func isIn(_ text: String) -> Bool { firstPlace(in: Array((isExact ? text : text.lowercased()).utf8)) != nil }

  /// - Parameter text: in small letters unless capitals count.
  func firstPlace(in text: [UInt8]) -> Int? {
    text.withUnsafeBufferPointer { text in
      bytes.withUnsafeBufferPointer { Self.firstPlace(of: $0, in: text, 0..<text.count) }
    }
  }

  static func firstPlace(
    of wanted: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Int? {
    let count = wanted.count
    guard count > 0, range.count >= count else { return nil }
    let first = wanted[0]
    var position = range.lowerBound
    let last = range.upperBound - count
    while position <= last {
      if text[position] == first {
        var length = 1
        while length < count, text[position + length] == wanted[length] { length += 1 }
        if length == count { return position }
      }
      position += 1
    }
    return nil
  }

  /// An ASCII letter as a small one.
  static func small(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  /// Appends the bytes of a text to compare with, `limit` at most: in small letters unless capitals count.
  static func append(_ text: some StringProtocol, isExact: Bool, limit: Int = .max, to bytes: inout [UInt8]) {
    // The prefix of a substring traps for a number as large as the limit can be.
    let head = text.utf8.prefix(min(limit, text.utf8.count))
    if isExact { return bytes.append(contentsOf: head) }
    guard head.allSatisfy({ $0 < 0x80 }) else {
      let small = text.lowercased().utf8
      return bytes.append(contentsOf: small.prefix(min(limit, small.count)))
    }
    for byte in head { bytes.append(small(byte)) }
  }
}

/// The texts of each row of a list one after the other, each ended by a byte that no text has.
struct TextColumn: Sendable {
  private(set) var bytes: [UInt8] = []
  private var ends: [Int] = []
  private let isExact: Bool

  init(isExact: Bool, count: Int) {
    self.isExact = isExact
    ends.reserveCapacity(count)
  }

  mutating func append(_ text: String, limit: Int = .max) {
    SearchText.append(text, isExact: isExact, limit: limit, to: &bytes)
    // Never a byte of UTF-8, so that no match reaches from one text into another.
    bytes.append(0xFF)
  }

  mutating func close() { ends.append(bytes.count) }
  func rows(containing wanted: SearchText) -> [Int] { ends.indices.filter { contains(wanted, at: $0) } }

  func contains(_ wanted: SearchText, at row: Int) -> Bool {
    guard row < ends.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      wanted.bytes.withUnsafeBufferPointer {
        SearchText.firstPlace(of: $0, in: bytes, (row == 0 ? 0 : ends[row - 1])..<ends[row]) != nil
      }
    }
  }
}

/// The lines of a screen to search in: a sentence that was wrapped is one text again.
struct PageText: Sendable {
  /// A match from a byte of a line to before a byte of the same line or of one below.
  struct Hit {
    let start: (line: Int, byte: Int)
    let end: (line: Int, byte: Int)
  }

  /// The lines without the blanks around them, each ended by `wrap` or `end`.
  private var bytes: [UInt8] = []
  private var starts: [Int] = []

  // Neither is a byte of UTF-8.
  private static let wrap: UInt8 = 0xFE
  private static let end: UInt8 = 0xFF

  /// - Parameters:
  ///   - columns: The width the lines were wrapped at; nil for unrelated lines.
  ///   - isExact: Whether capitals count.
  init(_ lines: [String], columns: Int?, isExact: Bool) {
    starts.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated() {
      starts.append(bytes.count)
      SearchText.append(Self.trimmed(line), isExact: isExact, to: &bytes)
      let next = lines.indices.contains(index + 1) ? lines[index + 1] : ""
      bytes.append(columns.map { Self.isWrapped(line, next, columns: $0) } == true ? Self.wrap : Self.end)
    }
  }

  func hits(_ wanted: SearchText) -> [Hit] {
    var hits: [Hit] = []
    scan(wanted) { line, start, end in
      let endLine = self.line(of: end - 1, from: line)
      hits.append(Hit(start: (line, start - starts[line]), end: (endLine, end - starts[endLine])))
      return end
    }
    return hits
  }

  /// The lines in which a match begins, ascending.
  func lines(containing wanted: SearchText) -> [Int] {
    var lines: [Int] = []
    scan(wanted) { line, _, end in
      lines.append(line)
      return line + 1 < starts.count ? max(starts[line + 1], end) : bytes.count
    }
    return lines
  }

  /// Calls `body` with each match: its line, start and end. `body` returns where to continue.
  private func scan(_ wanted: SearchText, _ body: (_ line: Int, _ start: Int, _ end: Int) -> Int) {
    guard let first = wanted.bytes.first else { return }
    bytes.withUnsafeBufferPointer { text in
      wanted.bytes.withUnsafeBufferPointer { wanted in
        var (position, line) = (0, 0)
        while position < text.count {
          guard text[position] == first, let end = Self.end(of: wanted, in: text, from: position) else {
            position += 1
            continue
          }
          line = self.line(of: position, from: line)
          position = max(position + 1, body(line, position, end))
        }
      }
    }
  }

  private func line(of position: Int, from line: Int) -> Int {
    var line = line
    while line + 1 < starts.count, starts[line + 1] <= position { line += 1 }
    return line
  }

  /// The end of a match that starts at a position. The end of a wrapped line matches a blank, or nothing within a word.
  private static func end(
    of wanted: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    var (position, matched) = (start, 0)
    while matched < wanted.count {
      guard position < text.count else { return nil }
      if text[position] == wrap {
        if wanted[matched] == UInt8(ascii: " ") { matched += 1 }
      } else if text[position] == wanted[matched] {
        matched += 1
      } else {
        return nil
      }
      position += 1
    }
    return position
  }

  /// Whether a line was wrapped: the first word of the next one had no room in it.
  private static func isWrapped(_ line: String, _ next: String, columns: Int) -> Bool {
    let (line, next) = (line.trailingTrimmed, trimmed(next))
    guard !line.isEmpty, !next.isEmpty else { return false }
    let word = next.prefix { $0 != " " }
    return DisplayWidth.columns(of: String(line)) + 1 + DisplayWidth.columns(of: String(word)) > columns
  }

  private static func trimmed(_ line: String) -> Substring { line.trailingTrimmed.drop { $0 == " " } }

  /// The columns of some bytes of a line, as ``hits(_:)`` counts them.
  static func columns(of bytes: Range<Int>, in line: String, isExact: Bool) -> Range<Int> {
    let text = trimmed(line)
    var column = DisplayWidth.columns(of: String(line[..<text.startIndex]))
    var (byte, start) = (0, column)
    for character in text {
      guard byte < bytes.upperBound else { break }
      if byte <= bytes.lowerBound { start = column }
      let shown = String(character)
      byte += isExact ? shown.utf8.count : shown.lowercased().utf8.count
      column += DisplayWidth.columns(of: shown)
    }
    return start..<column
  }
}

extension String {
  fileprivate var trailingTrimmed: Substring {
    guard let last = lastIndex(where: { $0 != " " }) else { return "" }
    return self[...last]
  }
}
