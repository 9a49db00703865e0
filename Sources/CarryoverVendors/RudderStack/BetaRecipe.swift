// Made from Recipes/rudderstack-swift-v2.recipe.yaml by `make record`. Change that file, not this one.
public import Carryover

extension Recipe {
  /// Migrates from the beta RudderStack iOS (Swift) SDK 2.x to the iOS (Swift) SDK.
  ///
  /// Sources: the public sources of the SDKs, 2.0 to 2.5.1 beta, and 1.3.1 with its example migrator; the start of
  /// RudderStack's migration guide for the beta.
  public static let rudderStackSwiftV2 = Recipe(
    reference: RecipeReference(id: "rudderstack-swift-v2", version: 2, title: "RudderStack Swift beta 2 → Swift"),
    about: """
      Migrates from the beta RudderStack iOS (Swift) SDK 2.x to the iOS (Swift) SDK.

      The beta stores its data only in UserDefaults.standard. Its traits are a dictionary archived by NSKeyedArchiver. Its
      anonymous id is the device's vendor id, on macOS the MAC address, and is not stored.
      """,
    vendor: RudderStack(),
    legacySDK: "the beta SDK 2",
    migrator: VendorMigrator("RudderStack's migrator", removes: true),
    inTheApp: """
      At each launch, before the app creates the new SDK, call Carryover's library (package `carryover`, product
      `CarryoverRestore`) with the write key of the new SDK's source:

      ```swift
      import CarryoverRestore

      let report = PersistentMigrator(writeKey: "WRITE_KEY")
        .restorePersistence(onConflict: .replaceFreshIdentity)
      print(report)
      ```

      It restores each field once; the beta SDK 2 stores no anonymous id. For a user who has opted out (rs_opt_status is
      true in UserDefaults.standard) it restores nothing, unless the app imports `Carryover` too and passes
      `allowing: [.consentOptedOut]` to `PersistentMigrator`. The library has not yet run on Apple's systems: test it on
      a device first.

      Instead of RudderStack's example migrator: that one does nothing if the new SDK's file exists, ignores an opt-out,
      and deletes the legacy values.
      """,
    target: .suite([.bundleID, ".analytics.", .parameter("write-key")]),
    sources: [.suite(.app)],
    rules: [
      FieldRule(
        target: "anonymous_id", group: .identity, form: .string,
        candidates: [],
        checks: [UnstoredAnonymousIDCheck()],
        freshWithout: ["user_id", "traits"],
        loss: .newUser,
        reader: .json),
      FieldRule(
        target: "user_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("rs_user_id"), [.exactText]),
          Candidate(SourceKey("rs_traits", member: "userId"), [.exactText]),
        ],
        checks: [UserIDCheck()],
        loss: .loggedOut,
        reader: .json),
      FieldRule(
        target: "traits", group: .traits, form: .jsonObjectString,
        candidates: [
          Candidate(SourceKey("rs_traits"), [.archivedJSON, .jsonWithoutMembers(["anonymousId", "id", "userId"])])
        ],
        checks: [TraitsCheck()],
        describes: "user_id",
        loss: .lost("the traits", .data),
        reader: .json),
      FieldRule(
        target: "session_id", group: .session, form: .decimalString,
        candidates: [Candidate(SourceKey("rl_session_id"), [.wholeNumber, .exactText])],
        checks: [SessionIDCheck()],
        keepsTarget: true,
        loss: .lost("the session", .session),
        moment: "session began",
        reader: .json),
      FieldRule(
        target: "is_manual_session", group: .session, form: .boolean,
        candidates: [Candidate(SourceKey("rl_session_manual_track_status"), [.boolean])],
        checks: [ManualFlagCheck()],
        keepsTarget: true,
        loss: Loss(
          .session, "the session's kind", ahead: "the update would lose the session's kind",
          past: "the app lost the session's kind", partOf: "the session"),
        reader: .json),
      FieldRule(
        target: "last_activity_time", group: .session, form: .decimalString,
        candidates: [Candidate(SourceKey("rl_last_event_time_stamp"), [.pastSecondsToMilliseconds, .exactText])],
        checks: [LastActivityCheck()],
        keepsTarget: true,
        loss: .lost("the session", .session),
        moment: "last event",
        reader: .json),
      FieldRule(
        target: "rudder.app_version", group: .app, form: .string,
        candidates: [Candidate(SourceKey("rs_application_version_key"), [.exactText])],
        checks: [AppVersionCheck()],
        keepsTarget: true,
        loss: Loss(
          .app, "the app's version", ahead: "the update would send “Application Installed” again",
          past: "the app sends “Application Installed” again"),
        reader: .json),
      FieldRule(
        target: "rudder.app_build", group: .app, form: .integer,
        candidates: [Candidate(SourceKey("rs_application_build_key"), [.integerFromText])],
        checks: [AppBuildCheck()],
        keepsTarget: true,
        loss: .lost("the app's build", .app),
        reader: .json),
    ],
    leftBehind: [
      LeftBehind(
        "rs_anonymous_id", because: "The beta SDK names this key and never writes it; a value there is offered."),
      LeftBehind(
        "rs_external_id",
        because: "The beta SDK names this key and never writes it; the new SDK stores no external ids."),
      LeftBehind(
        "rs_opt_status", because: "The new SDK has no opt-out status; your app must keep opted-out users opted out."),
      LeftBehind("rs_opt_in_time", because: "The beta SDK names this key and never writes it."),
      LeftBehind("rs_opt_out_time", because: "The beta SDK names this key and never writes it."),
      LeftBehind("rs_server_config", because: "The new SDK fetches its own configuration.", secret: true),
      LeftBehind("rs_server_last_updated", because: "The new SDK fetches its own configuration."),
      LeftBehind(
        "rl_session_auto_track_status",
        because: "The new SDK keeps one status; this one is only compared with the other."),
      LeftBehind(
        "rl_session_stopped_status", because: "It says whether the session was ended; one that was is not migrated."),
    ],
    legacyPrefixes: ["rl_", "rs_", "rn_"],
    marks: [
      "rl_session_manual_track_status", "rl_session_stopped_status", "rs_application_build_key",
      "rs_application_version_key", "rs_opt_status", "rs_server_config", "rs_server_last_updated", "rs_traits",
      "rs_user_id",
    ],
    newestPrefix: "rs_",
    optOutKeys: ["rl_opt_status", "rs_opt_status"],
    comparedKeys: ["rl_external_id"])
}
