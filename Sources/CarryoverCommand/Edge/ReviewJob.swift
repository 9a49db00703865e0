import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem

/// A container that is ready to be reviewed, on a screen or by prompts.
struct ReviewJob {
  private(set) var opened: OpenedContainer
  private(set) var plan: Plan
  /// The verdicts on the SDKs that left data here and that the plan is not about.
  private(set) var others: [OtherVerdict] = []
  /// What stands where the backups are to be; nil where nothing is in the way.
  let occupied: OccupiedStateFolder?
  let recovery: Recovery
  let offer: KeptOffer
  /// The field with the cursor at first, where one is named.
  var field: Field.ID?
  /// The decisions by finding that were taken while the container was chosen.
  var policy = DecisionPolicy()
  /// The words of the command that applies a plan under some choices, decisions aside.
  let applyWords: @Sendable (PlanChoices) -> [String]?
  /// What the plan was made under.
  let choices: PlanChoices
  private let report: (PlanChoices) throws -> SharedReport
  private let reopen: (PlanChoices) throws -> (OpenedContainer, Plan)
  private let otherVerdicts: (OpenedContainer, Plan, PlanChoices, _ isInterrupted: Bool) throws -> [OtherVerdict]
  private let file: SavedReviewFile

  /// - Parameters:
  ///   - allowed: codes of blocking findings that are allowed by name.
  ///   - asking: whether the user can be asked, at a prompt, about a run that came with the container.
  ///   - applyWords: the words of the command that applies a plan under some choices, decisions aside.
  ///   - choices: what the plan is made under at first.
  ///   - makePlan: makes the plan of the container, as it was opened now.
  ///   - options: the options of that plan.
  ///   - openAgain: opens the container once more.
  ///   - report: writes the report on the container.
  init(
    _ opened: OpenedContainer, allowing allowed: Set<FindingCode>, asking: Bool,
    applyWords: @escaping @Sendable (PlanChoices) -> [String]?, _ masking: Masking, choices: PlanChoices,
    plan makePlan: @escaping (OpenedContainer, PlanChoices) throws -> Plan,
    options: @escaping (OpenedContainer, PlanChoices) throws -> PlannerOptions,
    reopen openAgain: @escaping (PlanChoices) throws -> OpenedContainer,
    report: @escaping (PlanChoices) throws -> SharedReport
  ) throws {
    self.opened = opened
    self.applyWords = applyWords
    self.choices = choices
    self.report = report
    plan = masking.findings(of: try makePlan(opened, choices))
    reopen = {
      let opened = try openAgain($0)
      return (opened, masking.findings(of: try makePlan(opened, $0)))
    }
    otherVerdicts = {
      try Edge.otherVerdicts($0, beside: $1, options($0, $2), isInterrupted: $3, masking)
    }
    occupied = Edge.migrator(opened).occupiedStateFolder(of: opened.container)
    // Where no run can keep anything, none was interrupted, and nothing was kept.
    recovery =
      occupied == nil ? Recovery(of: opened, allowing: allowed, asking: asking, masking) : Recovery()
    if !recovery.runs.isEmpty { (self.opened, plan) = try reopen(choices) }
    others = try otherVerdicts(self.opened, plan, choices, recovery.failure != nil)
    masking.learn((try? Edge.migrator(opened).history(of: opened.container).runs) ?? [])
    // The state folder of what is only read lies elsewhere, if it is to be written to.
    file = SavedReviewFile(
      fileSystem: opened.container.wrapper == nil ? opened.fileSystem : POSIXFileSystem(), container: opened.container,
      writer: Console.process, toolVersion: Version.text, key: Edge.key)
    offer = occupied == nil ? KeptOffer(file, plan) : KeptOffer()
    if let review = offer.review { masking.learn(review.decisions) }
  }

  var container: Container { opened.container }

  /// What the policy decides of the plan.
  var decisions: Decisions {
    policy.choices.isEmpty ? [:] : plan.completed(policy.applied(to: plan, [:]))
  }

  /// What to say about that at first; nil where it decides nothing.
  var policyNotice: String? {
    let count = decisions.count
    return count == 0
      ? nil : "\(ValueWording.counted(count, "field")) decided by finding; nothing is written before you apply."
  }

  /// What carries out what the review asks for.
  var runner: EffectRunner {
    EffectRunner(
      opened.container, migrator: Edge.migrator(opened), choices: choices,
      reopen: {
        let (opened, plan) = try reopen($0)
        let isInterrupted = recovery.failure != nil
        return PlannedAgain(
          container: opened.container, plan: plan, others: try otherVerdicts(opened, plan, $0, isInterrupted))
      }, report: report)
  }

  /// What keeps the decisions that are not applied.
  var keeper: DecisionKeeper {
    DecisionKeeper(file, offered: offer.review, of: offer.targets, allowing: plan.allowed)
  }
}

/// What an earlier review of a container has kept.
struct KeptOffer {
  /// The decisions; nil where there are none.
  var review: KeptReview?
  /// The target that they were made for, if they are the user's own.
  var targets: [String?] = []
  /// Why a file that is there cannot be read.
  var problem: SavedReviewError?

  /// Nothing.
  init() {}

  init(_ file: SavedReviewFile, _ plan: Plan) {
    let (review, foreign, problem) = file.read(for: plan)
    self.review = review.map { KeptReview($0, foreign, plan) }
    if let review, foreign == nil { targets = [review.target] }
    self.problem = problem
  }
}

/// What became of runs that had been interrupted, before a review begins.
struct Recovery {
  /// The runs that were brought to an end.
  var runs: [RecoveredRun] = []
  /// Why one could not be.
  var failure: ReviewFailure?

  /// Nothing.
  init() {}

  /// Brings what was interrupted in a container to its end. Writes nothing where nothing was.
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
  /// An error in the words of the command.
  init(_ error: any Error) { self.init(message: CommandFailure(error).sentence, remedy: "") }
}
