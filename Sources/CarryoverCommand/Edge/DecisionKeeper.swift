import Carryover
import CarryoverPages
import CarryoverReview

/// Saves the decisions of a review for the next one: while no key is waiting, and durably when it ends.
final class DecisionKeeper {
  private var file: SavedReviewFile
  private let allowed: Set<FindingCode>
  private var kept: Decisions
  /// The targets under which the file has decisions of this review: that of the offer, and those that the plan has had.
  private var targets: [String?]
  private var seen = 0
  private var lastCost: Duration = .zero
  private var lastEnd: ContinuousClock.Instant?
  /// Whether the file has changes that may not be on the disk.
  private var hasDraft = false
  private(set) var problem: SavedReviewError?

  init(_ file: SavedReviewFile, offered: KeptReview?, of targets: [String?], allowing allowed: Set<FindingCode>) {
    self.file = file
    self.allowed = allowed
    self.targets = targets
    kept = offered?.foreign == nil ? offered?.decisions ?? [:] : [:]
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
      let review = SavedReview(decisions, in: state)
      try file.write(review, replacing: targets, durably: durably, allowing: allowed)
      kept = decisions
      if !targets.contains(review.target) { targets.append(review.target) }
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
  init(_ decisions: Decisions, in state: ReviewState) {
    let list = decisions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .compactMap { id, decision in
        state.field(id).map { KeptDecision(field: id, decision: decision, basis: FieldBasis($0)) }
      }
    self.init(of: state.plan, decisions: list, at: Console.now)
  }
}

extension KeptReview {
  init(_ review: SavedReview, _ foreign: ForeignReason?, _ plan: Plan) {
    let (decisions, misfits) = review.fit(plan)
    self.init(moment: review.moment, decisions: decisions, misfits: misfits, foreign: foreign)
  }
}

extension Keeping {
  init(_ problem: SavedReviewError?) { self = problem.map { .impossible($0.description) } ?? .possible }
}
