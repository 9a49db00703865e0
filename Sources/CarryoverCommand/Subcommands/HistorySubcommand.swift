import ArgumentParser
import Carryover
import CarryoverContainers
import PropertyLists

struct HistorySubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Lists the runs of a container, and removes backups that are no longer needed.",
    subcommands: [HistoryListSubcommand.self, HistoryPruneSubcommand.self],
    defaultSubcommand: HistoryListSubcommand.self
  )
}

struct HistoryListSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the runs of a container, newest first, without writing anything.")

  @OptionGroup var container: ContainerArguments
  @Option(
    name: .customLong("run"), help: ArgumentHelp("Show this run, field by field.", valueName: "id"))
  var runID: String?
  @Flag(
    help: """
      Check every record and seal, the copies of your own runs, and that what the runs wrote is still there; end with \
      0 only if nothing is wrong.
      """)
  var check = false
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.history/1; with --check, carryover.check/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let opened = try container.open(masking)
      if check { return try check(opened, masking) }
      var listing = try Edge.migrator(opened).history(of: opened.container)
      masking.learn(listing.runs)
      if let runID {
        listing.runs.removeAll { $0.id != runID }
        guard !listing.runs.isEmpty else {
          throw CommandFailure("This container has no readable run “\(runID)”.", .error)
        }
      }
      if json {
        try Console.printDocument(masking.document(HistoryJSON.value(listing, opened.container)))
      } else {
        try printing.paper.print(masking) { page in
          if runID != nil, let run = listing.runs.first {
            HistoryText.write(run, to: &page)
          } else {
            var adopting = container.command("recover")
            adopting.add("--adopt", if: true)
            HistoryText.write(listing, adopting: adopting, in: opened.container.wrapper, to: &page)
          }
        }
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }

  private func check(_ opened: OpenedContainer, _ masking: Masking) throws {
    guard runID == nil else {
      throw CommandFailure.usage("--check is about all runs, --run about one: give one of them.")
    }
    let migrator = Edge.migrator(opened)
    masking.learn(try migrator.history(of: opened.container).runs)
    let output = CheckOutput(check: try migrator.check(opened.container))
    if json {
      try Console.printDocument(masking.document(output.json(opened.container)))
    } else {
      try printing.paper.print(masking) { output.write(to: &$0) }
    }
    if let failure = output.failure { throw failure }
  }
}
