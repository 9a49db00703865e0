/// A word in the name of a key, in lower case: `rl_authToken` has rl, auth and token. Of a word of more than sixteen letters
/// only the last are known; none that is looked for is so long.
struct NameWord: Hashable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  init(_ word: String) {
    for byte in word.utf8 { append(byte) }
  }

  /// The words in a list.
  static func set(_ words: [String]) -> Set<NameWord> { Set(words.map(NameWord.init)) }

  /// Gives the words of a name to a function. A long name is looked at in part.
  static func forEach(in name: String, _ body: (NameWord) -> Void) {
    var word = NameWord("")
    var isEmpty = true
    var wasLower = false
    for byte in name.utf8.prefix(256) {
      let isUpper = (0x41...0x5A).contains(byte)
      let isLetter = Characters.isLetter(byte)
      if !isEmpty, !isLetter || isUpper && wasLower {
        body(word)
        word = NameWord("")
        isEmpty = true
      }
      if isLetter {
        word.append(byte | 0x20)
        isEmpty = false
      }
      wasLower = isLetter && !isUpper
    }
    if !isEmpty { body(word) }
  }

  private mutating func append(_ byte: UInt8) {
    high = high << 8 | low >> 56
    low = low << 8 | UInt64(byte)
  }
}
