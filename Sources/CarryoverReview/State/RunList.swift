import Carryover

/// The runs of the container, newest first. The cursor is known by the run's id.
struct RunList: Sendable {
  private(set) var runs: [RunSummary] = []
  private(set) var cursor: RunSummary.ID?
  var top = 0
  private var offsets: [RunSummary.ID: Int] = [:]

  var row: Int? { cursor.flatMap { id in runs.firstIndex { $0.id == id } } }
  var selected: RunSummary? { row.map { runs[$0] } }

  /// Takes the present runs. The cursor stays with its run, or else in its row.
  mutating func take(_ new: [RunSummary], offsets: [Int]) {
    let old = row ?? 0
    runs = new
    self.offsets = Dictionary(zip(new.map(\.id), offsets), uniquingKeysWith: { first, _ in first })
    if row == nil { cursor = new.isEmpty ? nil : new[min(old, new.count - 1)].id }
  }

  mutating func select(row: Int, visible: Int) {
    guard !runs.isEmpty else { return }
    cursor = runs[max(0, min(row, runs.count - 1))].id
    reveal(visible: visible)
  }

  mutating func reveal(visible: Int) { top = ListWindow.top(top, showing: row ?? 0, of: runs.count, visible: visible) }

  /// The offset of local time from UTC at the run's moment, in seconds, if it was given.
  func offset(_ id: RunSummary.ID) -> Int? { offsets[id] }
}

extension RunSummary {
  /// The reason that a rollback of the run cannot be previewed; nil if it can.
  var obstacle: String? {
    if standing == .cameAlong {
      return "This run came with the container: to roll it back, first adopt it with carryover recover --adopt."
    }
    if standing == .interrupted { return "This run was interrupted; recover it first." }
    if backup == nil { return "The backup of this run was pruned; it cannot be rolled back." }
    return nil
  }
}

struct FindingList: Sendable {
  private(set) var findings: [Finding] = []
  private(set) var index = 0

  /// A page can show only so many.
  static let limit = 1000

  init() {}

  init(_ findings: [Finding]) { self.findings = Array(findings.prefix(Self.limit)) }

  init(all plan: Plan) {
    let findings = plan.findings
    self.init(Severity.allCases.sorted(by: >).flatMap { severity in findings.filter { $0.severity == severity } })
  }

  var selected: Finding? { findings.indices.contains(index) ? findings[index] : nil }

  mutating func select(_ number: Int) { index = max(0, min(number, findings.count - 1)) }
}
