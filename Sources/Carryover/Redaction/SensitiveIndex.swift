/// Texts that must not be shown, in an order in which all of them are looked for at once.
struct SensitiveIndex: Hashable, Sendable {
  /// A text, and what stands in its place.
  struct Entry: Hashable, Sendable {
    var bytes: [UInt8]
    var replacement: Replacement
    /// What may stand around it.
    var edges: Edges
    /// Whether its beginning counts too, where the rest was cut off.
    var isTelling: Bool
    /// Which of equal texts counts; among those of one precedence it is the lesser replacement, as words are sorted.
    var precedence: Precedence
  }

  /// What stands in the place of a text. A mask is written out when it is needed: there may be many.
  enum Replacement: Hashable {
    case mask(Mask)
    case text(String)

    var text: String {
      switch self {
      case .mask(let mask): mask.text()
      case .text(let text): text
      }
    }
  }

  /// What a text is, the first before the last where there are several.
  enum Precedence: Int, Hashable {
    /// The name of an entry that is called after somebody.
    case subject
    /// A value as it is.
    case value
    /// Another way to write one.
    case otherForm
    /// A part of a path with a value in it.
    case place
  }

  /// What may stand around a text that is found.
  enum Edges: Hashable {
    /// Anything.
    case any
    /// Nothing that makes one word or number of both: it may be a part of a name.
    case part
    /// Nothing that belongs to it.
    case word
  }

  /// Sorted by their bytes.
  private var entries: [Entry] = []
  /// The longest other entry with which each begins.
  private var parents: [Int?] = []
  /// Whether an entry begins with a byte.
  private var beginnings = Array(repeating: false, count: 256)

  /// So many bytes of the beginning of a text give it away.
  private static let telling = 12
  private static let ellipsis = Array("…".utf8)
  /// More entries that begin with each other are not told apart.
  private static let longestChain = 64

  /// - Parameter texts: the texts, in any order.
  init(_ texts: [Entry] = []) {
    // Numbers are sorted in place of the entries, which would be counted at every move.
    var order = texts.indices.compactMap { index in
      texts[index].bytes.isEmpty ? nil : Place(texts[index].bytes, index)
    }
    order.sort { Self.precedes($0, $1, texts) }
    entries.reserveCapacity(order.count)
    parents.reserveCapacity(order.count)
    var path: [Int] = []
    for place in order {
      let entry = texts[place.index]
      if let last = entries.last, last.bytes == entry.bytes { continue }
      while let last = path.last, !entry.bytes.starts(with: entries[last].bytes) { path.removeLast() }
      parents.append(path.last)
      path.append(entries.count)
      entries.append(entry)
      if let first = entry.bytes.first { beginnings[Int(first)] = true }
    }
  }

  /// An entry while it is sorted, by its first sixteen bytes as two numbers, which tell nearly all apart.
  private struct Place {
    var first: UInt64
    var second: UInt64
    var index: Int

    init(_ bytes: [UInt8], _ index: Int) {
      first = Self.number(bytes.prefix(8))
      second = Self.number(bytes.dropFirst(8).prefix(8))
      self.index = index
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      var number: UInt64 = 0
      for byte in bytes { number = number << 8 | UInt64(byte) }
      return number << (8 * UInt64(8 - bytes.count))
    }
  }

  private static func precedes(_ left: Place, _ right: Place, _ texts: [Entry]) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.second != right.second { return left.second < right.second }
    let (one, other) = (texts[left.index], texts[right.index])
    if one.bytes != other.bytes { return one.bytes.lexicographicallyPrecedes(other.bytes) }
    if one.precedence != other.precedence { return one.precedence.rawValue < other.precedence.rawValue }
    return one.replacement.text < other.replacement.text
  }

  /// The longest text that stands at an index, or the beginning of one that was cut off.
  func match(_ bytes: [UInt8], at start: Int) -> (replacement: String, length: Int)? {
    guard beginnings[Int(bytes[start])] else { return nil }
    let next = firstEntry(after: bytes, from: start)
    let whole = next > 0 ? longestWhole(from: next - 1, bytes, start) : nil
    var best = whole
    for index in [next - 1, next] where entries.indices.contains(index) {
      var common = commonLength(entries[index].bytes, bytes, start)
      // Half a character is none.
      while common > 0, start + common < bytes.count, bytes[start + common] & 0xC0 == 0x80 { common -= 1 }
      guard entries[index].isTelling, common >= Self.telling, common > best?.length ?? 0,
        bytes[(start + common)...].starts(with: Self.ellipsis)
      else { continue }
      best = (entries[index].replacement.text, common)
    }
    return best
  }

  private func longestWhole(from index: Int, _ bytes: [UInt8], _ start: Int) -> (replacement: String, length: Int)? {
    let common = commonLength(entries[index].bytes, bytes, start)
    var candidate: Int? = index
    var steps = 0
    while let current = candidate, steps < Self.longestChain {
      let entry = entries[current]
      if entry.bytes.count <= common, isAllowed(entry, bytes, start) {
        return (entry.replacement.text, entry.bytes.count)
      }
      candidate = parents[current]
      steps += 1
    }
    return candidate == nil || common == 0 ? nil : (entries[index].replacement.text, common)
  }

  private func isAllowed(_ entry: Entry, _ bytes: [UInt8], _ start: Int) -> Bool {
    let end = start + entry.bytes.count
    return switch entry.edges {
    case .any: true
    case .word: Characters.isBoundary(before: start, in: bytes) && Characters.isBoundary(after: end, in: bytes)
    case .part: Characters.isPart(bytes, start..<end)
    }
  }

  /// The first entry that sorts behind the rest of the text; one that the text begins with sorts before it.
  private func firstEntry(after bytes: [UInt8], from start: Int) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      let entry = entries[middle].bytes
      let common = commonLength(entry, bytes, start)
      let isBehind =
        common < entry.count && (start + common >= bytes.count || entry[common] > bytes[start + common])
      if isBehind { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func commonLength(_ entry: [UInt8], _ bytes: [UInt8], _ start: Int) -> Int {
    let limit = min(entry.count, bytes.count - start)
    var length = 0
    while length < limit, entry[length] == bytes[start + length] { length += 1 }
    return length
  }
}
