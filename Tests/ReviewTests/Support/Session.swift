@testable import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import CarryoverTestSupport

@testable import CarryoverReview

/// A review driven by keys, as a person drives it; keeps every effect.
struct Session {
  var state: ReviewState
  var effects: [ReviewEffect] = []

  /// - Parameter atFirstRow: whether it begins on the first row, from which most scripts count, and not where a review
  ///   does.
  init(
    _ plan: Plan = acmePlan(), columns: Int = 120, rows: Int = 40, glyphs: Glyphs = .unicode,
    decisions: Decisions = [:], lastRun: LastRun? = nil, recovered: [RecoveredRun] = [],
    recoveryFailure: ReviewFailure? = nil, container: Container? = nil, redaction: Redaction? = nil,
    wrapper: ContainerWrapper? = nil, occupied: OccupiedStateFolder? = nil, keymap: Keymap = Keymap(),
    atFirstRow: Bool = true
  ) {
    state = ReviewState(
      plan: plan, decisions: decisions, size: Size(columns: columns, rows: rows),
      options: ReviewOptions(glyphs: glyphs, zoneOffset: 7200, redaction: redaction, keymap: keymap),
      backupLocation: "/cases/4711/Acme.xcappdata/.carryover/runs", lastRun: lastRun, wrapper: wrapper,
      occupied: occupied, recovered: recovered, recoveryFailure: recoveryFailure, container: container)
    send(.resized(Size(columns: columns, rows: rows)))
    if atFirstRow, state.screen == .review { showFirstRow() }
  }

  mutating func send(_ action: ReviewAction) { effects += reduce(&state, action) }

  mutating func send(_ input: ScreenInput) { effects += reduce(&state, input) }

  private mutating func showFirstRow() {
    state.select(row: 0)
    state.refresh()
  }

  /// Presses keys: words in angle brackets are named keys, all else is typed as it stands.
  mutating func type(_ script: String) { for key in Self.keys(script) { send(.key(key)) } }

  static func keys(_ script: String) -> [Key] {
    var keys: [Key] = []
    var rest = Substring(script)
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">"), let key = named[String(rest[..<end].dropFirst())] {
        keys.append(key)
        rest = rest[rest.index(after: end)...]
      } else {
        keys.append(.character(first))
        rest = rest.dropFirst()
      }
    }
    return keys
  }

  var lines: [String] { render(state).grid.lines }
  var text: String { GridText.text(of: render(state).grid) }
  var selectedRows: [String] {
    let grid = render(state).grid
    return (0..<grid.size.rows).filter { grid.cells($0).contains { $0.style.selected } }.map { grid.lines[$0] }
  }

  private static let named: [String: Key] = [
    "enter": .enter, "esc": .escape, "up": .up, "down": .down, "left": .left, "right": .right, "pgup": .pageUp,
    "pgdn": .pageDown, "home": .home, "end": .end, "bs": .backspace, "del": .delete, "tab": .tab, "s-tab": .backTab,
    "c-u": .control("u"), "c-k": .control("k"), "c-w": .control("w"), "c-r": .control("r"), "c-z": .control("z"),
    "c-n": .control("n"), "c-p": .control("p"), "c-a": .control("a"), "c-e": .control("e"),
    "c-o": .control("o"), "c-s": .control("s"),
  ]
}

let acmeReport = RunReport(
  kind: .apply, runID: "20251120T120500Z-1",
  outcomes: [
    FieldOutcome(field: "anonymous_id", outcome: .migrated), FieldOutcome(field: "user_id", outcome: .migrated),
    FieldOutcome(field: "traits", outcome: .migrated), FieldOutcome(field: "session_id", outcome: .migrated),
    FieldOutcome(field: "is_manual_session", outcome: .migrated),
    FieldOutcome(field: "last_activity_time", outcome: .migrated),
    FieldOutcome(field: "rudder.app_version", outcome: .migrated),
    FieldOutcome(
      field: "rudder.app_build", outcome: .skipped, told: .dropped, reason: "4.2.0-rc1 is not an integer"),
  ],
  files: ["AppData/Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist"], synchronizations: 14)

extension Session {
  mutating func openHistory(_ runs: [RunSummary] = sampleRuns) {
    type("H")
    send(.history(runs))
  }

  mutating func openRun(_ plan: RollbackPlan = conflictedPlan) {
    type("<enter>")
    send(.rollbackPlan(plan))
  }
}
