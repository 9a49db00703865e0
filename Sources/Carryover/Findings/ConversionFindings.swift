extension FindingCode {
  /// A step of the recipe has no result for a legacy value.
  package static let sourceNotConverted = FindingCode(
    "source.not-converted", .warning, .asks, brief: "not converted",
    Explanation(
      title: "a legacy value does not fit a step of the recipe",
      happens: """
        The legacy value has a type that the recipe expects, but a step has no result for it: for example, it is text \
        that is not a JSON object, or a number with a fraction where the new SDK needs an integer.
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
