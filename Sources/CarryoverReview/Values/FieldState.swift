package import Carryover
import CarryoverStorage
package import CarryoverTerminal
import CarryoverVendors
package import PropertyLists

/// How one row stands: what the plan says of its field, once the decision taken, or the lack of one, is counted in.
///
/// The cases are in the order of the counts in the title bar.
package enum FieldState: Int, CaseIterable, Sendable {
  /// The proposal is sound and will be written.
  case ready
  /// Nothing is applied until someone decides.
  case toDecide
  /// The target holds another value, and nobody has decided yet.
  case conflict
  /// Someone decided for the proposal.
  case confirmed
  /// Someone decided for a value of their own.
  case edited
  /// Someone decided for what the target holds.
  case kept
  /// Someone decided to write nothing.
  case skipped
  /// The target already holds the proposal.
  case unchanged
  /// There is a legacy value, and it cannot be migrated.
  case dropped
  /// The legacy store has no value.
  case absent

  /// How a field stands under a decision, or under none.
  package init(_ field: Field, _ decision: Decision?) { self.init(field.status, decision) }

  init(_ status: FieldStatus, _ decision: Decision?) {
    self =
      switch decision {
      case .accept where status == .conflict: .conflict
      case .migrate, .accept: .confirmed
      case .skip, .omit: .skipped
      case .keep: .kept
      case .edit: .edited
      case nil: FieldState(status)
      }
  }

  private init(_ status: FieldStatus) {
    self =
      switch status {
      case .ready: .ready
      case .needsDecision: .toDecide
      case .conflict: .conflict
      case .unchanged: .unchanged
      case .absent: .absent
      case .dropped: .dropped
      }
  }

  /// Whether the apply waits for this field.
  package var waits: Bool { self == .toDecide || self == .conflict }

  /// Whether somebody decided.
  var isDecided: Bool {
    switch self {
    case .confirmed, .edited, .kept, .skipped: true
    case .ready, .toDecide, .conflict, .unchanged, .dropped, .absent: false
    }
  }

  /// The word, as it stands after a count and in the details.
  package var word: String {
    switch self {
    case .ready: "ready"
    case .toDecide: "undecided"
    case .conflict: "in conflict"
    case .confirmed: "accepted"
    case .edited: "edited"
    case .kept: "kept"
    case .skipped: "skipped"
    case .unchanged: "unchanged"
    case .dropped: "not migrated"
    case .absent: "absent"
    }
  }
}

/// The number of fields in each state, kept up to date decision by decision so that no frame counts them all.
package struct Tally: Hashable, Sendable {
  private var counts: [Int]

  /// A tally of no fields.
  package init() { counts = Array(repeating: 0, count: FieldState.allCases.count) }

  /// How many fields stand in a state.
  package subscript(_ state: FieldState) -> Int { counts[state.rawValue] }

  /// How many fields the apply waits for.
  package var waiting: Int { self[.toDecide] + self[.conflict] }

  mutating func add(_ state: FieldState) { counts[state.rawValue] += 1 }

  mutating func move(from old: FieldState, to new: FieldState) {
    counts[old.rawValue] -= 1
    counts[new.rawValue] += 1
  }
}

extension FieldState {
  /// The sign in front of the row.
  package var sign: Sign {
    switch self {
    case .ready: .ready
    case .toDecide: .undecided
    case .conflict: .conflict
    case .confirmed, .edited, .kept: .done
    case .skipped, .dropped: .omitted
    case .unchanged: .unchanged
    case .absent: .nothing
    }
  }

  /// What the sign and the change summary are.
  package var role: Role {
    switch self {
    case .ready: .ready
    case .toDecide: .flagged
    case .conflict: .conflict
    case .confirmed: .confirmed
    case .edited: .edited
    case .kept, .unchanged: .skipped
    case .absent: .muted
    case .skipped, .dropped: .flagged
    }
  }
}

extension Severity {
  /// What the sign is.
  var role: Role {
    switch self {
    case .error: .error
    case .warning: .flagged
    case .note: .note
    }
  }
}

extension MemberTree.Fate {
  /// The word for what happens to a member.
  var word: String {
    switch self {
    case .kept: "unchanged"
    case .changed: "changed"
    case .added: "added"
    case .removed: "removed"
    case .differs: "differs"
    }
  }

  /// The mark in front of a member.
  func sign(_ glyphs: Glyphs) -> String {
    switch self {
    case .kept: Sign.unchanged.text(ascii: glyphs == .ascii)
    case .changed: "~"
    case .added: "+"
    case .removed: "-"
    case .differs: Sign.conflict.text(ascii: glyphs == .ascii)
    }
  }

