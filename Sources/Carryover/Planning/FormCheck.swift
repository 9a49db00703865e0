extension FieldDraft {
  /// Withdraws a proposal that the target's reader would not accept, and says so of a value that the steps do not accept.
  /// A vendor's check or a model has better sentences for its own field.
  mutating func checkForm() {
    guard rule.checks.isEmpty, rule.model == nil else { return }
    if let proposed, form.mismatch(proposed) != nil { withdraw("not \(form.words)") }
    guard proposed == nil, let legacy else { return }
    note(.sourceWrongType(key: origin?.source.label ?? rule.target, legacy))
  }
}
