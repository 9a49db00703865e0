/// Byte strings without duplicates, numbered in the order of insertion.
///
/// They are in a single array, which takes a fifth of the memory of separate arrays: `report` may need a million
/// strings.
struct ByteTable: Hashable, Sendable {
  private var bytes: [UInt8] = []
  /// The end of each string.
  private var ends: [Int] = []
  private var hashes: [UInt32] = []
  /// Each number plus one, in the first free slot after the one for its hash; 0 is free. At least a third is free.
  private var slots: [UInt32] = []

  var count: Int { ends.count }

  /// The string with this number.
  subscript(number: Int) -> ArraySlice<UInt8> { bytes[range(number)] }

  /// The number of a string; nil if it is not in the table.
  func number(of string: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !slots.isEmpty else { return nil }
    let slot = slots[self.slot(of: string, Self.hash(string))]
    return slot == 0 ? nil : Int(slot) - 1
  }

  func contains(_ string: [UInt8]) -> Bool { string.withUnsafeBufferPointer { number(of: $0) != nil } }

  /// Inserts a string unless it is already in the table.
  /// - Returns: its number, and whether it is new.
  @discardableResult
  mutating func insert(_ string: UnsafeBufferPointer<UInt8>) -> (number: Int, isNew: Bool) {
    if 3 * (count + 1) > 2 * slots.count { grow(to: max(16, 2 * slots.count)) }
    let hash = Self.hash(string)
    let place = slot(of: string, hash)
    if slots[place] != 0 { return (Int(slots[place]) - 1, false) }
    bytes.append(contentsOf: string)
    ends.append(bytes.count)
    hashes.append(hash)
    slots[place] = UInt32(count)
    return (count - 1, true)
  }

  /// Reserves space for this number of additional strings.
  mutating func reserve(_ more: Int) {
    ends.reserveCapacity(count + more)
    hashes.reserveCapacity(count + more)
    var size = max(16, slots.count)
    while 3 * (count + more) > 2 * size { size *= 2 }
    if size > slots.count { grow(to: size) }
  }

  static func == (left: ByteTable, right: ByteTable) -> Bool { left.ends == right.ends && left.bytes == right.bytes }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ends.count)
    hasher.combine(bytes.count)
  }

  private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  /// The slot of a string, or the free slot for it. There is always a free slot.
  private func slot(of string: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int {
    let mask = slots.count - 1
    var place = Int(hash) & mask
    while slots[place] != 0 {
      let number = Int(slots[place]) - 1
      if hashes[number] == hash, bytes[range(number)].elementsEqual(string) { return place }
      place = (place + 1) & mask
    }
    return place
  }

  /// - Parameter size: a power of two.
  private mutating func grow(to size: Int) {
    slots = Array(repeating: 0, count: size)
    for (number, hash) in hashes.enumerated() {
      var place = Int(hash) & (size - 1)
      while slots[place] != 0 { place = (place + 1) & (size - 1) }
      slots[place] = UInt32(number + 1)
    }
  }

  /// Seeded randomly in each process, so that no file can force all its strings into one slot.
  private static func hash(_ string: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(string))
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}

/// Values by byte strings, in the order of insertion.
struct ByteMap<Value: Hashable & Sendable>: Hashable, Sendable {
  private(set) var keys = ByteTable()
  private(set) var values: [Value] = []

  /// The value of a string; nil if the string is not in the map.
  subscript(key: [UInt8]) -> Value? {
    key.withUnsafeBufferPointer { keys.number(of: $0).map { values[$0] } }
  }

  /// Changes the value of a string, which is nil if the string is not in the map.
  mutating func update(_ key: UnsafeBufferPointer<UInt8>, _ change: (Value?) -> Value) {
    let (number, isNew) = keys.insert(key)
    if isNew { values.append(change(nil)) } else { values[number] = change(values[number]) }
  }

  /// Reserves space for this number of additional strings.
  mutating func reserve(_ more: Int) {
    keys.reserve(more)
    values.reserveCapacity(values.count + more)
  }
}

extension String {
  /// Calls a closure with the bytes of the text.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(utf8).withUnsafeBufferPointer(body)
  }
}
