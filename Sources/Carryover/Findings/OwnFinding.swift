/// A finding of a recipe's own, in the recipe's words: no source of a field has a value.
///
/// The words are the recipe's, as they are. They contain no values, so nothing in them needs a mask.
package struct OwnFinding: Hashable, Sendable {
  /// The code: the recipe's id, a dot and the finding's name.
  package var name: String
  package var severity: Severity
  /// The condition in a few words, as a part of a sentence.
  package var title: String
  /// What happened and what it means, in whole sentences.
  package var message: String
  /// What to do, in a whole sentence.
  package var remedy: String

  /// A finding from its parts.
  package init(_ name: String, _ severity: Severity, title: String, message: String, remedy: String) {
    self.name = name
    self.severity = severity
    self.title = title
    self.message = message
    self.remedy = remedy
  }

  /// The code, with an explanation in the recipe's words. An error needs a decision.
  package var code: FindingCode {
    FindingCode(
      name, severity, severity == .error ? .asks : .informs,
      Explanation(
        title: title, happens: message,
        legacyReads: "None of the files that the recipe reads has a value for the field.",
        guideSays: "The recipe does not say.", helperWrites: "The recipe does not say.",
        weWrite: "Carryover proposes no value for the field.", whatToDo: remedy))
  }
}

extension Observation {
  /// What a recipe says if no source of a field has a value.
  static func own(_ finding: OwnFinding) -> Observation {
    Observation(finding.code, "\(words: finding.message)", remedy: "\(words: finding.remedy)")
  }
}
