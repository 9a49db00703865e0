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

/// The result of an audit: what the rows add up to, and why there are not all of them.
struct AuditResult {
  var totals: AuditTotals
  var failure: CommandFailure?
  /// Whether every input was audited.
  var isComplete = true
}

/// The limits of an audit.
struct AuditLimitArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "End with status 2 if containers have this: error, a finding's code, identity.*, lost(user_id), unreadable. "
        + "Append >5 or >0.1% to allow that many. Repeatable.",
      valueName: "limit"), completion: .list(AuditLimit.names))
  var failOn: [String] = []

  /// - Parameter fields: the fields that a limit can name.
  func limits(fields: some Sequence<String>) throws -> [AuditLimit] {
    let fields = Set(fields)
    return try failOn.map { try AuditLimit($0, fields: fields) }
  }

  /// The limits of an audit that has been read: they can name its fields, and those of the built-in recipes.
  func limits(of totals: AuditTotals) throws -> [AuditLimit] {
    try limits(fields: Recipe.builtIn.flatMap(\.rules).map(\.target) + totals.order.map(\.field))
  }
}

/// How the result of an audit is judged and printed.
struct AuditResultArguments: ParsableArguments {
  @OptionGroup var limiting: AuditLimitArguments
  @Flag(help: "Print JSON, schema carryover.audit/1.") var json = false
  @OptionGroup var printing: PrintingArguments

  /// Prints the result.
  /// - Parameter folder: the folder with the rows; nil if there is none.
  /// - Throws: why the command does not end with 0.
  func print(_ result: AuditResult, _ limits: [AuditLimit], folder: String?, _ masking: Masking = Masking(false)) throws
  {
    let text = AuditOutput(
      totals: result.totals, limits: limits, folder: folder, isComplete: result.isComplete)
    if json {
      try Console.printDocument(text.json)
    } else {
      try printing.paper.print(masking) { text.write(to: &$0) }
    }
    if let failure = result.failure { throw failure }
    try text.requireLimits()
  }
}

extension AuditOutput {
  /// - Throws: a failure if a limit is exceeded.
  func requireLimits() throws {
    if !excesses.isEmpty { throw CommandFailure("The audit exceeds a limit.", .decisionsNeeded) }
  }
}

extension AuditTotals {
  /// Why these containers are no success, whatever the limits.
  /// - Parameter isShard: whether others have the rest: then it is no failure that none of these has a plan.
  func failure(isShard: Bool) -> CommandFailure? {
    if let changed = outcomes[.changed] {
      return CommandFailure(
        "\(ValueWording.counted(changed, "container")) changed while being read. Audit again when no program writes to the inputs.",
        .stalePlan)
    }
    return planned == 0 && !isShard ? CommandFailure("No container has a plan.", .error) : nil
  }
}
