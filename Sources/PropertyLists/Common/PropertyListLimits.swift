/// The limits beyond which a reader refuses a file. Each is checked before memory is reserved.
package struct PropertyListLimits: Sendable, Hashable {
  /// The largest file in bytes.
  package var fileSize: Int
  /// The maximum depth of containers; the root container has 1.
  package var depth: Int
  /// The maximum number of visited values and keys. A shared object counts each time it is reached.
  package var nodes: Int
  /// The maximum number of findings; further ones are only counted.
  package var findings: Int

  /// Creates limits. A depth beyond 512, where Apple's readers stop on a Mac, counts as 512.
  package init(fileSize: Int = 1 << 30, depth: Int = 512, nodes: Int = 10_000_000, findings: Int = 1000) {
    self.fileSize = max(0, fileSize)
    self.depth = min(max(1, depth), Self.greatestDepth)
    self.nodes = max(1, nodes)
    self.findings = max(0, findings)
  }

  /// 1 GiB, depth 512, ten million visits, a thousand findings.
  package static let `default` = PropertyListLimits()

  /// The depth at which Apple's readers stop on a Mac.
  package static let greatestDepth = 512
  /// The depth at which Apple's readers stop on iOS: CFPropertyList_Internal.h, `_CFPropertyListMaxRecursionDepth`.
  static let depthOnIOS = 128

  /// The limit on visits for a file of the given size.
  ///
  /// Without shared containers, no file has more visits than bytes, so a small multiple of the size is generous. A
  /// small file that expands without end is refused at once.
  func nodes(forFileOfSize size: Int) -> Int { min(nodes, max(65_536, size.multipliedClamped(by: 4))) }

  /// The limit on decoded string and data bytes for a file of the given size; only overlapping objects exceed it.
  func contentBytes(forFileOfSize size: Int) -> Int { max(65_536, size.multipliedClamped(by: 8)) }
}

extension Int {
  func multipliedClamped(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? Int.max : product
  }
}
