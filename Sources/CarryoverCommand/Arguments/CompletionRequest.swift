/// What a completion script asks: `---completion [SUBCOMMAND ...] -- ARGUMENT INDEX CURSOR WORD ...`, with the words as they
/// are typed.
struct CompletionRequest {
  private let subcommands: [String]
  /// The option, or the position of the argument.
  private let name: String
  private let words: [String]
  private let typed: String

  /// - Returns: nil for anything else.
  init?(_ arguments: [String]) {
    guard let separator = arguments.firstIndex(of: "--"), arguments.count > separator + 4,
      let index = Int(arguments[separator + 2])
    else { return nil }
    name = arguments[separator + 1]
    let line = arguments[(separator + 4)...].map(Self.unquoted)
    // The parser takes any number for a position that it has.
    guard line.indices.dropFirst().contains(index), !name.hasPrefix("positional@-") else { return nil }
    subcommands = Array(arguments[1..<separator])
    var typed = line[index]
    var before = Array(line[1..<index])
    if name.hasPrefix("-") {
      if typed.hasPrefix(name + "=") { typed.removeFirst(name.count + 1) } else { _ = before.popLast() }
    }
    self.typed = typed
    words = Self.joined(before + line[(index + 1)...])
  }

  /// The request with only the arguments behind the subcommands, and the word to complete at the end.
  /// - Parameter behind: removes the subcommands from a line.
  func arguments(_ behind: ([String]) -> [String]) -> [String] {
    let words = behind(words) + [typed]
    return ["---completion"] + subcommands + ["--", name, String(words.count - 1), String(typed.count)] + words
  }

  /// Options with their values: bash takes the sign between them for a word.
  private static func joined(_ words: [String]) -> [String] {
    var joined: [String] = []
    for word in words {
      if let last = joined.last, last.hasPrefix("--"), word == "=" || last.hasSuffix("=") {
        joined[joined.count - 1] += word
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// A word as the shell would give it to the command; empty if only the shell knows, because it is to expand something.
  static func unquoted(_ word: String) -> String {
    var text = ""
    var quote: Character?
    var isEscaped = false
    for character in word {
      if isEscaped {
        // Between double quotes, a backslash is one in front of most characters.
        if quote != nil, !"\\\"$`".contains(character) { text.append("\\") }
        text.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote != "'", character == "$" || character == "`" {
        return ""
      } else {
        text.append(character)
      }
    }
    return text
  }
}
