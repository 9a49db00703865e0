private import class Foundation.ProcessInfo

/// How far tests with random or many inputs go.
package enum Extent {
  /// Whether `CARRYOVER_TESTS=all` asks for all inputs, as `make test-all` does.
  package static let isFull = ProcessInfo.processInfo.environment["CARRYOVER_TESTS"] == "all"

  /// All seeds, or the first few.
  package static func seeds(_ seeds: Range<UInt64>, short count: Int) -> Range<UInt64> {
    isFull ? seeds : seeds.lowerBound..<seeds.lowerBound + UInt64(count)
  }
}

/// Random numbers that are the same in every run, on every machine: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }
}
