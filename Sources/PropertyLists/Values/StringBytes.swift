/// Compares strings as a file does: byte by byte, not by canonical equivalence.
package extension String {
  /// Whether both strings have the same UTF-8 bytes.
  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    // `==` rejects quickly; strings that it accepts may still be different spellings of the same characters.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }

  /// Feeds the UTF-8 bytes and an end mark that no UTF-8 text contains.
  func hashBytes(into hasher: inout Hasher) {
    let fed: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if fed == nil {
      for byte in utf8 { hasher.combine(byte) }
    }
    hasher.combine(0xFF as UInt8)
  }
}

/// A string that is compared by its bytes.
package struct StringByBytes: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

package extension Sequence<String> {
  /// The strings in the order of their UTF-8 bytes.
  func sortedByBytes() -> [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}
