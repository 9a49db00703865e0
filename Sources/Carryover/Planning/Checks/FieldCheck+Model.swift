import PropertyLists

extension FieldDraft {
  /// Why a model could not be brought to its newest version.
  mutating func checkModel() {
    guard case .model(let defect)? = failure else { return }
    let model = rule.target
    switch defect {
    case .corrupt(let corruption): note(.modelCorrupt(model: model, corruption))
    case .unknownVersion(let reason): note(.modelUnknownVersion(model: model, reason: reason))
    case .newer(let found, let known): note(.modelNewerVersion(model: model, found: found, known: known))
    case .step(let from, let title, let reason):
      note(.modelStepFailed(model: model, from: from, title: title, reason: reason))
    }
  }
}
