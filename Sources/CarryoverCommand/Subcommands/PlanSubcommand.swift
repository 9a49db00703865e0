import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem
import PropertyLists

struct PlanSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Shows what would be migrated, field by field, without changing anything; can save it for apply.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var deciding: DecisionArguments
  @OptionGroup var saving: SavingArguments
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Print the plan as JSON, schema carryover.plan/1, which apply takes too.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      try saving.check()
      guard !masking.isOn || saving.output == nil else {
        throw CommandFailure.usage(
          "-o saves a plan for apply, which takes none that is redacted; give --json to print it redacted.")
      }
      let opened = try container.open(masking)
      masking.learn(writeKey: planning.writeKey)
      // Files that stand on both sides of a run would make a plan of something that never was.
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
      let options = try planning.options(opened.container, planning.recipe(for: opened))
      let plan = masking.findings(of: try planning.plan(opened, options: options))
      let decisions = try deciding.allDecisions(for: plan, masking)
      masking.learn(decisions)
      let files = SavedPlanFile(fileSystem: POSIXFileSystem())
      if let file = saving.file { try files.requirePlace(file, outside: opened.container, target: plan.target?.path) }
      let document = SavedPlan.json(
        plan,
        request: PlanRequest(
          opened.container, options: options, hasOwnStateDirectory: container.stateDir != nil),
        decisions: decisions, tool: Version.text)
      if let file = saving.file { try files.write(document, to: file) }
      if json || saving.isStandardOutput {
        try Console.printDocument(masking.document(document))
      } else {
        var lines = PlanText.lines(
          plan, decisions: decisions, wrapper: opened.container.wrapper, columns: Console.columns, masking)
        if let file = saving.file {
          let use =
            opened.container.wrapper != nil
            ? "which carryover apply takes with --container and the folder that extract makes."
            : files.isBeside(opened.container, planAt: file)
              ? "which carryover apply takes in place of the container."
              : "which carryover apply takes with --container PATH: the container is not in the plan's folder."
          lines += ["", "Saved as \(file), \(use)"]
        }
        try Console.print(masking.lines(lines))
      }
    }
  }
}
