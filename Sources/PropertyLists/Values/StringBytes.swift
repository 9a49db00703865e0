/// Compares strings as a file does: byte by byte, not by canonical equivalence.
package extension String {
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return utf8.withContiguous { own in other.utf8.withContiguous { own[...].hasSameBytes(as: $0) } }
  }

  func beginsWithBytes(of other: String) -> Bool {
    let length = other.utf8.count
    guard utf8.count >= length else { return false }
    return utf8.withContiguous { own in other.utf8.withContiguous { own[..<length].hasSameBytes(as: $0) } }
  }

  func endsWithBytes(of other: String) -> Bool {
    let start = utf8.count - other.utf8.count
    guard start >= 0 else { return false }
    return utf8.withContiguous { own in other.utf8.withContiguous { own[start...].hasSameBytes(as: $0) } }
  }

  /// Text from bytes; nil if they are not UTF-8. The package supports systems without `String(validating:as:)`.
  init?(utf8 bytes: some Collection<UInt8>) {
    let text: String?? = bytes.withContiguousStorageIfAvailable { bytes in
      firstInvalidUTF8(bytes) == nil ? String(decoding: bytes, as: UTF8.self) : nil
    }
    guard let text = text ?? String(utf8: Array(bytes)) else { return nil }
    self = text
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
    left.text.utf8.withContiguous { left in right.text.utf8.withContiguous { left.lexicographicallyPrecedes($0) } }
  }

  /// Feeds the UTF-8 bytes and an end mark that no UTF-8 text contains.
  package func hash(into hasher: inout Hasher) {
    text.utf8.withContiguous { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

package extension Set<StringByBytes> {
  init(bytesOf texts: some Sequence<String>) { self.init(texts.map { StringByBytes($0) }) }

  func contains(_ text: String) -> Bool { contains(StringByBytes(text)) }

  func union(bytesOf texts: some Sequence<String>) -> Self { union(texts.map { StringByBytes($0) }) }

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

  init(firstOf pairs: some Sequence<(String, Value)>) {
    self.init(pairs.map { (StringByBytes($0.0), $0.1) }, uniquingKeysWith: { first, _ in first })
  }
}

package extension Sequence {
  /// The elements whose key no element before them has.
  func distinct<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

package extension Sequence<String> {
  func distinct() -> [String] { distinct { StringByBytes($0) } }

  func sortedByBytes() -> [String] { sorted { StringByBytes($0) < StringByBytes($1) } }

  func containsBytes(of text: String) -> Bool { contains { $0.hasSameBytes(as: text) } }
}

extension Collection<String> {
  /// The positions of strings that also occur earlier, in ascending order.
  func repeatedPositions() -> [Int] {
    guard count > 1 else { return [] }
    // Many writers sort keys, and a strictly ascending list has no repetitions.
    if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) { return [] }
    var seen = Set<StringByBytes>(minimumCapacity: count)
    return enumerated().compactMap { seen.insert($1) ? nil : $0 }
  }
}

package extension String.UTF8View {
  /// Calls `body` with the bytes, which are copied if the string does not store them in one piece.
  func withContiguous<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let direct = withContiguousStorageIfAvailable { buffer in
      Swift.Result<Result, Failure> { () throws(Failure) in try body(buffer) }
    }
    if let direct { return try direct.get() }
    return try Array(self).withUnsafeBufferPointer(body)
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Whether it has the bytes of a buffer of the same length; compares eight at a time.
  fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    let own = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: self))
    let others = UnsafeRawBufferPointer(other)
    var position = 0
    while own.count - position >= 8 {
      let left = own.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      guard left == others.loadUnaligned(fromByteOffset: position, as: UInt64.self) else { return false }
      position += 8
    }
    while position < own.count {
      guard own[position] == others[position] else { return false }
      position += 1
    }
    return true
  }
}

