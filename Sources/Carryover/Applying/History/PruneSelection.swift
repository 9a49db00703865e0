package import CarryoverSystem

/// Selects the runs to prune: their backups are removed, and only their records stay.
package enum PruneSelection: Hashable, Sendable {
  /// All runs except the newest ones.
  case keepingNewest(Int)
  /// The runs that began before this moment.
  case olderThan(Moment)
  /// The runs with these ids.
  case named(Set<String>)

  /// The selected runs, in the given order. Interrupted runs, runs without a backup and runs that came with the
  /// container are never selected.
  /// - Parameter runs: the runs of a container, newest first.
  package func selected(from runs: [RunSummary]) -> [RunSummary] {
    // Runs that came with the container must not count as newer than the user's own.
    runs.filter { $0.foreign == nil }.enumerated().filter { number, run in
      guard run.standing != .interrupted, run.backup != nil else { return false }
      return switch self {
      case .keepingNewest(let count): number >= count
      case .olderThan(let moment): run.moment < moment
      case .named(let ids): ids.contains(run.id)
      }
    }
    .map(\.element)
  }
}

/// The result of pruning.
package struct PruneReport: Hashable, Sendable {
  /// The ids of the pruned runs, newest first.
  package var runs: [String]
  /// The freed space, in bytes.
  package var freed: Int

  /// A report from its parts.
  package init(runs: [String], freed: Int) {
    self.runs = runs
    self.freed = freed
  }
}
