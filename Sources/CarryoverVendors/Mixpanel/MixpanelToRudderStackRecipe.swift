// Made from Recipes/mixpanel-to-rudderstack.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from one of Mixpanel's SDKs (mixpanel-swift 3 and later, mixpanel-iphone) to RudderStack's Swift SDK.
  ///
  /// Sources: the public sources of mixpanel-iphone 3.9.2, Mixpanel.m; the public sources of mixpanel-iphone 5.0.9,
  /// MixpanelPersistence.m; the public sources of mixpanel-swift 6.5.1, MixpanelPersistence.swift and
  /// MixpanelInstance.swift; the public sources of rudder-sdk-swift 1.3.1, Constants.swift and Extensions.swift.
  package static let mixpanelToRudderStack = Recipe(
    reference: RecipeReference(id: "mixpanel-to-rudderstack", version: 3, title: "Mixpanel → RudderStack Swift"),
    about: """
      Migrates from one of Mixpanel's SDKs (mixpanel-swift 3 and later, mixpanel-iphone) to RudderStack's Swift SDK.

      The app changes its vendor, so the container does not show where its data goes: the recipe is followed only if it is
      named.

      Before version 3.4, mixpanel-iphone had one id, distinctId: the device's until the app identified a user, then the
      user's. Nothing in the container shows which it is.
      """,
    legacySDK: "Mixpanel's SDK",
    inTheApp: """
      Before the app creates RudderStack's Analytics, write the ids as text to the suite BUNDLE_ID.analytics.WRITE_KEY,
      unless it has them: the anonymous id under anonymous_id, the user id under user_id. For a user who has opted out,
      mixpanel-TOKEN-OptOutStatus is true in the suite Mixpanel; the Objective-C SDK omits the second hyphen.
      """,
    parameters: [RecipeParameter("token", "project token", form: .hexadecimal)],
    target: .suite([.bundleID, ".analytics.", .parameter("write-key")]),
    sources: [
      .archive(
        [
          ["Library/mixpanel-", .parameter("token"), "-properties.plist"],
          ["Library/Caches/mixpanel-", .parameter("token"), "-properties.plist"],
        ], as: nil),
      .archive(
        [
          ["Library/mixpanel-", .parameter("token"), "-optOut.plist"],
          ["Library/Caches/mixpanel-", .parameter("token"), "-optOut.plist"],
        ], as: "mixpanel-${token}-optOut"),
      .suite(["Mixpanel"]),
    ],
    generations: [
      Generation("mixpanel-swift", keys: ["mixpanel-${token}-MP*"]),
      Generation("mixpanel-iphone 2 and 3", keys: ["distinctId", "userId", "anonymousId"]),
      Generation("mixpanel-iphone 4 and 5", keys: ["mixpanel-${token}MP*"]),
    ],
    rules: [
      FieldRule(
        target: "anonymous_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("mixpanel-${token}-MPAnonymousId"), [.numberText]),
          Candidate(
            SourceKey("mixpanel-${token}-MPDistinctID"), [.dropPrefix("$device:")],
            when: [Condition(.glob(Glob("$device:*")))]),
          Candidate(
            SourceKey("mixpanel-${token}-MPDistinctID"), [.numberText],
            when: [Condition(.present(false), key: "mixpanel-${token}-MPUserId")],
            doubt: "After an upgrade from a version before 2.5.6, this is the device's id or the user's."),
          Candidate(SourceKey("anonymousId"), [.numberText]),
          Candidate(
            SourceKey("distinctId"), [.numberText], when: [Condition(.present(false), key: "userId")],
            doubt: "Before version 3.4, Mixpanel's SDK replaced the device's id by the user's here."),
          Candidate(SourceKey("mixpanel-${token}MPAnonymousId"), [.numberText]),
          Candidate(
            SourceKey("mixpanel-${token}MPDistinctID"), [.dropPrefix("$device:")],
            when: [Condition(.glob(Glob("$device:*")))]),
          Candidate(
            SourceKey("mixpanel-${token}MPDistinctID"), [.numberText],
            when: [Condition(.present(false), key: "mixpanel-${token}MPUserId")],
            doubt: "After an upgrade from a version before 3.4, this is the device's id or the user's."),
        ],
        freshWithout: ["user_id"],
        loss: .newUser,
        reader: .json),
      FieldRule(
        target: "user_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("mixpanel-${token}-MPUserId"), [.numberText]),
          Candidate(SourceKey("userId"), [.numberText]),
          Candidate(SourceKey("mixpanel-${token}MPUserId"), [.numberText]),
        ],
        loss: .loggedOut,
        reader: .json),
    ],
    leftBehind: [
      LeftBehind("mixpanel-${token}-MPPeopleDistinctID", because: "RudderStack has no separate id for profiles."),
      LeftBehind("mixpanel-${token}MPPeopleDistinctID", because: "RudderStack has no separate id for profiles."),
      LeftBehind("mixpanel-${token}-MPAlias", because: "RudderStack stores no alias."),
      LeftBehind("mixpanel-${token}MPAlias", because: "RudderStack stores no alias."),
      LeftBehind("mixpanel-${token}-MPHadPersistedDistinctId", because: "RudderStack has no such flag."),
      LeftBehind("mixpanel-${token}MPHadPersistedDistinctId", because: "RudderStack has no such flag."),
      LeftBehind("mixpanel-${token}-superProperties", because: "Super properties describe events, not the user."),
      LeftBehind("mixpanel-${token}superProperties", because: "Super properties describe events, not the user."),
      LeftBehind("superProperties", because: "Super properties describe events, not the user."),
    ],
    elsewhere: [
      Elsewhere(
        .files(["Library/mixpanel-", .parameter("*"), "-properties"]),
        because: "Before version 3, the Swift SDK stores the ids in this archive, which the recipe does not read."),
      Elsewhere(
        .files(["Library/Caches/mixpanel-", .parameter("*"), "-properties"]),
        because:
          "Before version 3, the Swift SDK on tvOS stores the ids in this archive, which the recipe does not read."),
      Elsewhere(
        .keys([Glob("mixpanel-*-MPDistinctID")], suite: ["Mixpanel"]),
        because: "The recipe reads the keys of an instance that is named after its token, and no others."),
    ],
    legacyPrefixes: ["mixpanel-${token}-MP", "mixpanel-${token}MP"],
    marks: ["distinctId", "mixpanel-${token}-MPDistinctID", "mixpanel-${token}MPDistinctID"],
    isOnlyByName: true,
    optOutKeys: ["mixpanel-${token}-OptOutStatus", "mixpanel-${token}OptOutStatus", "mixpanel-${token}-optOut"])
}
