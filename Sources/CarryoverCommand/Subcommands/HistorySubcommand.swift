import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverSystem

struct HistorySubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Lists the runs of a container, and removes backups that are no longer needed.",
    subcommands: [HistoryListSubcommand.self, HistoryPruneSubcommand.self],
    defaultSubcommand: HistoryListSubcommand.self
  )
}

struct HistoryListSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the runs of a container, newest first, without writing anything.",
    discussion: "Of a folder of several containers, it lists the batches: the runs that one command made are one batch."
  )

  @OptionGroup var container: ContainerArguments
  @Option(name: .customLong("run"), help: ArgumentHelp("Show this run, field by field.", valueName: "id"))
  var runID: String?
  @Flag(
    help: """
      Check every record and seal, the copies of your own runs, and that what the runs wrote is still there. The exit \
      status is 0 only if nothing is wrong.
      """)
  var check = false
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(
    help: "Print JSON, schema carryover.history/1; of a folder, carryover.batches/1; with --check, carryover.check/1."
  )
  var json = false

  func run() throws {
    try reporting(redacting) { masking in
      let opened: OpenedContainer
      do {
        opened = try container.open(masking)
      } catch let error as ContainerError where runID == nil && !check && container.isFolder(of: error) {
        return try listBatches(masking)
      }
      if check { return try check(opened, masking) }
      var listing = try Edge.migrator(opened).history(of: opened.container)
      masking.learn(listing.runs)
      if let runID {
        listing.runs.removeAll { $0.id != runID }
        guard !listing.runs.isEmpty else {
          throw CommandFailure("This container has no readable run “\(runID)”.", .error)
        }
      }
      try printing.paper.print(json: json, HistoryOutput.json(listing, opened.container), masking) { page in
        if runID != nil, let run = listing.runs.first {
          HistoryOutput.write(run, to: &page)
        } else {
          var adopting = container.command("recover")
          adopting.add("--adopt", if: true)
          page.add(HistoryOutput.blocks(listing, adopting: adopting, in: opened.container.wrapper))
        }
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }

  private func listBatches(_ masking: Masking) throws {
    let listing = try BatchListing(container.inputs([container.path]), isMasked: masking.isOn)
    let rollback = container.rollback(nil, ofBatchAt: [container.path])
    try printing.paper.print(json: json, listing.json, masking) { $0.add(listing.blocks(rollback: rollback)) }
    if let failure = listing.failure { throw failure }
  }

  private func check(_ opened: OpenedContainer, _ masking: Masking) throws {
    guard runID == nil else {
      throw CommandFailure.usage("--check is about all runs, --run about one: give only one of them.")
    }
    let migrator = Edge.migrator(opened)
    masking.learn(try migrator.history(of: opened.container).runs)
    let output = CheckOutput(check: try migrator.check(opened.container))
    try printing.paper.print(json: json, output.json(opened.container), masking) { output.write(to: &$0) }
    if let failure = output.failure { throw failure }
  }
}

struct HistoryPruneSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes the backups of runs to free space; their records stay, and they cannot be rolled back.")

  @OptionGroup var container: ContainerArguments
  @Option(help: ArgumentHelp("Keep this many of the newest runs; prune all others.", valueName: "count"))
  var keep: Int?
  @Option(help: ArgumentHelp("Prune runs older than this many days.", valueName: "days"))
  var olderThan: Int?
  @Option(name: .customLong("run"), help: ArgumentHelp("Prune this run. Repeatable.", valueName: "id"))
  var runIDs: [String] = []
  @OptionGroup var live: LiveArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Do not ask before writing.") var yes = false

  func run() throws {
    try reporting(redacting) { masking in
      let selection = try selection()
      let (opened, recovered) = try container.openWritable(live, asking: !yes, masking)
      let runs = try Edge.migrator(opened).runs(in: opened.container)
      if let unknown = runIDs.first(where: { id in !runs.contains { $0.id == id } }) {
        throw RunError.noRunToPrune(unknown)
      }
      let selected = selection.selected(from: runs)
      if !selected.isEmpty { try confirm(selected, after: recovered, masking) }
      try ThisProcess.uninterrupted { try reporting(masking) { try prune(selected, opened) } }
    }
  }

  private func prune(_ runs: [RunSummary], _ opened: OpenedContainer) throws {
    let report = try Edge.migrator(opened).prune(in: opened.container, runs: runs.map(\.id), allowing: live.allowed)
    try printing.paper.print {
      $0.add(
        report.runs.isEmpty
          ? "There is nothing to prune."
          : "Pruned \(report.runs.joined(separator: ", ")): \(ByteCount.text(report.freed)) freed.")
    }
  }

  private func selection() throws -> PruneSelection {
    guard [keep != nil, olderThan != nil, !runIDs.isEmpty].count(where: { $0 }) == 1 else {
      throw CommandFailure.usage("Choose what to prune with --keep, --older-than or --run.")
    }
    if let keep {
      guard keep >= 0 else { throw CommandFailure.usage("--keep needs a number of runs, 0 or more.") }
      return .keepingNewest(keep)
    }
    guard let olderThan else { return .named(Set(runIDs)) }
    let (span, overflow) = Int64(olderThan).multipliedReportingOverflow(by: 86_400_000)
    let (moment, underflow) = Console.now.millisecondsSince1970.subtractingReportingOverflow(span)
    guard olderThan >= 0, !overflow, !underflow else {
      throw CommandFailure.usage("--older-than needs a number of days, 0 or more.")
    }
    return .olderThan(Moment(millisecondsSince1970: moment))
  }

  private func confirm(_ runs: [RunSummary], after recovered: Recovered, _ masking: Masking) throws {
    let freed = runs.reduce(0) { sum, run in
      let (total, overflow) = sum.addingReportingOverflow(run.copies)
      return overflow ? .max : total
    }
    let count = runs.count == 1 ? "this run" : "these \(runs.count) runs"
    try Edge.confirm(
      "Remove the copies of \(count)? This frees \(ByteCount.text(freed)). Pruned runs cannot be rolled back.",
      unless: yes, for: "history prune", or: "nothing was removed", after: recovered
    ) {
      try printing.paper.print(masking) { $0.add(RunTable.of(runs)) }
    }
  }
}
