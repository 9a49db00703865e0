import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

extension ReviewJob {
  /// Carries out effects, and those that their results ask for.
  /// - Parameters:
  ///   - terminal: nil line by line.
  ///   - change: changes the state, and may show the change.
  /// - Returns: the effect that ends the review; nil if it continues.
  func perform(
    _ effects: [ReviewEffect], on terminal: (any Terminal)?, of state: () -> ReviewState,
    _ change: (_ work: (inout ReviewState) -> [ReviewEffect]) throws -> [ReviewEffect]
  ) rethrows -> ReviewEffect? {
    var pending = effects[...]
    while let effect = pending.popFirst() {
      switch effect {
      case .quit, .quitForgetting: return effect
      case .bell: break
      case .copy(let text): terminal?.copyToClipboard(text)
      case .suspend:
        keeper.keep(state())
        terminal?.suspend()
      case .errand(let errand):
        let state = state()
        keeper.keep(state)
        let errands = Errands(terminal, state.container, targets: state.plan.targets.map(\.path))
        let answer = errands.carryOut(errand)
        pending += try change { reduce(&$0, .answer(answer)) }
      case .apply, .rollback:
        // Writing can take long on a slow disk: the screen says that it has begun.
        terminal?.show(state())
        pending += try carryOut(effect, state(), change)
        // What was applied is not offered again, even if the process is killed now.
        keeper.keep(state())
      case .extract(let path):
        terminal?.show(state())
        do {
          let moved = MovedReview(try extract(path), state())
          runner.summary += moved.lines
          runner.moved = moved
          return effect
        } catch {
          pending += try change { reduce(&$0, .failed(ReviewFailure(error))) }
        }
      case .plan(let choices):
        // Decisions about a recipe that is no longer followed stay saved.
        keeper.beforeAsking(state())
        pending += try change { reduce(&$0, .keeping(keeper.problem?.description)) }
        pending += try carryOut(effect, state(), change)
        guard state().choices == choices else { break }
        let offer = keeper.offer(for: state().plan).kept
        if let offer { pending += try change { reduce(&$0, .kept(offer)) } }
      case .readStores:
        // It can take long: the stores that are read already are shown meanwhile.
        terminal?.show(state())
        pending += try carryOut(effect, state(), change)
      case .loadHistory, .loadRollback, .report: pending += try carryOut(effect, state(), change)
      }
    }
    return nil
  }

  private func carryOut(
    _ effect: ReviewEffect, _ state: ReviewState,
    _ change: (_ work: (inout ReviewState) -> [ReviewEffect]) throws -> [ReviewEffect]
  ) rethrows -> [ReviewEffect] {
    let news = runner.carryOut(effect, of: state.plan)
    // The results of a run are shown together.
    return try change { state in news.flatMap { reduce(&state, $0) } }
  }
}

struct ReviewJob {
  let container: Container
  let plan: Plan
  let others: [RecipeVerdict]
  /// What is in the place of the state folder; nil if nothing is.
  let occupied: OccupiedStateFolder?
  let recovery: Recovery
  /// The decisions of an earlier review, and why they cannot be read.
  let kept: KeptReview?
  let keptProblem: SavedReviewError?
  /// The recipes of saved decisions that the plan does not follow.
  let keptElsewhere: [String]
  let field: Field.ID?
  /// The decisions by finding from the list of containers.
  let policy: DecisionPolicy
  /// The review that this one continues.
  var moved: MovedReview?
  /// Extracts the container to a new folder.
  let extract: (String) throws -> ExtractionReport
  /// The command that applies a plan under some choices, without decisions.
  let applyWords: @Sendable (PlanChoices) -> [String]?
  let choices: PlanChoices
  let runner: EffectRunner
  let keeper: DecisionKeeper

