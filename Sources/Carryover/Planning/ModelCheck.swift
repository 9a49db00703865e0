import CarryoverStorage
import PropertyLists

extension FieldDraft {
  /// The model that the rule is about; nil for a rule about something else.
  var model: FieldModel? {
    guard var model = rule.model?.model(in: legacy) else { return nil }
    // A version beside the data may be another than its members tell.
    if case .model(.unknownVersion)? = failure { model.version = nil }
    return model
  }

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
