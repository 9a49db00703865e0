package import Carryover
import CarryoverVendors

/// What the review asks of the program around it. The result, where there is one, comes back as an action.
package enum ReviewEffect: ScreenEffect {
  /// Apply the plan under these decisions; answered by `.applied`.
  case apply(Decisions)
  /// Read the runs of the container; answered by `.history`.
  case loadHistory
  /// Find out what taking a run back would do; answered by `.rollbackPlan`.
  case loadRollback(runID: String)
  /// Take back these keys of a run, or all of them where none are named, under these decisions about conflicts;
  /// answered by `.rolledBack`.
  case rollback(RollbackPlan, only: Set<KeyPlace>?, RollbackDecisions)
  /// Plan again under other choices; answered by `.planned`, or by `.failed`.
  case plan(PlanChoices)
  /// Write the report on the container as it is now; answered by `.reported`.
  case report
  /// Put a text on the clipboard.
  case copy(String)
  /// Do what any program may ask for.
  case errand(Errand)
  /// Hand the terminal back to the shell until the process is continued.
  case suspend
  /// Sound the bell: the key does nothing here.
  case bell
  /// Leave the review.
  case quit
  /// Leave the review, and keep none of its decisions.
  case quitForgetting

  package var errand: Errand? { if case .errand(let errand) = self { errand } else { nil } }

  // One that is not named here is not for clicks.
  package var isForClicks: Bool {
    switch self {
    case .copy, .errand, .suspend, .bell, .loadHistory, .loadRollback, .plan, .report, .quit: true
    case .apply, .rollback, .quitForgetting: false
    }
  }
}

/// The run that would be rolled back.
package struct LastRun: Hashable, Sendable {
  /// The run's id.
  package var id: String
  /// The files it changed, relative to the container's root.
  package var files: [String]
  /// The target keys it wrote.
  package var fields: [Field.ID]

  /// A run from its parts.
  package init(id: String, files: [String], fields: [Field.ID]) {
    self.id = id
    self.files = files
    self.fields = fields
  }
}
