import Carryover
import PropertyLists

extension ReviewState {
  /// Offers the decisions of an earlier review, below a notice that is shown already.
  mutating func offer(_ review: KeptReview) {
    guard review.count > 0 else { return }
    kept = review
    stack.revision += 1
    guard !stack.screens.contains(.kept) else { return }
    let index = stack.screens.firstIndex(of: .recovery) ?? stack.screens.endIndex
    show(stack.screens[..<index] + [.kept] + stack.screens[index...])
  }

  /// Notes whether decisions can be kept, and says so once where they cannot.
  mutating func note(_ keeping: Keeping) {
    guard keeping != self.keeping else { return }
    self.keeping = keeping
    stack.revision += 1
    if case .impossible(let reason) = keeping { message = "The decisions cannot be saved here. \(reason)" }
  }

  /// Takes the offer up, or leaves it out.
  mutating func answerKept(takesUp: Bool) -> [ReviewEffect] {
    guard screen == .kept, let kept else { return [.bell] }
    if takesUp {
      takeUp(kept)
    } else {
      let words = "\(counted(kept.count, "decision")) of an earlier review discarded"
      log.add(.decision, words, at: now)
      message = words + "."
    }
    self.kept = nil
    hasAnsweredKept = true
    back()
    stack.revision += 1
    return []
  }

  /// Takes up what fits, as one step.
  private mutating func takeUp(_ kept: KeptReview) {
    let fitting = kept.decisions.compactMap { id, decision -> (Int, HistoryStep.Change)? in
      guard let position = positions[id], decisions[id] != decision else { return nil }
      return (position, HistoryStep.Change(field: id, before: decisions[id], after: decision))
    }
    .sorted { $0.0 < $1.0 }
    .map(\.1)
    guard !fitting.isEmpty else { return }
    let changes = completed(fitting).changes
    history.record(HistoryStep(changes: changes))
    for change in changes { set(change.after, for: change) }
    layOutVerdict()
    let words = "\(counted(changes.count, "decision")) of an earlier review restored"
    log.add(.decision, words, at: now)
    goToFirstWaiting()
    message = words + "; \(key("undo", .review)) undoes that."
  }

  /// Keeps of an offer what still fits, where the plan was made again under it.
  mutating func refitKept(from old: Plan, _ oldPositions: [StringByBytes: Int]) {
    guard let kept else { return }
    let fitting = kept.decisions.filter { id, _ in
      guard let before = oldPositions[id], let after = positions[id] else { return false }
      return old.fields[before] == plan.fields[after]
    }
    let gone = kept.decisions.keys.filter { fitting[$0] == nil }
    self.kept = KeptReview(
      moment: kept.moment, decisions: fitting, misfits: kept.misfits + gone, foreign: kept.foreign)
  }
}
