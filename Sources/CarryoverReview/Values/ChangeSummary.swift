import Carryover
import CarryoverStorage
import CarryoverVendors
import PropertyLists

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
