import PropertyLists

extension FindingWording {
  static func modelMessage(_ observation: Observation) -> String {
    switch observation {
    case .modelCorrupt(let model, .kind(let kind)):
      "\(cut(model)) is \(name(kind)), where a model is kept as JSON in data or text."
    case .modelCorrupt(let model, .notText): "\(cut(model)) is data that is no text, so it is no JSON either."
    case .modelCorrupt(let model, .loneSurrogate):
      "\(cut(model)) has a string with half a surrogate pair, which a step would lose."
    case .modelCorrupt(let model, .json(let error)): "\(cut(model)) is no JSON. \(error.description)"
    case .modelNewerVersion(let model, let found, let known):
      "\(cut(model)) is in version \(found), and this recipe knows versions up to \(known). A later version of the app has "
        + "written it."
    case .modelStepFailed(let model, let from, let title, let reason):
      "\(cut(model)) could not be brought from version \(from) to \(from + 1) (\(cut(title))): \(cut(reason, to: 160))."
    case .modelUnknownVersion(let model, let reason):
      "The version of \(cut(model)) cannot be told: \(cut(reason, to: 160))."
    default: ""
    }
  }
}
