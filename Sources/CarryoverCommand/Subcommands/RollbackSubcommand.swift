import ArgumentParser
import Carryover
import Containers
import PropertyLists

struct RollbackSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Takes back the last run, or some of its keys; what was changed since and is not the run's stays.",
    discussion: """
      FIELD is a key, or FILE:KEY where one key stands in several files.
      """)

  @OptionGroup var container: ContainerArguments
  @Option(
    name: .customLong("run"), help: ArgumentHelp("The run to take back, instead of the last one.", valueName: "id"))
  var runID: String?
  @OptionGroup var deciding: RollbackArguments
  @OptionGroup var live: LiveArguments
  @Flag(help: "Do not ask before writing. Never decides a conflict.") var yes = false
  @Flag(help: "Print what was done as JSON, schema carryover.report/1.") var json = false

  func run() throws {
    try reporting {
      let (opened, recovered) = try container.openWritable(live)
      let migrator = Edge.migrator(opened)
      let plan = try migrator.rollbackPlan(in: opened.container, runID: runID)
      let resolution = try deciding.resolution(of: plan)
      if resolution.unreadable.isEmpty, let conflicts = RollbackText.conflicts(resolution) { throw conflicts }
      try resolution.check()
      if resolution.changesFiles { try confirm(resolution) }
      try Edge.uninterrupted {
        try reporting { try write(plan, opened, recovered) }
      }
    }
  }

  private func write(_ plan: RollbackPlan, _ opened: OpenedContainer, _ recovered: [RecoveredRun]) throws {
    let report = try Edge.migrator(opened).rollback(
      plan, only: deciding.chosen(in: plan), decisions: deciding.decisions(in: plan),
      onConflict: deciding.onConflict.policy, in: opened.container, allowing: live.allowed)
    try ReportOutput.print(report, in: opened.container, recovered: recovered, json: json)
  }

  private func confirm(_ resolution: RollbackResolution) throws {
    guard !yes else { return }
    try Edge.requireTerminal(for: "rollback", or: "nothing was written")
    if !json {
      try Console.print(RollbackText.lines(resolution, columns: Console.columns).joined(separator: "\n"))
    }
    try Edge.askToGoOn("Take back run \(resolution.plan.run.id)?")
  }
}
