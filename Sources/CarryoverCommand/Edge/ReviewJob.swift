import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem

struct ReviewJob {
  private(set) var opened: OpenedContainer
  private(set) var plan: Plan
  private(set) var others: [OtherVerdict] = []
  /// What is in the place of the state folder; nil if nothing is.
  let occupied: OccupiedStateFolder?
  let recovery: Recovery
  let offer: KeptOffer
  var field: Field.ID?
  /// Decisions by finding that were taken in the list of containers.
  var policy = DecisionPolicy()
  /// The command that applies a plan under some choices, without decisions.
  let applyWords: @Sendable (PlanChoices) -> [String]?
  let choices: PlanChoices
  private let report: (PlanChoices) throws -> SharedReport
  private let reopen: (PlanChoices) throws -> (OpenedContainer, Plan)
  private let otherVerdicts: (OpenedContainer, Plan, PlanChoices, _ isInterrupted: Bool) throws -> [OtherVerdict]
  private let file: SavedReviewFile

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
    // If no run can be recorded here, none was interrupted, and no decision was saved.
    recovery =
      occupied == nil ? Recovery(of: opened, allowing: allowed, asking: asking, masking) : Recovery()
    if !recovery.runs.isEmpty { (self.opened, plan) = try reopen(choices) }
    others = try otherVerdicts(self.opened, plan, choices, recovery.failure != nil)
    masking.learn((try? Edge.migrator(opened).history(of: opened.container).runs) ?? [])
    // Of a container that is only read, the state folder is elsewhere.
    file = SavedReviewFile(
      fileSystem: opened.container.wrapper == nil ? opened.fileSystem : POSIXFileSystem(), container: opened.container,
      writer: Console.process, toolVersion: Version.text, key: Edge.key)
    offer = occupied == nil ? KeptOffer(file, plan) : KeptOffer()
    if let review = offer.review { masking.learn(review.decisions) }
  }

  var container: Container { opened.container }

  var decisions: Decisions {
    policy.choices.isEmpty ? [:] : plan.completed(policy.applied(to: plan, [:]))
  }

  var policyNotice: String? {
    let count = decisions.count
    return count == 0
      ? nil : "\(ValueWording.counted(count, "field")) decided by finding; nothing is written before you apply."
  }

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

  var keeper: DecisionKeeper {
    DecisionKeeper(file, offered: offer.review, of: offer.targets, allowing: plan.allowed)
  }
}

struct KeptOffer {
  var review: KeptReview?
  /// The target that they were made for, if they are the user's own.
  var targets: [String?] = []
  var problem: SavedReviewError?

  init() {}

  init(_ file: SavedReviewFile, _ plan: Plan) {
    let (review, foreign, problem) = file.read(for: plan)
    self.review = review.map { KeptReview($0, foreign, plan) }
    if let review, foreign == nil { targets = [review.target] }
    self.problem = problem
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
