/// Finds the duplicate keys of a dictionary after all of its pairs are read.
///
/// While reading, only a hash of each key is stored. At the end, each hash sets a bit in a bitmap that fits into the
/// processor's cache. A key whose bit was already set is a suspect, and only suspects are compared; a hash table of all
/// keys would cost a cache miss each. The hash has a random seed per process, so no file can make all keys collide. The
/// result does not depend on the seed.
struct KeyHashes {
  private static let seed = UInt64.random(in: 0 ... .max)
  private static let start = UInt64.random(in: 0 ... .max)
  /// Up to this number of keys, comparing all pairs is cheaper.
  private static let smallCount = 8

  private var hashes: [UInt64] = []

  /// Adds the next key by its UTF-8 bytes.
  @inline(__always)
  mutating func append(_ key: UnsafeBufferPointer<UInt8>) { hashes.append(Self.hash(key)) }

  /// Adds the next key.
  mutating func append(_ key: String) { hashes.append(Self.hash(key)) }

  mutating func reserve(_ count: Int) { hashes.reserveCapacity(count) }

  /// The positions of keys that also occur earlier, in ascending order. There must be a hash for each entry.
  func duplicates(in entries: [PropertyListDictionary.Entry]) -> [Int] {
    duplicates(count: entries.count) { entries[$0].key }
  }

  /// Like ``duplicates(in:)``, for keys that are stored elsewhere.
  func duplicates(count: Int, key: (Int) -> String) -> [Int] {
    guard count > Self.smallCount else { return duplicatesOfFew(count, key) }
    var bitmap = HashBitmap(bitCount: 16 * count)
    var suspects: [Int] = []
    for (position, hash) in hashes.enumerated() where !bitmap.insert(hash) { suspects.append(position) }
    guard !suspects.isEmpty else { return [] }
    // A suspect is a duplicate if an earlier key is equal: collect all keys with a suspect's hash, sort them by hash,
    // and compare only those with equal hashes.
    var suspectBits = HashBitmap(bitCount: 64 * suspects.count)
    for position in suspects { _ = suspectBits.insert(hashes[position]) }
    var alike: [(hash: UInt64, position: Int)] = []
    for (position, hash) in hashes.enumerated() where suspectBits.contains(hash) { alike.append((hash, position)) }
    alike.sort { ($0.hash, $0.position) < ($1.hash, $1.position) }
    var duplicates: [Int] = []
    var start = 0
    while start < alike.count {
      var end = start + 1
      while end < alike.count, alike[end].hash == alike[start].hash { end += 1 }
      if end - start > 1 {
        var seen: Set<StringByBytes> = []
        for (_, position) in alike[start..<end] where !seen.insert(StringByBytes(key(position))).inserted {
          duplicates.append(position)
        }
      }
      start = end
    }
    return duplicates.sorted()
  }

  private func duplicatesOfFew(_ count: Int, _ key: (Int) -> String) -> [Int] {
    var duplicates: [Int] = []
    for position in stride(from: 1, to: count, by: 1) {
      let text = key(position)
      for earlier in 0..<position where hashes[earlier] == hashes[position] && key(earlier).hasSameBytes(as: text) {
        duplicates.append(position)
        break
      }
    }
    return duplicates
  }

  static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { hash($0) }
  }

  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    let seed = seed
    var hash = start &+ UInt64(raw.count)
    var position = 0
    while raw.count - position >= 8 {
      hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: position, as: UInt64.self), seed)
      position += 8
    }
    var rest: UInt64 = 0
    while position < raw.count {
      rest = rest << 8 | UInt64(raw[position])
      position += 1
    }
    return mix(mix(hash ^ rest, seed), seed)
  }

  @inline(__always)
  private static func mix(_ value: UInt64, _ seed: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

/// A set of hashes that may report one that was never inserted.
private struct HashBitmap {
  private var words: [UInt64]
  private let mask: UInt64

  /// Creates a bitmap with at least this number of bits.
  init(bitCount: Int) {
    var count = 64
    while count < bitCount { count *= 2 }
    words = Array(repeating: 0, count: count / 64)
    mask = UInt64(count - 1)
  }

  /// Inserts a hash; false if its bit was already set.
  @inline(__always)
  mutating func insert(_ hash: UInt64) -> Bool {
    let bit = hash & mask
    let word = Int(truncatingIfNeeded: bit >> 6)
    let flag: UInt64 = 1 << (bit & 63)
    guard words[word] & flag == 0 else { return false }
    words[word] |= flag
    return true
  }

  @inline(__always)
  func contains(_ hash: UInt64) -> Bool {
    let bit = hash & mask
    return words[Int(truncatingIfNeeded: bit >> 6)] & (1 << (bit & 63)) != 0
  }
}
