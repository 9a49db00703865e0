/// Where a recovery stops on purpose and touches nothing, because only a person can tell what should be. It is counted by
/// itself in the table; one that no longer happens fails the suite, so that it goes.
enum DocumentedStops {
  static let all = [
    // A copy of the run's that cannot be read: the files may be on both sides, and nothing says that the other copies
    // are sound.
    "is missing or damaged"
  ]

  static func entry(_ problem: String) -> String? { all.first { problem.contains($0) } }
}
