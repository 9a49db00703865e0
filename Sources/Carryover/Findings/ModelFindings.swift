package import PropertyLists

extension FindingCode {
  /// The data of a model is no JSON.
  package static let modelCorrupt = FindingCode(
    "model.corrupt", .error, .asks, brief: "not JSON",
    Explanation(
      title: "a model's data is no JSON",
      happens: "Under the model's key stands something that cannot be read as JSON, or a value of another type.",
      legacyReads:
        "An app stands where a legacy SDK would: its decoding fails, and as a rule it starts with an empty model.",
      guideSays: "The guide to such models says nothing of data that is no JSON.",
      helperWrites: "The helper in it takes what does not decode for no data, and writes nothing.",
      weWrite: "Carryover proposes nothing, leaves the value as it is, and asks.",
      whatToDo: "Edit the value if it is known from elsewhere, such as a backup, or skip it."))
}

extension Observation {
  /// The data of a model is no JSON.
  package static func modelCorrupt(model: String, _ corruption: ModelCorruption) -> Observation {
    let what: FindingText =
      switch corruption {
      case .kind(let kind):
        "\(model) is \(words: ValueWording.name(kind)), where a model is kept as JSON in data or text."
      case .notText: "\(model) is data that is no text, so it is no JSON either."
      case .loneSurrogate: "\(model) has a string with half a surrogate pair, which a step would lose."
      case .json(let error): "\(model) is no JSON. \(error: error, limit: .max)"
      }
    var brief: String?
    if case .kind = corruption { brief = "wrong type" }
    return Observation(
      .modelCorrupt, what,
      remedy: "Edit the value if it is known from elsewhere, or skip it; what stands there is left as it is.",
      brief: brief)
  }
}

extension FindingCode {
  /// A later version of the app has written a model.
  package static let modelNewerVersion = FindingCode(
    "model.newer-version", .error, .informs, brief: "newer version",
    Explanation(
      title: "a model is in a later version than the recipe knows",
      happens: "The model's own marker says a version above the recipe's newest, as after going back to an older app.",
      legacyReads:
        "What stands for the legacy SDK is an older app, which decodes what it can and loses the rest when it saves.",
      guideSays: "The guide knows no versions later than the app's own.",
      helperWrites: "The helper finds a type that decodes, and takes the data for that type's version.",
      weWrite: "Carryover writes nothing: there is no step back.",
      whatToDo: "Use a recipe that knows this version, or update the app."))
}

extension Observation {
  /// A later version of the app has written a model.
  package static func modelNewerVersion(model: String, found: Int, known: Int) -> Observation {
    Observation(
      .modelNewerVersion,
      """
      \(model) is in version \(words: found), and this recipe knows versions up to \(words: known). A \
      later version of the app has written it.
      """,
      remedy:
        "Use a recipe that knows this version, or update the app; what stands there is left as it is.")
  }
}

extension FindingCode {
  /// A step of a model's history failed: why, as a part of a sentence.
  package static let modelStepFailed = FindingCode(
    "model.step-failed", .error, .asks, brief: "step failed",
    Explanation(
      title: "a step of a model's history failed",
      happens: """
        The model's version was told, and one of the steps from there to the newest could not be carried out, or made data \
        that lacks what its version must have.
        """,
      legacyReads: "In place of a legacy SDK, the app that wrote the model reads it as it stands.",
      guideSays: "The guide says that steps run one after the other, and nothing of one that fails.",
      helperWrites:
        "The helper sets its sign of failure even where all went well, and leaves the model as far as it came.",
      weWrite: "Carryover proposes nothing: all steps are carried out, or none. It asks.",
      whatToDo: "Edit the value to the newest version by hand, or skip it and mend the step in the recipe."))
}

extension Observation {
  /// A step of a model's history failed: why, as a part of a sentence.
  package static func modelStepFailed(model: String, from: Int, title: String, reason: String) -> Observation {
    Observation(
      .modelStepFailed,
      """
      \(model) could not be brought from version \(words: from) to \(words: from + 1) (\(title)): \
      \(reason, limit: 160).
      """,
      remedy:
        "Edit the value to the newest version by hand, or skip it and mend the step.")
  }
}

extension FindingCode {
  /// The version of a model cannot be told: why, as a part of a sentence.
  package static let modelUnknownVersion = FindingCode(
    "model.unknown-version", .error, .asks, brief: "unknown version",
    Explanation(
      title: "a model's version cannot be told",
      happens: """
        The model has no marker that says its version, and its members are those of no known version, or of several; or the \
        marker is no version, or is contradicted by the members.
        """,
      legacyReads:
        "No legacy SDK reads it, but an app that tries one version after the other takes the first that decodes.",
      guideSays: "The guide tells versions apart by trying to decode them.",
      helperWrites: "The helper takes version 2 for version 3, so that its last step never runs.",
      weWrite: "Carryover proposes nothing rather than guess, and asks.",
      whatToDo: "Look at the value: edit it to the newest version by hand, or skip it."))
}

extension Observation {
  /// The version of a model cannot be told: why, as a part of a sentence.
  package static func modelUnknownVersion(model: String, reason: String) -> Observation {
    Observation(
      .modelUnknownVersion,
      "The version of \(model) cannot be told: \(reason, limit: 160).",
      remedy:
        "Look at the value: edit it to the newest version by hand, or skip it.")
  }
}

/// Why stored data is not that of a model.
package enum ModelCorruption: Hashable, Sendable {
  /// It is of another type than data and text.
  case kind(PropertyListValue.Kind)
  /// It is data that is no text.
  case notText
  /// A string in it has half a surrogate pair, which a step would lose.
  case loneSurrogate
  /// It is no JSON: why, and where.
  case json(JSONError)
}
