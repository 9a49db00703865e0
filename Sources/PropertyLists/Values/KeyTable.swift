/// Finds strings that are to be written and were written before.
///
/// A hash table of positions with open addressing; the strings themselves are kept by the caller.
struct KeyTable {
  /// In each slot the upper half of the hash and the position plus one; zero is an empty slot.
  private var slots: [UInt64] = []

  /// Adds a string that is to stand at `position`, the number of strings so far; `key` gives the one at an earlier
  /// position.
  ///
  /// Returns the earlier position of the same string, or nil when it is new.
  mutating func insert(_ text: String, at position: Int, key: (Int) -> String) -> Int? {
    if position >= slots.count / 2 { grow(to: position, key: key) }
    let hash = KeyHashes.hash(text)
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
    slots = Array(repeating: 0, count: Self.size(for: 2 * count))
    let mask = slots.count - 1
    for position in 0..<count {
      let hash = KeyHashes.hash(key(position))
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
}
