/// The signs in front of rows and sentences, the same on every surface.
///
/// A word beside each sign has the same meaning, so no user depends on colours or signs.
package enum Sign: CaseIterable, Sendable {
  /// An error, or a failure.
  case error
  case warning
  case note
  /// A proposal that is written without a decision.
  case ready
  /// Needs a decision.
  case undecided
  /// Decided, written or in effect.
  case done
  /// The target has another value.
  case conflict
  /// Skipped, not migrated or rolled back.
  case omitted
  case unchanged
  /// No state to show.
  case nothing

  /// The sign, one column wide, or its ASCII replacement.
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

  /// The meaning for the legend; nil if the sign needs none.
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
