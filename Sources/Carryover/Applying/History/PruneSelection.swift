package import CarryoverSystem

/// Which runs to prune: to remove the copies of the files from, so that only their records are left.
package enum PruneSelection: Hashable, Sendable {
  /// All but the newest ones.
  case keepingNewest(Int)
  /// Those that began before a moment.
  case olderThan(Moment)
  /// These.
  case named(Set<String>)

  /// The runs it selects, in the order given. One that was interrupted is never among them, nor one
  /// without copies, nor one that came with the container.
  /// - Parameter runs: the runs of a container, newest first.
  package func selected(from runs: [RunSummary]) -> [RunSummary] {
    // Those that came along must not make the user's own look old.
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

/// What pruning has removed.
package struct PruneReport: Hashable, Sendable {
  /// The runs whose copies went, newest first.
  package var runs: [String]
  /// How much space that has freed, in bytes.
  package var freed: Int

  /// A report from its parts.
  package init(runs: [String], freed: Int) {
    self.runs = runs
    self.freed = freed
  }
}
