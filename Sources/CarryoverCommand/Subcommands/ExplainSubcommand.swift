import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

struct ExplainSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explains a finding by its code, or lists all codes.",
    discussion: """
      What happened, what the legacy SDK reads, what the migration guide says, what the vendor's migrator writes, what \
      Carryover writes or proposes, and what to do. It explains the codes of recipe lint too, and \
      with --recipe a recipe's own findings. It reads no container.
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
  @Flag(help: "Print Markdown: the page Documentation/Findings.md, or the section of one code.") var markdown = false

  func run() throws {
    try reporting {
      guard !(json && markdown) else {
        throw CommandFailure.usage("--json and --markdown are two forms of the same: give one of them.")
      }
      if let lint = code.flatMap({ LintCode(rawValue: $0.uppercased()) }) {
        guard !json && !markdown else {
          throw CommandFailure.usage("A code of recipe lint is explained as text only, without --json or --markdown.")
        }
        return try printing.paper.print(columns: 100) { FindingsText.write(lint, to: &$0) }
      }
      let own = try recipe.map { try RecipePath.said($0).ownFindings.map(\.code) }
      let wanted = try code.map { try Self.finding($0, own ?? []) }
      if json {
        let codes = wanted.map { [$0] } ?? own ?? FindingCode.allCases
        try Console.printDocument(FindingsJSON.document(codes))
      } else if markdown {
        let lines = (wanted.map { [$0] } ?? own)?.flatMap(FindingsMarkdown.section) ?? FindingsMarkdown.page
        try Console.printVerbatim(lines.joined(separator: "\n"))
      } else {
        if let codes = wanted.map({ [$0] }) ?? own {
          guard !codes.isEmpty else { throw CommandFailure.usage("The recipe has no findings of its own.") }
          try printing.paper.print(columns: 100) { page in
            for (index, code) in codes.enumerated() {
              if index > 0 { page.blank() }
              FindingsText.write(code, to: &page)
            }
          }
        } else {
          try printing.paper.print { FindingsText.writeList(to: &$0) }
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
