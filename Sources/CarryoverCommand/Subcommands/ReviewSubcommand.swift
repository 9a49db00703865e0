import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal

struct ReviewSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Opens the container for review: confirm, skip or edit each field, apply, roll back.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var screen: ScreenArguments
  @OptionGroup var accessible: AccessibleArguments

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      if accessible.isOn { return try reviewByPrompts(masking) }
      guard Console.inputIsTerminal, Console.outputIsTerminal else {
        throw CommandFailure.usage(
          "The review needs a terminal; use carryover plan, apply or rollback, which do not, or --accessible, which "
            + "takes lines.")
      }
      try AccessibleArguments.requireScreen(for: "review")
      let screen = try screen.settings()
      var summary: [String] = []
      try ContainerScreens(screen: screen, container: container, masking: masking).run(
        prepare: { try job($0, $1, asking: !$2, masking) },
        show: { job, terminal, glyphs in
          let runner = job.runner
          defer { summary += runner.summary }
          return try ReviewLoop(terminal: terminal, runner: runner, keeper: job.keeper).run(
            job, options: screen.options(glyphs, at: job.plan.now, masking))
        },
        finish: { for line in summary { try Console.print(masking.text(line)) } })
    }
  }

  /// Prepares a container for review. Without a write key the review still opens, and the plan says that it is missing.
  func job(
    _ opened: OpenedContainer, _ selection: ContainerSelection?, asking: Bool, _ masking: Masking
  ) throws -> ReviewJob {
    masking.learn(writeKey: planning.writeKey)
    return try ReviewJob(
      opened, allowing: planning.allowed, asking: asking, masking,
      plan: { try planning.plan($0, options: planning.knownOptions($0)) },
      reopen: { try container.open(selection, masking, quietly: true) })
  }
}
