import ArgumentParser
import Carryover
import CarryoverAudit

struct AuditDiffSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two audits: which fields are lost or regained, and which findings are new or cleared.",
    discussion: """
      Containers are compared by their paths; one whose path only one audit has, by its content. Exit status: 0 nothing \
      differs, or with --fail-on, everything is within the limits; 1 something differs, or failed; 2 beyond a --fail-on; \
      64 usage.
      """)

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, markdown, json
  }

  @Argument(
    help: ArgumentHelp("The folder of the old audit, or a file with its rows.", valueName: "old"), completion: .file())
  var old: String
  @Argument(
    help: ArgumentHelp("The folder of the new audit, or a file with its rows.", valueName: "new"), completion: .file())
  var new: String
  @Option(
    help: ArgumentHelp(
      "End with status 2 if containers have this change: lost, regained, changed, new-finding, cleared, only-old, "
        + "only-new, new (worse than before), lost(user_id). Behind it, >5 or >0.1% allows that many. Repeatable.",
      valueName: "limit"), completion: .list(AuditDiff.Change.allCases.map(\.rawValue)))
  var failOn: [String] = []
  @Option(help: "How to print: text, markdown or json.")
  var format = Form.text
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON: the same as --format json, schema carryover.audit-diff/1.") var json = false

  func run() throws {
    try reporting {
      let limits = try AuditLimits(ofDifference: failOn)
      let (before, after) = (try AuditSource(old), try AuditSource(new))
      var join = try AuditJoin(old: before.rows)
      try after.rows.forEachUnit { try join.add($0) }
      let diff = try join.finish()
      let excesses = limits.excesses(diff)
      let output = AuditDiffOutput(diff: diff, excesses: excesses)
      switch json ? .json : format {
      case .json: try Console.printDocument(output.json)
      case .markdown: try Console.printVerbatim(output.markdown)
      case .text:
        try printing.paper.print { page in
          output.write(to: &page)
          if !limits.isEmpty, excesses.isEmpty { page.add(.ready, "Within every limit of --fail-on.") }
        }
      }
      guard excesses.isEmpty else {
        throw CommandFailure("The difference is beyond a limit of --fail-on.", .decisionsNeeded)
      }
      if limits.isEmpty, !diff.isEmpty { throw ExitCode(ExitStatus.error.rawValue) }
    }
  }
}
