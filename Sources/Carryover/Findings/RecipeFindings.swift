extension FindingCode {
  /// The plan follows a recipe file that the user does not trust. It blocks until the file is trusted.
  package static let recipeUntrusted = FindingCode(
    "recipe.untrusted", .error, .blocks,
    Explanation(
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
        """))
}

extension Observation {
  /// The plan follows a recipe file that the user does not trust.
  package static func recipeUntrusted(path: String) -> Observation {
    Observation(
      .recipeUntrusted, "You have not trusted the recipe file \(file: path): nothing can be applied with it.",
      remedy: "Read it with carryover recipe explain FILE, then trust it with carryover recipe trust FILE.")
  }
}
