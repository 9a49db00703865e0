/// Decisions by finding, for any number of containers: what to do with each field that a finding asks about.
///
/// A policy decides a field only if it decides every finding that asks about it, all in the same way. It decides about
/// the target's own value only if it names that finding.
package struct DecisionPolicy: Hashable, Sendable {
  /// What a policy does with a field.
  package enum Choice: String, CaseIterable, Hashable, Sendable {
    /// Writes the proposal.
    case accept
    /// Writes nothing.
    case skip
    /// Keeps the target's value.
    case keep
    /// Replaces the target's value with the proposal.
    case replace

    /// The choices for a finding with this code.
    package static func choices(for code: FindingCode) -> [Choice] {
      Field.targetCodes.contains(code) ? [.keep, .replace] : [.accept, .skip]
    }
  }

  /// The choices, by the code of a finding that asks.
  package var choices: [FindingCode: Choice]

  /// A policy with these choices.
  package init(_ choices: [FindingCode: Choice] = [:]) { self.choices = choices }

  /// The decision for a field; nil if the policy decides nothing about it.
  package func decision(for field: Field) -> Decision? {
    decision(
      field.status, asking: Set(field.findings.filter(\.asks).map(\.code)), hasProposal: field.proposed != nil)
  }

  /// The decision for a field of which only the status, the findings that ask, and whether there is a proposal are known.
  package func decision(_ status: FieldStatus, asking codes: Set<FindingCode>, hasProposal: Bool) -> Decision? {
    guard status.asks else { return nil }
    let own = Set(codes.subtracting(Field.targetCodes).map { choices[$0] })
    let target = Set(codes.intersection(Field.targetCodes).map { choices[$0] })
    guard !codes.isEmpty, own.count <= 1, target.count <= 1 else { return nil }
    switch (own.first, target.first) {
    case (.some(nil), _), (_, .some(nil)), (nil, nil): return nil
    case (.some(.skip), _): return .skip
    case (_, .some(.keep)): return .keep
    case (_, .some(.replace)): return hasProposal ? .migrate : nil
    case (.some(.accept), nil): return hasProposal ? .migrate : nil
    default: return nil
    }
  }

  /// Decisions, with those of the policy for fields that have none.
  package func applied(to plan: Plan, _ decisions: Decisions) -> Decisions {
    guard !choices.isEmpty else { return decisions }
    return plan.fields.reduce(into: decisions) { decisions, field in
      if decisions[field.id] == nil { decisions[field.id] = decision(for: field) }
    }
  }
}
