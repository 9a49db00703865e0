import Carryover
import CarryoverVendors

/// What differs between two audits of the same containers, or of the same app before and after.
package struct AuditDiff: Sendable {
  /// What can become of a container.
  package enum Change: String, CaseIterable, Sendable {
    /// A field is migrated, and was not.
    case regained
    /// A field was migrated, and is not any more.
    case lost
    /// A field has another result that is neither.
    case changed
    /// There is a finding that was not there.
    case newFinding = "new-finding"
    /// A finding is gone.
    case cleared
    /// Only the old audit has the container.
    case onlyOld = "only-old"
    /// Only the new audit has it.
    case onlyNew = "only-new"
    /// It is worse than before: a field is lost or needs a decision, there is a new error or warning, or there is no plan
    /// any more.
    case new
  }

  /// The containers with a change, and the first of them.
  package struct Count: Sendable {
    package var containers = 0
    package var examples: [String] = []
  }

  /// A change of a field's verdict; nil where the plan does not have the field.
  package struct Transition: Hashable, Sendable {
    package var old: AuditVerdict?
    package var new: AuditVerdict?
  }

  /// What became of a field.
  package struct FieldCount: Sendable {
    package var transitions: [Transition: Int] = [:]
    package var changes: [Change: Int] = [:]
    /// The transitions in the order of the verdicts.
    package var sorted: [(transition: Transition, containers: Int)] {
      let verdicts = AuditVerdict.allCases.map(Optional.some) + [nil]
      return verdicts.flatMap { old in
        verdicts.compactMap { new in
          let transition = Transition(old: old, new: new)
          return transitions[transition].map { (transition, $0) }
        }
      }
    }
  }

  /// A change of a container's outcome.
  package struct OutcomeChange: Hashable, Sendable {
    package var old: AuditOutcome
    package var new: AuditOutcome
  }

  /// The number of containers in the old audit, in the new one, and in both.
  package internal(set) var old = 0
  package internal(set) var new = 0
  package internal(set) var both = 0
  /// The number of containers in both with the same path and another content, and with another path.
  package internal(set) var edited = 0
  package internal(set) var moved = 0
  package internal(set) var counts: [Change: Count] = [:]
  package internal(set) var outcomes: [OutcomeChange: Int] = [:]
  /// The fields, in the order of the recipes.
  package internal(set) var fields: [(name: String, count: FieldCount)] = []
  package internal(set) var newFindings: [String: Int] = [:]
  package internal(set) var cleared: [String: Int] = [:]

  /// Whether both audits have the same containers with the same results.
  package var isEmpty: Bool {
    outcomes.isEmpty && Change.allCases.allSatisfy { containers($0) == 0 }
  }

  /// The number of containers with a change.
  package func containers(_ change: Change) -> Int { counts[change]?.containers ?? 0 }

  /// Adds containers of both audits that have the same results before, and the same after.
  mutating func add(_ old: AuditResult, _ new: AuditResult, _ containers: Int, examples: [String]) {
    both += containers
    let changes = changes(old, new, containers)
    for change in changes { add(change, containers, examples) }
  }

  /// Counts containers with a change.
  mutating func add(_ change: Change, _ containers: Int, _ examples: [String]) {
    guard containers > 0 else { return }
    counts[change, default: Count()].containers += containers
    let room = AuditTotals.mostExamples - (counts[change]?.examples.count ?? 0)
    counts[change]?.examples += examples.prefix(max(0, room))
  }

  private mutating func changes(_ old: AuditResult, _ new: AuditResult, _ containers: Int) -> Set<Change> {
    var changes: Set<Change> = []
    if old.outcome != new.outcome {
      outcomes[OutcomeChange(old: old.outcome, new: new.outcome), default: 0] += containers
    }
    // Without a plan nothing is known of fields and findings.
    guard old.outcome.hasPlan, new.outcome.hasPlan else {
      if old.outcome.hasPlan { changes.insert(.new) }
      return changes
    }
    for code in Set(new.findings).subtracting(old.findings) {
      newFindings[code, default: 0] += containers
      changes.insert(.newFinding)
      if FindingCode(rawValue: code)?.severity != .note { changes.insert(.new) }
    }
    for code in Set(old.findings).subtracting(new.findings) {
      cleared[code, default: 0] += containers
      changes.insert(.cleared)
    }
    let before = Dictionary(old.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for index in fields.indices {
      let (one, other) = (before[fields[index].name], after[fields[index].name])
      guard one != nil || other != nil else { continue }
      let transition = Transition(old: one?.verdict, new: other?.verdict)
      fields[index].count.transitions[transition, default: 0] += containers
      guard let change = Self.change(one, other) else { continue }
      fields[index].count.changes[change, default: 0] += containers
      changes.insert(change)
      if change == .lost || transition == Transition(old: .carries, new: .carriesWithDecision) { changes.insert(.new) }
    }
    return changes
  }

  private static func change(_ old: AuditResult.Field?, _ new: AuditResult.Field?) -> Change? {
    switch (old?.verdict.isMigrated ?? false, new?.verdict.isMigrated ?? false) {
    case (true, false): .lost
    case (false, true): .regained
    default: old == new ? nil : .changed
    }
  }
}

extension AuditVerdict {
  fileprivate var isMigrated: Bool { self == .carries || self == .carriesWithDecision }
}

/// What is compared of a container. Most containers of an audit have one of a few results.
struct AuditResult: Hashable {
  struct Field: Hashable {
    var name: String
    var verdict: AuditVerdict
    var status: String
    var source: String?
    var reference: String?
  }

  var outcome: AuditOutcome
  var findings: [String]
  var fields: [Field]

  init(_ unit: AuditUnit) {
    outcome = unit.outcome
    findings = unit.findings
    fields = unit.fields.map {
      Field(name: $0.name, verdict: $0.verdict, status: $0.status, source: $0.source, reference: $0.reference)
    }
  }
}
