/// The beginning of a text of several sentences.
enum FirstSentence {
  /// The first sentence, with its full stop. One that ends inside of quotation marks belongs to what is quoted.
  static func of(_ text: String) -> String {
    let scalars = text.unicodeScalars
    var depth = 0
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      switch scalars[index] {
      case "“": depth += 1
      case "”": depth = max(0, depth - 1)
      case ".", "!", "?":
        if depth == 0, next < scalars.endIndex, scalars[next] == " " { return String(scalars[..<next]) }
      default: break
      }
      index = next
    }
    return text
  }
}
