import CarryoverSystem

/// Hidden texts, ordered so that all of them are searched for at the same time.
struct SensitiveIndex {
  struct Entry {
    var bytes: [UInt8]
    var replacement: Replacement
    var edges: Edges
    /// Whether its beginning counts too, if the rest was truncated.
    var isTelling = true
    /// Determines which of several equal texts counts. With the same precedence, the replacement that sorts first.
    var precedence: Precedence
  }

  /// The replacement of a text. A mask is formatted when it is needed, because there may be many.
  enum Replacement {
    case mask(Mask)
    case text(String)
  }

  enum Precedence: Int {
    case person
    case value
    case otherForm
    case place
  }

  enum Edges {
    case any
    /// No character that would form one word or number with it. It may be a part of a name.
    case part
    case word
  }

  /// A compact entry, because there may be millions.
  private struct Kept {
    var start: Int
    var count: UInt32
    /// The replacement: the number of a mask or, from -1 down, of a text.
    var replacement: Int32
    /// The longest other entry that is a prefix of it; -1 if there is none.
    var parent: Int32 = -1
    var edges: Edges
    var isTelling: Bool
    var precedence: Precedence
  }

  private var bytes: [UInt8] = []
  private var masks: [Mask] = []
  private var texts: [String] = []
  private var entries: [Kept] = []
  private var beginnings = Array(repeating: false, count: 256)

  /// The number of leading bytes that reveal a text.
  private static let telling = 12
  private static let ellipsis = Array("…".utf8)
  /// The maximum number of entries that are prefixes of each other.
  private static let longestChain = 64

  init(_ texts: [Entry] = []) {
    for text in texts { add(text) }
    sort()
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
      best = (replacement(of: entries[index]), common)
    }
    return best
  }

  private func longestWhole(from index: Int, _ text: [UInt8], _ start: Int) -> (replacement: String, length: Int)? {
    let common = commonLength(entries[index], text, start)
    var candidate = index
    var steps = 0
    while candidate >= 0, steps < Self.longestChain {
      let entry = entries[candidate]
      if Int(entry.count) <= common, isAllowed(entry, text, start) { return (replacement(of: entry), Int(entry.count)) }
      candidate = Int(entry.parent)
      steps += 1
    }
    return candidate < 0 || common == 0 ? nil : (replacement(of: entries[index]), common)
  }

  private func isAllowed(_ entry: Kept, _ text: [UInt8], _ start: Int) -> Bool {
    let end = start + Int(entry.count)
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
      let entry = entries[middle]
      let common = commonLength(entry, text, start)
      let isBehind =
        common < entry.count && (start + common >= text.count || bytes[entry.start + common] > text[start + common])
      if isBehind { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func commonLength(_ entry: Kept, _ text: [UInt8], _ start: Int) -> Int {
    let limit = min(Int(entry.count), text.count - start)
    var length = 0
    while length < limit, bytes[entry.start + length] == text[start + length] { length += 1 }
    return length
  }

  private func replacement(of entry: Kept) -> String {
    entry.replacement < 0 ? texts[Int(-1 - entry.replacement)] : masks[Int(entry.replacement)].text()
  }

  private subscript(_ entry: Kept) -> ArraySlice<UInt8> { bytes[entry.start..<(entry.start + Int(entry.count))] }

  /// Adds an entry, which is found after sorting. An entry without bytes is ignored.
  mutating func add(_ entry: Entry) {
    guard !entry.bytes.isEmpty, let count = UInt32(exactly: entry.bytes.count) else { return }
    let replacement: Int
    switch entry.replacement {
    case .mask(let mask):
      replacement = masks.count
      masks.append(mask)
    case .text(let text):
      texts.append(text)
      replacement = -texts.count
    }
    entries.append(
      Kept(
        start: bytes.count, count: count, replacement: Int32(clamping: replacement), edges: entry.edges,
        isTelling: entry.isTelling, precedence: entry.precedence))
    bytes += entry.bytes
    beginnings[Int(entry.bytes[0])] = true
  }

  /// An entry during sorting, by its first 16 bytes as two numbers, which distinguish nearly all entries.
  private struct Place {
    var first: UInt64
    var second: UInt64
    var index: UInt32

    init(_ bytes: ArraySlice<UInt8>, _ index: Int) {
      first = Self.number(bytes.prefix(8))
      second = Self.number(bytes.dropFirst(8).prefix(8))
      self.index = UInt32(clamping: index)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      var number: UInt64 = 0
      for byte in bytes { number = number << 8 | UInt64(byte) }
      return number << (8 * UInt64(8 - bytes.count))
    }
  }

  /// Sorts the entries. No entry may be added afterwards.
  mutating func sort() {
    var order = entries.indices.map { Place(self[entries[$0]], $0) }
    order.sort(by: precedes)
    var sorted: [Kept] = []
    sorted.reserveCapacity(order.count)
    var path: [Int] = []
    for place in order {
      var entry = entries[Int(place.index)]
      let text = self[entry]
      if let last = sorted.last, self[last] == text { continue }
      while let last = path.last, !text.starts(with: self[sorted[last]]) { path.removeLast() }
      entry.parent = Int32(clamping: path.last ?? -1)
      path.append(sorted.count)
      sorted.append(entry)
    }
    entries = sorted
  }

  /// How many leading bytes two entries share. Long values may differ only at their ends, so it compares words first.
  private func commonLength(_ one: Kept, _ other: Kept) -> Int {
    let count = Int(min(one.count, other.count))
    return bytes.withUnsafeBytes { bytes in
      var length = 0
      while count - length >= 8,
        bytes.loadUnaligned(fromByteOffset: one.start + length, as: UInt64.self)
          == bytes.loadUnaligned(fromByteOffset: other.start + length, as: UInt64.self)
      {
        length += 8
      }
      while length < count, bytes[one.start + length] == bytes[other.start + length] { length += 1 }
      return length
    }
  }

  private func precedes(_ left: Place, _ right: Place) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.second != right.second { return left.second < right.second }
    let (one, other) = (entries[Int(left.index)], entries[Int(right.index)])
    let common = commonLength(one, other)
    let (rest, otherRest) = (self[one].dropFirst(common), self[other].dropFirst(common))
    if rest.first != otherRest.first { return rest.lexicographicallyPrecedes(otherRest) }
    if one.precedence != other.precedence { return one.precedence.rawValue < other.precedence.rawValue }
    return replacement(of: one) < replacement(of: other)
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
    let sentences = codes.map(\.explanation).flatMap { [$0.title] + $0.parts().map(\.text) }
    return Set(
      bytesOf: sentences.flatMap { $0.utf8.split { !Characters.isLetter($0) } }.filter { $0.count > 2 }
        .map { String(Substring($0)) })
  }
}
