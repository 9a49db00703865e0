public import Carryover

/// The decisions of an earlier review that are offered to be taken up again.
public struct KeptReview: Hashable, Sendable {
  /// When they were kept.
  public var moment: Moment
  /// Those that fit the plan: their fields are exactly as they were.
  public var decisions: Decisions
  /// The fields of those that do not fit any more.
  public var misfits: [Field.ID]

  /// An offer from its parts.
  public init(moment: Moment, decisions: Decisions, misfits: [Field.ID] = []) {
    self.moment = moment
    self.decisions = decisions
    self.misfits = misfits
  }

  /// How many decisions it is about.
  var count: Int { decisions.count + misfits.count }
}

/// Whether decisions that are not applied are there the next time.
public enum Keeping: Hashable, Sendable {
  /// They are kept.
  case possible
  /// They cannot be kept, and why not, in whole sentences.
  case impossible(String)
}

extension ReviewState {
  /// The decisions that are to be there the next time: those that were taken and not applied, and those of an earlier
  /// review that nobody has answered yet.
  public var decisionsToKeep: Decisions {
    var decisions = kept?.decisions ?? [:]
    for (id, decision) in self.decisions { decisions[id] = settled[id] == decision ? nil : decision }
    return decisions
  }

  /// The field with a target key.
  public func field(_ id: Field.ID) -> Field? { positions[id].map { plan.fields[$0] } }

  /// Why decisions cannot be kept; nil where they can.
  var keepingObstacle: String? { if case .impossible(let reason) = keeping { reason } else { nil } }
}
