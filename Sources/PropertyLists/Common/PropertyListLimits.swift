/// What a reader takes on before it refuses a file. Every bound is checked before memory is reserved.
package struct PropertyListLimits: Sendable, Hashable {
  /// The largest file in bytes.
  package var fileSize: Int
  /// How deep containers may nest; the root container counts as 1.
  package var depth: Int
  /// How many values and keys may be visited. A shared reference counts each time it is followed.
  package var nodes: Int
  /// How many findings are kept; later ones are only counted.
  package var findings: Int

  /// Bounds as given; a depth beyond 512 counts as 512, where Apple's binary reader stops.
  package init(fileSize: Int = 1 << 30, depth: Int = 512, nodes: Int = 10_000_000, findings: Int = 1000) {
    self.fileSize = max(0, fileSize)
    self.depth = min(max(1, depth), Self.greatestDepth)
    self.nodes = max(1, nodes)
    self.findings = max(0, findings)
  }

  /// 1 GiB, depth 512, ten million visits, a thousand findings.
  package static let `default` = PropertyListLimits()

  /// The depth at which Apple's binary reader stops.
  package static let greatestDepth = 512

  /// The bound on visits for a file of the given size.
  ///
  /// Without shared containers no file has more visits than bytes, so a small multiple of the size is generous, and a
  /// small file that unfolds without end is refused at once.
  func nodes(forFileOfSize size: Int) -> Int { min(nodes, max(65_536, size.multipliedClamped(by: 4))) }

  /// The bound on decoded string and data bytes for a file of the given size; only overlapping objects exceed it.
  func contentBytes(forFileOfSize size: Int) -> Int { max(65_536, size.multipliedClamped(by: 8)) }
}

extension Int {
  func multipliedClamped(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? Int.max : product
  }
}
