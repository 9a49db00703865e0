// Made from Recipes/segment-to-rudderstack.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from Segment's Objective-C SDK (analytics-ios 3 and 4) to RudderStack's Swift SDK.
  ///
  /// Sources: the public sources of analytics-ios 3.0.0, 3.0.4, 3.5.0 and 3.8.0, SEGSegmentIntegration.m; the public
  /// sources of analytics-ios 4.1.8, SEGFileStorage.m, SEGIntegrationsManager.m and SEGSegmentIntegration.m; the public
  /// sources of rudder-sdk-swift 1.3.1, Constants.swift and Extensions.swift.
  package static let segmentToRudderStack = Recipe(
    reference: RecipeReference(id: "segment-to-rudderstack", version: 2, title: "Segment Obj-C → RudderStack Swift"),
    about: """
      Migrates from Segment's Objective-C SDK (analytics-ios 3 and 4) to RudderStack's Swift SDK.

      The app changes its vendor, so the container does not show where its data goes: the recipe is followed only if it is
      named.
      """,
    legacySDK: "Segment's Objective-C SDK",
    inTheApp: """
      Before the app creates RudderStack's Analytics, write the user to the suite BUNDLE_ID.analytics.WRITE_KEY, unless
      it has one: the anonymous id as text under anonymous_id, the user id under user_id, the traits as JSON text under
      traits.
      """,
    target: .suite([.bundleID, ".analytics.", .parameter("write-key")]),
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
        target: "anonymous_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("segment.anonymousId"), [.numberText]),
          Candidate(SourceKey("SEGAnonymousId"), [.numberText]),
        ],
        freshWithout: ["user_id", "traits"],
        loss: .newUser,
        reader: .json),
      FieldRule(
        target: "user_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("segmentio.userId"), [.numberText]),
          Candidate(SourceKey("SEGUserId"), [.numberText]),
        ],
        loss: .loggedOut,
        reader: .json),
      FieldRule(
        target: "traits", group: .traits, form: .jsonObjectString,
        candidates: [
          Candidate(SourceKey("segmentio.traits"), [.jsonText, .jsonWithoutMembers(["anonymousId", "id", "userId"])]),
          Candidate(SourceKey("SEGTraits"), [.jsonText, .jsonWithoutMembers(["anonymousId", "id", "userId"])]),
        ],
        describes: "user_id",
        loss: .lost("the traits", .data),
        reader: .json),
      FieldRule(
        target: "rudder.app_version", group: .app, form: .string,
        candidates: [Candidate(SourceKey("SEGVersionKey"), [])],
        keepsTarget: true,
        loss: Loss(
          .app, "the app's version", ahead: "the update would send “Application Installed” again",
          past: "the app sends “Application Installed” again"),
        reader: .json),
      FieldRule(
        target: "rudder.app_build", group: .app, form: .integer,
        candidates: [
          Candidate(SourceKey("SEGBuildKeyV2"), [.integerFromText]),
          Candidate(SourceKey("SEGBuildKey"), [.integerFromText]),
        ],
        keepsTarget: true,
        loss: .lost("the app's build", .app),
        reader: .json),
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
    marks: ["SEGAnonymousId", "SEGTraits", "SEGUserId", "segment.anonymousId", "segmentio.traits", "segmentio.userId"],
    isOnlyByName: true)
}
