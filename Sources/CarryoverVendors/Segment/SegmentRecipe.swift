// Made from Recipes/segment-objc.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from Segment's Objective-C SDK (analytics-ios 3 and 4) to its Swift SDK (analytics-swift).
  ///
  /// Sources: the public sources of analytics-ios 3.0.0, 3.0.4, 3.5.0 and 3.8.0, SEGSegmentIntegration.m; the public
  /// sources of analytics-ios 4.1.8, SEGFileStorage.m, SEGIntegrationsManager.m and SEGSegmentIntegration.m; the public
  /// sources of analytics-swift 1.9.4, Storage.swift and JSON.swift.
  package static let segmentObjC = Recipe(
    reference: RecipeReference(id: "segment-objc", version: 2, title: "Segment Obj-C → Swift"),
    about: """
      Migrates from Segment's Objective-C SDK (analytics-ios 3 and 4) to its Swift SDK (analytics-swift).

      The Objective-C SDK stores the ids and the traits in three files, on tvOS in UserDefaults.standard. The Swift SDK reads
      neither: it makes a new anonymous id, and the user is logged out.

      Versions 3.0 to 3.4 store the ids as plain text, in 3.0.0 and 3.0.1 under another name; 3.5 to 3.7 as property lists; later
      versions as JSON. Versions 3.0.4 to 3.1.1 also write the preferences on iOS, and up to 3.7.1 the SDK reads these before the
      files; later versions read the files only, and do not remove the keys at a logout.

      The Swift SDK stores traits as a property list in which every number is a Decimal, and reads no other.
      """,
    legacySDK: "Segment's Objective-C SDK",
    inTheApp: """
      Before the app creates Segment's Analytics, write the ids as text to the suite com.segment.storage.WRITE_KEY,
      unless it has them: the anonymous id under segment.anonymousId, the user id under segment.userId. Pass the traits
      with the next identify(). The legacy SDK's ids are in the files segment.anonymousId and segmentio.userId in
      Library/Application Support (JSON; before 3.8, property lists or text), on tvOS in UserDefaults.standard under
      SEGAnonymousId and SEGUserId.
      """,
    target: .suite(["com.segment.storage.", .parameter("write-key")]),
    sources: [
      .file(
        [["Library/Application Support/segment.anonymousId"], ["Library/Application Support/segmentio.anonymousId"]],
        as: "segment.anonymousId", orText: true),
      .file([["Library/Application Support/segmentio.userId"]], as: "segmentio.userId", orText: true),
      .file([["Library/Application Support/segmentio.traits.plist"]], as: "segmentio.traits"),
      .suite(.app),
    ],
    generations: [
      Generation("the SDK's files", keys: ["segment.anonymousId", "segmentio.userId", "segmentio.traits"]),
      Generation("the SDK's keys in the preferences", keys: ["SEGAnonymousId", "SEGUserId", "SEGTraits"]),
    ],
    rules: [
      FieldRule(
        target: "segment.anonymousId", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("segment.anonymousId"), [.numberText]),
          Candidate(SourceKey("SEGAnonymousId"), [.numberText]),
        ],
        freshWithout: ["segment.userId"],
        loss: .newUser),
      FieldRule(
        target: "segment.userId", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("segmentio.userId"), [.numberText]),
          Candidate(SourceKey("SEGUserId"), [.numberText]),
        ],
        loss: .loggedOut),
      FieldRule(
        target: "segment.traits", group: .traits, form: .data,
        candidates: [
          Candidate(SourceKey("segmentio.traits"), [.jsonText, .decimalPropertyList]),
          Candidate(SourceKey("SEGTraits"), [.jsonText, .decimalPropertyList]),
        ],
        describes: "segment.userId",
        loss: .lost("the traits", .data)),
    ],
    leftBehind: [LeftBehind("SEGQueue", because: "Unsent events are not migrated.")],
    elsewhere: [
      Elsewhere(
        .files(["Library/Application Support/", .parameter("*"), "/segment.anonymousId"]),
        because: "On a Mac, the SDK has its files in a folder with the app's name, which the recipe does not read."),
      Elsewhere(
        .files(["Library/Application Support/", .parameter("*"), "/segmentio.userId"]),
        because: "On a Mac, the SDK also has the user id in a folder with the app's name."),
    ],
    marks: ["SEGAnonymousId", "SEGTraits", "SEGUserId", "segment.anonymousId", "segmentio.traits", "segmentio.userId"])
}
