import Carryover
import CarryoverSystem
import CarryoverTerminal

package enum ReportMarkdown {
  package static func text(_ blocks: [Block], _ ink: Ink) -> String { lines(blocks, ink).joined(separator: "\n") }

  package static func lines(_ blocks: [Block], _ ink: Ink) -> [String] {
    Array(blocks.map { lines($0, ink) }.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  private static func lines(_ block: Block, _ ink: Ink) -> [String] {
    func text(_ words: Pieces) -> String { Markdown.trimmed(words.map { self.text($0, ink) }.joined()) }
    switch block {
    case .answer(let words, _, _, let certainty, let because):
      let reason = certainty.isEmpty ? because : [.strong(certainty + "."), .text(" ")] + because
      return ["# " + text(words)] + (because.isEmpty ? [] : ["", text(reason)])
    case .heading(let title, let count):
      return ["## " + Markdown.text(ink.quoted(title)) + (count.map { " \($0)" } ?? "")]
    case .paragraph(let words, _, _): return [text(words)]
    case .path(let text, _, _), .paths(let text, _): return [Markdown.text(ink.masked(text))]
    case .notice(let words): return ["> " + text(words)]
    case .table(let table):
      return Markdown.table(table.head.map(Markdown.text), table.rows.map { $0.map(text) })
    case .list(let items):
      let paragraphs = items.map(\.paragraphs)
      let isLoose = paragraphs.contains { $0.count > 1 }
      let lines = paragraphs.map { words in
        Array(words.enumerated().map { [($0.offset == 0 ? "* " : "  ") + text($0.element)] }.joined(separator: [""]))
      }
      return Array(lines.joined(separator: isLoose ? [""] : []))
    // Fenced, because indented lines after a list belong to its last item.
    case .commands(let commands) where commands.isEmpty: return []
    case .commands(let commands): return ["```sh"] + commands.map { Markdown.verbatim(ink.masked($0.text)) } + ["```"]
    case .code(let lines):
      let fence = String(repeating: "`", count: max(3, Markdown.longestFence(in: lines.joined(separator: "\n")) + 1))
      return [fence + "swift"] + lines.map(Markdown.verbatim) + [fence]
    case .sides(let sides): return sides.flatMap(\.words).map { "* " + text($0) }
    case .details(let title, let items):
      return [
        "<details><summary>" + Markdown.withoutMentions(ReportHTML.escaped(ink.quoted(title))) + "</summary>", "",
      ]
        + items.map { "* " + text($0) } + ["", "</details>"]
    case .anchor, .blank: return []
    }
  }

  private static func text(_ piece: Piece, _ ink: Ink) -> String {
    let text = ink.text(piece)
    return switch piece {
    case .text(_, _, bold: true): "**" + Markdown.text(text) + "**"
    case .text, .words, .place: Markdown.escaped(text)
    case .code: Markdown.code(text, limit: .max)
    case .name, .path, .value, .literal, .key: Markdown.code(text)
    case .sign: text
    case .bar: Markdown.text(text)
    }
  }
}

/// Text from outside as Markdown that means only itself.
package enum Markdown {
  /// Markup and control characters are escaped.
  package static func text(_ text: String) -> String { trimmed(escaped(text)) }

  /// The same with the spaces at its ends, for a part of a sentence.
  package static func escaped(_ text: String) -> String {
    let scalars = Array(DisplayText.visible(text).unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      if scalar == "_" ? !isInWord(scalars, index) : isMarkup(scalar) { result.append("\\") }
      result.append(scalar)
      if isMention(scalars, index) { result.append(contentsOf: noMention.unicodeScalars) }
    }
    return String(result)
  }

  static func verbatim(_ text: String) -> String { DisplayText.visible(text) }

  /// A value or a name, cut to a number of columns.
  package static func code(_ text: String, limit: Int = 160) -> String {
    let text = trimmed(DisplayText.visible(text, limit: limit))
    guard !text.isEmpty else { return "" }
    let fence = String(repeating: "`", count: longestFence(in: text) + 1)
    let space = text.first == "`" || text.last == "`" ? " " : ""
    return fence + space + text + space + fence
  }

  /// The longest run of backticks: only a longer fence is not closed by the text.
  fileprivate static func longestFence(in text: String) -> Int {
    var (longest, run) = (0, 0)
    for character in text.unicodeScalars {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  package static func table(_ head: [String], _ rows: [[String]]) -> [String] {
    [row(head), row(head.map { _ in "---" })] + rows.map(row)
  }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.map { $0.isEmpty ? "none" : barred($0) }.joined(separator: " | ") + " |"
  }

  /// A bar ends the cell, even inside code, unless it is escaped.
  private static func barred(_ cell: String) -> String {
    guard cell.utf8.contains(UInt8(ascii: "|")) else { return cell }
    var result = ""
    var backslashes = 0
    for character in cell.unicodeScalars {
      if character == "|", backslashes % 2 == 0 { result += "\\" }
      backslashes = character == "\\" ? backslashes + 1 : 0
      result.unicodeScalars.append(character)
    }
    return result
  }

  package static func trimmed(_ text: String) -> String {
    let space = UInt8(ascii: " ")
    guard text.utf8.first == space || text.utf8.last == space else { return text }
    var text = Substring(text)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// An underscore between letters or digits does not emphasize.
  private static func isInWord(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    guard index > 0, index + 1 < scalars.count else { return false }
    return [scalars[index - 1], scalars[index + 1]].allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
    }
  }

  static func withoutMentions(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.reduce(into: "") { result, index in
      result.unicodeScalars.append(scalars[index])
      if isMention(scalars, index) { result += noMention }
    }
  }

  /// An entity for a zero-width space after `@`: issue trackers notify the person whose name follows the sign directly,
  /// even after a backslash.
  private static let noMention = "&#8203;"

  /// Whether a name follows a sign and no word is in front, unlike in an address.
  private static func isMention(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    guard scalars[index] == "@" else { return false }
    func isWord(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
    return index + 1 < scalars.count && isWord(scalars[index + 1]) && (index == 0 || !isWord(scalars[index - 1]))
  }

  /// A switch, because hashing would take most of the time of a long table.
  private static func isMarkup(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\\", "`", "*", "[", "]", "<", ">", "|", "~", "#", "&", "$": true
    default: false
    }
  }
}
