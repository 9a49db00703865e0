import PropertyLists

extension PlanningContext {
  /// Whether each condition of a source is met. If its value cannot be read, conditions on it count as met: the field then
  /// asks, and the value is not passed over in silence.
  func results(of candidate: Candidate, _ evaluation: Evaluation) -> [Bool] {
    candidate.conditions.map { condition in
      if let key = condition.key { return condition.test.isMet(by: current(key)) }
      return evaluation.legacy.map { condition.test.isMet(by: $0) } ?? true
    }
  }
}

extension FieldRule {
  /// The first requirement that a proposal does not meet; nil if it meets all.
  func unmet(by value: PropertyListValue) -> Predicate? { requirements.first { !$0.isMet(by: value) } }
}

extension FieldDraft {
  /// Withdraws a proposal that the field's requirements exclude.
  mutating func checkRequirements() {
    guard let proposed, !rule.requirements.isEmpty else { return }
    guard let unmet = rule.unmet(by: proposed) else { return }
    withdraw("not as required: \(unmet.words)")
    note(.sourceNotAsRequired(key: origin?.source.label ?? rule.target, requirement: unmet.words))
  }
}
