import ArgumentParser
import Carryover
import Containers
import CursesTerminal
import Review
import Terminal

struct ReviewSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Opens the container for review: confirm, skip or edit each field, apply, roll back.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @Flag(help: "Use no colours (as NO_COLOR does).") var noColor = false
  @Flag(help: "Leave the mouse to the terminal.") var noMouse = false
  @Flag(help: "Draw with ASCII characters only.") var ascii = false

  func run() throws {
    try reporting {
      var opened = try container.open()
      var plan = try planning.plan(opened)
      guard Console.inputIsTerminal, Console.outputIsTerminal else {
        throw CommandFailure.usage(
          "The review needs a terminal; use carryover plan, apply or rollback, which do not.")
      }
      let recovery = Recovery(of: opened, allowing: planning.allowed)
      if !recovery.runs.isEmpty {
        opened = try container.open()
        plan = try planning.plan(opened)
      }
      let terminal = try CursesTerminal(options: ScreenOptions(color: !noColor, mouse: !noMouse))
      let glyphs: Glyphs = ascii ? .ascii : terminal.capabilities.glyphs
      let loop = ReviewLoop(
        terminal: terminal, migrator: Edge.migrator(opened),
        reopen: {
          let opened = try self.container.open()
          return (opened.container, try self.planning.plan(opened))
        })
      let ending: ReviewLoop.Ending
      do {
        ending = try loop.run(
          opened.container, plan,
          options: ReviewOptions(glyphs: glyphs, zoneOffset: Console.secondsFromUTC(at: plan.now)), after: recovery)
        terminal.close()
      } catch {
        terminal.close()
        throw error
      }
      for line in loop.summary { try Console.print(line) }
      if case .signal(let number) = ending { Console.endBySignal(number) }
    }
  }
}
