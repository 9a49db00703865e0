/// The exit statuses, which are part of the interface.
enum ExitStatus: Int32 {
  /// Everything asked for is done, even if there was nothing to do.
  case done = 0
  /// Something failed; the sentence says what.
  case error = 1
  /// Fields need decisions, or an option must be named, before anything is applied.
  case decisionsNeeded = 2
  /// The target holds other values, or changed since.
  case conflict = 3
  /// The container changed after the plan was made.
  case stalePlan = 4
  /// An interrupted run must be recovered first.
  case recoveryNeeded = 5
  /// The command line lacks something or contradicts itself.
  case usage = 64

  /// From the worst to the best, for a command that has several: what a container is left in counts most, then what must
  /// be found out, then what must be decided.
  static let worstFirst: [ExitStatus] = [
    .recoveryNeeded, .error, .usage, .stalePlan, .conflict, .decisionsNeeded, .done,
  ]

  /// What `carryover.error/1` calls it.
  var name: String {
    switch self {
    case .done: "done"
    case .error: "error"
    case .decisionsNeeded: "decisions-needed"
    case .conflict: "conflict"
    case .stalePlan: "stale-plan"
    case .recoveryNeeded: "recovery-needed"
    case .usage: "usage"
    }
  }
}
