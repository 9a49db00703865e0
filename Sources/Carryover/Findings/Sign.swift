/// The signs in front of rows and sentences, the same on every surface.
///
/// A sign repeats what a word beside it says, so colours, signs or a screen reader may each do without it.
package enum Sign: CaseIterable, Sendable {
  /// An error, or something that failed.
  case error
  case warning
  case note
  /// A sound proposal, which is written without a decision.
  case ready
  /// Waits for a decision.
  case undecided
  /// Decided, written or in effect.
  case done
  /// The target has another value.
  case conflict
  /// Skipped, not migrated or rolled back.
  case omitted
  case unchanged
  /// There is nothing to say anything of.
  case nothing

  /// One column: a character, and its stand-in where only ASCII can be shown.
  package func text(ascii: Bool = false) -> String {
    switch self {
    case .error: ascii ? "x" : "✗"
    case .warning: ascii ? "^" : "▲"
    case .note: "i"
    case .ready: ascii ? "." : "·"
    case .undecided: "?"
    case .done: ascii ? "v" : "✓"
    case .conflict: ascii ? "#" : "≠"
    case .omitted: ascii ? "-" : "–"
    case .unchanged: "="
    case .nothing: " "
    }
  }

  /// What it stands for, as the legend says it; nil where there is nothing to explain.
  package var meaning: String? {
    switch self {
    case .error: "error, or failed"
    case .warning: "warning"
    case .note: "note"
    case .ready: "ready"
    case .undecided: "undecided"
    case .done: "decided, written or in effect"
    case .conflict: "conflict"
    case .omitted: "skipped, not migrated or rolled back"
    case .unchanged: "unchanged"
    case .nothing: nil
    }
  }
}

extension Severity {
  /// The sign in front of a finding.
  package var sign: Sign {
    switch self {
    case .error: .error
    case .warning: .warning
    case .note: .note
    }
  }
}
