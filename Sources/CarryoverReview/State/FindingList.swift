import Carryover

/// The findings that can be gone through, and the one that is chosen.
struct FindingList: Sendable {
  private(set) var findings: [Finding] = []
  /// The number of the one that is chosen.
  private(set) var index = 0

  /// How many are listed; what a page can show is bounded.
  static let limit = 1000

  init() {}

  /// The first of these is chosen.
  init(_ findings: [Finding]) { self.findings = Array(findings.prefix(Self.limit)) }

  /// Every finding of a plan, the gravest first.
  init(all plan: Plan) {
    let findings = plan.findings
    self.init(Severity.allCases.sorted(by: >).flatMap { severity in findings.filter { $0.severity == severity } })
  }

  /// The one that is chosen; nil only where there is none.
  var selected: Finding? { findings.indices.contains(index) ? findings[index] : nil }

  /// Chooses one; a number beyond the ends is brought to the nearer one.
  mutating func select(_ number: Int) { index = max(0, min(number, findings.count - 1)) }
}
