public import Carryover

extension Recipe {
  /// What Convert's iOS SDK leaves, and the visitor's id repaired in the app's own preferences.
  ///
  /// The SDK keeps the id in the keychain, which no container holds, and mirrors it in `UserDefaults.standard`. Where the
  /// mirror is lost, the id still stands with the decisions and the waiting events; where the app is installed anew or
  /// runs without its keychain, the mirror is all that makes the visitor the same one. Read off the public sources of the
  /// SDK and its page on the persistent data store.
  public static let convertIOS = Recipe(
    reference: RecipeReference(id: "convert-ios", version: 2, title: "Convert iOS visitor"),
    target: .suite(.app),
    sources: [
      .suite(.app),
      .json([.text("Library/Application Support/\(ConvertNames.decisions)")]),
      .json([.text("Library/Application Support/\(ConvertNames.folder)/\(ConvertNames.decisions)")]),
      .json([.text("Library/Application Support/\(ConvertNames.folder)/\(ConvertNames.queue)")]),
    ],
    rules: [
      FieldRule(
        target: ConvertNames.visitorMirror, group: .identity, form: .string,
        candidates: [Candidate(SourceKey(ConvertNames.visitorMirror), [.exactText])], check: VisitorMirrorCheck())
    ],
    leftBehind: [],
    legacyPrefixes: [],
    marks: [ConvertNames.visitorMirror]
  ).known
}

extension Recipe {
  fileprivate var known: Recipe {
    var recipe = self
    recipe.knowledge = Knowledge(vendor: Convert())
    return recipe
  }
}
