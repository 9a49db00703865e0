// Made from Recipes/amplitude-objc.recipe.yaml by `make record`. Change that file, not this one.
package import Carryover

extension Recipe {
  /// Migrates from Amplitude's Objective-C SDK (Amplitude-iOS 2.2 to 8) to its Swift SDK (Amplitude-Swift).
  ///
  /// Sources: the public sources of Amplitude-iOS 8.22.2, AMPDatabaseHelper.m and Amplitude.m; the public sources of
  /// Amplitude-iOS 3.0.1 and 3.1.0, Amplitude.m; the public sources of Amplitude-Swift 1.18.6,
  /// RemnantDataMigration.swift, DefaultEventUtils.swift and Types.swift; the public sources of Amplitude-Swift 0.4.7,
  /// 1.3.0, 1.3.1 and 1.9.4, Amplitude.swift and StoragePrefixMigration.swift.
  package static let amplitudeObjC = Recipe(
    reference: RecipeReference(id: "amplitude-objc", version: 3, title: "Amplitude Obj-C → Swift"),
    about: """
      Migrates from Amplitude's Objective-C SDK (Amplitude-iOS 2.2 to 8) to its Swift SDK (Amplitude-Swift).

      The Objective-C SDK stores the ids in a SQLite database. The Swift SDK's own migrator copies them at the first start,
      unless the app switches it off, or runs on a Mac without a sandbox. It does not read the app's version, so it may send
      “Application Installed” again, nor the opt-out: it tracks users who have opted out.

      Before 3.1, the Objective-C SDK stores the ids in an archive, which the migrator does not read. Version 3.1 moves it into
      its database once. An app that went back to 3.0 has both, and nothing shows which is newer: fields that differ ask.

      Amplitude-Swift before 1.3.1 has other suites. The current SDK moves their values only if its own suite has none by then,
      and erases them. It takes those of 0.4.7 to 0.4.14 before its migrator reads the database, and those of 0.5 to 1.3.0 after
      it: then the database's user comes back. The recipe reads these suites before the database.

      The session stays with the migrator: once the Swift SDK's file has a time of the last event, the migrator does not move
      unsent identify calls.
      """,
    legacySDK: "Amplitude's earlier SDK",
    migrator: VendorMigrator(
      "Amplitude's migrator", runs: .atFirstStart, moves: ["previous_session_id", "previous_session_time"],
      mark: "storage_version"),
    inTheApp: """
      Leave migrateLegacyData on in Amplitude's Configuration, as it is by default: the Swift SDK then copies the ids
      when it first starts, except on a Mac without a sandbox. It does not copy the opt-out: for a user who opted out in
      the Objective-C SDK (opt_out in Library/com.amplitude.database), pass optOut: true to Configuration.
      """,
    target: .suite(["com.amplitude.storage.amplitude-swift-storage-", .parameter("write-key"), "-$default_instance"]),
    sources: [
      .archive([["Library/com.amplitude.archiveDict"]], as: nil),
      .suite(["com.amplitude.storage.amplitude-swift-storage-$default_instance"]),
      .suite(["com.amplitude.storage.amplitude-swift-storage-default_instance"]),
      .table(["Library/com.amplitude.database"], KeyValueTable("store", key: "key", value: "value")),
      .table(["Library/com.amplitude.database"], KeyValueTable("long_store", key: "key", value: "value")),
    ],
    generations: [
      Generation(
        "Amplitude-iOS before 3.1", files: [.archive([["Library/com.amplitude.archiveDict"]], as: nil)],
        mayBeOlder: true, isUnreadByMigrator: true),
      Generation(
        "Amplitude-Swift 0.5 to 1.3.0",
        files: [.suite(["com.amplitude.storage.amplitude-swift-storage-$default_instance"])], move: .afterOthers),
      Generation(
        "Amplitude-Swift 0.4.7 to 0.4.14",
        files: [.suite(["com.amplitude.storage.amplitude-swift-storage-default_instance"])], move: .beforeOthers),
      Generation(
        "Amplitude-iOS 3.1 to 8",
        files: [.table(["Library/com.amplitude.database"], KeyValueTable("store", key: "key", value: "value"))]),
    ],
    rules: [
      FieldRule(
        target: "device_id", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("device_id"), [])],
        freshWithout: ["user_id"],
        isMigratedByVendor: true,
        loss: Loss(
          .newUser, "the device id", ahead: "the update would count this user as a new one",
          past: "this user is counted as a new one")),
      FieldRule(
        target: "user_id", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("user_id"), [])],
        isMigratedByVendor: true,
        loss: .loggedOut),
      FieldRule(
        target: "app_version", group: .app, form: .string,
        candidates: [Candidate(SourceKey("app_version"), [])],
        loss: Loss(
          .app, "the app's version", ahead: "the update would send “Application Installed” again",
          past: "the app sends “Application Installed” again")),
      FieldRule(
        target: "app_build", group: .app, form: .string,
        candidates: [Candidate(SourceKey("app_build"), [])],
        loss: .lost("the app's build", .app)),
    ],
    leftBehind: [
      LeftBehind("previous_session_id", because: "Amplitude's migrator moves it from the database."),
      LeftBehind(
        "previous_session_time",
        because:
          "Amplitude's migrator moves it from the database. If it finds the time moved already, it does not move unsent identify calls.",
        moment: "last event"),
      LeftBehind(
        "opt_out", because: "The new SDK does not store an opt-out; your app must keep opted-out users opted out."),
      LeftBehind("sequence_number", because: "Only the legacy SDK uses it."),
    ],
    elsewhere: [
      Elsewhere(
        .files(["Library/com.amplitude.database_", .parameter("*")]),
        because: "The recipe reads the database of the default instance only."),
      Elsewhere(
        .files(["Library/com.amplitude.database.", .parameter("*")]),
        because: "A Mac app without a sandbox has its database here, which neither the new SDK nor the recipe reads."),
      Elsewhere(
        .files(["Library/Caches/com.amplitude.database"]),
        because: "On tvOS, the SDK has its database in the caches, which the recipe does not read."),
      Elsewhere(
        .files(["Library/Caches/com.amplitude.database_", .parameter("*")]),
        because: "The recipe reads neither the caches of tvOS nor the database of another instance."),
      Elsewhere(
        .files(["Library/Preferences/com.amplitude.storage.amplitude-swift-", .parameter("*"), ".plist"]),
        because:
          "The new SDK moves the ids from this suite of an earlier version or of another instance when that one starts."
      ),
    ],
    marks: ["device_id", "opt_out", "previous_session_id", "user_id"],
    optOutKeys: ["opt_out"])
}
