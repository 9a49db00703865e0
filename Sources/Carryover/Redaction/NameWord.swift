/// A word in a key's name, in lower case: `rl_authToken` contains rl, auth and token. Of a word with more than 16
/// letters, only the last ones count; no searched word is that long.
struct NameWord: Hashable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  init(_ word: String) {
    for byte in word.utf8 { append(byte) }
  }

  /// The words in a list.
  static func set(_ words: [String]) -> Set<NameWord> { Set(words.map(NameWord.init)) }

  /// Calls a closure with the words of a name. Only a part of a long name counts.
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
