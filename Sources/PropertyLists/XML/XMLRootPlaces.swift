/// The positions of the root dictionary's parts in the text, for an edit by byte range.
struct XMLRootPlaces {
  /// A pair of the root dictionary.
  struct Pair {
    /// The `<` of the key's start tag.
    var key: Int
    /// The value's element, including both tags.
    var value: Range<Int>
  }

  /// The pairs in order.
  private(set) var pairs: [Pair] = []
  /// The start tag of the root dictionary; for `<dict/>`, all of it.
  private(set) var startTag: Range<Int> = 0..<0
  /// The `<` of the root dictionary's end tag; nil for `<dict/>`.
  private(set) var endTag: Int?

  mutating func open(_ tag: XMLScanner.Tag, contentStart: Int) { startTag = tag.start..<contentStart }

  mutating func close(contentEnd: Int, end: Int) { endTag = contentEnd }

  mutating func openKey(at offset: Int) { pairs.append(Pair(key: offset, value: offset..<offset)) }

  mutating func openValue(at offset: Int) {
    guard !pairs.isEmpty else { return }
    pairs[pairs.count - 1].value = offset..<offset
  }

  mutating func closeValue(at offset: Int) {
    guard let start = pairs.last?.value.lowerBound, start <= offset else { return }
    pairs[pairs.count - 1].value = start..<offset
  }
}
