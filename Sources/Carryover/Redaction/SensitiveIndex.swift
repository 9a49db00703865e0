import CarryoverSystem

/// Hidden texts in order, so that all of them are searched for at the same time.
struct SensitiveIndex {
  struct Entry {
    var bytes: [UInt8]
    var replacement: Replacement
    var edges: Edges
    /// Whether its beginning counts too, if the rest was truncated.
    var isTelling = true
    /// Determines which of several equal texts counts. With the same precedence, the replacement that sorts first.
    var precedence: Precedence
    /// The place of the longest other entry that is a prefix of it; -1 if there is none.
    fileprivate(set) var prefix = -1
  }

  /// The replacement of a text. A mask is formatted when it is needed, because there may be many.
  enum Replacement {
    case mask(Mask)
    case text(String)

    var text: String {
      switch self {
      case .mask(let mask): mask.text()
      case .text(let text): text
      }
    }
  }

  enum Precedence: Int {
    /// The name of an entry that is named after a person.
    case person
    case value
    case otherForm
    /// A part of a path, with a value in it.
    case place
  }

  enum Edges {
    case any
    /// No character that would form one word or number with it. It may be a part of a name.
    case part
    /// No character that belongs to it.
    case word
  }

  private var entries: [Entry] = []
  /// For each byte whether an entry begins with it.
  private var beginnings = Array(repeating: false, count: 256)

  /// The number of leading bytes that reveal a text.
  private static let telling = 12
  private static let ellipsis = Array("…".utf8)
  /// The maximum number of entries that are prefixes of each other.
  private static let longestChain = 64

  init(_ texts: [Entry]) {
    entries.reserveCapacity(texts.count)
    var path: [Int] = []
    for var entry in texts.sorted(by: Self.precedes) {
      guard let first = entry.bytes.first, entry.bytes != entries.last?.bytes else { continue }
      while let last = path.last, !entry.bytes.starts(with: entries[last].bytes) { path.removeLast() }
      entry.prefix = path.last ?? -1
      path.append(entries.count)
      entries.append(entry)
      beginnings[Int(first)] = true
    }
  }

  /// The longest text at an index, or the beginning of a truncated one; nil if there is none.
  func match(_ text: [UInt8], at start: Int) -> (replacement: String, length: Int)? {
    guard beginnings[Int(text[start])] else { return nil }
    let next = firstEntry(after: text, from: start)
    let whole = next > 0 ? longestWhole(from: next - 1, text, start) : nil
    var best = whole
    for index in [next - 1, next] where entries.indices.contains(index) {
      var common = commonLength(entries[index], text, start)
      // A part of a character does not count.
      while common > 0, start + common < text.count, text[start + common] & 0xC0 == 0x80 { common -= 1 }
      guard entries[index].isTelling, common >= Self.telling, common > best?.length ?? 0,
        text[(start + common)...].starts(with: Self.ellipsis)
      else { continue }
      best = (entries[index].replacement.text, common)
    }
    return best
  }

  private func longestWhole(from index: Int, _ text: [UInt8], _ start: Int) -> (replacement: String, length: Int)? {
    let common = commonLength(entries[index], text, start)
    var candidate = index
    var steps = 0
    while candidate >= 0, steps < Self.longestChain {
      let entry = entries[candidate]
      if entry.bytes.count <= common, isAllowed(entry, text, start) {
        return (entry.replacement.text, entry.bytes.count)
      }
      candidate = entry.prefix
      steps += 1
    }
    return candidate < 0 || common == 0 ? nil : (entries[index].replacement.text, common)
  }

  private func isAllowed(_ entry: Entry, _ text: [UInt8], _ start: Int) -> Bool {
    let end = start + entry.bytes.count
    return switch entry.edges {
    case .any: true
    case .word: Characters.isBoundary(before: start, in: text) && Characters.isBoundary(after: end, in: text)
    case .part: Characters.isPart(text, start..<end)
    }
  }

  /// The first entry that sorts after the rest of the text. A prefix of the text sorts before it.
  private func firstEntry(after text: [UInt8], from start: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      let bytes = entries[middle].bytes
      let common = commonLength(entries[middle], text, start)
      let isBehind = common < bytes.count && (start + common >= text.count || bytes[common] > text[start + common])
      if isBehind { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func commonLength(_ entry: Entry, _ text: [UInt8], _ start: Int) -> Int {
    let limit = min(entry.bytes.count, text.count - start)
    var length = 0
    while length < limit, entry.bytes[length] == text[start + length] { length += 1 }
    return length
  }

  private static func precedes(_ one: Entry, _ other: Entry) -> Bool {
    if one.bytes != other.bytes { return one.bytes.lexicographicallyPrecedes(other.bytes) }
    if one.precedence != other.precedence { return one.precedence.rawValue < other.precedence.rawValue }
    return one.replacement.text < other.replacement.text
  }
}

enum OtherForms {
  /// The text as escaped for display; for personal text also in lower case and as in a URL.
  static func of(_ canonical: [UInt8], _ known: Redaction.Known) -> [[UInt8]] {
    let isPersonal = known.isStrong || known.mask.isStrong
    // Nothing in it is escaped.
    if !isPersonal, canonical.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) { return [] }
    let text = String(decoding: canonical, as: UTF8.self)
    var forms = [DisplayText.harmless(text), DisplayText.named(text)].map { Array($0.utf8) }
    if isPersonal, (4...320).contains(canonical.count) {
      // A single word may also be a common one.
      if isID(known.mask.kind) || !canonical.allSatisfy(Characters.isLetter) {
        forms += [Array(text.lowercased().utf8), Array(text.uppercased().utf8)]
      }
      forms.append(percentEncoded(canonical))
      if isID(known.mask.kind) {
        forms += [text.lowercased(), text.uppercased()].map { percentEncoded(Array($0.utf8)) }
      }
    }
    return forms.filter { $0 != canonical }
  }

  private static func isID(_ kind: Mask.Kind) -> Bool {
    switch kind {
    case .user, .id, .email: true
    default: false
    }
  }

  private static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(3 * bytes.count)
    for byte in bytes {
      if isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 0xF)]
      }
    }
    return encoded
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    Characters.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
  }

  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + (number - 10)
  }
}

/// The words of Carryover's own sentences. A value that equals one of them, such as `session`, reveals nothing there.
/// In the place of a value, it is masked like any other.
enum Vocabulary {
  static func words(of codes: [FindingCode]) -> Set<StringByBytes> {
    let sentences = codes.map(\.explanation).flatMap { [$0.title] + $0.parts.map(\.text) }
    return Set(
      bytesOf: sentences.flatMap { $0.utf8.split { !Characters.isLetter($0) } }.filter { $0.count > 2 }
        .map { String(Substring($0)) })
  }
}
