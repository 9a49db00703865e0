import CarryoverStorage
import PropertyLists

extension FieldDraft {
  /// The model of the rule; nil for other rules.
  var model: FieldModel? {
    guard var model = rule.model?.model(in: legacy) else { return nil }
    // The version beside the data may differ from the one that its members show.
    if case .model(.unknownVersion)? = failure { model.version = nil }
    return model
  }

  /// Adds the finding that a model could not be migrated to its newest version.
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
