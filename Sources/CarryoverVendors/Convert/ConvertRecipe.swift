// Made from Recipes/convert-ios.recipe.yaml by `make record`. Change that file, not this one.
public import Carryover

extension Recipe {
  /// Restores the visitor's id of Convert's iOS SDK in the app's own preferences.
  ///
  /// Sources: the SDK's public sources; its page on the persistent data store.
  public static let convertIOS = Recipe(
    reference: RecipeReference(id: "convert-ios", version: 3, title: "Convert iOS visitor"),
    about: """
      Restores the visitor's id of Convert's iOS SDK in the app's own preferences.

      The SDK stores the id in the keychain, which no container has, and mirrors it in UserDefaults.standard. If the mirror
      is lost, the decisions and the unsent events still contain the id. After a reinstallation, or without a keychain, only
      the mirror identifies the visitor.
      """,
    vendor: Convert(),
    inTheApp: """
      Before the SDK starts, look up the visitor's id with IdentityLookup.convert of Carryover's library (import
      CarryoverStorage and CarryoverVendors): it fills a lost mirror from the keychain.
      """,
    target: .suite(.app),
    sources: [
      .suite(.app),
      .json(["Library/Application Support/convert-decision-store.json"]),
      .json(["Library/Application Support/com.convertexperiments.sdk/convert-decision-store.json"]),
      .json(["Library/Application Support/com.convertexperiments.sdk/event-queue.json"]),
    ],
    rules: [
      FieldRule(
        target: "com.convert.sdk.visitorIdMirror", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("com.convert.sdk.visitorIdMirror"), [.numberText])],
        checks: [VisitorMirrorCheck()],
        reader: .text)
    ],
    elsewhere: [
      Elsewhere(
        .files(["Library/Caches/convert-decision-store.json"]),
        because: "The SDK stores its decisions here where it cannot make the folder in Application Support.")
    ],
    marks: ["com.convert.sdk.visitorIdMirror"])
}
