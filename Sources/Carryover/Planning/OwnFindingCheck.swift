import PropertyLists

extension FieldDraft {
  /// Adds the recipe's own finding if no source has a value and the target has none either. In a container without any
  /// value for the recipe, one finding says so already.
  mutating func checkSources(_ context: PlanningContext) {
    guard let finding = rule.otherwise, candidate == nil, proposed == nil, context.target[rule.target] == nil,
      context.hasLegacyValues
    else { return }
    note(.own(finding))
  }
}
