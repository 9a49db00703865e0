import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

/// The catalogue of findings as the page `Documentation/Findings.md`.
enum FindingsMarkdown {
  static var page: [String] {
    let head = [
      "# Findings", "",
      "Everything about each finding, as `carryover explain CODE` prints it, and a sample container that has it, which",
      "`Examples/make-samples.py` makes. The short form is in the tables of [RudderStack.md](RudderStack.md#findings),",
      "[Convert.md](Convert.md) and [Recipes.md](Recipes.md#using-a-recipe-file). RudderStack.md also says what *the guide*",
      "and RudderStack's migrator are.", "",
      "`make record` makes this page from the sources. To change a sentence, edit the Swift file that declares the",
      "finding's code.", "",
    ]
    let groups = FindingGroup.allCases
    let contents = groups.map { "* [\(heading($0))](#\(anchor($0)))" }
    let sections = groups.flatMap { group in
      ["", "## " + heading(group)] + group.codes.flatMap { [""] + section($0) }
    }
    return head + contents + sections
  }

  /// One code, under a heading of the third level.
  static func section(_ code: FindingCode) -> [String] {
    let standing = [code.severity.rawValue, code.weight].compactMap(\.self).joined(separator: ", ")
    return ["### `\(code.rawValue)`", "", "**\(standing)**: \(marked(code.explanation.title))", ""]
      + code.explanation.parts.flatMap { part in
        wrapped("* **\(part.title).** \(marked(part.text))").enumerated().map {
          ($0.offset == 0 ? "" : "  ") + $0.element
        }
      } + ["* **Example.** `Examples/Findings/\(example(code))`"]
  }

  private static func wrapped(_ text: String) -> [String] {
    TextPage.wrapped([Span(DisplayText.visible(text))], first: 118, rest: 118).map { $0.map(\.text).joined() }
  }

  /// The name of a code's sample container.
  private static func example(_ code: FindingCode) -> String {
    // A simulator keeps its containers in folders of its own, not as Xcode downloads them.
    code == .liveRunningStore ? code.rawValue : code.rawValue + ".xcappdata"
  }

  private static func heading(_ group: FindingGroup) -> String { "\(group.name): \(group.title)" }

  private static func anchor(_ group: FindingGroup) -> String {
    heading(group).filter { $0 == " " || $0.isLetter || $0.isNumber }.lowercased().map { $0 == " " ? "-" : String($0) }
      .joined()
  }

  /// The text with keys, options and files set as code, which also keeps their underscores from meaning emphasis.
  private static func marked(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let name = word.prefix { $0 != "," && $0 != ":" && $0 != ";" }
      let core = name.last == "." ? name.dropLast() : name
      return isName(core) ? "`\(core)`" + word.dropFirst(core.count) : String(word)
    }.joined(separator: " ")
  }

  private static func isName(_ word: Substring) -> Bool {
    word.contains("_") || word.hasPrefix("--") || names.contains(String(word))
  }

  /// The names of keys and members that nothing else tells from words.
  private static let names: Set = [
    "anonymousId", "userId", "customId", "rsDefaultsPersistence.plist", "CFBundleShortVersionString",
  ]
}
