// Made from Recipes/segment-objc.recipe.yaml by `make recipes`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from Segment's Objective-C SDK (analytics-ios 3 and 4) to its Swift SDK (analytics-swift).
  ///
  /// The Objective-C SDK stores the ids and the traits in three files, on tvOS in UserDefaults.standard. The Swift SDK
  /// reads neither: it makes a new anonymous id, and the user is logged out.
  ///
  /// The Swift SDK stores traits as a property list in which every number is a Decimal, and reads no other.
  ///
  /// Sources: the public sources of analytics-ios 4.1.8, SEGFileStorage.m, SEGIntegrationsManager.m and
  /// SEGSegmentIntegration.m; the public sources of analytics-swift 1.9.4, Storage.swift and JSON.swift.
  package static let segmentObjC = Recipe(
    reference: RecipeReference(id: "segment-objc", version: 1, title: "Segment Obj-C → Swift"),
    about: """
      Migrates from Segment's Objective-C SDK (analytics-ios 3 and 4) to its Swift SDK (analytics-swift).

      The Objective-C SDK stores the ids and the traits in three files, on tvOS in UserDefaults.standard. The Swift SDK reads
      neither: it makes a new anonymous id, and the user is logged out.

      The Swift SDK stores traits as a property list in which every number is a Decimal, and reads no other.
      """,
    legacySDK: "Segment's Objective-C SDK",
    target: .suite(["com.segment.storage.", .parameter("write-key")]),
    sources: [
      .file([["Library/Application Support/segment.anonymousId"]], as: "segment.anonymousId"),
      .file([["Library/Application Support/segmentio.userId"]], as: "segmentio.userId"),
      .file([["Library/Application Support/segmentio.traits.plist"]], as: "segmentio.traits"),
      .suite(.app),
    ],
    rules: [
      FieldRule(
        target: "segment.anonymousId", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("segment.anonymousId"), []),
          Candidate(SourceKey("SEGAnonymousId"), []),
        ],
        freshWithout: ["segment.userId"],
        loss: .newUser),
      FieldRule(
        target: "segment.userId", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("segmentio.userId"), []),
          Candidate(SourceKey("SEGUserId"), []),
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
    leftBehind: [
      LeftBehind("SEGQueue", because: "Unsent events are not migrated.")
    ],
    marks: ["SEGAnonymousId", "SEGTraits", "SEGUserId", "segment.anonymousId", "segmentio.traits", "segmentio.userId"])
}
