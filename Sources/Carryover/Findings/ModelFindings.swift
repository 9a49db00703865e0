package import PropertyLists

extension FindingCode {
  static let modelCodes: [FindingCode] = [.modelCorrupt, .modelNewerVersion, .modelStepFailed, .modelUnknownVersion]

  package static let modelCorrupt = FindingCode(
    "model.corrupt", .error, .asks, brief: "not JSON",
    title: "a model's data is not valid JSON",
    happens: "The value under the model's key cannot be read as JSON, or has another type.",
    legacyReads: "There is no legacy SDK: the app's decoding fails, and the app usually starts with an empty model.",
    guideSays: "The guide to such models does not mention data that is not valid JSON.",
    helperWrites: "The migrator in that guide treats such data as absent, and writes nothing.",
    weWrite: "Carryover proposes nothing, does not change the value, and asks.",
    whatToDo: "Edit the value if you know it from elsewhere, such as a backup, or skip it.")

  package static let modelNewerVersion = FindingCode(
    "model.newer-version", .error, .informs, brief: "newer version",
    title: "a model has a later version than the recipe knows",
    happens: """
      The version in the model's marker is newer than any that the recipe knows, for example after a return to an \
      older app.
      """,
    legacyReads: "There is no legacy SDK: an older app decodes what it can, and loses the rest when it saves.",
    guideSays: "The guide does not mention versions later than the app's own.",
    helperWrites: "The migrator in that guide finds a type that decodes the data, and assumes that type's version.",
    weWrite: "Carryover writes nothing: a recipe has no steps to an older version.",
    whatToDo: "Use a recipe that knows this version, or update the app.")

  package static let modelStepFailed = FindingCode(
    "model.step-failed", .error, .asks, brief: "step failed",
    title: "a step of a model's history failed",
    happens: """
      The model's version is known, but a step towards the newest version failed, or produced data without a member \
      that its version requires.
      """,
    legacyReads: "There is no legacy SDK: the app that wrote the model reads it as it is.",
    guideSays: "The guide says that the steps run one after the other. It does not say what happens if one fails.",
    helperWrites:
      "The migrator in that guide reports a failure even if all steps succeed, and leaves the model half migrated.",
    weWrite: "Carryover proposes nothing: either all steps run, or none. It asks.",
    whatToDo: "Edit the value to match the newest version, or skip it and fix the step in the recipe.")

  package static let modelUnknownVersion = FindingCode(
    "model.unknown-version", .error, .asks, brief: "unknown version",
    title: "a model's version is unknown",
    happens: """
      The model has no version marker, and its members fit no known version, or several. Or the marker is not a \
      version, or contradicts the members.
      """,
    legacyReads: "There is no legacy SDK: an app that tries one version after another takes the first that decodes.",
    guideSays: "The guide tells versions apart by trying to decode each.",
    helperWrites: "The migrator in that guide mistakes version 2 for version 3, so its last step never runs.",
    weWrite: "Carryover does not guess: it proposes nothing, and asks.",
    whatToDo: "Look at the value, then edit it to match the newest version, or skip it.")
}

extension Observation {
  package static func modelCorrupt(model: String, _ corruption: ModelCorruption) -> Observation {
    let what: FindingText =
      switch corruption {
      case .kind(let kind): "it is \(words: ValueWording.name(kind)), not JSON in data or text."
      case .notText: "its data is not text, so it is not valid JSON."
      case .loneSurrogate: "a string in it has half a surrogate pair, which a step would lose."
      case .json(let error): "it is not valid JSON. \(error: error, limit: .max)"
      }
    var brief: String?
    if case .kind = corruption { brief = "wrong type" }
    return Observation(
      .modelCorrupt, "\(model) has no proposal: \(what)",
      remedy: "Edit the field if its value is known from elsewhere, or skip it. The stored value does not change.",
      brief: brief, verdict: .cause("it is not valid JSON"))
  }

  package static func modelNewerVersion(model: String, found: Int, known: Int) -> Observation {
    Observation(
      .modelNewerVersion,
      """
      \(model) is not migrated: its version \(words: found) is newer than \(words: known), the newest that the recipe \
      knows. A later version of the app wrote it.
      """,
      remedy: "Use a recipe that knows this version, or update the app. The stored value does not change.",
      verdict: .cause("version \(words: found) is newer than version \(words: known), the newest that is known"))
  }

  package static func modelStepFailed(model: String, from: Int, title: String, reason: String) -> Observation {
    Observation(
      .modelStepFailed,
      """
      \(model) has no proposal: the step from version \(words: from) to \(words: from + 1) (\(title)) failed: \
      \(reason, limit: 160).
      """, verdict: .cause("the step from version \(words: from) failed"))
  }

  package static func modelUnknownVersion(model: String, reason: String) -> Observation {
    Observation(
      .modelUnknownVersion, "\(model) has no proposal: its version is unknown: \(reason, limit: 160).",
      verdict: .cause("its version is unknown"))
  }
}

/// The reason that stored data is not a model's data.
package enum ModelCorruption: Hashable, Sendable {
  case kind(PropertyListValue.Kind)
  case notText
  /// It has a string with half a surrogate pair, which a step would lose.
  case loneSurrogate
  case json(JSONError)
}
