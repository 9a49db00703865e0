import Carryover

/// A way to decide many fields at once. None but taking back touches a field that is decided already.
enum ManyChoice: CaseIterable, Hashable, Sendable {
  case clean
  case group
  case groupWithFlagged
  case skipGroup
  case keepConflicts
  case replaceConflicts
  case takeBack

  /// The key in the menu.
  var key: Character {
    switch self {
    case .clean: "r"
    case .group: "p"
    case .groupWithFlagged: "P"
    case .skipGroup: "s"
    case .keepConflicts: "t"
    case .replaceConflicts: "#"
    case .takeBack: "u"
    }
  }

  /// The decision; nil for the lack of one.
  var decision: Decision? {
    switch self {
    case .clean, .group, .groupWithFlagged, .replaceConflicts: .migrate
    case .skipGroup: .skip
    case .keepConflicts: .keep
    case .takeBack: nil
    }
  }

  /// Whether it concerns a field, by how that stands.
  func concerns(_ field: FieldFacts, _ standing: FieldState, _ group: FieldGroup?) -> Bool {
    switch self {
    case .clean: standing == .ready && field.hasProposal
    case .group: field.group == group && standing == .ready && field.hasProposal
    case .groupWithFlagged:
      field.group == group && (standing == .ready || standing == .toDecide) && field.hasProposal
    case .skipGroup: field.group == group && (standing == .ready || standing.waits)
    case .keepConflicts: standing == .conflict && field.isOnlyInConflict && field.hasCurrent
    case .replaceConflicts: standing == .conflict && field.isOnlyInConflict && field.hasProposal
    case .takeBack: standing.isDecided
    }
  }
}
