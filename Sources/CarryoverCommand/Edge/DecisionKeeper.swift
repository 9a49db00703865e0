import Carryover
import CarryoverPages
import CarryoverReview

/// Saves the decisions of a review for the next one: while no key is waiting, and durably when it ends.
final class DecisionKeeper {
  private var file: SavedReviewFile
  private let allowed: Set<FindingCode>
  private var kept: Decisions = [:]
  /// The targets for which the file has decisions of this review: those of its offers and of its plans.
  private var targets: [String?] = []
  /// The recipes whose decisions were read last.
  private var recipes: [String] = []
  private var seen = 0
  private var lastCost: Duration = .zero
  private var lastEnd: ContinuousClock.Instant?
  /// Whether the file has changes that may not be on the disk.
  private var hasDraft = false
  private(set) var problem: SavedReviewError?

  init(_ file: SavedReviewFile, allowing allowed: Set<FindingCode>) {
    self.file = file
    self.allowed = allowed
  }

  /// The saved decisions for a plan's recipes, if the recipes have changed: the user's own, or else those that came
  /// with the container; and the reason if they cannot be read.
  func offer(for plan: Plan) -> (kept: KeptReview?, problem: SavedReviewError?) {
    guard plan.recipes.map(\.id) != recipes else { return (nil, nil) }
    recipes = plan.recipes.map(\.id)
    let found = plan.recipePlans.map { file.read(for: $0) }
    let hasOwn = found.contains { $0.review != nil && $0.foreign == nil }
    let used = found.filter { !hasOwn || $0.foreign == nil }
    let reviews = used.compactMap(\.review)
    let offer = KeptReview(reviews, used.lazy.compactMap(\.foreign).first, plan)
    if hasOwn { targets += reviews.map(\.target) }
    kept = hasOwn ? offer?.decisions ?? [:] : [:]
    return (offer, found.lazy.compactMap(\.problem).first)
  }

  /// Saves while no key is waiting, without waiting for the disk.
  /// - Returns: whether saving works or fails now, unlike before.
  func passingBy(_ state: ReviewState) -> Bool {
    state.decisionsRevision != seen && !Console.inputIsWaiting && isAffordable && saveChanges(state, durably: false)
  }

  /// Saves before the next line is read; for lines from a pipe, only as often as is affordable.
  /// - Returns: whether saving works or fails now, unlike before.
  func betweenLines(_ state: ReviewState) -> Bool {
    state.decisionsRevision != seen && (Console.inputIsTerminal || ThisProcess.isAskedToEnd || isAffordable)
      && saveChanges(state, durably: ThisProcess.isAskedToEnd)
  }

  private func saveChanges(_ state: ReviewState, durably: Bool) -> Bool {
    let before = problem
    save(state, durably: durably)
    return problem != before
  }

  func finish(_ state: ReviewState, of name: String, isForgetting: Bool) -> [String] {
    guard !isForgetting else {
      forget(state)
      return []
    }
    keep(state)
    let count = state.decisionsToKeep.count
    guard count > 0 else { return [] }
    let decisions = ValueWording.counted(count, "decision")
    if let problem { return ["\(decisions) could not be saved. \(problem.description)"] }
    return ["\(decisions) saved for the next review of \(name)."]
  }

  /// Finds out whether decisions can be saved, before the question says so.
  func beforeAsking(_ state: ReviewState) { if state.decisionsRevision != seen { save(state, durably: false) } }

  func keep(_ state: ReviewState) { save(state, durably: true) }

  /// Forgets the decisions of this review; an offer without an answer stays.
  func forget(_ state: ReviewState) { write(state.unanswered, state, durably: true) }

  /// Saving many decisions takes long, so it is done less often.
  private var isAffordable: Bool {
    guard let lastEnd else { return true }
    return ContinuousClock.now - lastEnd >= lastCost * 20
  }

  private func save(_ state: ReviewState, durably: Bool) {
    let decisions = state.decisionsToKeep
    seen = state.decisionsRevision
    let isKept = decisions == kept && problem == nil && !(durably && hasDraft)
    // An answered offer is removed even if none of it fitted.
    guard !isKept || durably && state.hasAnsweredKept else { return }
    write(decisions, state, durably: durably)
  }

  private func write(_ decisions: Decisions, _ state: ReviewState, durably: Bool) {
    let start = ContinuousClock.now
    do throws(SavedReviewError) {
      for review in SavedReview.all(decisions, in: state.plan) {
        try file.write(review, replacing: targets, durably: durably, allowing: allowed)
        if !targets.contains(review.target) { targets.append(review.target) }
      }
      kept = decisions
      hasDraft = !durably
      problem = nil
    } catch {
      problem = error
    }
    lastEnd = .now
    lastCost = .now - start
  }
}

extension SavedReview {
  /// One for each recipe of a plan.
  static func all(_ decisions: Decisions, in plan: Plan) -> [SavedReview] {
    plan.recipePlans.map { part in
      let own = plan.decisions(decisions, of: part)
      let list = own.keys.compactMap(part.field).compactMap { field in
        own[field.id].map { KeptDecision(field: field.id, decision: $0, basis: FieldBasis(field)) }
      }
      return SavedReview(of: part, decisions: list, at: Console.now)
    }
  }
}

extension KeptReview {
  /// - Parameter reviews: of the plan's recipes; nil without any.
  init?(_ reviews: [SavedReview], _ foreign: ForeignReason?, _ plan: Plan) {
    guard let newest = reviews.map(\.moment).max() else { return nil }
    self.init(moment: newest, decisions: [:], foreign: foreign)
    for part in plan.recipePlans {
      guard let (fitting, gone) = reviews.first(where: { $0.recipe == part.recipe.id })?.fit(part) else { continue }
      for (key, decision) in fitting { decisions[plan.name(of: key, in: part.recipe)] = decision }
      misfits += gone.map { plan.name(of: $0, in: part.recipe) }
    }
  }
}
