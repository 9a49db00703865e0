import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem

/// The help on how to name a value.
enum PlaceHelp {
  static let discussion = """
    STORE is a store's path, the end of it, or its suite's name. KEY is a key, followed by the names of members and \
    the numbers of elements: config.flags.beta, items[0].id. It also reaches into packed JSON text, property lists and \
    keyed archives. Write a dot in a name as \\., or put the name in quotation marks.
    """
}

struct SecretsArgument: ParsableArguments {
  @Flag(help: "Show secrets, such as tokens.") var secrets = false
}

struct ChangeArguments: ParsableArguments {
  @OptionGroup var live: LiveArguments
  @Flag(help: "Show what would change, and write nothing.") var dryRun = false
  @OptionGroup var secrets: SecretsArgument
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Do not ask before writing.") var yes = false
  @Flag(
    help: "Print what was done as JSON, schema carryover.report/1; with --dry-run the changes, carryover.changes/1.")
  var json = false
}

/// A command that edits values: it previews the changes, asks, and writes them as one run.
protocol ChangingCommand: ContainerCommand {
  var changing: ChangeArguments { get }
}

extension ChangingCommand {
  /// - Parameter changes: what to change in the container.
  func change(_ masking: Masking, changes: (Container) throws(ChangeError) -> [ValueChange]) throws {
    let asking = changing
    let (opened, recovered) =
      try asking.dryRun
      ? (container.open(masking), Recovered()) : container.openWritable(asking.live, asking: !asking.yes, masking)
    if asking.dryRun, let failure = Edge.recoveryNeeded(opened) { throw failure }
    let plan = try ChangePlan(changes(opened.container), in: opened.container)
    let showsSecrets = asking.secrets.secrets
    let (page, paper) = (ChangePage(plan, hidesSecrets: !showsSecrets), asking.printing.paper)
    if asking.dryRun {
      let document = ChangeDocument.json(plan, hides: { !showsSecrets && $0.isSecret })
      return try paper.print(json: asking.json, document, masking) { $0.add(page.blocks) }
    }
    if !plan.isEmpty {
      let files = plan.stores.map(\.path).joined(separator: ", ")
      try Edge.confirm(
        masking.text("Write \(files)?"), unless: asking.yes, for: Self.configuration.commandName ?? "",
        or: "nothing was changed", after: recovered
      ) {
        if !asking.json { try paper.print(masking) { $0.add(page.blocks) } }
      }
    }
    try ThisProcess.uninterrupted {
      try reporting(masking) {
        let report = try Edge.migrator(opened).change(plan, in: opened.container, allowing: asking.live.allowed)
        try RunReportOutput.print(
          report, in: opened.container, recovered: recovered.runs, json: asking.json,
          rollback: container.rollback(asking.live), hidesSecrets: !showsSecrets, on: paper, masking)
      }
    }
  }
}

extension ValueType: ExpressibleByArgument {}
