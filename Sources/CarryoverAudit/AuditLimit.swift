/// A limit for an audit: what it counts, and how many containers may have it.
///
/// `error`, `warning`: containers with such a finding. `identity.*`: with one of these findings. `lost(user_id)`: in
/// which the field is lost. `unreadable`: with this outcome. `undecided`, `blocked`: that need a decision, or are blocked. `>5` or `>0.1%` behind it allows that many.
package struct AuditLimit: Hashable, Sendable {
  /// The limit as it was given.
  package let text: String
  private let subject: Subject
  private let most: Double
  private let isPercentage: Bool

  private enum Subject: Hashable {
    case severity(String)
    case outcome(AuditOutcome)
    case undecided
    case blocked
    case field(AuditVerdict, String)
    case finding(String)
    case group(String)
  }

  /// Reads a limit.
  /// - Parameters:
  ///   - codes: the codes of all findings.
  ///   - fields: the names of all fields, so that a misspelled one is not a limit that is never exceeded.
  /// - Returns: nil for a text that is no limit.
  package init?(_ text: String, codes: [String], fields: Set<String>) {
    self.text = text
    let parts = text.split(separator: ">", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    guard let name = parts.first, parts.count <= 2 else { return nil }
    if parts.count == 2 {
      isPercentage = parts[1].hasSuffix("%")
      let digits = isPercentage ? parts[1].dropLast() : parts[1][...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let most = Double(digits) else {
        return nil
      }
      self.most = most
    } else {
      (most, isPercentage) = (0, false)
    }
    if ["error", "warning", "note"].contains(name) {
      subject = .severity(name)
    } else if name == "undecided" || name == "blocked" {
      subject = name == "blocked" ? .blocked : .undecided
    } else if let outcome = AuditOutcome(rawValue: name) {
      subject = .outcome(outcome)
    } else if let open = name.firstIndex(of: "("), name.hasSuffix(")"),
      let verdict = AuditVerdict(rawValue: String(name[..<open]))
    {
      let field = String(name[name.index(after: open)...].dropLast())
      guard fields.contains(field) else { return nil }
      subject = .field(verdict, field)
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
    let count = count(in: totals)
    guard isPercentage else {
      return Double(count) > most ? "\(text): \(count) of \(totals.containers) containers." : nil
    }
    let share = totals.planned == 0 ? 0 : Double(count) * 100 / Double(totals.planned)
    return share > most ? "\(text): \(count) of \(totals.planned) containers with a plan." : nil
  }

  private func count(in totals: AuditTotals) -> Int {
    switch subject {
    case .severity(let name): totals.severities[name, default: 0]
    case .undecided: totals.undecided
    case .blocked: totals.blocked
    case .outcome(let outcome): totals.outcomes[outcome, default: 0]
    case .field(let verdict, let field): totals.count(verdict, of: field)
    case .finding(let code): totals.findings[code, default: 0]
    case .group(let group): totals.groups[group, default: 0]
    }
  }
}
