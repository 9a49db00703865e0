import Carryover
import CarryoverVendors

/// What the review waits for while something is being read.
enum Loading: Hashable, Sendable {
  /// The runs of the container.
  case history
  /// What taking a run back would do; then the question follows at once, or its keys are shown.
  case rollbackPlan(asks: Bool)
}

extension ReviewState {
  /// Why the question's rollback cannot be carried out; nil when it can. A live container is not written to either way.
  var rollbackObstacle: String? {
    if let readOnly { return readOnly }
    if let live { return "\(live.code.rawValue) is in the way. \(live.remedy)" }
    return draft?.obstacle
  }

  /// The finding that the container is live, where that was not allowed.
  var live: Finding? { blockers.first { $0.code == .liveRunningStore } }

  /// The rows of the history and of a run's keys.
  var runsLayout: Layout { Layout(size: size, rows: runs.runs.count) }
  var keysLayout: Layout { Layout(size: size, rows: draft?.plan.entries.count ?? 0) }

  /// How far local time was from UTC when a run began, in seconds.
  func zone(of run: RunSummary) -> Int { runs.offset(run.id) ?? options.zoneOffset }

  mutating func takeBack(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .showHistory:
      loading = .history
      return [.loadHistory]
    case .openRun:
      guard screen == .history, let run = runs.selected, run.obstacle == nil else { return [.bell] }
      loading = .rollbackPlan(asks: false)
      return [.loadRollback(runID: run.id)]
    case .askForLastRun:
      guard let lastRun else { return [.bell] }
      loading = .rollbackPlan(asks: true)
      return [.loadRollback(runID: lastRun.id)]
    case .choose:
      guard screen == .run, draft?.choose() == true else { return [.bell] }
      message = draft?.selected.flatMap { $1.sentence($0) }
      revision += 1
    case .chooseAll:
      guard screen == .run, draft?.chooseAll() == true else { return [.bell] }
      revision += 1
    case .nextConflict, .previousConflict:
      let step = command == .nextConflict ? 1 : -1
      let visible = keysLayout.listRows.count
      guard draft?.goToUndecided(step: step, visible: visible) == true else { return [.bell] }
    case .rollBack:
      guard screen == .rollback, let draft, rollbackObstacle == nil else { return [.bell] }
      running = .rollback
      noteStart(.rollback)
      return [.rollback(draft.plan, only: draft.only, draft.decisions)]
    default: break
    }
    return []
  }

  /// Takes the runs, and shows them if that was asked for.
  mutating func take(_ new: [RunSummary], offsets: [Int], problems: [String]) {
    runs.take(new, offsets: offsets)
    runs.reveal(visible: runsLayout.listRows.count)
    revision += 1
    guard loading == .history else { return }
    loading = nil
    open(.history)
    if let first = problems.first {
      message = problems.count == 1 ? first : "\(problems.count) records cannot be read. The first: \(first)"
    }
  }

  /// Takes what taking a run back would do. Where conflicts must be decided first, their keys come before the question.
  mutating func take(_ plan: RollbackPlan) {
    guard case .rollbackPlan(let asks) = loading else { return }
    loading = nil
    let draft = RollbackDraft(plan, isWhole: asks)
    self.draft = draft
    revision += 1
    if asks, draft[.undecided] == 0 { return open(.rollback) }
    open(.run)
    guard asks else {
      if draft.isNothingChosen {
        message = "No key is chosen yet: \(options.choosingKeys); \(options.key("roll-back", Screen.run)) then asks."
      }
      return
    }
    message = "Keys of this run were changed since; \(options.key("choose", Screen.run)) decides what becomes of them."
    if draft.choices.first != .undecided {
      let visible = keysLayout.listRows.count
      _ = self.draft?.goToUndecided(step: 1, visible: visible)
    }
  }

  /// Withdraws what was made from the container as it was: the run that was being taken back, its question, the preview.
  mutating func withdrawQuestions() {
    draft = nil
    let gone: Set<Screen> = [.preview, .rollback, .run]
    if let index = screens.firstIndex(where: gone.contains) { screens.removeSubrange(index...) }
  }
}

extension ReviewOptions {
  /// `space chooses one, a all of them`: the keys among those of a run.
  var choosingKeys: String { "\(key("choose", Screen.run)) chooses one, \(key("all-none", Screen.run)) all of them" }
}
