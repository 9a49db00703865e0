import ArgumentParser
import Carryover
import Containers
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

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      guard Console.inputIsTerminal, Console.outputIsTerminal else {
        throw CommandFailure.usage(
          "The review needs a terminal; use carryover plan, apply or rollback, which do not.")
      }
      guard let first = try screen.open(container, masking) else { return }
      var opened = first.opened
      masking.learn(writeKey: planning.writeKey)
      // Without a write key there is something to look at all the same; the plan says what is missing.
      var plan = masking.findings(of: try planning.plan(opened, options: planning.knownOptions(opened.container)))
      let reopen = {
        let opened = try container.open(first.selection, masking)
        let plan = try planning.plan(opened, options: planning.knownOptions(opened.container))
        return (opened, masking.findings(of: plan))
      }
      let recovery = Recovery(of: opened, allowing: planning.allowed)
      if !recovery.runs.isEmpty { (opened, plan) = try reopen() }
      masking.learn((try? Edge.migrator(opened).history(of: opened.container).runs) ?? [])
      let (ending, summary) = try screen.onTerminal { terminal, glyphs in
        let loop = ReviewLoop(
          terminal: terminal, migrator: Edge.migrator(opened),
          reopen: {
            let (opened, plan) = try reopen()
            return (opened.container, plan)
          })
        let ending = try loop.run(
          opened.container, plan,
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
