/// What is known about the findings on versioned models. Where others have a legacy SDK, there is the app itself; the guide
/// is the article on versioned JSON that the recipe's example is from, and the helper its sample's migration manager.
extension Explanation {
  static let modelCorrupt = Explanation(
    title: "a model's data is no JSON",
    happens: "Under the model's key stands something that cannot be read as JSON, or a value of another type.",
    legacyReads:
      "An app stands where a legacy SDK would: its decoding fails, and as a rule it starts with an empty model.",
    guideSays: "The guide to such models says nothing of data that is no JSON.",
    helperWrites: "The helper in it takes what does not decode for no data, and writes nothing.",
    weWrite: "Carryover proposes nothing, leaves the value as it is, and asks.",
    whatToDo: "Edit the value if it is known from elsewhere, such as a backup, or skip it.")

  static let modelNewerVersion = Explanation(
    title: "a model is in a later version than the recipe knows",
    happens: "The model's own marker says a version above the recipe's newest, as after going back to an older app.",
    legacyReads:
      "What stands for the legacy SDK is an older app, which decodes what it can and loses the rest when it saves.",
    guideSays: "The guide knows no versions later than the app's own.",
    helperWrites: "The helper finds a type that decodes, and takes the data for that type's version.",
    weWrite: "Carryover writes nothing: there is no step back.",
    whatToDo: "Use a recipe that knows this version, or update the app.")

  static let modelStepFailed = Explanation(
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
    whatToDo: "Edit the value to the newest version by hand, or skip it and mend the step in the recipe.")

  static let modelUnknownVersion = Explanation(
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
    whatToDo: "Look at the value: edit it to the newest version by hand, or skip it.")
}
