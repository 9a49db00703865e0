/// Standard output, written in pieces of a bounded size: what is too large to be held leaves as it is made.
struct PieceOutput {
  /// From how many bytes on a piece is written.
  static let size = 1 << 16
  private var bytes: [UInt8] = []

  /// A line of our own making, as it is.
  mutating func print(_ line: String) throws {
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.size { try finish() }
  }

  /// Writes what is left.
  mutating func finish() throws {
    try Console.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
