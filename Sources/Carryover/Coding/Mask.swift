import PropertyLists

/// What stands in the place of a value that is not shown: `‹user-1›`.
///
/// The number tells values apart and follows from the order in which they were met, so that nothing about the value can
/// be read from it.
struct Mask: Hashable, Sendable {
  /// What kind of value it stands for.
  enum Kind: String, CaseIterable, Sendable {
    case user, id, email, phone, secret, key, text, number, date, data
  }

  let kind: Kind
  /// One more than the number, or zero for none: a container can have millions of values, and each a mask.
  private let serial: UInt32

  init(kind: Kind, number: Int? = nil) {
    self.kind = kind
    serial = number.map { UInt32(clamping: $0 &+ 1) } ?? 0
  }

  /// Nil where the value was met only in passing text, or is too long to be told from others.
  var number: Int? { serial == 0 ? nil : Int(serial) - 1 }

  /// The mask as text. A type other than a string's is named, unless the kind says it.
  func text(type: String? = nil) -> String {
    let name = number.map { "\(kind.rawValue)-\($0)" } ?? kind.rawValue
    return "‹" + name + (type.flatMap { $0 == kind.rawValue ? nil : " " + $0 } ?? "") + "›"
  }

  /// The kinds that mask a value wherever it stands, even where an equal one would be harmless.
  var isStrong: Bool {
    switch kind {
    case .user, .id, .email, .phone, .secret, .key: true
    case .text, .number, .date, .data: false
    }
  }

  /// How many bytes a mask takes that begins at an index; nil where none does.
  static func length(in bytes: [UInt8], at start: Int) -> Int? {
    guard bytes[start...].starts(with: opening) else { return nil }
    let rest = bytes[(start + opening.count)...].prefix(longest)
    guard let end = rest.firstIndex(of: closing[0]), bytes[end...].starts(with: closing),
      isInside(String(decoding: bytes[(start + opening.count)..<end], as: UTF8.self))
    else { return nil }
    return end + closing.count - start
  }

  /// Whether a text is a mask and nothing else.
  static func isMask(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return !bytes.isEmpty && length(in: bytes, at: 0) == bytes.count
  }

  /// The type that a mask names; nil for one of a string, and for any other text.
  static func type(of text: String) -> PropertyListValue.Kind? {
    guard text.utf8.count <= longestText, isMask(text) else { return nil }
    let inside = text.dropFirst().dropLast()
    let word = inside.split(separator: " ").last ?? inside
    return PropertyListValue.Kind(rawValue: String(word.prefix { $0 != "-" })).flatMap { $0 == .string ? nil : $0 }
  }

  private static func isInside(_ text: String) -> Bool {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let name = words.first, words.count <= 2, words.dropFirst().allSatisfy({ types.contains(String($0)) }) else {
      return false
    }
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard let kind = parts.first, parts.count <= 2, Kind(rawValue: String(kind)) != nil else { return false }
    return parts.dropFirst().allSatisfy { !$0.isEmpty && $0.utf8.count <= 9 && $0.utf8.allSatisfy(Characters.isDigit) }
  }

  private static let opening = Array("‹".utf8)
  private static let closing = Array("›".utf8)
  private static let longest = 40
  /// More bytes than a mask takes.
  static let longestText = longest + 6
  /// The types that masks name.
  static let types: Set = ["integer", "real", "number", "date", "data", "uid", "array", "dictionary", "set"]
}

/// Which bytes belong together in text.
enum Characters {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
  static func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "_") }

  static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x41...0x46).contains(byte & 0xDF) }

  /// Whether a token can begin at an index: nothing before it belongs to it.
  static func isBoundary(before index: Int, in bytes: [UInt8]) -> Bool {
    guard index > 0 else { return true }
    let byte = bytes[index - 1]
    if byte >= 0x80 { return isPunctuation(endingAt: index - 1, in: bytes) }
    if isWord(byte) { return false }
    return !isJoint(byte) || index < 2 || !isWord(bytes[index - 2])
  }

  /// Whether a token can end before an index.
  static func isBoundary(after index: Int, in bytes: [UInt8]) -> Bool {
    guard index < bytes.count else { return true }
    let byte = bytes[index]
    // From U+2000 to U+2FFF there are signs and no letters.
    if byte >= 0x80 { return byte == 0xE2 }
    if isWord(byte) { return false }
    return !isJoint(byte) || index + 1 >= bytes.count || !isWord(bytes[index + 1])
  }

  /// Whether what stands at a range is a part of a name by itself: letters not beside letters; digits not beside digits,
  /// nor joined to others as in a version or a date. Few digits count only where no letter is beside them.
  static func isPart(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let before = range.lowerBound - 1
    let after = range.upperBound
    let isNumber = isDigit(bytes[range.lowerBound])
    func clashes(_ index: Int, beyond: Int) -> Bool {
      guard bytes.indices.contains(index) else { return false }
      let byte = bytes[index]
      guard isNumber else { return isLetter(byte) }
      if isDigit(byte) || range.count < 4 && isLetter(byte) { return true }
      return isJoint(byte) && bytes.indices.contains(beyond) && isDigit(bytes[beyond])
    }
    return !clashes(before, beyond: before - 1) && !clashes(after, beyond: after + 1)
  }

  /// What joins words to one name, where it stands between two.
  private static func isJoint(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "@")
  }

  private static func isPunctuation(endingAt index: Int, in bytes: [UInt8]) -> Bool {
    var start = index
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return bytes[start] == 0xE2
  }
}