/// The offset of the first byte that is not part of valid UTF-8, or nil.
func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  let raw = UnsafeRawBufferPointer(bytes)
  var position = 0
  while position < raw.count {
    if raw.count - position >= 8,
      raw.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      position += 8
      continue
    }
    let length = lengthOfUTF8Scalar(raw, at: position)
    guard length > 0 else { return position }
    position += length
  }
  return nil
}

/// The length of the scalar at a position, in bytes; 0 if it is not valid, including overlong forms, surrogates and
/// values above U+10FFFF.
private func lengthOfUTF8Scalar(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
  func following(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
    position + index < bytes.count && range.contains(bytes[position + index])
  }
  switch bytes[position] {
  case 0x00...0x7F: return 1
  case 0xC2...0xDF: return following(1) ? 2 : 0
  case 0xE0: return following(1, 0xA0...0xBF) && following(2) ? 3 : 0
  case 0xED: return following(1, 0x80...0x9F) && following(2) ? 3 : 0
  case 0xE1...0xEF: return following(1) && following(2) ? 3 : 0
  case 0xF0: return following(1, 0x90...0xBF) && following(2) && following(3) ? 4 : 0
  case 0xF4: return following(1, 0x80...0x8F) && following(2) && following(3) ? 4 : 0
  case 0xF1...0xF3: return following(1) && following(2) && following(3) ? 4 : 0
  default: return 0
  }
}

/// The scalar at a position of valid UTF-8, and its length in bytes.
@inline(__always)
func scalar(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> (value: UInt32, length: Int) {
  let first = UInt32(text[position])
  let (start, length): (UInt32, Int) =
    first < 0x80 ? (first, 1) : first < 0xE0 ? (first & 0x1F, 2) : first < 0xF0 ? (first & 0xF, 3) : (first & 7, 4)
  let rest = text[min(position + 1, text.count)..<min(position + length, text.count)]
  return (rest.reduce(start) { $0 << 6 | UInt32($1 & 0x3F) }, rest.count + 1)
}

func appendUTF8(_ value: UInt32, to target: inout [UInt8]) {
  if let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) { target.append(contentsOf: encoded) }
}

extension String {
  /// Text from Latin-1, the first 256 characters of Unicode.
  init(latin1 bytes: some Collection<UInt8>) { self.init(decoding: bytes.lazy.map { UInt16($0) }, as: UTF16.self) }

  /// Text from units of UTF-16, and the place of the first half of a surrogate pair, which is read as U+FFFD.
  static func utf16(_ units: some Collection<UInt16>) -> (text: String, firstHalf: Int?) {
    let text = String(decoding: units, as: UTF16.self)
    guard text.unicodeScalars.contains("\u{FFFD}") else { return (text, nil) }
    return (text, zip(units, text.utf16).enumerated().first { $1.0 != $1.1 }?.offset)
  }
}

/// A type with a public description: a sentence for an error, a name for a place, digits for a number. Names are
/// escaped only if the type documents it.
package protocol Described: CustomStringConvertible {
  var words: String { get }
}

extension Described {
  /// The value in words, as `print` shows it.
  public var description: String { words }
}

extension UInt8 {
  package var isDigit: Bool { (0x30...0x39).contains(self) }
  /// White space of XML and JSON.
  package var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
  package var isHexadecimal: Bool { hexadecimalDigit != nil }

  package var hexadecimalDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46, 0x61...0x66: (self & 0xDF) - 0x41 + 10
    default: nil
    }
  }
}

extension String {
  /// With zeros in front.
  package func zeroPadded(to width: Int) -> String { String(repeating: "0", count: max(0, width - utf8.count)) + self }

  /// Whether it is 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  package var isUUID: Bool {
    utf8.count == 36
      && utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexadecimal
      }
  }
}

/// Whether every byte is below 128; checks eight at a time.
@inline(__always)
func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  let raw = UnsafeRawBufferPointer(bytes)
  var position = 0
  var high: UInt64 = 0
  while raw.count - position >= 8 {
    high |= raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    position += 8
  }
  while position < raw.count {
    high |= UInt64(raw[position])
    position += 1
  }
  return high & 0x8080_8080_8080_8080 == 0
}
