package import Carryover

/// How one row stands: what the plan says of its field, once the decision taken, or the lack of one, is counted in.
///
/// The cases are in the order of the counts in the title bar.
package enum FieldState: Int, CaseIterable, Sendable {
  /// The proposal is sound and will be written.
  case ready
  /// Nothing is applied until someone decides.
  case toDecide
  /// The target holds another value, and nobody has decided yet.
  case conflict
  /// Someone decided for the proposal.
  case confirmed
  /// Someone decided for a value of their own.
  case edited
  /// Someone decided for what the target holds.
  case kept
  /// Someone decided to write nothing.
  case skipped
  /// The target already holds the proposal.
  case unchanged
  /// There is a legacy value, and it cannot be migrated.
  case dropped
  /// The legacy store has no value.
  case absent

  /// How a field stands under a decision, or under none.
  package init(_ field: Field, _ decision: Decision?) { self.init(field.status, decision) }

  init(_ status: FieldStatus, _ decision: Decision?) {
    self =
      switch decision {
      case .accept where status == .conflict: .conflict
      case .migrate, .accept: .confirmed
      case .skip, .omit: .skipped
      case .keep: .kept
      case .edit: .edited
      case nil: FieldState(status)
      }
  }

  private init(_ status: FieldStatus) {
    self =
      switch status {
      case .ready: .ready
      case .needsDecision: .toDecide
      case .conflict: .conflict
      case .unchanged: .unchanged
      case .absent: .absent
      case .dropped: .dropped
      }
  }

  /// Whether the apply waits for this field.
  package var waits: Bool { self == .toDecide || self == .conflict }

  /// Whether somebody decided.
  var isDecided: Bool {
    switch self {
    case .confirmed, .edited, .kept, .skipped: true
    case .ready, .toDecide, .conflict, .unchanged, .dropped, .absent: false
    }
  }

  /// The word, as it stands after a count and in the details.
  package var word: String {
    switch self {
    case .ready: "ready"
    case .toDecide: "undecided"
    case .conflict: "in conflict"
    case .confirmed: "accepted"
    case .edited: "edited"
    case .kept: "kept"
    case .skipped: "skipped"
    case .unchanged: "unchanged"
    case .dropped: "not migrated"
    case .absent: "absent"
    }
  }
}

/// The number of fields in each state, kept up to date decision by decision so that no frame counts them all.
package struct Tally: Hashable, Sendable {
  private var counts: [Int]

  /// A tally of no fields.
  package init() { counts = Array(repeating: 0, count: FieldState.allCases.count) }

  /// How many fields stand in a state.
  package subscript(_ state: FieldState) -> Int { counts[state.rawValue] }

  /// How many fields the apply waits for.
  package var waiting: Int { self[.toDecide] + self[.conflict] }

  mutating func add(_ state: FieldState) { counts[state.rawValue] += 1 }

  mutating func move(from old: FieldState, to new: FieldState) {
    counts[old.rawValue] -= 1
    counts[new.rawValue] += 1
  }
}
