/// Texts that must not be shown, in an order in which all of them are looked for at once.
struct SensitiveIndex: Hashable, Sendable {
  /// A text, and what stands in its place.
  struct Entry: Hashable, Sendable {
    var bytes: [UInt8]
    var replacement: String
    /// What may stand around it.
    var edges: Edges
    /// Whether its beginning counts too, where the rest was cut off.
    var isTelling: Bool
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
  /// The bytes with which an entry begins.
  private var beginnings: Set<UInt8> = []

  /// So many bytes of the beginning of a text give it away.
  private static let telling = 12
  private static let ellipsis = Array("…".utf8)
  /// More entries that begin with each other are not told apart.
  private static let longestChain = 64

  /// - Parameter texts: the texts; of equal ones the first counts.
  init(_ texts: [Entry] = []) {
    var met: Set<[UInt8]> = []
    entries = texts.filter { !$0.bytes.isEmpty && met.insert($0.bytes).inserted }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    beginnings = Set(entries.compactMap(\.bytes.first))
    var path: [Int] = []
    for (index, entry) in entries.enumerated() {
      while let last = path.last, !entry.bytes.starts(with: entries[last].bytes) { path.removeLast() }
      parents.append(path.last)
      path.append(index)
    }
  }

  /// The longest text that stands at an index, or the beginning of one that was cut off.
  func match(_ bytes: [UInt8], at start: Int) -> (replacement: String, length: Int)? {
    guard beginnings.contains(bytes[start]) else { return nil }
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
      best = (entries[index].replacement, common)
    }
    return best
  }

  private func longestWhole(from index: Int, _ bytes: [UInt8], _ start: Int) -> (replacement: String, length: Int)? {
    let common = commonLength(entries[index].bytes, bytes, start)
    var candidate: Int? = index
    var steps = 0
    while let current = candidate, steps < Self.longestChain {
      let entry = entries[current]
      if entry.bytes.count <= common, isAllowed(entry, bytes, start) { return (entry.replacement, entry.bytes.count) }
      candidate = parents[current]
      steps += 1
    }
    return candidate == nil || common == 0 ? nil : (entries[index].replacement, common)
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
