/// A pattern of texts, in which `*` stands for any text. The time to compare it with a text grows with the sum of both
/// lengths, not with their product: patterns and texts come from strangers.
package struct Glob: Hashable, Sendable {
  package let pattern: String
  /// The texts between the asterisks.
  private let parts: [Needle]

  package init(_ pattern: String) {
    self.pattern = pattern
    parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map { Needle(Array($0)) }
  }

  package func matches(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = parts.first?.bytes, let last = parts.last?.bytes, parts.count > 1 else {
      return bytes == parts.first?.bytes ?? []
    }
    guard bytes.count >= first.count + last.count, bytes.starts(with: first),
      bytes.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = bytes[first.count..<(bytes.count - last.count)]
    for part in parts.dropFirst().dropLast() {
      guard let end = part.end(in: rest) else { return false }
      rest = rest[end...]
    }
    return true
  }
}

/// Bytes to look for, by Knuth, Morris and Pratt.
private struct Needle: Hashable, Sendable {
  let bytes: [UInt8]
  /// For each length of a match, the length of the longest shorter one that ends at the same place.
  private var shorter: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    shorter = []
    var length = 0
    for (index, byte) in bytes.enumerated() {
      if index > 0 { length = grown(length, by: byte) }
      shorter.append(length)
    }
  }

  /// The index after the first match; nil if there is none.
  func end(in text: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return text.startIndex }
    var length = 0
    for index in text.indices {
      length = grown(length, by: text[index])
      if length == bytes.count { return index + 1 }
    }
    return nil
  }

  /// The length of the match after another byte. The match before is shorter than the needle.
  private func grown(_ length: Int, by byte: UInt8) -> Int {
    var length = length
    while length > 0, bytes[length] != byte { length = shorter[length - 1] }
    return bytes[length] == byte ? length + 1 : 0
  }
}