  /// If the user named no recipe, the first plan is that of the most serious verdict, unless the saved decisions or the
  /// named field are only in the plan that the container's keys call for.
  /// - Parameters:
  ///   - named: the recipes that the command line names.
  ///   - isMoved: whether the choices are those of a list, or of a review that continues here.
  init(
    _ first: OpenedContainer, at field: Field.ID?, _ policy: DecisionPolicy, allowing allowed: Set<FindingCode>,
    asking: Bool, applyWords: @escaping @Sendable (PlanChoices) -> [String]?, _ masking: Masking,
    choices: PlanChoices, beside named: [String], isMoved: Bool,
    prepare: @escaping (OpenedContainer, PlanChoices) throws -> PreparedPlan,
    reopen: @escaping (PlanChoices) throws -> OpenedContainer,
    stores: @escaping (PlanChoices) throws -> Container,
    report: @escaping (PlanChoices, _ named: [String]) throws -> SharedReport
  ) throws {
    (self.field, self.policy, self.applyWords) = (field, policy, applyWords)
    var (opened, choices) = (first, choices)
    var prepared = try prepare(opened, choices)
    var plan = masking.findings(of: try prepared.plan())
    occupied = Edge.migrator(opened).occupiedStateFolder(of: opened.container)
    // If no run can be recorded here, none was interrupted, and no decision was saved.
    recovery = occupied == nil ? Recovery(of: opened, allowing: allowed, asking: asking, masking) : Recovery()
    if !recovery.runs.isEmpty {
      opened = try reopen(choices)
      prepared = try prepare(opened, choices)
      plan = masking.findings(of: try prepared.plan())
    }
    let isInterrupted = recovery.failure != nil
    // Only the command line restricts what is told: recipes that are chosen on the screen leave the other SDKs named.
    let judge = { (plan: Plan, prepared: PreparedPlan, choices: PlanChoices) in
      try prepared.judged(
        plan, beside: choices.recipes == named ? named : [], isInterrupted: isInterrupted, masking)
    }
    var judged = try judge(plan, prepared, choices)
    if masking.isOn { masking.learn(Edge.runs(of: first).runs) }
    let file = Edge.savedReview(of: first)
    let reviews = occupied == nil ? file.reviews : []
    let isAbout = { (plan: Plan) in
      reviews.contains { $0.recipe == plan.recipe.id } || field.map { plan.field($0) != nil } == true
    }
    let followed = plan.recipePlans.map(\.definition)
    if named.isEmpty, !isMoved, policy.choices.isEmpty, let gravest = judged.ofGravest(in: opened.container),
      isAbout(gravest.plan) || !isAbout(plan),
      // A write key belongs to one SDK, so it chooses that SDK.
      choices.parameters.allSatisfy({ name, value in
        !followed.contains { $0.takes(name) }
          || gravest.plan.definition.takes(name) && gravest.options.parameters[name] == value
      })
    {
      judged = gravest
      choices.choose([gravest.plan.recipe.id], insteadOf: followed, keeping: gravest.ownValues(of: choices.parameters))
    }
    self.choices = choices
    plan = judged.plan
    others = judged.others
    keeper = DecisionKeeper(file, allowing: plan.allowed)
    (kept, keptProblem) = occupied == nil ? keeper.offer(for: plan) : (nil, nil)
    // Those for other recipes may be offered later.
    for saved in reviews.flatMap(\.decisions) { masking.learn([saved.field: saved.decision]) }
    let ids = plan.recipes.map(\.id)
    keptElsewhere = reviews.map(\.recipe).filter { !ids.contains($0) }.distinct()
    container = opened.container
    self.plan = plan
    extract = { [opened] path in
      let home = path.hasPrefix("~/") ? Console.environment("HOME") : nil
      return try Edge.endable(quietly: true) { observer in
        try ContainerExtractor(fileSystem: POSIXFileSystem(), observer: observer).extract(
          opened, to: home.map { $0 + path.dropFirst() } ?? path)
      }
    }
    runner = EffectRunner(
      container, migrator: Edge.migrator(opened), choices: choices,
      reopen: { choices in
        let opened = try reopen(choices)
        let prepared = try prepare(opened, choices)
        let plan = masking.findings(of: try prepared.plan())
        return PlannedAgain(
          container: opened.container, plan: plan, others: try judge(plan, prepared, choices).others)
      }, stores: stores,
      report: { [atFirst = choices.recipes] choices in
        try report(choices, choices.recipes == atFirst ? named : choices.recipes)
      })
  }

