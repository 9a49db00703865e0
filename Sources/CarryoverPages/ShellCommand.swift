import CarryoverSystem
import CarryoverTerminal

package struct ShellCommand {
  /// Words; an option and its value are one group.
  private var groups: [[String]] = []

  package init(_ words: String...) { self.init(words) }

  package init(_ words: [String]) { groups = [words] }

  package mutating func add(_ words: String...) { add(words) }

  package mutating func add(_ words: [String]) { groups.append(words) }

  package var words: [String] { groups.flatMap(\.self) }

  package var text: String { words.map(Self.quoted).joined(separator: " ") }

  /// A path as an argument: none may look like an option.
  package static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./" + path : path }

  package mutating func add(_ option: String, ifGiven value: String?) {
    if let value { add(option, value) }
  }

  package mutating func add(_ flag: String, if isSet: Bool) {
    if isSet { add(flag) }
  }

  package mutating func add(_ option: String, each values: [String]) {
    for value in values { add(option, value) }
  }

  /// Lines quoted for a shell, with a backslash at each end but the last. A group longer than a line stays whole.
  package func lines(columns: Int) -> [String] {
    var lines: [String] = []
    var line = "  "
    for (index, group) in groups.enumerated() {
      let words = group.map(Self.quoted).joined(separator: " ")
      // Room for the backslash.
      let room = columns - (index < groups.count - 1 ? 2 : 0)
      let isFirst = index == 0 || line.allSatisfy { $0 == " " }
      if !isFirst, DisplayWidth.columns(of: line) + 1 + DisplayWidth.columns(of: words) > room {
        lines.append(line + " \\")
        line = "    " + words
      } else {
        line += (isFirst ? "" : " ") + words
      }
    }
    return lines + [line]
  }

  /// A word as a shell reads it. Characters that a terminal does not show are escaped as in bash, zsh and ksh.
  package static func quoted(_ word: String) -> String {
    guard word.unicodeScalars.allSatisfy({ DisplayText.isShown($0, ascii: false) }) else {
      return "$'" + word.unicodeScalars.map(escaped).joined() + "'"
    }
    return DisplayText.shellWord(word)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\\" || scalar == "'" { return "\\" + String(scalar) }
    guard !DisplayText.isShown(scalar, ascii: false) else { return String(scalar) }
    return String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
