import ArgumentParser
import Carryover
import CarryoverContainers
import PropertyLists

struct HistorySubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Lists the runs of a container, and removes copies that are not needed any more.",
    subcommands: [HistoryListSubcommand.self, HistoryPruneSubcommand.self],
    defaultSubcommand: HistoryListSubcommand.self
  )
}

struct HistoryListSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the runs of a container, newest first, without writing anything.")

  @OptionGroup var container: ContainerArguments
  @Option(name: .customLong("run"), help: ArgumentHelp("Show this run, field by field.", valueName: "id"))
  var runID: String?
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Print JSON, schema carryover.history/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let opened = try container.open(masking)
      var listing = try Edge.migrator(opened).history(of: opened.container)
      masking.learn(listing.runs)
      if let runID {
        listing.runs.removeAll { $0.id != runID }
        guard !listing.runs.isEmpty else {
          throw CommandFailure("There is no run “\(runID)” in this container that can be read.", .error)
        }
      }
      if json {
        try Console.printDocument(masking.document(HistoryJSON.value(listing, opened.container)))
      } else {
        let lines =
          if runID != nil, let run = listing.runs.first {
            HistoryText.lines(run, columns: Console.columns, masking)
          } else {
            HistoryText.lines(listing, columns: Console.columns, masking)
          }
        try Console.print(masking.lines(lines))
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }
}
