package import Carryover
package import CarryoverSystem
import PropertyLists

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
