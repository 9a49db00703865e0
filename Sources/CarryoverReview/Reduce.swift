package import Carryover
import CarryoverPages
package import CarryoverSystem
import CarryoverTerminal

/// Changes a review by an answer to one of its effects, or by other news. Pure: no clock, no environment, no file.
package func reduce(_ state: inout ReviewState, _ action: ReviewAction) -> [ReviewEffect] {
  state.take(action)
  state.coverUnknown()
  // The time alone changes nothing that is laid out, and comes with every key.
  if case .clock = action { return state.takeEffects() }
  state.refresh()
  return state.takeEffects()
}

extension ReviewState {
  fileprivate mutating func take(_ action: ReviewAction) {
    switch action {
    case .clock(let moment): now = moment
    case .applied(let result):
      finish(result)
      if case .success = result {
        decided.settle(pages.preview.decisions)
        beginsAnew = true
      }
    case .rolledBack(let result):
      let run = pages.draft?.plan.run
      finish(result)
      if case .success = result {
        (pages.lastRun, pages.rolledBack) = (nil, run)
        beginsAnew = true
      }
      if stack.screens.contains(.history) { emit(.loadHistory) }
    case .reopened(let container, let others, let runs):
      self.container = container
      self.others = others
      pastRuns = runs
      browser?.reload(container)
      hasReadStores = false
    case .stores(let container):
      hasReadStores = true
      browser?.reload(container)
    case .replanned(let plan):
      replan(plan)
      if beginsAnew {
        goToFirstWaiting()
        offerRolledBack()
      }
      beginsAnew = false
    case .planned(let plan, let choices):
      waiting = nil
      let former = self.choices
      self.choices = choices
      let isOther = self.plan.fields.map(\.id) != plan.fields.map(\.id)
      replan(plan)
      if isOther { goToFirstWaiting() }
      message = message ?? choices.change(since: former, parameters, isMasked: options.redaction != nil)
    case .lacking(let gap, let choices):
      waiting = nil
      ask(for: gap, under: choices)
    case .reported(let report):
      pages.sharedReport = report
      if screen != .report { open(.report) }
      if !plan.changes(decisions).isEmpty, !decisions.isEmpty {
        message = "The report describes the container as it is: your decisions are not applied yet."
      }
    case .lastRun(let run): pages.lastRun = run
    case .history(let runs, let offsets, let problems): list(runs, offsets: offsets, problems: problems)
    case .rollbackPlan(let plan, let sdks): preview(plan, sdks)
    case .kept(let review): offer(review)
    case .keeping(let obstacle): note(keepingObstacle: obstacle)
    case .notice(let sentence): message = sentence
    case .failed(let failure):
      note(.failure(failure))
      show(failure)
    }
  }

  /// Shows a screen over the review, or over the history if that is open.
  private mutating func openLast(_ screen: Screen) {
    show([.review] + (stack.screens.contains(.history) ? [.history] : []) + [screen])
    stack.pageTop = 0
  }

  mutating func finish(_ result: Result<RunReport, ReviewFailure>) {
    note(result)
    waiting = nil
    switch result {
    case .success(let report):
      pages.report = report
      let isApply = report.kind == .apply
      pages.writtenCount = isApply ? report.outcomes.count { $0.outcome == .migrated } : 0
      if isApply, let id = report.runID { pages.lastRun = id }
      withdrawQuestions()
      openLast(.result)
    case .failure(let failure): show(failure)
    }
  }

  mutating func show(_ failure: ReviewFailure) {
    pages.failure = failure
    stack.typing = nil
    waiting = nil
    withdrawQuestions()
    openLast(.failure)
  }

