package import Carryover
package import CarryoverSystem
import CarryoverVendors
import PropertyLists

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

/// The effect whose result the review waits for. Until it arrives, keys do nothing.
enum Waiting: Hashable, Sendable {
  /// A run that writes.
  case run(RunKind)
  /// A plan under other choices.
  case plan
  /// The runs of the container.
  case history
  /// What taking a run back would do; then the question follows at once, or its keys are shown.
  case rollbackPlan(asks: Bool)

  /// What the last line says meanwhile.
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

  /// Whether a file's name asks for HTML.
  static func isPage(_ path: String) -> Bool {
    let name = path.lowercased()
    return name.hasSuffix(".html") || name.hasSuffix(".htm")
  }
}

/// The decisions of an earlier review that are offered to be taken up again.
package struct KeptReview: Hashable, Sendable {
  /// When they were kept.
  package var moment: Moment
  /// Those that fit the plan: their fields are exactly as they were.
  package var decisions: Decisions
  /// The fields of those that do not fit any more.
  package var misfits: [Field.ID]
  /// Why they do not count as the user's own; nil where they are.
  package var foreign: ForeignReason?

  /// An offer from its parts.
  package init(moment: Moment, decisions: Decisions, misfits: [Field.ID] = [], foreign: ForeignReason? = nil) {
    self.moment = moment
    self.decisions = decisions
    self.misfits = misfits
    self.foreign = foreign
  }

  /// How many decisions it is about.
  var count: Int { decisions.count + misfits.count }

  /// Said of decisions that came with the container; nil for the user's own.
  var warning: String? {
    foreign.map { "These decisions may not be yours: the file came with the container; \($0.phrase)." }
  }
}

/// Whether decisions that are not applied are there the next time.
package enum Keeping: Hashable, Sendable {
  /// They are kept.
  case possible
  /// They cannot be kept, and why not, in whole sentences.
  case impossible(String)
}

extension ReviewState {
  /// The user's own decisions of an earlier review that nobody has answered yet. Somebody else's become the user's own only
  /// once they are taken up.
  package var unanswered: Decisions { kept?.foreign == nil ? kept?.decisions ?? [:] : [:] }

  /// The decisions that are to be there the next time: those that were taken and not applied, and those of an earlier
  /// review that nobody has answered yet.
  package var decisionsToKeep: Decisions {
    var decisions = unanswered
    for (id, decision) in self.decisions { decisions[id] = settled[id] == decision ? nil : decision }
    return decisions
  }

  /// The field with a target key.
  package func field(_ id: Field.ID) -> Field? { positions[id].map { plan.fields[$0] } }

  /// Why decisions cannot be kept; nil where they can.
  var keepingObstacle: String? { if case .impossible(let reason) = keeping { reason } else { nil } }
}
