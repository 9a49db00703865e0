import Carryover
import CarryoverTerminal

extension RunStanding {
  /// The mark in front of a run.
  func mark(_ glyphs: Glyphs) -> String {
    let ascii = glyphs == .ascii
    switch self {
    case .holds: return ascii ? "+" : "✓"
    case .partlyTakenBack: return ascii ? "/" : "÷"
    case .takenBack: return ascii ? "<" : "←"
    case .interrupted: return "!"
    case .cameAlong: return "i"
    }
  }

  /// What the mark and the words are.
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
  /// The mark in front of a key: every choice has one of its own, so that colour only repeats it.
  func mark(_ glyphs: Glyphs) -> String {
    let ascii = glyphs == .ascii
    switch self {
    case .goesBack: return ascii ? "+" : "✓"
    case .stays: return ascii ? "." : "·"
    case .undecided: return ascii ? "x" : "≠"
    case .isOverwritten: return ascii ? "<" : "←"
    case .isKept: return "t"
    case .isBack: return "="
    case .cannot: return ascii ? "0" : "∅"
    }
  }

  /// What the mark and the words are.
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
