import Carryover
import CarryoverTerminal

extension PageWriter {
  /// Every finding, the gravest first, and what is left behind.
  mutating func warnings(_ state: ReviewState) {
    let (list, plan) = (state.findingList, state.plan)
    if list.findings.isEmpty { words("There are no findings.") }
    for finding in list.findings {
      blank()
      anchor()
      self.finding(finding, state.remedy(of: finding))
    }
    let more = plan.containerFindings.count + plan.fields.reduce(0) { $0 + $1.findings.count } - list.findings.count
    if more > 0 {
      blank()
      words("… and \(more) more, in the details of their fields.", .muted)
    }
    if !plan.dropped.isEmpty {
      heading("Keys without a field \(plan.dropped.count)")
      keysLeftBehind(plan.dropped)
    }
  }
}
