/// What becomes of a field whose target holds another value and for which nobody decided.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// The run is refused.
  case fail
  /// The target keeps its value.
  case keep
  /// The proposal replaces it.
  case replace
}
