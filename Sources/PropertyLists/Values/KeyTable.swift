/// Finds duplicate keys while a dictionary is being read.
///
/// A hash table of positions with open addressing. The hash is seeded per process, so that no file can be made whose
/// keys all collide; nothing that is reported depends on the seed.
struct KeyTable {
  private static let seed = UInt64.random(in: 0 ... .max)
  /// Below this many keys comparing each with each is cheaper than hashing.
  private static let smallCount = 8

  /// In each slot the upper half of the hash and the position plus one; zero is an empty slot.
  private var slots: [UInt64] = []

  /// A table for at most `capacity` keys, a number that was checked against the size of the file; with 0 it grows.
  init(capacity: Int) {
    if capacity > Self.smallCount { slots = Array(repeating: 0, count: Self.size(for: capacity)) }
  }

  /// Adds a key that is to stand at `position`, the number of keys so far; `key` gives the key at an earlier position.
  ///
  /// Returns the earlier position of the same key, or nil when the key is new.
  @inline(__always)
  mutating func insert(_ text: String, at position: Int, key: (Int) -> String) -> Int? {
    guard slots.isEmpty else { return insertHashed(text, at: position, key: key) }
    if position < Self.smallCount {
      for earlier in 0..<position where key(earlier).hasSameBytes(as: text) { return earlier }
      return nil
    }
    grow(to: position, key: key)
    return insertHashed(text, at: position, key: key)
  }

  private mutating func insertHashed(_ text: String, at position: Int, key: (Int) -> String) -> Int? {
    if position >= slots.count / 2 { grow(to: position, key: key) }
    let hash = Self.hash(text)
    let tag = hash & 0xFFFF_FFFF_0000_0000
    return slots.withUnsafeMutableBufferPointer { slots in
      let mask = slots.count - 1
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 {
        if slots[slot] & 0xFFFF_FFFF_0000_0000 == tag {
          let earlier = Int(slots[slot] & 0xFFFF_FFFF) - 1
          if key(earlier).hasSameBytes(as: text) { return earlier }
        }
        slot = (slot + 1) & mask
      }
      slots[slot] = tag | UInt64(position + 1)
      return nil
    }
  }

  private mutating func grow(to count: Int, key: (Int) -> String) {
    slots = Array(repeating: 0, count: Self.size(for: max(2 * count, Self.smallCount)))
    let mask = slots.count - 1
    for position in 0..<count {
      let hash = Self.hash(key(position))
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(position + 1)
    }
  }

  /// A power of two that leaves at least half of the slots empty.
  private static func size(for count: Int) -> Int {
    var size = 16
    while size < 2 * count { size *= 2 }
    return size
  }

  private static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      let raw = UnsafeRawBufferPointer(bytes)
      var hash = seed ^ UInt64(raw.count)
      var position = 0
      while raw.count - position >= 8 {
        hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        position += 8
      }
      var rest: UInt64 = 0
      while position < raw.count {
        rest = rest << 8 | UInt64(raw[position])
        position += 1
      }
      return mix(mix(hash ^ rest))
    }
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
