import ArgumentParser
import Carryover
import Review
import Terminal

struct ReviewSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Opens the container for review: confirm, skip or edit each field, apply, roll back.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var screen: ScreenArguments
  @Flag(help: "Leave the mouse to the terminal.") var noMouse = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      var opened = try container.open(masking)
      masking.learn(writeKey: planning.writeKey)
      var plan = masking.findings(of: try planning.plan(opened))
      guard Console.inputIsTerminal, Console.outputIsTerminal else {
        throw CommandFailure.usage(
          "The review needs a terminal; use carryover plan, apply or rollback, which do not.")
      }
      let recovery = Recovery(of: opened, allowing: planning.allowed)
      if !recovery.runs.isEmpty {
        opened = try container.open(masking)
        plan = masking.findings(of: try planning.plan(opened))
      }
      masking.learn((try? Edge.migrator.history(of: opened).runs) ?? [])
      let (ending, summary) = try screen.onTerminal(mouse: !noMouse) { terminal, glyphs in
        let loop = ReviewLoop(
          terminal: terminal, migrator: Edge.migrator,
          reopen: {
            let container = try self.container.open(masking)
            return (container, masking.findings(of: try self.planning.plan(container)))
          })
        let ending = try loop.run(
          opened, plan,
          options: ReviewOptions(
            glyphs: glyphs, zoneOffset: Console.secondsFromUTC(at: plan.now), redaction: masking.redaction),
          after: recovery)
        return (ending, loop.summary)
      }
      for line in summary { try Console.print(masking.text(line)) }
      if case .signal(let number) = ending { Console.endBySignal(number) }
    }
  }
}