  /// The review at its start.
  func state(size: Size, options: ReviewOptions) -> ReviewState {
    runner.note(recovery.runs)
    let decisions = policy.choices.isEmpty ? [:] : plan.completed(policy.applied(to: plan, [:]))
    var state = ReviewState(
      plan: plan, decisions: decisions, size: size, options: options,
      backupLocation: container.stateDirectory + "/runs", lastRun: runner.lastRun(),
      wrapper: container.wrapper, occupied: occupied, recovered: recovery.runs, recoveryFailure: recovery.failure,
      container: container, others: others, runs: runner.runs(), choices: choices, field: field,
      zone: Console.secondsFromUTC, applyWords: applyWords)
    // The first screen of an unknown container counts what the stores contain.
    if state.isUnknown { for news in runner.carryOut(.readStores, of: plan) { _ = reduce(&state, news) } }
    if !decisions.isEmpty {
      let fields = ValueWording.counted(decisions.count, "field")
      _ = reduce(&state, .notice("\(fields) decided by finding; nothing is written until you apply."))
    }
    if let kept {
      _ = reduce(&state, .kept(kept))
    } else if let recipe = keptElsewhere.first, state.stack.message == nil {
      _ = reduce(&state, .notice("Decisions are saved for the recipe \(recipe), which this plan does not follow."))
    }
    if let moved, let kept = KeptReview(moved.reviews, nil, plan) {
      state.resume(kept, ofPart: moved.isPart, saying: moved.lines[0])
    }
    return state
  }

  /// Saves the decisions that were not applied, and says so unless they have moved to an extracted folder.
  func finish(_ state: ReviewState, after end: ReviewEffect?) {
    guard runner.moved == nil else { return keeper.keep(state) }
    runner.summary += keeper.finish(state, of: container.name, isForgetting: end == .quitForgetting)
  }
}

/// A review that continues in the folder that its container was extracted to.
struct MovedReview {
  /// Of the container.
  let path: String
  let choices: PlanChoices
  let reviews: [SavedReview]
  /// Whether only some fields were previewed.
  let isPart: Bool
  /// What was extracted, and what was skipped.
  var lines: [String]

  init(_ report: ExtractionReport, _ state: ReviewState) {
    path = report.container
    choices = state.choices
    reviews = SavedReview.all(state.decisions, in: state.plan)
    isPart = state.previewsPart
    let skipped = report.leftOut.isEmpty ? "" : ", \(report.leftOut.count) skipped"
    lines =
      ["\(ValueWording.counted(report.files, "file")) extracted to \(report.destination)\(skipped)."]
      + report.leftOut.map(\.description)
  }
}

struct Recovery {
  var runs: [RecoveredRun] = []
  var failure: ReviewFailure?

  init() {}

  /// - Parameter asking: whether the user can be asked, at a prompt, about a run that came with the container.
  init(of opened: OpenedContainer, allowing allowed: Set<FindingCode>, asking: Bool, _ masking: Masking) {
    do {
      _ = try ForeignState(opened: opened, allowed: allowed, masking: masking).settle(asking: asking)
      runs = try ThisProcess.uninterrupted {
        try Edge.migrator(opened).recover(in: opened.container, allowing: allowed)
      }
    } catch {
      failure = ReviewFailure(error)
    }
  }
}

extension ReviewFailure {
  init(_ error: any Error) { self.init(message: CommandFailure(error).sentence, remedy: "") }
}
