/// A pattern of keys, in which `*` stands for any text.
package struct KeyGlob {
  /// The texts between the asterisks.
  private let parts: [[UInt8]]

  package init(_ pattern: String) {
    parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map { Array($0) }
  }

  package func matches(_ key: String) -> Bool {
    var rest = Array(key.utf8)[...]
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return rest.elementsEqual(parts.first ?? [])
    }
    guard rest.count >= first.count + last.count, rest.starts(with: first), rest.suffix(last.count).elementsEqual(last)
    else { return false }
    rest = rest.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() {
      while !rest.starts(with: part) {
        guard !rest.isEmpty else { return false }
        rest = rest.dropFirst()
      }
      rest = rest.dropFirst(part.count)
    }
    return true
  }
}
