/// What is looked for. As long as it has no capital, capitals and small letters are one; with one they are two.
struct SearchText: Hashable, Sendable {
  let text: String
  /// Whether capitals count.
  let isExact: Bool
  /// What is compared, byte by byte.
  let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    isExact = text.contains { $0.isUppercase }
    bytes = Array((isExact ? text : text.lowercased()).utf8)
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether it stands in a text.
  func isIn(_ text: String) -> Bool {
    let text = Array((isExact ? text : text.lowercased()).utf8)
    return text.withUnsafeBufferPointer { text in
      bytes.withUnsafeBufferPointer { Self.contains(text, 0..<text.count, $0) }
    }
  }

  /// Where it is first in a text; of letters only those of ASCII match in either case.
  func firstPlace(in text: [UInt8]) -> Int? {
    guard let first = bytes.first, text.count >= bytes.count else { return nil }
    func folded(_ byte: UInt8) -> UInt8 { !isExact && byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
    return text.withUnsafeBufferPointer { text in
      (0...(text.count - bytes.count)).first { start in
        folded(text[start]) == first && bytes.indices.allSatisfy { folded(text[start + $0]) == bytes[$0] }
      }
    }
  }

  /// Whether bytes stand in a range of others.
  static func contains(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ wanted: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let count = wanted.count
    guard count > 0, range.count >= count else { return false }
    let first = wanted[0]
    var position = range.lowerBound
    let last = range.upperBound - count
    while position <= last {
      if text[position] == first {
        var length = 1
        while length < count, text[position + length] == wanted[length] { length += 1 }
        if length == count { return true }
      }
      position += 1
    }
    return false
  }
}
