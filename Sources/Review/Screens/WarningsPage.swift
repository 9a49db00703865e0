import Carryover
import Terminal

extension PageWriter {
  /// Every finding, the gravest first, and what is left behind.
  mutating func warnings(_ plan: Plan) {
    let limit = 1000
    let findings = plan.findings
    if findings.isEmpty { words("There is nothing to warn about.") }
    var shown = 0
    for severity in Severity.allCases.sorted(by: >) {
      for finding in findings where finding.severity == severity && shown < limit {
        blank()
        self.finding(finding)
        shown += 1
      }
    }
    if findings.count > limit {
      blank()
      words("… and \(findings.count - limit) more; each stands in its field's details.", .muted)
    }
    if !plan.dropped.isEmpty {
      heading("Left behind \(plan.dropped.count)")
      leftBehind(plan.dropped)
    }
  }
}
