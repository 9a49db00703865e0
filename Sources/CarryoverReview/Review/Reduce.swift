import Carryover
import CarryoverTerminal

/// Changes a review by an answer to one of its effects, or by other news.
///
/// Pure: no clock, no environment, no file.
package func reduce(_ state: inout ReviewState, _ action: ReviewAction) -> [ReviewEffect] {
  let effects = state.take(action)
  // The time alone changes nothing that is laid out, and comes with every key.
  if case .clock = action { return effects }
  state.refresh()
  return effects
}

extension ReviewState {
  /// Handles an input. Only the confirmation key of the preview applies a run, and only that of the rollback question
  /// rolls one back.
  package mutating func receive(_ input: ScreenInput) -> [ReviewEffect] {
    switch input {
    case .answer(.edited(let text)): finishEditing(text)
    case .key, .paste, .mouse, .line, .row, .answer: screen == .stores ? browse(input) : take(input)
    case .resized: take(input)
    }
  }

  private mutating func finishEditing(_ text: String) -> [ReviewEffect] {
    takeEdited(text)
    return []
  }

  fileprivate mutating func take(_ action: ReviewAction) -> [ReviewEffect] {
    switch action {
    case .clock(let moment):
      now = moment
      return []
    case .applied(let result):
      note(result)
      finish(result)
      if case .success = result {
        settled = decisions
        decisionsRevision += 1
        beginsAnew = true
      }
      return []
    case .rolledBack(let result):
      note(result)
      finish(result)
      if case .success = result {
        lastRun = nil
        beginsAnew = true
      }
      return stack.screens.contains(.history) ? [.loadHistory] : []
    case .reopened(let container, let others):
      self.container = container
      self.others = others
      browser?.take(container)
      return []
    case .replanned(let plan):
      replan(plan)
      if beginsAnew { goToFirstWaiting() }
      beginsAnew = false
      return []
    case .planned(let plan, let choices):
      waiting = nil
      self.choices = choices
      let isOther = self.plan.fields.map(\.id) != plan.fields.map(\.id)
      replan(plan)
      if isOther { goToFirstWaiting() }
      if message == nil { message = "Planned again: \(FieldSummary.counts(plan, decisions))." }
      return []
    case .reported(let report):
      sharedReport = report
      if screen != .report { open(.report) }
      if !plan.changes(decisions).isEmpty, !decisions.isEmpty {
        message = "The report is about the container as it is, without your decisions: they are not applied yet."
      }
      return []
    case .lastRun(let run):
      lastRun = run
      stack.revision += 1
      return []
    case .history(let runs, let offsets, let problems):
      take(runs, offsets: offsets, problems: problems)
      return []
    case .rollbackPlan(let plan):
      take(plan)
      return []
    case .kept(let review):
      offer(review)
      return []
    case .keeping(let keeping):
      note(keeping)
      return []
    case .notice(let sentence):
      message = sentence
      return []
    case .failed(let failure):
      note(.failure(failure))
      show(failure)
      return []
    }
  }
}
