/// What is known about the findings on versioned models. No SDK, guide or helper of RudderStack's is concerned.
extension Explanation {
  private static let noGuide = "The guide is about RudderStack's SDKs and says nothing about an app's own models."
  private static let noHelper = "The helper does not touch an app's own models."

  static let modelCorrupt = Explanation(
    title: "a model's data is no JSON",
    happens: "Under the model's key stands something that cannot be read as JSON, or a value of another type.",
    legacyReads: "An app that decodes it fails, and as a rule starts with an empty model.",
    guideSays: noGuide, helperWrites: noHelper,
    weWrite: "Carryover proposes nothing, leaves the value as it is, and asks.",
    whatToDo: "Edit the value if it is known from elsewhere, such as a backup, or skip it.")

  static let modelNewerVersion = Explanation(
    title: "a model is in a later version than the recipe knows",
    happens: "The model's own marker says a version above the recipe's newest, as after going back to an older app.",
    legacyReads: "An older app decodes what it can of it, and loses the rest when it saves.",
    guideSays: noGuide, helperWrites: noHelper,
    weWrite: "Carryover writes nothing: there is no step back.",
    whatToDo: "Use a recipe that knows this version, or update the app.")

  static let modelStepFailed = Explanation(
    title: "a step of a model's history failed",
    happens: """
      The model's version was told, and one of the steps from there to the newest could not be carried out, or made data \
      that lacks what its version must have.
      """,
    legacyReads: "The app that wrote the model reads it as it stands.",
    guideSays: noGuide, helperWrites: noHelper,
    weWrite: "Carryover proposes nothing: all steps are carried out, or none. It asks.",
    whatToDo: "Edit the value to the newest version by hand, or skip it and mend the step in the recipe.")

  static let modelUnknownVersion = Explanation(
    title: "a model's version cannot be told",
    happens: """
      The model has no marker that says its version, and its members are those of no known version, or of several; or the \
      marker is no version, or is contradicted by the members.
      """,
    legacyReads:
      "An app that tries one version after the other takes the first that decodes, which may be the wrong one.",
    guideSays: noGuide, helperWrites: noHelper,
    weWrite: "Carryover proposes nothing rather than guess, and asks.",
    whatToDo: "Look at the value: edit it to the newest version by hand, or skip it.")
}
