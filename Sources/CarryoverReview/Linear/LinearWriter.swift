import Carryover
import CarryoverTerminal
import PropertyLists

/// Says things a line each, in words: no marks, no columns, no wrapping. Whatever comes from a container is escaped, and
/// masked where that is asked for.
struct LinearWriter {
  let ink: Ink
  private(set) var lines: [String] = []

  init(_ ink: Ink) { self.ink = ink }

  /// How much of a value is said before it is cut, in columns.
  static let valueLimit = 200
  /// The same in a list, of which each line is short.
  static let rowLimit = 60
  /// How many things of a kind are said before the rest is only counted.
  static let mostThings = 1000

  /// A line that is ready to be printed.
  mutating func add(_ line: String) { lines.append(line) }

  /// Our own sentence.
  mutating func say(_ sentence: String) { add(ink.words(sentence)) }

  /// A sentence that may quote a container.
  mutating func quote(_ sentence: String) { add(ink.sentence(sentence)) }

  /// A key's name.
  func name(_ text: String) -> String { text.isEmpty ? "an empty name" : ink.name(text) }

  /// A file's path.
  func path(_ text: String) -> String { ink.text(text) }

  /// A value with its type, cut where it is long; of a secret only that there is one.
  func value(_ value: PropertyListValue?, of key: String = "", limit: Int = valueLimit) -> String {
    guard let value else { return "nothing" }
    if Secrets.holds(key) { return "a secret, which is not shown" }
    let text = ink.value(value, columns: limit)
    switch value {
    case .null: return "null"
    case .array, .dictionary, .set: return text
    case .data(let bytes):
      // JSON is said as text, all else as bytes, of which there is room for a few.
      let isCut = value.readable == nil ? bytes.count > 64 : ink.value(value, columns: limit + 1) != text
      let rest = limit < Self.valueLimit ? "" : "; details says more"
      return "data, " + text + (isCut ? " cut here, \(counted(bytes.count, "byte")) in all\(rest)" : "")
    case .string(let string):
      if string.isEmpty { return "an empty string" }
      guard ink.value(value, columns: limit + 1) != text else { return "string " + text }
      let rest = limit < Self.valueLimit ? "" : ", details says the whole"
      return "string \(text) cut here, \(string.utf8.count) bytes in all\(rest)"
    default: return value.kind.word + " " + text
    }
  }

  /// A value with its type in full; only a text beyond ``Ink/textLimit`` is cut.
  func whole(_ value: PropertyListValue?) -> String {
    guard let value else { return "nothing" }
    switch value {
    case .string(let text) where text.isEmpty: return "an empty string"
    case .string(let text):
      let isCut = text.unicodeScalars.count > Ink.textLimit
      return "string " + ink.whole(value) + (isCut ? ", cut here" : "")
    case .data(let bytes):
      if case .string(let text)? = value.readable {
        return "data, \(counted(bytes.count, "byte")), as text: " + ink.whole(.string(text))
      }
      let digits = bytes.prefix(4096).map { PropertyListValue.hex($0) }.joined(separator: " ")
      return "data, \(counted(bytes.count, "byte"))" + (bytes.isEmpty ? "" : ": " + digits)
        + (bytes.count > 4096 ? ", cut here" : "")
    default: return self.value(value)
    }
  }

  /// Our own few words without the signs that a screen has room for only as signs.
  static func spoken(_ text: String) -> String {
    var text = text
    for (sign, words) in [
      (" → ", " to "), ("→ ", "to "), ("s to ms", "seconds to milliseconds"), ("−", "without "), ("× ", "times "),
      ("–", "nothing"),
    ] {
      text = text.split(separator: sign, omittingEmptySubsequences: false).joined(separator: words)
    }
    return text
  }

  /// Says the same of things one after the other, and of those beyond a number only how many they are.
  mutating func each<Things: Collection>(
    _ things: Things, atMost limit: Int = mostThings, _ say: (inout LinearWriter, Things.Element) -> Void
  ) {
    for thing in things.prefix(limit) { say(&self, thing) }
    if things.count > limit { self.say("And \(things.count - limit) more.") }
  }
}
