import Carryover
import CarryoverVendors

extension ReviewState {
  mutating func open(_ screen: Screen) {
    guard screens.last != screen else { return }
    // A screen is open once: opening it again from a later one goes back to it.
    if let index = screens.firstIndex(of: screen) {
      screens.removeSubrange((index + 1)...)
    } else {
      screens.append(screen)
    }
    pageTop = 0
  }

  /// Shows how something ended, over the review or, for whoever came from there, over the history.
  private mutating func openLast(_ screen: Screen) {
    screens = [.review] + (screens.contains(.history) ? [.history] : []) + [screen]
    pageTop = 0
  }

  mutating func back() {
    if screens.count > 1 { screens.removeLast() }
    pageTop = 0
  }

  mutating func finish(_ result: Result<RunReport, ReviewFailure>) {
    running = nil
    revision += 1
    switch result {
    case .success(let report):
      self.report = report
      if report.kind == .apply, let id = report.runID {
        let written = report.outcomes.filter { $0.outcome == .migrated }.map(\.field)
        lastRun = LastRun(id: id, files: report.files, fields: written)
      }
      withdrawQuestions()
      openLast(.result)
    case .failure(let failure): show(failure)
    }
  }

  mutating func show(_ failure: ReviewFailure) {
    self.failure = failure
    revision += 1
    editor = nil
    rowEntry = nil
    loading = nil
    withdrawQuestions()
    openLast(.failure)
  }

  /// Takes a new plan. A decision stays only with a field that is as it was when the decision was taken, and a question
  /// that was asked of the old plan is withdrawn.
  mutating func replan(_ new: Plan) {
    guard new != plan else { return }
    let old = plan
    let oldPositions = positions
    let oldPosition = cursorPosition ?? 0
    closeMenu()
    var lost = 0
    var kept: Decisions = [:]
    for field in new.fields {
      guard let decision = decisions[field.id] else { continue }
      if let row = oldPositions[field.id], old.fields[row] == field { kept[field.id] = decision }
    }
    for (id, decision) in decisions where kept[id] == nil && settled[id] != decision { lost += 1 }
    settled = settled.filter { kept[$0.key] == $0.value }
    decisions = kept
    plan = new
    history = History()
    indexPlan()
    refitKept(from: old, oldPositions)
    decisionsRevision += 1
    editor = nil
    withdrawQuestions()
    refreshFindings()
    if cursorPosition == nil {
      putCursor(at: plan.fields.isEmpty ? nil : min(oldPosition, plan.fields.count - 1))
      if screens.contains(.details) { screens = [.review] }
    }
    if let listed = cursorRow { select(row: listed) } else { settleCursor(on: cursor) }
    if lost > 0 {
      message = "The container changed: \(lost) \(lost == 1 ? "decision was" : "decisions were") dropped with it."
    }
  }

  /// Why the change in the preview cannot be applied; nil when it can.
  var applyObstacle: String? {
    if let readOnly { return readOnly }
    if let blocker = blockers.first { return "\(blocker.code.rawValue) is in the way. \(blocker.remedy)" }
    if plan.target == nil { return "The target cannot be named." }
    let waiting = tally.waiting
    if waiting > 0 { return waiting == 1 ? "1 field is undecided." : "\(waiting) fields are undecided." }
    if pendingChanges.isEmpty { return "There is nothing to write." }
    return nil
  }
}
