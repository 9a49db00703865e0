/// What to do with an undecided field whose target has another value.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// Refuse the run.
  case fail
  /// Keep the target's value.
  case keep
  /// Replace the target's value with the proposal.
  case replace
}
