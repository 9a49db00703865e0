import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverTerminal

struct ReviewSubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Opens the container for review: accept, skip or edit each field, apply, roll back.")

  @OptionGroup var container: ContainerArguments
  @Option(help: "Begin at this field (its target key).") var field: String?
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var screen: ScreenArguments
  @OptionGroup var accessible: AccessibleArguments

  func run() throws {
    try reporting(redacting) { masking in
      if accessible.isOn { return try reviewByPrompts(masking) }
      guard Console.inputIsTerminal, Console.outputIsTerminal else {
        throw CommandFailure.usage(
          "The review needs a terminal. Use carryover plan, apply or rollback, or --accessible, which reads lines.")
      }
      try AccessibleArguments.requireScreen(for: "review")
      let screen = try screen.settings()
      var summary: [String] = []
      try ContainerScreens(
        screen: screen, container: container, files: try planning.files, masking: masking,
        list: list { summary.append($0) }
      ).run(
        prepare: { try job($0, $1, asking: $2 == nil, $2, masking) },
        show: { first, terminal, glyphs in
          var next = first
          while true {
            let job = next
            defer { summary += job.runner.summary }
            let options = screen.options(glyphs, at: job.plan.now, masking)
            let ending = try ReviewLoop(terminal, job).run(options: options)
            guard let moved = job.runner.moved else { return ending }
            next = try self.job(after: moved, masking)
          }
        },
        finish: { for line in summary { try Console.print(masking.text(line)) } })
    }
  }

  /// Without a write key the review still opens, and the plan says that it is missing.
  /// - Parameters:
  ///   - chosen: what was chosen in the list of containers.
  ///   - review: the choices of a review that continues here, and the recipes that the command line names.
  func job(
    _ opened: OpenedContainer, _ selection: ContainerSelection?, asking: Bool, _ chosen: ListChoices?,
    continuing review: (choices: PlanChoices, named: [String])? = nil, _ masking: Masking
  ) throws -> ReviewJob {
    let (planning, container) = (chosen.map(self.planning.listed) ?? self.planning, container)
    masking.learn(planning.values)
    let job = try ReviewJob(
      opened, at: field, chosen?.policy ?? DecisionPolicy(), allowing: planning.allowed, asking: asking,
      applyWords: {
        guard let words = try? planning.under($0).words(opened) else { return nil }
        return container.under($0).command("apply", selection).words + words
      }, masking,
      choices: review?.choices
        ?? PlanChoices(
          parameters: planning.values.values, bundleID: container.bundleID, recipes: planning.recipe,
          allowsOptedOut: planning.allowOptedOut),
      beside: review?.named ?? planning.recipe, isMoved: review != nil || chosen != nil,
      prepare: { opened, choices in
        for value in choices.parameters.values { masking.learn(writeKey: value) }
        return try planning.under(choices).prepared(
          opened, needsKey: false, omitsGaps: true, forOthers: choices.forOthers)
      },
      reopen: {
        try container.under($0).open(selection, reading: planning.under($0).files, masking, quietly: true)
      },
      stores: { try container.under($0).whole(selection, reading: planning.under($0).files, masking) },
      report: {
        // A report goes to others, so it is masked.
        let masking = Masking(true)
        let opened = try container.under($0).open(selection, reading: planning.under($0).files, masking, quietly: true)
        return try ContainerReport(
          opened, selection, container.under($0), planning.under($0), beside: $1, masking, isForOthers: true
        ).sharedReport(masking)
      })
    if let field, job.plan.field(field) == nil { throw UnknownName.field(field, "--field", in: job.plan) }
    return job
  }

  func reviewByPrompts(_ masking: Masking) throws {
    let screen = try screen.settings()
    let glyphs = screen.glyphs.glyphs(Console.glyphs)
    try container.openByPrompts(
      glyphs, reading: planning.files, list: list { _ in }, masking
    ) { opened, selection, chosen in
      var next: ReviewJob? = try job(opened, selection, asking: true, chosen, masking)
      while let job = next {
        try LineLoop(job, masking).run(options: screen.options(glyphs, at: job.plan.now, masking))
        for line in job.runner.summary { try Console.print(masking.text(line)) }
        next = try job.runner.moved.map { try self.job(after: $0, masking) }
      }
    }
  }

  /// The review of the folder that a container was extracted to. What was decided by finding is among its decisions.
  private func job(after moved: MovedReview, _ masking: Masking) throws -> ReviewJob {
    var review = self
    (review.container, review.planning) = (container.under(moved.choices), planning.under(moved.choices))
    (review.container.path, review.container.choosing.container) = (moved.path, nil)
    (review.container.choosing.app, review.field) = (nil, nil)
    let opened = try review.container.open(nil, reading: review.planning.files, masking, quietly: true)
    var job = try review.job(opened, nil, asking: false, nil, continuing: (moved.choices, planning.recipe), masking)
    job.moved = moved
    job.moved?.lines = moved.lines.map(masking.text)
    return job
  }

  /// - Parameter note: takes what was written, to be printed when the screen is gone.
  private func list(note: @escaping (String) -> Void) -> ListedReview {
    ListedReview(
      workers: { planning.with($0).workerArguments },
      batch: { kind, choices, inputs in
        let planning = planning.with(choices).ofBatch
        return ContainerBatch(
          kind: kind, inputs: inputs, rollback: container.rollback(planning.live, ofBatchAt: [container.path]),
          redacting: redacting, yes: false, json: false, paper: Paper()
        ) {
          try kind == .apply
            ? ApplyJob.step($0, planning, choices.policy, of: $1, $2)
            : RollbackSubcommand.lastRunStep($0, planning.live, of: $1, $2)
        }
      }, note: note)
  }
}

extension PlanningArguments {
  /// The same with the write key of a list, if one was set there.
  fileprivate func with(_ chosen: ListChoices?) -> PlanningArguments {
    guard let key = chosen?.writeKey else { return self }
    return under(
      PlanChoices(writeKey: key, parameters: values.values, recipes: recipe, allowsOptedOut: allowOptedOut))
  }

  /// The same for a container that is opened from a list, where a write key is RudderStack's, as in a batch.
  fileprivate func listed(_ chosen: ListChoices) -> PlanningArguments {
    let planning = with(chosen)
    let values = planning.values.forSeveral(recipe).values
    return planning.under(PlanChoices(parameters: values, recipes: recipe, allowsOptedOut: allowOptedOut))
  }

  fileprivate func under(_ choices: PlanChoices) -> PlanningArguments {
    var planning = self
    planning.target.writeKey = choices.writeKey
    planning.parameters.given = choices.parameters.sorted { $0.key < $1.key }
      .filter { $0.key != RecipeParameter.writeKey.name }
      .compactMap { ParameterArgument(argument: "\($0.key)=\($0.value)") }
    planning.recipe = choices.recipes
    planning.allowOptedOut = choices.allowsOptedOut
    return planning
  }
}

extension ContainerArguments {
  fileprivate func under(_ choices: PlanChoices) -> ContainerArguments {
    var container = self
    container.bundleID = choices.bundleID
    return container
  }
}
