// Made from Recipes/mixpanel-to-rudderstack.recipe.yaml by `make recipes`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from one of Mixpanel's SDKs (mixpanel-swift 3 and later, mixpanel-iphone) to RudderStack's Swift SDK.
  ///
  /// The app changes its vendor, so the container does not show where its data goes: the recipe is followed only if it
  /// is named.
  ///
  /// Sources: the public sources of mixpanel-iphone 3.9.2, Mixpanel.m; the public sources of mixpanel-iphone 5.0.9,
  /// MixpanelPersistence.m; the public sources of mixpanel-swift 6.5.1, MixpanelPersistence.swift; the public sources
  /// of rudder-sdk-swift 1.3.1, Constants.swift and Extensions.swift.
  package static let mixpanelToRudderStack = Recipe(
    reference: RecipeReference(id: "mixpanel-to-rudderstack", version: 1, title: "Mixpanel → RudderStack Swift"),
    about: """
      Migrates from one of Mixpanel's SDKs (mixpanel-swift 3 and later, mixpanel-iphone) to RudderStack's Swift SDK.

      The app changes its vendor, so the container does not show where its data goes: the recipe is followed only if it is
      named.
      """,
    legacySDK: "Mixpanel's SDK",
    parameters: [
      RecipeParameter("token", "project token", form: .hexadecimal)
    ],
    target: .suite([.bundleID, ".analytics.", .parameter("write-key")]),
    sources: [
      .suite(["Mixpanel"]),
      .archive([["Library/mixpanel-", .parameter("token"), "-properties.plist"]], as: nil),
      .archive([["Library/mixpanel-", .parameter("token"), "-optOut.plist"]], as: "mixpanel-${token}-optOut"),
    ],
    rules: [
      FieldRule(
        target: "anonymous_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("mixpanel-${token}-MPAnonymousId"), []),
          Candidate(SourceKey("mixpanel-${token}MPAnonymousId"), []),
          Candidate(SourceKey("anonymousId"), []),
        ],
        freshWithout: ["user_id"],
        loss: .newUser),
      FieldRule(
        target: "user_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("mixpanel-${token}-MPUserId"), []),
          Candidate(SourceKey("mixpanel-${token}MPUserId"), []),
          Candidate(SourceKey("userId"), []),
        ],
        loss: .loggedOut),
    ],
    leftBehind: [
      LeftBehind(
        "mixpanel-${token}-MPDistinctID", because: "Mixpanel's distinct id is the user id or the anonymous id."),
      LeftBehind(
        "mixpanel-${token}MPDistinctID", because: "Mixpanel's distinct id is the user id or the anonymous id."),
      LeftBehind("distinctId", because: "Mixpanel's distinct id is the user id or the anonymous id."),
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
    legacyPrefixes: ["mixpanel-${token}-MP", "mixpanel-${token}MP"],
    marks: ["distinctId", "mixpanel-${token}-MPDistinctID", "mixpanel-${token}MPDistinctID"],
    isOnlyByName: true,
    optOutKeys: ["mixpanel-${token}-OptOutStatus", "mixpanel-${token}OptOutStatus", "mixpanel-${token}-optOut"])
}
