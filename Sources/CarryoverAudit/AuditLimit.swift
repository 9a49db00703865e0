/// A limit for an audit: what it counts, and how many containers may have it.
///
/// `error`, `warning`: containers with such a finding. `identity.*`: with one of these findings. `lost(user_id)`: in
/// which the field is lost. `unreadable`: with this outcome. `undecided`, `blocked`: that need a decision, or are blocked.
/// `>5` or `>0.1%` behind it allows that many.
package struct AuditLimit: Hashable, Sendable {
  private let threshold: AuditThreshold
  private let subject: Subject

  private enum Subject: Hashable {
    case severity(String)
    case outcome(AuditOutcome)
    case field(AuditVerdict, String)
    case finding(String)
    case group(String)
    case undecided
    case blocked
  }

  /// Gives a limit its meaning.
  /// - Parameters:
  ///   - codes: the codes of all findings.
  ///   - fields: the names of all fields, so that a misspelled one is not a limit that is never exceeded.
  /// - Returns: nil for a limit about nothing that an audit counts.
  package init?(_ threshold: AuditThreshold, codes: [String], fields: Set<String>) {
    self.threshold = threshold
    let name = threshold.name
    if let argument = threshold.argument {
      guard let verdict = AuditVerdict(rawValue: name), fields.contains(argument) else { return nil }
      subject = .field(verdict, argument)
    } else if ["error", "warning", "note"].contains(name) {
      subject = .severity(name)
    } else if name == "undecided" || name == "blocked" {
      subject = name == "blocked" ? .blocked : .undecided
    } else if let outcome = AuditOutcome(rawValue: name) {
      subject = .outcome(outcome)
    } else if name.hasSuffix(".*") {
      let group = String(name.dropLast(2))
      guard codes.contains(where: { AuditTotals.group($0) == group }) else { return nil }
      subject = .group(group)
    } else {
      guard codes.contains(name) else { return nil }
      subject = .finding(name)
    }
  }

  /// Why the totals are beyond the limit, as a sentence; nil if they are not.
  package func excess(of totals: AuditTotals) -> String? {
    threshold.excess(count(in: totals), of: totals)
  }

  private func count(in totals: AuditTotals) -> Int {
    switch subject {
    case .severity(let name): totals.severities[name, default: 0]
    case .outcome(let outcome): totals.outcomes[outcome, default: 0]
    case .field(let verdict, let field): totals.count(verdict, of: field)
    case .finding(let code): totals.findings[code, default: 0]
    case .group(let group): totals.groups[group, default: 0]
    case .undecided: totals.undecided
    case .blocked: totals.blocked
    }
  }
}
