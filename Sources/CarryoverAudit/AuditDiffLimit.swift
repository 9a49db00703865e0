/// A limit for the difference of two audits: how many containers may have a change.
///
/// `lost`, `new`: any such change. `lost(user_id)`: that of one field. `new-finding(source.disagree)`: of one finding.
package struct AuditDiffLimit: Hashable, Sendable {
  private let threshold: AuditThreshold
  private let change: AuditDiff.Change

  /// Gives a limit its meaning.
  /// - Returns: nil for a limit about nothing that a difference counts.
  package init?(_ threshold: AuditThreshold) {
    guard let change = AuditDiff.Change(rawValue: threshold.name) else { return nil }
    switch change {
    case .regained, .lost, .changed, .newFinding, .cleared: break
    case .onlyOld, .onlyNew, .new: if threshold.argument != nil { return nil }
    }
    (self.threshold, self.change) = (threshold, change)
  }

  /// Why the difference is beyond the limit, as a sentence; nil if it is not.
  package func excess(of diff: AuditDiff) -> String? {
    let both = (diff.both, "containers in both audits")
    return threshold.excess(count(in: diff), of: both, percentOf: both)
  }

  private func count(in diff: AuditDiff) -> Int {
    guard let name = threshold.argument else { return diff.containers(change) }
    return switch change {
    case .newFinding: diff.newFindings[name, default: 0]
    case .cleared: diff.cleared[name, default: 0]
    default: diff.fields.first { $0.name == name }?.count.changes[change] ?? 0
    }
  }
}
