import CarryoverSystem

extension FindingCode {
  static let recipeCodes: [FindingCode] = [.recipeUntrusted]

  package static let recipeUntrusted = FindingCode(
    "recipe.untrusted", .error, .blocks,
    title: "the plan follows a recipe file that you have not trusted",
    happens: """
      The option --recipe names a file, and you have not trusted its current content. A recipe decides which values end up under \
      which keys, so a wrong or malicious one can give a user another user's data.
      """,
    legacyReads: "The legacy SDK knows no recipes.",
    guideSays: "The guide has its own code instead of a recipe.",
    helperWrites: "The vendor's migrator has its own code instead of a recipe.",
    weWrite: """
      Carryover shows the plan and applies nothing. No --yes, --accept or saved plan changes that. Trust belongs to the \
      file's content, by its SHA-256: a changed file has to be trusted again.
      """,
    whatToDo: """
      Read the rules with carryover recipe explain FILE, then trust the file with carryover recipe trust FILE. In CI, \
      give --trust sha256:DIGEST; sha256sum FILE prints the digest.
      """)
}

extension Observation {
  /// It names the file without its folders, which a report for others must not show.
  package static func recipeUntrusted(path: String) -> Observation {
    let name = FilePath.name(of: path)
    return Observation(
      .recipeUntrusted, "You have not trusted the recipe file \(file: name): nothing can be applied with it.",
      remedy: "Read it with carryover recipe explain FILE, then trust it with carryover recipe trust FILE.")
  }

  static func own(_ finding: OwnFinding) -> Observation {
    Observation(finding.code, "\(words: finding.message)", remedy: "\(words: finding.remedy)")
  }
}

/// A finding of a recipe's own: no source of a field has a value. Its words are the recipe's and contain no values, so
/// nothing in them needs a mask.
package struct OwnFinding: Hashable, Sendable {
  /// The code: the recipe's id, a dot and the finding's name.
  package var name: String
  package var severity: Severity
  package var title: String
  package var message: String
  package var remedy: String

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
      title: title, happens: message,
      legacyReads: "None of the files that the recipe reads has a value for the field.",
      guideSays: "The recipe does not say.", helperWrites: "The recipe does not say.",
      weWrite: "Carryover proposes no value for the field.", whatToDo: "\(words: remedy)")
  }
}
