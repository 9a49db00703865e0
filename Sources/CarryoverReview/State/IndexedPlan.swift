import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// A plan, and what follows from it, so that no frame goes through all fields.
struct IndexedPlan: Sendable {
  let plan: Plan
  let positions: [StringByBytes: Int]
  let facts: [FieldFacts]
  let widths: NameWidths
  let blockers: [Finding]
  let verdicts: [RecipeVerdict]
  /// Whether no recipe finds data in the container.
  let findsNothing: Bool

  init(_ plan: Plan, in container: Container?, isInterrupted: Bool) {
    self.plan = plan
    positions = Dictionary(firstOf: plan.fields.enumerated().map { ($1.id, $0) })
    facts = plan.fields.map { FieldFacts($0) }
    widths = NameWidths(plan.fields)
    blockers = plan.blockers
    verdicts = RecipeVerdict.all(of: plan, isInterrupted: isInterrupted)
    findsNothing = container.map(plan.findsNothing) ?? false
  }

  func isSame(_ id: Field.ID, in other: IndexedPlan) -> Bool {
    guard let position = positions[id], let place = other.positions[id] else { return false }
    return plan.fields[position] == other.plan.fields[place]
  }
}

/// The parts of a field that are read for every field at once. Reading whole fields would be slow.
struct FieldFacts: Hashable, Sendable {
  let id: Field.ID
  let group: FieldGroup
  let status: FieldStatus
  let hasProposal: Bool
  let hasCurrent: Bool
  /// Whether the field is flagged only for the conflict with the target's value.
  let isOnlyInConflict: Bool
  /// Whether Carryover recommends the proposal.
  let isRecommended: Bool
  let severities: [Severity]

  init(_ field: Field) {
    id = field.id
    group = field.group
    status = field.status
    hasProposal = field.proposed != nil
    hasCurrent = field.current != nil
    isOnlyInConflict = field.status == .conflict && field.resolution(nil) == .undecided(conflict: true)
    isRecommended = [.accept, .replace].contains(field.recommendation)
    severities = field.findings.map(\.severity)
  }

  func allows(_ decision: Decision) -> Bool {
    switch decision {
    case .migrate, .accept: hasProposal
    case .keep: hasCurrent
    case .skip, .omit, .edit: true
    }
  }
}

/// The widths of the longest names, so that columns line up and do not move while scrolling.
struct NameWidths: Hashable, Sendable {
  let legacy: Int
  let target: Int
  private static let bound = 40

  init(_ fields: [Field]) {
    legacy = fields.reduce(8) { Self.wider($0, $1.sourceLabel) }
    target = fields.reduce(8) { Self.wider($0, $1.id) }
  }

  private static func wider(_ width: Int, _ name: String) -> Int {
    // No column takes less than a byte, so shorter names need no measuring.
    guard width < bound, name.utf8.count > width else { return width }
    return min(bound, max(width, DisplayWidth.columns(of: DisplayText.visible(name, limit: bound))))
  }
}

extension Finding {
  /// A blocking finding in the title bar: what is missing or in the way, and whether the setup can change it.
  func obstacle(in plan: Plan) -> (words: String, isSetUp: Bool) {
    switch code {
    case .targetNoWriteKey: (FieldSummary.keyNeeded(by: plan), true)
    case .targetNoBundleID: ("bundle id missing", true)
    case .consentOptedOut: ("opted out", true)
    default: (FieldSummary.blocked, false)
    }
  }
}

extension ReviewState {
  var reader: Reader { .review(setup: key("setup", .review)) }

  func remedy(of finding: Finding) -> String { finding.remedy(for: reader) }
}