  /// What mark and word are.
  var role: Role {
    switch self {
    case .kept: .muted
    case .changed: .changed
    case .added: .added
    case .removed: .removed
    case .differs: .conflict
    }
  }
}

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

/// What becomes of a value, in a few words: "as is", "number → string", "−3 members", "s → ms, → string".
enum ChangeSummary {
  static let skipped = "skipped"
  static let kept = "target kept"

  /// The words for a field under a decision, or under none.
  static func text(_ field: Field, _ decision: Decision?) -> String {
    switch FieldState(field, decision) {
    case .edited: return edit(field, decision)
    case .skipped: return skipped
    case .kept: return kept
    case .unchanged: return unchanged(field)
    case .absent: return "absent"
    case .conflict: return "target differs"
    case .ready, .toDecide, .confirmed, .dropped: return replacement(field) ?? proposal(field)
    }
  }

  /// What becomes of the target's own value, which says more than how the proposal came about.
  private static func replacement(_ field: Field) -> String? {
    guard field.proposed != nil, field.current != nil, field.steps.first?.version == nil else { return nil }
    if field.findings.contains(where: { $0.code == .targetWrongType }) { return "repairs target's" }
    return field.status == .conflict ? "replaces target's" : nil
  }

  /// The words for the way from the legacy value to the proposal.
  static func proposal(_ field: Field) -> String {
    guard let proposed = field.proposed else { return field.status == .absent ? "absent" : refusal(field) }
    guard let legacy = field.legacy else { return "by default" }
    if let first = field.steps.first?.version, let last = field.steps.last?.version {
      return "version \(first) → \(last + 1)"
    }
    var words: [String] = []
    switch (legacy, proposed) {
    case (.boolean(let before), .boolean(let after)): return before == after ? "as is" : "inverted"
    case (.string(let before), .string(let after)): return text(before, after)
    default: if legacy == proposed { return "as is" }
    }
    if isScaled(legacy, proposed) { words.append("s → ms") }
    if legacy.kind != proposed.kind {
      let arrow = "→ \(proposed.kind.word)"
      words.append(isTypeUnexpected(field) ? "\(legacy.kind.plainWord) \(arrow)" : arrow)
    }
    return words.isEmpty ? "changed" : words.joined(separator: ", ")
  }

  /// The target holds the proposal, or what an earlier run left there on a decision.
  private static func unchanged(_ field: Field) -> String {
    guard let current = field.current else { return "skipped before" }
    guard let proposed = field.proposed else { return "decided before" }
    if let model = field.model, model.version == model.newest {
      return "version \(model.newest) already"
    }
    return field.form.isEquivalent(current, proposed) ? "unchanged" : "decided before"
  }

  private static func edit(_ field: Field, _ decision: Decision?) -> String {
    guard case .edit(let value) = decision else { return "edited" }
    return field.alternatives.first { $0.value == value }.map(\.label) ?? "edited"
  }

  /// Why there is a legacy value and nothing to write.
  private static func refusal(_ field: Field) -> String {
    for finding in field.findings {
      if let brief = finding.observation.brief { return brief }
    }
    return "not migrated"
  }

  /// A number that became a thousand times as large.
  private static func isScaled(_ legacy: PropertyListValue, _ proposed: PropertyListValue) -> Bool {
    guard let before = legacy.wholeNumber, let after = proposed.wholeNumber, before != 0 else { return false }
    let (product, overflow) = before.multipliedReportingOverflow(by: 1000)
    return !overflow && after >= product && after - product < 1000
  }

  /// A type the legacy SDK does not normally write; its own types change as a matter of course.
  private static func isTypeUnexpected(_ field: Field) -> Bool {
    field.findings.contains { finding in
      switch finding.code {
      case .userIDNotString, .anonymousIDNotString, .appVersionNotString, .sourceWrongType: true
      default: false
      }
    }
  }

  /// Between texts. The count tells most long ones apart without a walk through them in every frame.
  private static func text(_ before: String, _ after: String) -> String {
    if before.utf8.count == after.utf8.count {
      let isLong = before.utf8.count > 16_384
      if isLong ? before == after : before.utf8.elementsEqual(after.utf8) { return "as is" }
    }
    return stripped(before, after) ?? "changed"
  }

  /// How many members JSON text lost; nil when it is no JSON object, or too long to be counted in every frame.
  private static func stripped(_ before: String, _ after: String) -> String? {
    guard before.utf8.count <= 16_384, after.utf8.count < before.utf8.count else { return nil }
    guard let left = JSONOutline.memberNames(before), let right = JSONOutline.memberNames(after) else { return nil }
    let lost = left.count - right.count
    return lost > 0 ? "−\(lost) \(lost == 1 ? "member" : "members")" : nil
  }
}
