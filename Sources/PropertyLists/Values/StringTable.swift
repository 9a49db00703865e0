/// Finds strings that were already added.
///
/// A hash table of positions with open addressing. The caller stores the strings.
struct StringTable {
  /// In each slot the upper half of the hash and the position plus one; zero is an empty slot.
  private var slots: [UInt64] = []
  /// By position, so that growing the table does not read a string.
  private var hashes: [UInt64] = []

  private static let tagMask: UInt64 = 0xFFFF_FFFF_0000_0000

  /// Adds a string. Its position is the number of strings so far; `string` returns the one at an earlier position.
  ///
  /// Returns the earlier position of the same string, or nil if it is new.
  mutating func insert(_ text: String, string: (Int) -> String) -> Int? {
    if hashes.count >= slots.count / 2 { grow(to: 2 * hashes.count) }
    let hash = KeyHashes.hash(text)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      if slots[slot] & Self.tagMask == hash & Self.tagMask {
        let earlier = Int(slots[slot] & ~Self.tagMask) - 1
        if hashes[earlier] == hash, string(earlier).hasSameBytes(as: text) { return earlier }
      }
      slot = (slot + 1) & mask
    }
    hashes.append(hash)
    slots[slot] = hash & Self.tagMask | UInt64(hashes.count)
    return nil
  }

  /// Makes room for this number of further strings.
  mutating func reserve(_ more: Int) {
    if hashes.count + more > slots.count / 2 { grow(to: hashes.count + more) }
  }

  private mutating func grow(to count: Int) {
    var size = 16
    while size < 2 * count { size *= 2 }
    slots = Array(repeating: 0, count: size)
    hashes.reserveCapacity(size / 2)
    let mask = size - 1
    for (position, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = hash & Self.tagMask | UInt64(position + 1)
    }
  }
}
