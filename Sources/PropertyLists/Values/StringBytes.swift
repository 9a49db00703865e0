/// Compares strings as a file does: byte by byte, not by canonical equivalence.
package extension String {
  /// Whether both strings have the same UTF-8 bytes.
  @inline(__always)
  func hasSameBytes(as other: String) -> Bool {
    // `==` rejects quickly; strings that it accepts may still be different spellings of the same characters.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }

  /// Whether the UTF-8 bytes begin with those of another string.
  func beginsWithBytes(of other: String) -> Bool { utf8.starts(with: other.utf8) }

  /// Whether the UTF-8 bytes end with those of another string.
  func endsWithBytes(of other: String) -> Bool { utf8.reversed().starts(with: other.utf8.reversed()) }

  /// Feeds the UTF-8 bytes and an end mark that no UTF-8 text contains.
  func hashBytes(into hasher: inout Hasher) {
    let fed: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if fed == nil {
      for byte in utf8 { hasher.combine(byte) }
    }
    hasher.combine(0xFF as UInt8)
  }
}

/// A string that is compared by its bytes, such as a key, a member's name or a path. As a property's wrapper, it makes
/// the synthesised comparison of a type do so.
@propertyWrapper
package struct StringByBytes: Hashable, Comparable, ExpressibleByStringLiteral, Sendable {
  package var wrappedValue: String
  package var text: String { wrappedValue }

  package init(_ text: String) { wrappedValue = text }

  package init(wrappedValue text: String) { wrappedValue = text }

  package init(stringLiteral text: String) { wrappedValue = text }

  package static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

  package static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

package extension Set<StringByBytes> {
  /// The strings, once each.
  init(bytesOf texts: some Sequence<String>) { self.init(texts.map { StringByBytes($0) }) }

  func contains(_ text: String) -> Bool { contains(StringByBytes(text)) }

  func union(bytesOf texts: some Sequence<String>) -> Self { union(texts.map { StringByBytes($0) }) }

  /// Adds a string; false if it was there.
  @discardableResult
  mutating func insert(_ text: String) -> Bool { insert(StringByBytes(text)).inserted }
}

package extension Dictionary where Key == StringByBytes {
  subscript(text: String) -> Value? {
    get { self[StringByBytes(text)] }
    set { self[StringByBytes(text)] = newValue }
  }

  subscript(text: String, default value: @autoclosure () -> Value) -> Value {
    get { self[StringByBytes(text)] ?? value() }
    _modify { yield &self[StringByBytes(text), default: value()] }
  }

  /// The first value of each string.
  init(firstOf pairs: some Sequence<(String, Value)>) {
    self.init(pairs.map { (StringByBytes($0.0), $0.1) }, uniquingKeysWith: { first, _ in first })
  }
}

package extension Sequence<String> {
  /// The strings in the order of their UTF-8 bytes.
  func sortedByBytes() -> [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// Whether a string with the same UTF-8 bytes is among them.
  func containsBytes(of text: String) -> Bool { contains { $0.hasSameBytes(as: text) } }
}
