import CarryoverSystem
package import PropertyLists

/// The placeholder for a value that is not shown: `‹user-1›`.
///
/// The number distinguishes values and follows the order in which they were found, so it reveals nothing about the
/// value.
struct Mask: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case user, id, email, phone, secret, key, text, number, date, data
  }

  let kind: Kind
  /// The number plus one, or zero for no number. Compact, because a container can have millions of masked values.
  private let serial: UInt32

  init(kind: Kind, number: Int? = nil) {
    self.kind = kind
    serial = number.map { UInt32(clamping: $0 &+ 1) } ?? 0
  }

  /// Nil if the value was only found inside other text, or is too long to be compared.
  var number: Int? { serial == 0 ? nil : Int(serial) - 1 }

  /// The mask as text. It names the type unless the value is a string or the kind implies the type.
  func text(type: String? = nil) -> String {
    let name = number.map { "\(kind.rawValue)-\($0)" } ?? kind.rawValue
    return "‹" + name + (type.flatMap { $0 == kind.rawValue ? nil : " " + $0 } ?? "") + "›"
  }

  /// Whether the kind masks a value in every place, even if an equal value elsewhere would be harmless.
  var isStrong: Bool {
    switch kind {
    case .user, .id, .email, .phone, .secret, .key: true
    case .text, .number, .date, .data: false
    }
  }

  static func length(in bytes: [UInt8], at start: Int) -> Int? {
    guard bytes[start...].starts(with: opening) else { return nil }
    let rest = bytes[(start + opening.count)...].prefix(longest)
    guard let end = rest.firstIndex(of: closing[0]), bytes[end...].starts(with: closing),
      isInside(String(decoding: bytes[(start + opening.count)..<end], as: UTF8.self))
    else { return nil }
    return end + closing.count - start
  }

  static func isMask(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return !bytes.isEmpty && length(in: bytes, at: 0) == bytes.count
  }

  /// The type in a mask; nil for a string's mask, and for any other text.
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
  /// Longer than any mask, in bytes.
  static let longestText = longest + 6
  static let types: Set = ["integer", "real", "number", "date", "data", "uid", "array", "dictionary", "set"]
}

/// The masks that occur in a text, for its legend.
package struct MaskLegend: Hashable, Sendable {
  /// The first mask, for example `‹user-1›`; nil without any.
  package private(set) var first: String?
  /// The first mask that names a type.
  package private(set) var firstTyped: String?
  private var found: Set<Mask.Kind> = []

  package init(of text: String) {
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      guard let length = Mask.length(in: bytes, at: index) else {
        index += 1
        continue
      }
      add(String(decoding: bytes[index..<(index + length)], as: UTF8.self))
      index += length
    }
  }

  private mutating func add(_ mask: String) {
    guard let kind = Mask.Kind(rawValue: String(mask.dropFirst().prefix { $0.isLetter })) else { return }
    found.insert(kind)
    if first == nil { first = mask }
    if firstTyped == nil, mask.contains(" ") { firstTyped = mask }
  }

  /// The kinds that occur, each with its meaning if its name does not say it.
  package var kinds: [(name: String, meaning: String?)] {
    Mask.Kind.allCases.filter(found.contains).map { ($0.rawValue, $0.meaning) }
  }
}

extension Mask.Kind {
  fileprivate var meaning: String? {
    switch self {
    case .user: "the id of a user"
    case .id: "another id"
    case .secret: "a token, a password or a key"
    case .key: "a write key or a project token, which names of keys and files may show"
    case .email, .phone, .text, .number, .date, .data: nil
    }
  }
}

enum Characters {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
  static func isWord(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "_") }
  static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x41...0x46).contains(byte & 0xDF) }

  /// Whether a token can start at an index, because no earlier byte belongs to it.
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

  /// Whether a range is a part of a name by itself: letters without adjacent letters, or digits without adjacent digits
  /// that are not part of a version or a date. Short numbers count only without adjacent letters.
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

  private static func isJoint(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "@")
  }

  private static func isPunctuation(endingAt index: Int, in bytes: [UInt8]) -> Bool {
    var start = index
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return bytes[start] == 0xE2
  }
}

package enum ValueWording {
  /// A value for use in sentences: shortened to a bounded length, strings in quotation marks.
  package static func shown(_ value: PropertyListValue) -> String {
    switch value {
    case .string(let text): Mask.type(of: text) == nil ? quoted(text) : text
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .data(let bytes): "\(counted(bytes.count, "byte")) of data"
    case .array(let elements): "an array of \(counted(elements.count, "element"))"
    case .dictionary(let dictionary): "a dictionary of \(counted(dictionary.count, "key"))"
    case .uid(let uid): "UID \(uid)"
    case .set(let elements): "a set of \(counted(elements.count, "element"))"
    case .null: "null"
    }
  }

  /// A value with its type in front: "an integer (7)". For a mask, the type of the masked value.
  package static func typed(_ value: PropertyListValue) -> String {
    if case .string(let text) = value, let kind = Mask.type(of: text) { return "\(name(kind)) (\(text))" }
    return "\(name(value.kind)) (\(shown(value)))"
  }

  package static func quoted(_ text: String) -> String { "“\(cut(text))”" }

  package static func cut(_ text: String, to limit: Int = 60) -> String {
    let head = text.prefix(limit)
    return head.endIndex == text.endIndex ? text : head + "…"
  }

  package static func listed(_ names: [String], limit: Int = 8) -> String {
    let head = names.prefix(limit).map { cut($0) }.joined(separator: ", ")
    return names.count > limit ? "\(head) and \(names.count - limit) more" : head
  }

  /// All words in a sentence: "the user id, the traits and the session".
  package static func joined(_ words: [String]) -> String {
    words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }

  package static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }

  package static func name(_ kind: PropertyListValue.Kind) -> String {
    switch kind {
    case .integer, .array: "an \(kind.rawValue)"
    case .data, .null: kind.rawValue
    default: "a \(kind.rawValue)"
    }
  }

  package static func fileName(_ path: String) -> String { cut(FilePath.name(of: path)) }
}

extension String {
  package var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
