import ArgumentParser
import Carryover
import CarryoverTerminal
import CarryoverVendors

struct AuditSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Plans every container in folders, and counts the fields that are migrated, undecided or lost.",
    discussion: """
      Without a subcommand, it audits the paths. carryover help audit run lists the options for that. A folder with the \
      name of a subcommand is ./report.
      """,
    subcommands: [AuditRunSubcommand.self, AuditReportSubcommand.self, AuditMergeSubcommand.self],
    defaultSubcommand: AuditRunSubcommand.self)
}

struct AuditLimitArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "End with status 2 if containers have this: error, a finding's code, identity.*, lost(user_id), unreadable. "
        + "Append >5 or >0.1% to allow that many. Repeatable.",
      valueName: "limit"), completion: .list(AuditLimit.names))
  var failOn: [String] = []

  func limits(fields: some Sequence<String>) throws -> [AuditLimit] {
    let fields = Set(fields)
    return try failOn.map { try AuditLimit($0, fields: fields) }
  }

  /// Limits for an audit that was read can also name the fields in it.
  func limits(of totals: AuditTotals) throws -> [AuditLimit] {
    try limits(fields: Recipe.builtIn.flatMap(\.rules).map(\.target) + totals.order.map(\.field))
  }
}

struct AuditResultArguments: ParsableArguments {
  @OptionGroup var limiting: AuditLimitArguments
  @Flag(help: "Print JSON, schema carryover.audit/1.") var json = false
  @OptionGroup var printing: PrintingArguments

  func print(_ output: AuditOutput, _ masking: Masking = Masking(false)) throws {
    if json {
      try Console.printDocument(output.json)
    } else {
      try printing.paper.print(masking) { output.write(to: &$0) }
    }
    if let failure = output.failure { throw failure }
    try output.requireLimits()
  }
}
