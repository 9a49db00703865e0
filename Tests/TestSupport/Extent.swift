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
