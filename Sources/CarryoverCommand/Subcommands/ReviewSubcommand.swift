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
      let screen = try screen.settings()
      var summary: [String] = []
      try ContainerScreens(screen: screen, container: container, masking: masking).run(
        prepare: { try ReviewJob($0, $1, container, planning, masking) },
        show: { job, terminal, glyphs in
          let loop = job.loop(on: terminal)
          defer { summary += loop.summary }
          return try loop.run(
            job.opened.container, job.plan, options: screen.options(glyphs, at: job.plan.now, masking),
            after: job.recovery, offer: job.offer)
        },
        finish: { for line in summary { try Console.print(masking.text(line)) } })
    }
  }
}

/// A container that is ready to be reviewed.
private struct ReviewJob {
  private(set) var opened: OpenedContainer
  private(set) var plan: Plan
  let recovery: Recovery
  let offer: KeptOffer
  private let reopen: () throws -> (OpenedContainer, Plan)
  private let file: SavedReviewFile

  init(
    _ opened: OpenedContainer, _ selection: ContainerSelection?, _ container: ContainerArguments,
    _ planning: PlanningArguments, _ masking: Masking
  ) throws {
    self.opened = opened
    masking.learn(writeKey: planning.writeKey)
    // Without a write key there is something to look at all the same; the plan says what is missing.
    plan = masking.findings(of: try planning.plan(opened, options: planning.knownOptions(opened.container)))
    reopen = {
      let opened = try container.open(selection, masking, quietly: true)
      let plan = try planning.plan(opened, options: planning.knownOptions(opened.container))
      return (opened, masking.findings(of: plan))
    }
    recovery = Recovery(of: opened, allowing: planning.allowed)
    if !recovery.runs.isEmpty { (self.opened, plan) = try reopen() }
    masking.learn((try? Edge.migrator(opened).history(of: opened.container).runs) ?? [])
    // The state folder of what is only read lies elsewhere, if it is to be written to.
    file = SavedReviewFile(
      fileSystem: opened.container.wrapper == nil ? opened.fileSystem : POSIXFileSystem(), container: opened.container,
      writer: Console.process, toolVersion: Version.text)
    offer = KeptOffer(file, plan)
    if let review = offer.review { masking.learn(review.decisions) }
  }

  func loop(on terminal: any Terminal) -> ReviewLoop {
    ReviewLoop(
      terminal: terminal, migrator: Edge.migrator(opened),
      keeper: DecisionKeeper(file, offered: offer.review, allowing: plan.allowed),
      reopen: {
        let (opened, plan) = try reopen()
        return (opened.container, plan)
      })
  }
}
