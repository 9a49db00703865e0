/// JSON text laid out for reading, one member or element a row. Every lexeme stays as it stands in the text.
///
/// This only lays out: whether text is valid JSON is decided elsewhere, and what does not nest properly is simply not
/// laid out.
struct JSONOutline {
  /// One row.
  struct Row: Hashable {
    /// How far it is indented.
    var depth: Int
    /// What stands in it.
    var text: String
    /// The top-level member it belongs to, as it is written; nil for the outermost brackets.
    var member: String?

    /// Whether it is the first row of a top-level member.
    var isMemberStart: Bool { depth == 1 && member.map { text.hasPrefix($0 + ":") } == true }
  }

  /// The rows, from the opening bracket to the closing one.
  private(set) var rows: [Row] = []
  /// The names of the top-level members of an object as they are written, in order, duplicates included.
  private(set) var memberNames: [String] = []

  private var depth = 0
  private var current: [UInt8] = []
  private var member: String?
  private var pendingName: [UInt8] = []
  private static let deepest = 512

  /// The names of the top-level members of an object; nil for any other text.
  static func memberNames(_ text: String) -> [String]? {
    guard let outline = JSONOutline(text), outline.rows.first?.text.first == "{" else { return nil }
    return outline.memberNames
  }

  /// Lays text out; nil where it is no object or array.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first(where: { !Self.isBlank($0) }), first == Self.brace || first == Self.bracket else {
      return nil
    }
    var open: [UInt8] = []
    var position = 0
    var isClosed = false
    while position < bytes.count {
      let byte = bytes[position]
      if Self.isBlank(byte) {
        position += 1
        continue
      }
      guard !isClosed else { return nil }
      switch byte {
      case Self.brace, Self.bracket:
        guard open.count < Self.deepest else { return nil }
        open.append(byte + 2)
        begin(byte)
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open.popLast() == byte else { return nil }
        end(byte)
        isClosed = open.isEmpty
        position += 1
      case UInt8(ascii: ","):
        guard !open.isEmpty else { return nil }
        current.append(byte)
        flush()
        if depth == 1 { member = nil }
        position += 1
      case UInt8(ascii: ":"):
        if depth == 1, open == [UInt8(ascii: "}")], member == nil {
          let name = String(decoding: pendingName, as: UTF8.self)
          member = name
          memberNames.append(name)
        }
        current += [byte, 0x20]
        position += 1
      default:
        let end = Self.endOfLexeme(bytes, from: position)
        pendingName = Array(bytes[position..<end])
        current += pendingName
        position = end
      }
    }
    guard isClosed else { return nil }
  }

  private mutating func begin(_ byte: UInt8) {
    current.append(byte)
    flush()
    depth += 1
  }

  private mutating func end(_ byte: UInt8) {
    if current.isEmpty, let last = rows.last, last.depth == depth - 1, last.text.utf8.last == byte - 2 {
      // An empty pair of brackets stays together.
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

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private static func endOfLexeme(_ bytes: [UInt8], from start: Int) -> Int {
    var position = start + 1
    if bytes[start] == UInt8(ascii: "\"") {
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
        position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      return min(bytes.count, position + 1)
    }
    while position < bytes.count, !isBlank(bytes[position]), !",:{}[]\"".utf8.contains(bytes[position]) {
      position += 1
    }
    return position
  }
}
