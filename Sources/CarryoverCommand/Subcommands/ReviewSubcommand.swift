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
      try reviewOnScreen(masking)
    }
  }

  private func reviewOnScreen(_ masking: Masking) throws {
    let screen = try screen.settings()
    guard let first = try screen.open(container, masking) else { return }
    let job = try ReviewJob(first.opened, first.selection, container, planning, masking)
    let (ending, summary) = try screen.onTerminal(mouse: true) { terminal, glyphs in
      let runner = job.runner
      let ending = try ReviewLoop(terminal: terminal, runner: runner).run(
        job.opened.container, job.plan, options: screen.options(glyphs, at: job.plan.now, masking), after: job.recovery)
      return (ending, runner.summary)
    }
    for line in summary { try Console.print(masking.text(line)) }
    if case .signal(let number) = ending { Console.endBySignal(number) }
  }
}

/// A container that is ready to be reviewed, on a screen or by prompts.
struct ReviewJob {
  private(set) var opened: OpenedContainer
  private(set) var plan: Plan
  let recovery: Recovery
  private let reopen: () throws -> (OpenedContainer, Plan)

  init(
    _ opened: OpenedContainer, _ selection: ContainerSelection?, _ container: ContainerArguments,
    _ planning: PlanningArguments, _ masking: Masking
  ) throws {
    self.opened = opened
    masking.learn(writeKey: planning.writeKey)
    // Without a write key there is something to look at all the same; the plan says what is missing.
    plan = masking.findings(of: try planning.plan(opened, options: planning.knownOptions(opened.container)))
    reopen = {
      let opened = try container.open(selection, masking)
      let plan = try planning.plan(opened, options: planning.knownOptions(opened.container))
      return (opened, masking.findings(of: plan))
    }
    recovery = Recovery(of: opened, allowing: planning.allowed)
    if !recovery.runs.isEmpty { (self.opened, plan) = try reopen() }
    masking.learn((try? Edge.migrator(opened).history(of: opened.container).runs) ?? [])
  }

  /// What carries out what the review asks for.
  var runner: EffectRunner {
    EffectRunner(
      opened.container, migrator: Edge.migrator(opened),
      reopen: {
        let (opened, plan) = try reopen()
        return (opened.container, plan)
      })
  }
}
