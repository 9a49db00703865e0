import Carryover

/// The runs of the container, newest first, and the one with the cursor, which is known by its id.
struct RunList: Sendable {
  /// The runs, as the library gave them.
  private(set) var runs: [RunSummary] = []
  /// The run with the cursor; nil only where there is none.
  private(set) var cursor: RunSummary.ID?
  /// The row at the top of the list.
  var top = 0
  private var offsets: [Int] = []
  private var positions: [RunSummary.ID: Int] = [:]

  /// The row with the cursor.
  var row: Int? { cursor.flatMap { positions[$0] } }

  /// The run with the cursor.
  var selected: RunSummary? { row.map { runs[$0] } }

  /// Takes the runs as they are now. The cursor stays with its run, or else in its row.
  mutating func take(_ new: [RunSummary], offsets: [Int]) {
    let old = row ?? 0
    runs = new
    self.offsets = offsets
    positions = Dictionary(new.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    if row == nil { cursor = new.isEmpty ? nil : new[min(old, new.count - 1)].id }
  }

  /// Puts the cursor on a row, or on the last where there are not so many.
  mutating func select(row: Int, visible: Int) {
    guard !runs.isEmpty else { return }
    cursor = runs[max(0, min(row, runs.count - 1))].id
    reveal(visible: visible)
  }

  /// Scrolls the list so that the cursor is in it.
  mutating func reveal(visible: Int) {
    top = ListWindow.top(top, showing: row ?? 0, of: runs.count, visible: visible)
  }

  /// How far the local time of a run's moment was from UTC, in seconds; nil where nobody has said.
  func offset(_ id: RunSummary.ID) -> Int? {
    positions[id].flatMap { offsets.indices.contains($0) ? offsets[$0] : nil }
  }
}

extension RunSummary {
  /// Why what it would take to take it back cannot be looked at; nil when it can.
  var obstacle: String? {
    if standing == .cameAlong {
      return "This run came with the container: to roll it back, first adopt it with carryover recover --adopt."
    }
    if standing == .interrupted { return "This run was interrupted; recover it first." }
    if backup == nil { return "The backup of this run was pruned; it cannot be rolled back." }
    return nil
  }
}

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
