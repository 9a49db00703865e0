import Carryover

/// The effect whose result the review waits for. Until it arrives, keys do nothing.
enum Waiting: Hashable, Sendable {
  /// A run that writes.
  case run(RunKind)
  /// A plan under other choices.
  case plan
  /// The runs of the container.
  case history
  /// What taking a run back would do; then the question follows at once, or its keys are shown.
  case rollbackPlan(asks: Bool)

  /// What the last line says meanwhile.
  var words: String {
    switch self {
    case .run(.apply): "Applying…"
    case .run: "Rolling back…"
    case .plan: "Planning…"
    case .history, .rollbackPlan: "Reading…"
    }
  }
}
