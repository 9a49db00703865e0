package import Carryover
package import CarryoverSystem
import CarryoverVendors

/// What happens to the review besides input: an answer to one of its effects, or other news.
package enum ReviewAction: Sendable {
  /// What time it is, for the log; sent before each of the others.
  case clock(Moment)
  /// The apply ended.
  case applied(Result<RunReport, ReviewFailure>)
  /// The rollback ended.
  case rolledBack(Result<RunReport, ReviewFailure>)
  /// The container was read again, for its stores to be looked into; what is open there stays open. With the verdicts on
  /// the SDKs that the plan is not about.
  case reopened(Container, others: [OtherVerdict] = [])
  /// The container was read again; decisions stay with the fields that are as they were.
  case replanned(Plan)
  /// The container was planned again under these choices.
  case planned(Plan, PlanChoices)
  /// Which run a rollback would take back now.
  case lastRun(LastRun?)
  /// The runs of the container, newest first, as they are now. A moment's offset from UTC in seconds changes with the
  /// season, so each run has its own, in the same order; without them the options' one stands in. The problems say which records
  /// cannot be read, a sentence each.
  case history([RunSummary], offsets: [Int] = [], problems: [String] = [])
  /// What taking a run back would do.
  case rollbackPlan(RollbackPlan)
  /// Decisions of an earlier review are there to be taken up.
  case kept(KeptReview)
  /// Whether decisions can be kept for the next review.
  case keeping(Keeping)
  /// The report on the container.
  case reported(SharedReport)
  /// Something is to be said in the last line.
  case notice(String)
  /// Something else failed.
  case failed(ReviewFailure)
}
