package import Carryover
package import CarryoverTerminal

extension RunKind {
  package var word: String { rawValue }
  /// At the start of a sentence.
  package var noun: String { self == .apply ? "Migration" : word.prefix(1).uppercased() + word.dropFirst() }
}

extension RunStanding {
  package var words: String {
    switch self {
    case .holds: "in effect"
    case .partlyTakenBack: "partly rolled back"
    case .takenBack: "rolled back"
    case .interrupted: "interrupted"
    case .cameAlong: "from elsewhere"
    }
  }

  package var role: Role {
    switch self {
    case .holds: .confirmed
    case .partlyTakenBack: .changed
    case .takenBack: .skipped
    case .interrupted: .flagged
    case .cameAlong: .muted
    }
  }
}

extension Outcome {
  package var role: Role {
    switch self {
    case .migrated, .restored: .confirmed
    case .unchanged, .absent: .skipped
    case .skipped, .dropped: .flagged
    case .conflict: .conflict
    case .failed: .error
    }
  }

  /// A cleanup removes what another run does not migrate.
  package func word(in kind: RunKind) -> String {
    kind == .cleanup && [.migrated, .dropped].contains(self) ? "removed" : word
  }
}
