extension FindingCode {
  /// A step of the recipe has no result for a legacy value.
  package static let sourceNotConverted = FindingCode(
    "source.not-converted", .warning, .asks, brief: "not converted",
    Explanation(
      title: "a legacy value does not fit a step of the recipe",
      happens: """
        The legacy value has a type that the recipe expects, but a step has no result for it: for example, it is text \
        that is not a JSON object, or a number with a fraction where the new SDK needs an integer. A step also has no \
        result if the steps of the plan would make more than 256 MiB together.
        """,
      legacyReads: "Whether the legacy SDK reads such a value depends on the SDK.",
      guideSays: "The guide of a vendor may or may not mention such values.",
      helperWrites: "A migrator that does not check the value may write something that the new SDK cannot read.",
      weWrite: "Carryover proposes nothing, names the step and the reason, and asks.",
      whatToDo: "Edit the field if you know the value, or skip it."))
}

extension Observation {
  /// A step of the recipe has no result for a legacy value.
  /// - Parameters:
  ///   - step: the step in a few words.
  ///   - reason: a sentence.
  package static func sourceNotConverted(key: String, step: String, _ reason: FindingText) -> Observation {
    Observation(
      .sourceNotConverted, "The step “\(words: step)” cannot convert the value: \(reason)",
      remedy: "Edit the field if you know the value, or skip it.", verdict: .cause("\(key) cannot be converted"))
  }
}

extension FindingCode {
  /// A proposal does not meet a requirement of the recipe.
  package static let sourceNotAsRequired = FindingCode(
    "source.not-as-required", .warning, .asks, brief: "not as required",
    Explanation(
      title: "a legacy value is not what the recipe requires",
      happens: """
        The recipe says what the value of a field must be, such as a UUID or a text that is not empty. The legacy value \
        is something else.
        """,
      legacyReads: "The legacy SDK may read the value or ignore it.",
      guideSays: "The guide says nothing about what a recipe requires.",
      helperWrites: "A migrator that does not check the value writes it.",
      weWrite: "Carryover proposes nothing, names the requirement, and asks.",
      whatToDo: "Skip the field, or edit it to a value that the new SDK accepts."))
}

extension Observation {
  /// A proposal does not meet a requirement of the recipe.
  /// - Parameter requirement: what the value must be, in words of the recipe.
  package static func sourceNotAsRequired(key: String, requirement: String) -> Observation {
    Observation(
      .sourceNotAsRequired, "\(key) is not what the recipe requires: \(words: requirement).",
      remedy: "Edit the field if you know the value, or skip it.", verdict: .cause("\(key) is not as required"))
  }
}
