import PropertyLists

/// A small generator of random numbers that gives the same sequence on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func value(levels: Int = 3) -> PropertyListValue {
    switch number(below: levels > 0 ? 14 : 9) {
    case 0: return .string(Samples.strings[number(below: 14)])
    case 1: return .integer(Samples.integers[number(below: Samples.integers.count)])
    case 2: return .real(PropertyListReal(Samples.reals[number(below: Samples.reals.count)]))
    case 3: return .boolean(next() % 2 == 0)
    case 4: return .date(PropertyListDate(secondsSince2001: Double(number(below: 1_000_000_000))))
    case 5: return .data((0..<number(below: 70)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    case 6: return .uid(UInt64(number(below: 1 << 32)))
    case 7, 8: return .string("text \(number(below: 50))")
    case 9, 10: return .array((0..<number(below: 5)).map { _ in value(levels: levels - 1) })
    default: return .dictionary(dictionary(pairs: number(below: 6), levels: levels - 1))
    }
  }

  mutating func dictionary(pairs: Int, levels: Int = 2) -> PropertyListDictionary {
    var entries: [PropertyListDictionary.Entry] = []
    for index in 0..<pairs {
      let key = number(below: 4) == 0 ? "key & <\(number(below: 4))>" : "key \(index) é"
      entries.append(.init(key: key, value: value(levels: levels)))
    }
    return PropertyListDictionary(entries: entries)
  }

  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...number(below: 4) {
      guard !bytes.isEmpty else { break }
      let place = number(below: bytes.count)
      switch number(below: 8) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
      case 1: bytes[place] ^= 1 << UInt8(number(below: 8))
      case 2: bytes[place] = [0, 1, 0x0F, 0x7F, 0x80, 0xFF, 0x3C, 0x26][number(below: 8)]
      case 3: bytes.remove(at: place)
      case 4: bytes.insert(bytes[number(below: bytes.count)], at: place)
      case 5: bytes.removeSubrange(place..<min(bytes.count, place + number(below: 9)))
      case 6:
        let slice = Array(bytes[place..<min(bytes.count, place + number(below: 20))])
        bytes.insert(contentsOf: slice, at: number(below: bytes.count))
      default:
        // The trailer and the object table are where most can go wrong.
        let tail = min(bytes.count, 48)
        bytes[bytes.count - 1 - number(below: tail)] = UInt8(truncatingIfNeeded: next() % 48)
      }
    }
    return bytes
  }
}
