// Made from Recipes/amplitude-to-posthog.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from Amplitude's Objective-C SDK (Amplitude-iOS 2.2 to 8) to PostHog's SDK, version 3.20 or later.
  ///
  /// Sources: the public sources of Amplitude-iOS 8.22.2, AMPDatabaseHelper.m and Amplitude.m; the public sources of
  /// Amplitude-iOS 3.0.1 and 3.1.0, Amplitude.m; the public sources of Amplitude-Swift 1.9.4, PersistentStorage.swift
  /// and Types.swift; the public sources of posthog-ios 3.69, PostHogStorage.swift, PostHogStorageManager.swift and
  /// PostHogSDK.swift.
  package static let amplitudeToPostHog = Recipe(
    reference: RecipeReference(id: "amplitude-to-posthog", version: 3, title: "Amplitude Obj-C → PostHog 3"),
    about: """
      Migrates from Amplitude's Objective-C SDK (Amplitude-iOS 2.2 to 8) to PostHog's SDK, version 3.20 or later.

      The app changes its vendor, so the container does not show where its data goes: the recipe is followed only if it is
      named, and the project token has to be given.

      Before 3.1, the Objective-C SDK stores the ids in an archive, which 3.1 moves into its database once. An app that went
      back to 3.0 has both, and nothing shows which is newer: fields that differ ask.

      After an update to Amplitude-Swift, the database still has the user of that time. The recipe reads the suites of
      Amplitude-Swift first; the name of its current suite contains the API key.

      PostHog stores each value in a JSON file of its own. Without a user id, the recipe writes no distinct id: if it
      equalled the device's id, PostHog would not merge the anonymous user with the one who logs in later.
      """,
    legacySDK: "Amplitude's SDK",
    inTheApp: """
      Before the app calls setup of PostHog's SDK for the first time, set bootstrap in PostHogConfig: to the user id,
      with isIdentifiedId true, if the user has logged in, otherwise to Amplitude's device id. If the user has opted out
      (opt_out in Library/com.amplitude.database), set optOut in PostHogConfig too.
      """,
    parameters: [
      RecipeParameter("key", "API key of Amplitude", form: .name),
      RecipeParameter("project-token", "project token", form: .name),
    ],
    target: .jsonFiles(in: ["Library/Application Support/", .bundleID, "/", .parameter("project-token")]),
    sources: [
      .archive([["Library/com.amplitude.archiveDict"]], as: nil),
      .suite(["com.amplitude.storage.amplitude-swift-storage-", .parameter("key"), "-$default_instance"]),
      .suite(["com.amplitude.storage.amplitude-swift-storage-$default_instance"]),
      .suite(["com.amplitude.storage.amplitude-swift-storage-default_instance"]),
      .table(["Library/com.amplitude.database"], KeyValueTable("store", key: "key", value: "value")),
      .table(["Library/com.amplitude.database"], KeyValueTable("long_store", key: "key", value: "value")),
    ],
    generations: [
      Generation(
        "Amplitude-iOS before 3.1", files: [.archive([["Library/com.amplitude.archiveDict"]], as: nil)],
        mayBeOlder: true),
      Generation(
        "Amplitude-Swift",
        files: [.suite(["com.amplitude.storage.amplitude-swift-storage-", .parameter("key"), "-$default_instance"])]),
      Generation(
        "Amplitude-Swift 0.5 to 1.3.0",
        files: [.suite(["com.amplitude.storage.amplitude-swift-storage-$default_instance"])]),
      Generation(
        "Amplitude-Swift 0.4.7 to 0.4.14",
        files: [.suite(["com.amplitude.storage.amplitude-swift-storage-default_instance"])]),
      Generation(
        "Amplitude-iOS 3.1 to 8",
        files: [.table(["Library/com.amplitude.database"], KeyValueTable("store", key: "key", value: "value"))]),
    ],
    rules: [
      FieldRule(
        target: "posthog.anonymousId", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("device_id"), [])],
        freshWithout: ["posthog.distinctId"],
        loss: .newUser),
      FieldRule(
        target: "posthog.distinctId", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("user_id"), [])],
        loss: .loggedOut),
      FieldRule(
        target: "posthog.isIdentified", group: .identity, form: .boolean,
        candidates: [Candidate(SourceKey("user_id"), [.isPresent])],
        describes: "posthog.distinctId",
        loss: .lost("the mark that the user is identified", .data),
        reader: .cast),
      FieldRule(
        target: "posthog.optOut", group: .consent, form: .boolean,
        candidates: [Candidate(SourceKey("opt_out"), [.boolean, .only([true])])],
        loss: .trackedAgain,
        reader: .cast),
    ],
    leftBehind: [
      LeftBehind(
        "app_version",
        because: "PostHog stores it in the app's preferences, and sends “Application Installed” at its first start."),
      LeftBehind("app_build", because: "PostHog stores it in the app's preferences."),
      LeftBehind("previous_session_id", because: "PostHog begins a session of its own."),
      LeftBehind("previous_session_time", because: "PostHog begins a session of its own.", moment: "last event"),
      LeftBehind("sequence_number", because: "Only the legacy SDK uses it."),
    ],
    elsewhere: [
      Elsewhere(
        .files(["Library/com.amplitude.database_", .parameter("*")]),
        because: "The recipe reads the database of the default instance only."),
      Elsewhere(
        .files(["Library/Caches/com.amplitude.database"]),
        because: "On tvOS, the SDK has its database in the caches, which the recipe does not read."),
      Elsewhere(
        .files(["Library/Caches/com.amplitude.database_", .parameter("*")]),
        because: "The recipe reads neither the caches of tvOS nor the database of another instance."),
      Elsewhere(
        .files(["Library/Preferences/com.amplitude.storage.amplitude-swift-", .parameter("*"), ".plist"]),
        because: "The recipe reads the suites of the default instance since version 0.4.7 only."),
    ],
    marks: ["device_id", "opt_out", "previous_session_id", "user_id"],
    isOnlyByName: true,
    optOutKeys: ["opt_out"])
}
