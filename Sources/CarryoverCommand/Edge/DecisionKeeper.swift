import Carryover
import CarryoverReview
import PropertyLists

/// Keeps the decisions of a review for the next one: in passing while nobody types, and for certain when it ends.
final class DecisionKeeper {
  private var file: SavedReviewFile
  private let allowed: Set<FindingCode>
  /// The decisions in the file, as far as they are known.
  private var kept: Decisions
  /// The targets under which the review's decisions are in the file: that of the offer, and those that the plan has had.
  private var targets: [String?]
  private var seen = 0
  /// What each decided field was like; worked out once, because a value may be long.
  private var bases: [StringByBytes: FieldBasis] = [:]
  private var lastCost: Duration = .zero
  private var lastEnd: ContinuousClock.Instant?
  /// Whether the file in passing is later than the one on the disk.
  private var hasDraft = false
  /// Why the last attempt came to nothing.
  private(set) var problem: SavedReviewError?

  /// - Parameter targets: the target of what is offered, if something is.
  init(_ file: SavedReviewFile, offered: KeptReview?, of targets: [String?], allowing allowed: Set<FindingCode>) {
    self.file = file
    self.allowed = allowed
    self.targets = targets
    kept = offered?.foreign == nil ? offered?.decisions ?? [:] : [:]
  }

  /// Keeps what was decided, without waiting for the disk, at a moment when no key is waiting.
  /// - Returns: whether there is news about the keeping, which the review is to be told.
  func passingBy(_ state: ReviewState) -> Bool {
    guard state.decisionsRevision != seen, !Console.inputIsWaiting, isAffordable else { return false }
    let before = problem
    save(state, durably: false)
    return problem != before
  }

  /// Keeps what was decided by a line that was typed, before the next one is waited for; of lines that come from a pipe,
  /// only as often as is affordable.
  /// - Returns: whether there is news about the keeping, which the review is to be told.
  func betweenLines(_ state: ReviewState) -> Bool {
    guard state.decisionsRevision != seen, Console.inputIsTerminal || ThisProcess.isAskedToEnd || isAffordable else {
      return false
    }
    let before = problem
    save(state, durably: ThisProcess.isAskedToEnd)
    return problem != before
  }

  /// Keeps what is to be kept at the end of a review.
  /// - Returns: what there is to be said about it.
  func finish(_ state: ReviewState, of name: String, isForgetting: Bool) -> [String] {
    guard !isForgetting else {
      forget(state)
      return []
    }
    keep(state)
    let count = state.decisionsToKeep.count
    guard count > 0 else { return [] }
    let decisions = "\(count) decision\(count == 1 ? "" : "s")"
    if let problem { return ["\(decisions) could not be saved. \(problem.description)"] }
    return ["\(decisions) saved for the next review of \(name)."]
  }

  /// Finds out, before the question that says so, whether what was decided can be kept.
  func beforeAsking(_ state: ReviewState) { if state.decisionsRevision != seen { save(state, durably: false) } }

  /// Keeps what was decided, on the disk itself.
  func keep(_ state: ReviewState) { save(state, durably: true) }

  /// Keeps nothing of what was decided here; what nobody has answered yet stays.
  func forget(_ state: ReviewState) { write(state.unanswered, state, durably: true) }

  /// The plan was made anew, so that fields may be others.
  func fieldsChanged() { bases = [:] }

  /// How many decisions are there for the next review.
  var count: Int { problem == nil ? kept.count : 0 }

  /// Many decisions take their time, and are then kept the more seldom.
  private var isAffordable: Bool {
    guard let lastEnd else { return true }
    return ContinuousClock.now - lastEnd >= lastCost * 20
  }

  private func save(_ state: ReviewState, durably: Bool) {
    let decisions = state.decisionsToKeep
    seen = state.decisionsRevision
    let isKept = decisions == kept && problem == nil && !(durably && hasDraft)
    // An offer that was answered is over, even where none of it fitted.
    guard !isKept || durably && state.hasAnsweredKept else { return }
    write(decisions, state, durably: durably)
  }

  private func write(_ decisions: Decisions, _ state: ReviewState, durably: Bool) {
    let start = ContinuousClock.now
    let list = decisions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .compactMap { id, decision in
        basis(of: id, in: state).map { KeptDecision(field: id, decision: decision, basis: $0) }
      }
    do throws(SavedReviewError) {
      let review = SavedReview(of: state.plan, decisions: list, at: Console.now)
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

  private func basis(of id: Field.ID, in state: ReviewState) -> FieldBasis? {
    if let basis = bases[id] { return basis }
    guard let field = state.field(id) else { return nil }
    let basis = FieldBasis(field)
    bases[id] = basis
    return basis
  }
}

extension KeptReview {
  /// What was kept of a review, as far as it fits a plan.
  init(_ review: SavedReview, _ foreign: ForeignReason?, _ plan: Plan) {
    let (decisions, misfits) = review.fit(plan)
    self.init(moment: review.moment, decisions: decisions, misfits: misfits, foreign: foreign)
  }
}

extension Keeping {
  init(_ problem: SavedReviewError?) { self = problem.map { .impossible($0.description) } ?? .possible }
}
