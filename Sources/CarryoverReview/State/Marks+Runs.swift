import Carryover
import CarryoverTerminal

extension RunStanding {
  /// The sign in front of a run.
  var sign: Sign {
    switch self {
    case .holds: .done
    case .partlyTakenBack, .takenBack: .omitted
    case .interrupted: .error
    case .cameAlong: .note
    }
  }

  /// What the sign and the words are.
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
    case .goesBack, .isOverwritten: .done
    case .stays, .isKept, .isBack: .unchanged
    case .undecided: .conflict
    case .cannot: .omitted
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
