// Made from Recipes/mixpanel-objc.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from Mixpanel's Objective-C SDK (mixpanel-iphone) to its Swift SDK (mixpanel-swift 3 and later).
  ///
  /// Sources: the public sources of mixpanel-iphone 3.9.2, Mixpanel.m; the public sources of mixpanel-iphone 5.0.9,
  /// MixpanelPersistence.m and Mixpanel.m; the public sources of mixpanel-swift 6.5.1, MixpanelPersistence.swift.
  package static let mixpanelObjC = Recipe(
    reference: RecipeReference(id: "mixpanel-objc", version: 3, title: "Mixpanel Obj-C → Swift 3+"),
    about: """
      Migrates from Mixpanel's Objective-C SDK (mixpanel-iphone) to its Swift SDK (mixpanel-swift 3 and later).

      Since version 4 of the Objective-C SDK, both store their data in the suite Mixpanel, under keys that contain the
      project token. The Objective-C SDK writes no hyphen between the token and the name.
      The Swift SDK expects one, so it finds none of the values, makes a new distinct id, and tracks a user who has opted out.

      Versions 2 and 3 store their data in keyed archives in Library, which the Swift SDK does not read. Versions 4 and 5 move
      them to the suite at each start and delete them: an archive beside the suite is newer than the suite.

      Unsent events need no migration: both SDKs use the same database.
      """,
    legacySDK: "Mixpanel's Objective-C SDK",
    inTheApp: """
      Before the app calls Mixpanel.initialize, copy the values in the suite Mixpanel to keys with a hyphen after the
      token, unless these have values: mixpanel-TOKENMPUserId to mixpanel-TOKEN-MPUserId, and in the same way
      MPDistinctID, MPAnonymousId, MPPeopleDistinctID, MPAlias, MPHadPersistedDistinctId, superProperties and
      OptOutStatus. Versions 2 and 3 of the Objective-C SDK stored them in archives in Library, under other names.
      """,
    parameters: [RecipeParameter("token", "project token", form: .hexadecimal)],
    target: .suite(["Mixpanel"]),
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
      Generation(
        "mixpanel-iphone 2 and 3",
        keys: [
          "distinctId", "userId", "anonymousId", "peopleDistinctId", "alias", "hadPersistedDistinctId",
          "superProperties",
        ]),
      Generation("mixpanel-iphone 4 and 5", keys: ["mixpanel-${token}MP*", "mixpanel-${token}superProperties"]),
    ],
    rules: [
      FieldRule(
        target: "mixpanel-${token}-MPDistinctID", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("distinctId"), [.numberText]),
          Candidate(SourceKey("mixpanel-${token}MPDistinctID"), [.numberText]),
        ],
        freshWithout: ["mixpanel-${token}-MPUserId"],
        loss: Loss(
          .newUser, "the distinct id", ahead: "the update would count this user as a new one",
          past: "this user is counted as a new one"),
        reader: .text),
      FieldRule(
        target: "mixpanel-${token}-MPUserId", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("userId"), [.numberText]),
          Candidate(SourceKey("mixpanel-${token}MPUserId"), [.numberText]),
        ],
        knownWith: ["mixpanel-${token}-MPAnonymousId"],
        describes: "mixpanel-${token}-MPDistinctID",
        loss: .loggedOut,
        reader: .text),
      FieldRule(
        target: "mixpanel-${token}-MPAnonymousId", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("anonymousId"), [.numberText]),
          Candidate(SourceKey("mixpanel-${token}MPAnonymousId"), [.numberText]),
        ],
        describes: "mixpanel-${token}-MPDistinctID",
        loss: .lost("the anonymous id", .data),
        reader: .text),
      FieldRule(
        target: "mixpanel-${token}-MPPeopleDistinctID", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("peopleDistinctId"), [.numberText]),
          Candidate(SourceKey("mixpanel-${token}MPPeopleDistinctID"), [.numberText]),
        ],
        describes: "mixpanel-${token}-MPDistinctID",
        loss: .lost("the id of the people profile", .data),
        reader: .text),
      FieldRule(
        target: "mixpanel-${token}-MPAlias", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("alias"), [.numberText]),
          Candidate(SourceKey("mixpanel-${token}MPAlias"), [.numberText]),
        ],
        describes: "mixpanel-${token}-MPDistinctID",
        loss: .lost("the alias", .data),
        reader: .text),
      FieldRule(
        target: "mixpanel-${token}-MPHadPersistedDistinctId", group: .identity, form: .boolean,
        candidates: [
          Candidate(SourceKey("hadPersistedDistinctId"), [.boolean, .except([false])]),
          Candidate(SourceKey("mixpanel-${token}MPHadPersistedDistinctId"), [.boolean, .except([false])]),
        ],
        describes: "mixpanel-${token}-MPDistinctID",
        loss: .lost("the note that the distinct id was stored", .data),
        reader: .cast),
      FieldRule(
        target: "mixpanel-${token}-superProperties", group: .traits, form: .data,
        candidates: [
          Candidate(SourceKey("superProperties"), [.keyedArchive]),
          Candidate(SourceKey("mixpanel-${token}superProperties"), []),
        ],
        requirements: [.archive(without: [.data, .uuid, .orderedSet])],
        describes: "mixpanel-${token}-MPDistinctID",
        loss: .lost("the super properties", .data)),
      FieldRule(
        target: "mixpanel-${token}-OptOutStatus", group: .consent, form: .boolean,
        candidates: [
          Candidate(SourceKey("mixpanel-${token}-optOut"), [.boolean]),
          Candidate(SourceKey("mixpanel-${token}OptOutStatus"), [.boolean]),
        ],
        loss: .trackedAgain,
        reader: .cast),
    ],
    leftBehind: [
      LeftBehind(
        "mixpanel-${token}timedEvents", because: "A timer for an unfinished event is meaningless after an update."),
      LeftBehind("timedEvents", because: "A timer for an unfinished event is meaningless after an update."),
      LeftBehind(
        "peopleUnidentifiedQueue",
        because: "The Swift SDK does not read unsent updates from an archive of this version."),
    ],
    elsewhere: [
      Elsewhere(
        .files(["Library/mixpanel-", .parameter("*"), "-properties"]),
        because: "At its next start, the Swift SDK migrates this archive of version 1 or 2 over what the recipe writes."
      ),
      Elsewhere(
        .files(["Library/mixpanel-", .parameter("*"), "-events"]),
        because: "With this archive of version 1 or 2, the Swift SDK replaces or removes the ids at its next start."),
      Elsewhere(
        .files(["Library/Caches/mixpanel-", .parameter("*"), "-properties"]),
        because: "On tvOS, the Swift SDK migrates this archive of version 1 or 2 over what the recipe writes."),
      Elsewhere(
        .files(["Library/Caches/mixpanel-", .parameter("*"), "-events"]),
        because:
          "On tvOS, with this archive of version 1 or 2, the Swift SDK replaces or removes the ids at its next start."),
      Elsewhere(
        .keys([Glob("mixpanel-*-MPDistinctID")], suite: ["Mixpanel"]),
        because: "An instance of the Swift SDK with a name of its own reads these keys, and not those of the token."),
    ],
    legacyPrefixes: ["mixpanel-${token}MP"],
    marks: [
      "distinctId", "mixpanel-${token}-optOut", "mixpanel-${token}MPAnonymousId", "mixpanel-${token}MPDistinctID",
      "mixpanel-${token}MPHadPersistedDistinctId", "mixpanel-${token}MPUserId", "mixpanel-${token}OptOutStatus",
      "mixpanel-${token}superProperties",
    ],
    optOutKeys: ["mixpanel-${token}OptOutStatus", "mixpanel-${token}-optOut"])
}
