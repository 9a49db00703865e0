/// Where two texts part.
struct TextDifference: Hashable {
  /// How many characters they have in common at the beginning.
  let common: Int
  /// The first from there on, cut, with a little of what is before it.
  let here: String
  /// The same of the other.
  let there: String

  /// The first difference; nil between equal texts.
  init?(_ text: String, _ other: String) {
    guard text != other else { return nil }
    var (left, right) = (text.startIndex, other.startIndex)
    var common = 0
    while left < text.endIndex, right < other.endIndex, text[left] == other[right] {
      left = text.index(after: left)
      right = other.index(after: right)
      common += 1
    }
    self.common = common
    here = Self.excerpt(text, at: left)
    there = Self.excerpt(other, at: right)
  }

  private static func excerpt(_ text: String, at index: String.Index) -> String {
    let start = text.index(index, offsetBy: -4, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(index, offsetBy: 12, limitedBy: text.endIndex) ?? text.endIndex
    return (start > text.startIndex ? "…" : "") + text[start..<end] + (end < text.endIndex ? "…" : "")
  }
}
