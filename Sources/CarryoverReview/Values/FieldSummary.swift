package import Carryover
import CarryoverTerminal
package import PropertyLists

/// The parts of a row as text, for output other than the screen. Nothing in it is escaped yet.
package enum FieldSummary {
  /// The sign of the row's state.
  package static func mark(_ field: Field, _ decision: Decision?) -> String {
    FieldState(field, decision).sign.text()
  }

  /// What becomes of the value, in a few words.
  package static func change(_ field: Field, _ decision: Decision?) -> String { ChangeSummary.text(field, decision) }

  /// What the target will hold under a decision, or under none; nil where nothing is written and nothing is there.
  package static func value(_ field: Field, _ decision: Decision?) -> PropertyListValue? {
    switch decision {
    case .edit(let value): value
    case .skip, .omit: nil
    case .keep: field.current
    case .migrate, .accept: field.proposed
    case nil: field.status == .unchanged ? field.current : field.proposed
    }
  }

  /// A value on one line, of which about `limit` columns will be shown; a dash for none.
  package static func text(_ value: PropertyListValue?, limit: Int = 200) -> String {
    value.map { ($0.readable ?? $0).inline(limit: limit) } ?? "–"
  }

  /// The number of fields in each state: "6 ready · 1 undecided"; before them, what keeps the plan from being applied.
  package static func counts(_ plan: Plan, _ decisions: Decisions, isReadOnly: Bool = false) -> String {
    var tally = Tally()
    for field in plan.fields { tally.add(FieldState(field, decisions[field.id])) }
    let standing = isReadOnly ? [readOnly] : plan.blockers(after: decisions).isEmpty ? [] : [blocked]
    let counts = FieldState.allCases.filter { tally[$0] > 0 }.map { "\(tally[$0]) \($0.word)" }
    return (standing + counts).joined(separator: " · ")
  }

  /// Stands before the counts where the container is only read.
  static let readOnly = "read-only"
  /// Stands before the counts where a finding blocks the plan.
  static let blocked = "blocked"
}
