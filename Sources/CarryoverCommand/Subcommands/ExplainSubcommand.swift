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
      Carryover writes or proposes, and what to do. It explains the codes of recipe lint too. It reads no container.
      """)

  @Argument(
    help: ArgumentHelp("The code of a finding. Without one, all are listed.", valueName: "code"),
    completion: .list(FindingCode.allCases.map(\.rawValue) + LintCode.allCases.map(\.rawValue)))
  var code: String?
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
      let wanted = try code.map(Self.finding)
      if json {
        let codes = wanted.map { [$0] } ?? FindingCode.allCases
        try Console.printDocument(FindingsJSON.document(codes))
      } else if markdown {
        let lines = wanted.map(FindingsMarkdown.section) ?? FindingsMarkdown.page
        try Console.printVerbatim(lines.joined(separator: "\n"))
      } else {
        if let wanted {
          try printing.paper.print(columns: 100) { FindingsText.write(wanted, to: &$0) }
        } else {
          try printing.paper.print { FindingsText.writeList(to: &$0) }
        }
      }
    }
  }

  private static func finding(_ text: String) throws -> FindingCode {
    if let code = FindingCode(rawValue: text) { return code }
    let codes = FindingCode.allCases.map(\.rawValue) + LintCode.allCases.map(\.rawValue)
    let nearest = Nearest.names(to: text, among: codes).joined(separator: ", ")
    throw CommandFailure.usage(
      "No finding has the code “\(DisplayText.visible(text, limit: 60))”. The nearest are \(nearest); carryover explain "
        + "without a code lists all.")
  }
}
