import ArgumentParser
import Carryover
import CursesTerminal
import Review
import Terminal

struct ReviewSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Opens the container for review: confirm, skip or edit each field, apply, roll back.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Use no colours (as NO_COLOR does).") var noColor = false
  @Flag(help: "Leave the mouse to the terminal.") var noMouse = false
  @Flag(help: "Draw with ASCII characters only.") var ascii = false

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
      let terminal = try CursesTerminal(options: ScreenOptions(color: !noColor, mouse: !noMouse))
      let glyphs: Glyphs = ascii ? .ascii : terminal.capabilities.glyphs
      let loop = ReviewLoop(
        terminal: terminal, migrator: Edge.migrator,
        reopen: {
          let container = try self.container.open(masking)
          return (container, masking.findings(of: try self.planning.plan(container)))
        })
      masking.learn((try? Edge.migrator.history(of: opened).runs) ?? [])
      let ending: ReviewLoop.Ending
      do {
        ending = try loop.run(
          opened, plan,
          options: ReviewOptions(
            glyphs: glyphs, zoneOffset: Console.secondsFromUTC(at: plan.now), redaction: masking.redaction),
          after: recovery)
        terminal.close()
      } catch {
        terminal.close()
        throw error
      }
      for line in loop.summary { try Console.print(masking.text(line)) }
      if case .signal(let number) = ending { Console.endBySignal(number) }
    }
  }
}
