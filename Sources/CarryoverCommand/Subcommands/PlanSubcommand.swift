import ArgumentParser
import Carryover
import PropertyLists

struct PlanSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Shows what would be migrated, field by field, without writing anything.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @Flag(help: "Print the plan as JSON, schema carryover.plan/1.") var json = false

  func run() throws {
    try reporting {
      let opened = try container.open()
      // Files that stand on both sides of a run would make a plan of something that never was.
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
      let plan = try planning.plan(opened)
      if json {
        try Console.printVerbatim(PlanJSON.value(plan).text(pretty: true))
      } else {
        try Console.print(PlanText.lines(plan, columns: Console.columns).joined(separator: "\n"))
      }
    }
  }
}