  /// Changes to a new plan. A decision stays only with a field that did not change. Open questions about the old plan
  /// close.
  mutating func replan(_ new: Plan) {
    guard new != plan else { return }
    let (old, next) = (indexed, IndexedPlan(new, in: container, isInterrupted: recoveryFailure != nil))
    let (oldCursor, oldPosition) = (cursor, cursorPosition ?? 0)
    closeMenu()
    let kept = decided.kept(from: old, in: next)
    let lost = decisions.count { kept.decisions[$0.key] == nil && decided.settled[$0.key] != $0.value }
    list.replace(Array(new.fields.indices))
    texts = [:]
    (indexed, decided) = (next, kept)
    renewFilter()
    refitKept(from: old)
    if editor != nil { stack.typing = nil }
    editing.drafts = [:]
    withdrawQuestions()
    refreshFindings()
    let position = oldCursor.flatMap { positions[$0] }
    if position == nil, stack.screens.contains(.details) { show([.review]) }
    let near = position ?? min(oldPosition, plan.fields.count - 1)
    if !rows.isEmpty, rows.row(of: near) == nil { stack.pageTop = 0 }
    list.select(rows.lowerBound(near))
    revealCursor()
    if lost > 0 {
      message = "The plan changed: \(lost) \(lost == 1 ? "decision no longer applies." : "decisions no longer apply.")"
    }
  }
}

/// What the review asks of the loop around it. A result comes back as an action.
package enum ReviewEffect: ScreenEffect {
  /// Answered by `.applied`.
  case apply(Decisions)
  /// Answered by `.history`.
  case loadHistory
  /// Preview a rollback; answered by `.rollbackPlan`.
  case loadRollback(runID: String)
  /// Roll back these keys of a run, or all if nil; answered by `.rolledBack`.
  case rollback(RollbackPlan, only: Set<KeyPlace>?, RollbackDecisions)
  /// Extract the container to a folder, whose review takes over; answered by `.failed`.
  case extract(String)
  /// Plan again under other choices; answered by `.planned`, `.lacking` or `.failed`.
  case plan(PlanChoices)
  /// Write the report on the container as it is now; answered by `.reported`.
  case report
  /// Read what only the stores show, such as the tables of databases; answered by `.stores`.
  case readStores
  case copy(String)
  case errand(Errand)
  case suspend
  case bell
  case quit
  /// Quit without saving the decisions.
  case quitForgetting

  package var errand: Errand? { if case .errand(let errand) = self { errand } else { nil } }

  package var isForClicks: Bool {
    switch self {
    case .copy, .errand, .suspend, .bell, .loadHistory, .loadRollback, .plan, .readStores, .report, .quit: true
    case .apply, .extract, .rollback, .quitForgetting: false
    }
  }
}

/// An answer to one of the review's effects, or other news.
package enum ReviewAction: Sendable {
  /// The time for the log; sent before each of the others.
  case clock(Moment)
  case applied(Result<RunReport, ReviewFailure>)
  case rolledBack(Result<RunReport, ReviewFailure>)
  /// The container was read again, for its stores.
  case reopened(Container, others: [RecipeVerdict] = [], runs: [RunSummary] = [])
  /// The container with what only its stores show.
  case stores(Container)
  /// The container was read again; decisions stay with the fields that did not change.
  case replanned(Plan)
  case planned(Plan, PlanChoices)
  /// No plan can be made under these choices without the value of a parameter.
  case lacking(ParameterGap, PlanChoices)
  /// The run that can be rolled back.
  case lastRun(RunSummary.ID?)
  /// The runs of the container, newest first. A moment's offset from UTC in seconds changes with the season, so each
  /// run has its own, in the same order; without them, that of the options is used. The problems are sentences about
  /// records that cannot be read.
  case history([RunSummary], offsets: [Int] = [], problems: [String] = [])
  case rollbackPlan(RollbackPlan, sdks: [RollbackSDK] = [])
  case kept(KeptReview)
  /// The reason that decisions cannot be saved for the next review; nil if they can.
  case keeping(String?)
  case reported(SharedReport)
  case notice(String)
  case failed(ReviewFailure)
}

/// The effect whose result the review waits for. Until it arrives, keys do nothing.
enum Waiting: Hashable, Sendable {
  case run(RunKind)
  case extraction
  case plan
  case history
  /// Afterwards, the question opens at once, or the keys of the run.
  case rollbackPlan(asks: Bool)

  var words: String {
    switch self {
    case .run(.apply): "Applying…"
    case .run: "Rolling back…"
    case .extraction: "Extracting…"
    case .plan: "Planning…"
    case .history, .rollbackPlan: "Reading…"
    }
  }
}
