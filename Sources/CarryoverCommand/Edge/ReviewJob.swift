import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem

/// A container that is ready to be reviewed, on a screen or by prompts.
struct ReviewJob {
  private(set) var opened: OpenedContainer
  private(set) var plan: Plan
  /// What stands where the backups are to be; nil where nothing is in the way.
  let occupied: OccupiedStateFolder?
  let recovery: Recovery
  let offer: KeptOffer
  private let reopen: () throws -> (OpenedContainer, Plan)
  private let file: SavedReviewFile

  /// - Parameters:
  ///   - allowed: codes of blocking findings that are allowed by name.
  ///   - asking: whether the user can be asked, at a prompt, about a run that came with the container.
  ///   - makePlan: makes the plan of the container, as it was opened now.
  ///   - openAgain: opens the container once more.
  init(
    _ opened: OpenedContainer, allowing allowed: Set<FindingCode>, asking: Bool, _ masking: Masking,
    plan makePlan: @escaping (OpenedContainer) throws -> Plan, reopen openAgain: @escaping () throws -> OpenedContainer
  ) throws {
    self.opened = opened
    plan = masking.findings(of: try makePlan(opened))
    reopen = {
      let opened = try openAgain()
      return (opened, masking.findings(of: try makePlan(opened)))
    }
    occupied = Edge.migrator(opened).occupiedStateFolder(of: opened.container)
    // Where no run can keep anything, none was interrupted, and nothing was kept.
    recovery =
      occupied == nil ? Recovery(of: opened, allowing: allowed, asking: asking, masking) : Recovery()
    if !recovery.runs.isEmpty { (self.opened, plan) = try reopen() }
    masking.learn((try? Edge.migrator(opened).history(of: opened.container).runs) ?? [])
    // The state folder of what is only read lies elsewhere, if it is to be written to.
    file = SavedReviewFile(
      fileSystem: opened.container.wrapper == nil ? opened.fileSystem : POSIXFileSystem(), container: opened.container,
      writer: Console.process, toolVersion: Version.text, key: Edge.key)
    offer = occupied == nil ? KeptOffer(file, plan) : KeptOffer()
    if let review = offer.review { masking.learn(review.decisions) }
  }

  var container: Container { opened.container }

  /// What carries out what the review asks for.
  var runner: EffectRunner {
    EffectRunner(
      opened.container, migrator: Edge.migrator(opened),
      reopen: {
        let (opened, plan) = try reopen()
        return (opened.container, plan)
      })
  }

  /// What keeps the decisions that are not applied.
  var keeper: DecisionKeeper { DecisionKeeper(file, offered: offer.review, allowing: plan.allowed) }
}

/// What an earlier review of a container has kept.
struct KeptOffer {
  /// The decisions; nil where there are none.
  var review: KeptReview?
  /// Why a file that is there cannot be read.
  var problem: SavedReviewError?

  /// Nothing.
  init() {}

  init(_ file: SavedReviewFile, _ plan: Plan) {
    let (review, foreign, problem) = file.read(for: plan)
    self.review = review.map { KeptReview($0, foreign, plan) }
    self.problem = problem
  }
}
