package import Carryover
import CarryoverPages
package import CarryoverSystem
import CarryoverVendors
import PropertyLists

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
  /// Plan again under other choices; answered by `.planned` or `.failed`.
  case plan(PlanChoices)
  /// Write the report on the container as it is now; answered by `.reported`.
  case report
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
    case .copy, .errand, .suspend, .bell, .loadHistory, .loadRollback, .plan, .report, .quit: true
    case .apply, .rollback, .quitForgetting: false
    }
  }
}

package struct LastRun: Hashable, Sendable {
  package var id: String
  /// Relative to the container's root.
  package var files: [String]
  package var fields: [Field.ID]

  package init(id: String, files: [String], fields: [Field.ID]) {
    self.id = id
    self.files = files
    self.fields = fields
  }
}

/// An answer to one of the review's effects, or other news.
package enum ReviewAction: Sendable {
  /// The time for the log; sent before each of the others.
  case clock(Moment)
  case applied(Result<RunReport, ReviewFailure>)
  case rolledBack(Result<RunReport, ReviewFailure>)
  /// The container was read again, for its stores.
  case reopened(Container, others: [OtherVerdict] = [])
  /// The container was read again; decisions stay with the fields that did not change.
  case replanned(Plan)
  case planned(Plan, PlanChoices)
  case lastRun(LastRun?)
  /// The runs of the container, newest first. A moment's offset from UTC in seconds changes with the season, so each
  /// run has its own, in the same order; without them, that of the options is used. The problems are sentences about
  /// records that cannot be read.
  case history([RunSummary], offsets: [Int] = [], problems: [String] = [])
  case rollbackPlan(RollbackPlan)
  case kept(KeptReview)
  case keeping(Keeping)
  case reported(SharedReport)
  case notice(String)
  case failed(ReviewFailure)
}

/// The effect whose result the review waits for. Until it arrives, keys do nothing.
enum Waiting: Hashable, Sendable {
  case run(RunKind)
  case plan
  case history
  /// Afterwards, the question opens at once, or the keys of the run.
  case rollbackPlan(asks: Bool)

  var words: String {
    switch self {
    case .run(.apply): "Applying…"
    case .run: "Rolling back…"
    case .plan: "Planning…"
    case .history, .rollbackPlan: "Reading…"
    }
  }
}

/// The report on the container in the two forms in which it can be saved, personal data masked.
package struct SharedReport: Hashable, Sendable {
  package let markdown: String
  package let html: String

  package init(markdown: String, html: String) {
    self.markdown = markdown
    self.html = html
  }

  static func isPage(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".html") || name.hasSuffix(".htm")
  }
}

/// The saved decisions of an earlier review, offered again.
package struct KeptReview: Hashable, Sendable {
  package var moment: Moment
  /// Those whose fields have not changed.
  package var decisions: Decisions
  /// The fields of the others.
  package var misfits: [Field.ID]
  /// The reason that they are not the user's own; nil if they are.
  package var foreign: ForeignReason?

  package init(moment: Moment, decisions: Decisions, misfits: [Field.ID] = [], foreign: ForeignReason? = nil) {
    self.moment = moment
    self.decisions = decisions
    self.misfits = misfits
    self.foreign = foreign
  }

  var count: Int { decisions.count + misfits.count }

  var warning: String? {
    foreign.map { "These decisions may not be yours: the file came with the container; \($0.phrase)." }
  }
}

/// Whether unapplied decisions can be saved for the next review.
package enum Keeping: Hashable, Sendable {
  case possible
  /// With the reason, in whole sentences.
  case impossible(String)
}

extension ReviewState {
  /// The user's own decisions of an earlier review, until the offer is answered. Foreign decisions become the user's
  /// own when they are accepted.
  package var unanswered: Decisions { kept?.foreign == nil ? kept?.decisions ?? [:] : [:] }

  /// The decisions to save: those that are not applied, and those of an unanswered offer.
  package var decisionsToKeep: Decisions {
    var decisions = unanswered
    for (id, decision) in self.decisions { decisions[id] = decided.settled[id] == decision ? nil : decision }
    return decisions
  }

  package var kept: KeptReview? { pages.kept }
  package var hasAnsweredKept: Bool { pages.hasAnsweredKept }
  var keeping: Keeping { pages.keeping }

  package func field(_ id: Field.ID) -> Field? { positions[id].map { plan.fields[$0] } }

  var keepingObstacle: String? { if case .impossible(let reason) = keeping { reason } else { nil } }
}

package struct PlanChoices: Hashable, Sendable {
  /// Nil for the only one that the container has a suite for.
  package var writeKey: String?
  /// Nil for the container's.
  package var bundleID: String?
  /// The ids of the recipes, or ``allRecipes``; empty for the one that matches the container's keys.
  package var recipes: [String]
  package var allowsOptedOut: Bool

  package init(writeKey: String? = nil, bundleID: String? = nil, recipes: [String] = [], allowsOptedOut: Bool = false) {
    self.writeKey = writeKey
    self.bundleID = bundleID
    self.recipes = recipes
    self.allowsOptedOut = allowsOptedOut
  }

  /// Stands for every recipe for which the container has evidence.
  package static let allRecipes = "all"
}
