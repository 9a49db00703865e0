import PropertyLists

extension FieldDraft {
  /// Withdraws a proposal that the target's reader would not accept, and says so of a value that the steps do not accept.
  /// A vendor's check or a model has better sentences for its own field.
  mutating func checkForm() {
    if failure == .tooMuch {
      return note(
        .sourceNotConverted(
          key: origin?.source.label ?? rule.target, step: steps.last?.title ?? "", TransformFailure.tooMuch.sentence("")
        ))
    }
    guard rule.checks.isEmpty, rule.model == nil else { return }
    if let proposed, form.mismatch(proposed) != nil { withdraw("not \(form.words)") }
    guard proposed == nil else { return }
    // In JSON, null means no value.
    if legacy == .null, candidate?.source.member != nil { return countsAsAbsent = true }
    let key = origin?.source.label ?? rule.target
    switch failure {
    // The value contains nothing for the new SDK.
    case .empty?: countsAsAbsent = true
    case let failure? where !failure.isKind:
      note(.sourceNotConverted(key: key, step: steps.last?.title ?? "", failure.sentence(key)))
    default: if let legacy { note(.sourceWrongType(key: key, legacy)) }
    }
  }
}

extension TransformFailure {
  /// Whether the value has a type that the step does not accept.
  fileprivate var isKind: Bool { if case .kind = self { true } else { false } }
}
