import ArgumentParser
import Carryover
import CarryoverPages
import CarryoverRecipes
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

struct ExplainSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explains a finding by its code, or lists all codes.",
    discussion: """
      What happened, what the legacy SDK reads, what the migration guide says, what the vendor's migrator writes, what \
      Carryover writes or proposes, what to do, and what to change in the app. It explains the codes of recipe lint \
      too, and with --recipe a recipe's own findings. It reads no container.
      """)

  @Argument(
    help: ArgumentHelp("The code of a finding. Without one, all are listed.", valueName: "code"),
    completion: .list(FindingCode.allCases.map(\.rawValue) + LintCode.allCases.map(\.rawValue)))
  var code: String?
  @Option(
    help: ArgumentHelp(
      "Explain a finding of this recipe's own; without a code, all of them. The path of a recipe file, or an id.",
      valueName: "recipe"), completion: .file())
  var recipe: String?
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.findings/1.") var json = false
  @Flag(help: "Print Markdown: a page of all findings, or the section of one code.") var markdown = false

  func run() throws {
    try reporting {
      guard !(json && markdown) else {
        throw CommandFailure.usage("Give --json or --markdown, not both.")
      }
      if let lint = LintCode.allCases.first(where: { $0.rawValue == code?.uppercased() }) {
        guard !json && !markdown else {
          throw CommandFailure.usage("A code of recipe lint is explained as text only, without --json or --markdown.")
        }
        return try printing.paper.print(columns: 100) { FindingsOutput.write(lint, to: &$0) }
      }
      let own = try recipe.map { try RecipePath.said($0).ownFindings.map(\.code) }
      let wanted = try code.map { try Self.finding($0, own ?? []) }
      if json {
        let codes = wanted.map { [$0] } ?? own ?? FindingCode.allCases
        try Console.printDocument(
          .object(["schema": "carryover.findings/1", "findings": codes.map(FindingsOutput.json)]))
      } else if markdown {
        let lines = (wanted.map { [$0] } ?? own)?.flatMap(FindingsMarkdown.section) ?? FindingsMarkdown.page
        try Console.printVerbatim(lines.joined(separator: "\n"))
      } else {
        if let codes = wanted.map({ [$0] }) ?? own {
          guard !codes.isEmpty else { throw CommandFailure.usage("The recipe has no findings of its own.") }
          try printing.paper.print(columns: 100) { page in
            for (index, code) in codes.enumerated() {
              if index > 0 { page.blank() }
              FindingsOutput.write(code, to: &page)
            }
          }
        } else {
          try printing.paper.print { FindingsOutput.writeList(to: &$0) }
        }
      }
    }
  }

  private static func finding(_ text: String, _ own: [FindingCode]) throws -> FindingCode {
    if let code = FindingCode(rawValue: text) ?? own.first(where: { $0.rawValue == text }) { return code }
    let codes = own.map(\.rawValue) + FindingCode.allCases.map(\.rawValue) + LintCode.allCases.map(\.rawValue)
    let nearest = Nearest.names(to: text, among: codes).joined(separator: ", ")
    throw CommandFailure.usage(
      "No finding has the code “\(DisplayText.visible(text, limit: 60))”. The nearest are \(nearest); carryover explain "
        + "without a code lists all.")
  }
}

enum FindingsOutput {
  static func writeList(to page: inout PageWriter) {
    for group in FindingGroup.allCases {
      page.add("\(group.name): \(group.title)")
      var table = Table(
        [.init(.whole, "", .head), .init(.whole, "", .head), .init(.whole, "", .head), .init(.sentence, "when")],
        indent: 2)
      for code in group.codes {
        table.add([
          .text(code.rawValue), .text(code.severity.rawValue, code.severity.sign.role), .text(code.weight ?? ""),
          .text(code.explanation.title),
        ])
      }
      page.add(table)
      page.blank()
    }
    page.add("recipe files: what recipe lint finds")
    var table = Table([.init(.whole, "", .head), .init(.whole, "", .head), .init(.sentence, "when")], indent: 2)
    for code in LintCode.allCases {
      table.add([
        .text(code.rawValue), .text(code.severity.rawValue, code.severity.sign.role), .text(code.words.title),
      ])
    }
    page.add(table)
    page.blank()
    page.add("carryover explain CODE explains one of them in full.")
  }

  static func write(_ code: FindingCode, to page: inout PageWriter) {
    page.line(code.rawValue)
    page.add(code.standing)
    page.add(code.explained())
  }

  static func write(_ code: LintCode, to page: inout PageWriter) {
    page.line(code.rawValue)
    let severity = code.severity.rawValue
    page.add("\(severity.prefix(1).uppercased())\(severity.dropFirst()): \(code.words.title).")
    page.add(Block.part("What happened", code.words.happens) + Block.part("What to do", code.words.whatToDo))
  }

  static func json(_ code: FindingCode) -> JSONValue {
    let explanation = code.explanation
    return .object([
      "code": code, "group": String(code.rawValue.prefix { $0 != "." }), "severity": code.severity, "asks": code.asks,
      "blocks": code.blocks, "title": explanation.title, "happens": explanation.happens,
      "legacyReads": explanation.legacyReads, "guideSays": explanation.guideSays,
      "helperWrites": explanation.helperWrites, "weWrite": explanation.weWrite, "whatToDo": explanation.whatToDo,
      "inTheApp": explanation.inTheApp,
    ])
  }
}

enum FindingsMarkdown {
  static var page: [String] {
    let head = [
      "# Findings", "",
      "Everything about each finding, as `carryover explain CODE` prints it, and a sample container that has it, which",
      "`Examples/make-samples.py` makes.", "",
    ]
    let groups = FindingGroup.allCases
    let contents = groups.map { "* [\(heading($0))](#\(anchor($0)))" }
    let sections = groups.flatMap { group in
      ["", "## " + heading(group)] + group.codes.flatMap { [""] + section($0) }
    }
    return head + contents + sections
  }

  static func section(_ code: FindingCode) -> [String] {
    let standing = [code.severity.rawValue, code.weight].compactMap(\.self).joined(separator: ", ")
    return ["### `\(code.rawValue)`", "", "**\(standing)**: \(marked(code.explanation.title))", ""]
      + code.explanation.parts().flatMap { part in
        wrapped("* **\(part.title).** \(marked(part.text))").enumerated().map {
          ($0.offset == 0 ? "" : "  ") + $0.element
        }
      } + ["* **Example.** `Examples/Findings/\(example(code))`"]
  }

  private static func wrapped(_ text: String) -> [String] {
    Wrapping.wrap([Span(DisplayText.visible(text))], first: 118, rest: 118, keepsWords: true).map {
      $0.map(\.text).joined()
    }
  }

  private static func example(_ code: FindingCode) -> String {
    // A simulator keeps its containers in folders of its own, not as Xcode downloads them.
    code == .liveRunningStore ? code.rawValue : code.rawValue + ".xcappdata"
  }

  private static func heading(_ group: FindingGroup) -> String { "\(group.name): \(group.title)" }

  private static func anchor(_ group: FindingGroup) -> String {
    heading(group).filter { $0 == " " || $0.isLetter || $0.isNumber }.lowercased().map { $0 == " " ? "-" : String($0) }
      .joined()
  }

  /// Keys, options and files become code; so their underscores do not mean emphasis.
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

  private static let names: Set = [
    "anonymousId", "userId", "customId", "rsDefaultsPersistence.plist", "CFBundleShortVersionString", "CFBundleVersion",
  ]
}
