import Carryover
import CarryoverTerminal

extension RunStanding {
  /// What the words are.
  var role: Role {
    switch self {
    case .holds: .confirmed
    case .partlyTakenBack: .changed
    case .takenBack: .skipped
    case .interrupted: .flagged
    case .cameAlong: .muted
    }
  }
}

extension RollbackDraft.Choice {
  /// The sign in front of a key.
  var sign: Sign {
    switch self {
    case .goesBack, .isOverwritten, .isKept: .done
    case .isBack: .unchanged
    case .stays: .nothing
    case .undecided: .undecided
    case .cannot: .error
    }
  }

  /// What the sign and the words are.
  var role: Role {
    switch self {
    case .goesBack: .confirmed
    case .stays, .isBack: .skipped
    case .undecided: .conflict
    case .isOverwritten: .edited
    case .isKept: .edited
    case .cannot: .flagged
    }
  }
}
