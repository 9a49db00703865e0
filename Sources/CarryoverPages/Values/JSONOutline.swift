import PropertyLists

/// JSON text laid out for reading, one member or element a row, every lexeme as it is in the text. It does not
/// validate: only text whose brackets nest is laid out.
package struct JSONOutline {
  package struct Row: Hashable {
    package var depth: Int
    package var text: String
    /// The top-level member around it, as written; nil for the outermost brackets.
    package var member: String?

    package var isMemberStart: Bool { depth == 1 && member.map { text.hasPrefix($0 + ":") } == true }
  }

  package private(set) var rows: [Row] = []
  /// Top-level members, with duplicates; nil if the text is not an object.
  package var memberCount: Int? { rows.first?.text.first == "{" ? rows.count(where: \.isMemberStart) : nil }

  private var depth = 0
  private var current: [UInt8] = []
  private var member: String?
  private static let deepest = 512

  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first(where: { !$0.isSpace }), first == Self.brace || first == Self.bracket else {
      return nil
    }
    // The closing brackets that are expected.
    var open: [UInt8] = []
    var lexeme: ArraySlice<UInt8> = []
    var (position, isClosed) = (0, false)
    while position < bytes.count {
      let byte = bytes[position]
      let end =
        byte.isSpace || "{}[],:".utf8.contains(byte) ? position + 1 : Self.endOfLexeme(bytes, from: position)
      defer { position = end }
      if byte.isSpace { continue }
      guard !isClosed else { return nil }
      switch byte {
      case Self.brace, Self.bracket:
        guard open.count < Self.deepest else { return nil }
        // A closing bracket is two code points behind its opening one.
        open.append(byte + 2)
        current.append(byte)
        flush()
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open.popLast() == byte else { return nil }
        close(byte)
        isClosed = open.isEmpty
      case UInt8(ascii: ","):
        guard !open.isEmpty else { return nil }
        current.append(byte)
        flush()
        if depth == 1 { member = nil }
      case UInt8(ascii: ":"):
        if depth == 1, open == [UInt8(ascii: "}")], member == nil { member = String(decoding: lexeme, as: UTF8.self) }
        current += [byte, 0x20]
      default:
        lexeme = bytes[position..<end]
        current += lexeme
      }
    }
    guard isClosed else { return nil }
  }

  private mutating func close(_ byte: UInt8) {
    if current.isEmpty, let last = rows.last, last.depth == depth - 1, last.text.utf8.last == byte - 2 {
      // Keeps an empty pair of brackets together.
      rows.removeLast()
      current = Array(last.text.utf8)
      depth -= 1
    } else {
      flush()
      depth -= 1
      if depth == 0 { member = nil }
    }
    current.append(byte)
    if depth == 0 { flush() }
  }

  private mutating func flush() {
    guard !current.isEmpty else { return }
    rows.append(Row(depth: depth, text: String(decoding: current, as: UTF8.self), member: member))
    current = []
  }

  private static let brace = UInt8(ascii: "{")
  private static let bracket = UInt8(ascii: "[")

  private static func endOfLexeme(_ bytes: [UInt8], from start: Int) -> Int {
    var position = start + 1
    if bytes[start] == UInt8(ascii: "\"") {
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
        position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      return min(bytes.count, position + 1)
    }
    while position < bytes.count, !bytes[position].isSpace, !",:{}[]\"".utf8.contains(bytes[position]) {
      position += 1
    }
    return position
  }
}
