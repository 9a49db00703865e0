import ArgumentParser
import Carryover
import CarryoverContainers
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
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Do not ask before writing. Never decides a conflict.") var yes = false
  @Flag(help: "Print what was done as JSON, schema carryover.report/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let (opened, recovered) = try container.openWritable(live, asking: !yes, masking)
      let migrator = Edge.migrator(opened)
      let plan = try migrator.rollbackPlan(in: opened.container, runID: runID)
      masking.learn([plan.run])
      let resolution = try deciding.resolution(of: plan)
      if resolution.unreadable.isEmpty,
        let conflicts = RollbackText.conflicts(
          resolution, or: recovered.nothingElse, masking)
      {
        throw conflicts
      }
      try resolution.check()
      if resolution.changesFiles { try confirm(resolution, after: recovered, masking) }
      try ThisProcess.uninterrupted {
        try reporting(masking) { try write(plan, opened, recovered, masking) }
      }
    }
  }

  private func write(_ plan: RollbackPlan, _ opened: OpenedContainer, _ recovered: Recovered, _ masking: Masking)
    throws
  {
    let report = try Edge.migrator(opened).rollback(
      plan, only: deciding.chosen(in: plan), decisions: deciding.decisions(in: plan),
      onConflict: deciding.onConflict.policy, in: opened.container, allowing: live.allowed)
    try ReportOutput.print(report, in: opened.container, recovered: recovered.runs, json: json, masking)
  }

  private func confirm(
    _ resolution: RollbackResolution, after recovered: Recovered, _ masking: Masking
  ) throws {
    guard !yes else { return }
    try Edge.requireTerminal(for: "rollback", or: "nothing was rolled back")
    if !json {
      try Console.print(masking.lines(RollbackText.lines(resolution, columns: Console.columns, masking)))
    }
    try Edge.askToGoOn("Take back run \(resolution.plan.run.id)?", after: recovered)
  }
}
