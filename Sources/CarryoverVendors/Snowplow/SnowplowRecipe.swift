// Made from Recipes/snowplow-objc.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates the user id from versions of Snowplow's iOS tracker before 2.2.2 to version 5 and later.
  ///
  /// Sources: the public sources of snowplow-ios-tracker 1.7.1, SPSession.m; the public sources of snowplow-ios-tracker
  /// 2.2.1, SPSession.m; the public sources of snowplow-ios-tracker 2.2.2, SPSession.m and SPDataPersistence.m; the
  /// public sources of snowplow-ios-tracker 4.1.0, SPSession.m and SPDataPersistence.m; the public sources of
  /// snowplow-ios-tracker 5.0.0 and 6.2.5, Session.swift and DataPersistence.swift.
  package static let snowplowObjC = Recipe(
    reference: RecipeReference(id: "snowplow-objc", version: 3, title: "Snowplow 1–2.2.1 → 5+"),
    about: """
      Migrates the user id from versions of Snowplow's iOS tracker before 2.2.2 to version 5 and later.

      Versions before 2.2.2 store the user id with the session, in a property list. Versions 2.2.2 to 4 read it there and
      store it in the app's own defaults. Versions 5 and later read only the defaults, and if these have no user id, the file
      that versions 2.2.2 and later have for a namespace: an app that skips 2.2.2 to 4 counts every user as new.

      A tracker with a namespace, one without, and version 1 have a file each. Nothing shows which of them the app has now: if
      their user ids differ, the field asks. The file of versions 2.2.2 and later is the last of them, because the new SDK
      keeps its own user id there too: one that the defaults have as well is no legacy value.
      """,
    legacySDK: "Snowplow's tracker",
    migrator: VendorMigrator("Snowplow's own migrator", runs: .atEachStart),
    inTheApp: """
      Before the app calls Snowplow.createTracker, write the earlier tracker's user id as text to UserDefaults.standard
      under SPInstallationUserId, unless there is one. The id is userId in the property list session_NAMESPACE.dict or
      session.dict in Library/Application Support/snowplow; version 1 stored it in Documents/session.dict.
      """,
    parameters: [RecipeParameter("namespace", "tracker namespace", form: .name)],
    target: .suite(.app),
    sources: [
      .plist([["Library/Application Support/snowplow/session_", .parameter("namespace"), ".dict"]]),
      .plist([["Library/Application Support/snowplow/session.dict"]]),
      .plist([["Documents/session.dict"]]),
      .plist([["Library/Application Support/snowplow/namespace_", .parameter("namespace"), ".dict"]]),
    ],
    generations: [
      Generation(
        "a tracker with a namespace",
        files: [.plist([["Library/Application Support/snowplow/session_", .parameter("namespace"), ".dict"]])],
        isUnreadByMigrator: true),
      Generation(
        "the tracker without a namespace", files: [.plist([["Library/Application Support/snowplow/session.dict"]])],
        isUnreadByMigrator: true),
      Generation("Snowplow 1", files: [.plist([["Documents/session.dict"]])], isUnreadByMigrator: true),
      Generation(
        "Snowplow 2.2.2 and later",
        files: [.plist([["Library/Application Support/snowplow/namespace_", .parameter("namespace"), ".dict"]])],
        isNewSDKs: true),
    ],
    rules: [
      FieldRule(
        target: "SPInstallationUserId", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("userId"), []),
          Candidate(SourceKey("session", member: "userId"), []),
        ],
        isMigratedByVendor: true,
        loss: Loss(
          .newUser, "the user id", ahead: "the update would count this user as a new one",
          past: "this user is counted as a new one"),
        reader: .text)
    ],
    leftBehind: [
      LeftBehind("sessionId", because: "The tracker starts a new session after the update."),
      LeftBehind("sessionIndex", because: "The tracker counts sessions from 1 again."),
      LeftBehind("firstEventId", because: "It belongs to the session, which ends with the update."),
    ],
    elsewhere: [
      Elsewhere(
        .files(["Library/Application Support/snowplow/namespace_", .parameter("*"), ".dict"]),
        because: "If the preferences have no user id, the new SDK takes it from this file of another namespace."),
      Elsewhere(
        .keys([Glob("SPSessionDictionary_*")], suite: .app),
        because:
          "On tvOS, the new SDK itself takes the user id from this key if the preferences have none of their own."),
    ],
    marks: ["sessionIndex"])
}
