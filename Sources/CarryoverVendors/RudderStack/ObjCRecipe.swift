// Made from Recipes/rudderstack-objc.recipe.yaml by `make record`. Change that file, not this one.
public import Carryover

extension Recipe {
  /// Migrates from the legacy RudderStack iOS (Objective-C) SDK to the iOS (Swift) SDK.
  ///
  /// Sources: the public sources of the SDKs, 1.31 and 1.3.1, React Native 1.x to 3.x; RudderStack's migration guide.
  public static let rudderStackObjC = Recipe(
    reference: RecipeReference(id: "rudderstack-objc", version: 3, title: "RudderStack Obj-C → Swift"),
    about: """
      Migrates from the legacy RudderStack iOS (Objective-C) SDK to the iOS (Swift) SDK.

      The legacy SDK stores its data in UserDefaults.standard, which it reads first, key by key. Since 1.25.2, it also has
      the file Library/rsDefaultsPersistence.plist, on tvOS in Library/Caches. The new SDK reads the suite
      <bundle id>.analytics.<write key>, each key with a typed cast.

      Under React Native, the native SDK tracks neither sessions nor the app's lifecycle. React Native's SDK stores these
      under rn_ keys, which the recipe prefers unless the native SDK ran last.
      """,
    vendor: RudderStack(),
    legacySDK: "the legacy SDK",
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

      It restores each field once. For a user who has opted out (rl_opt_status is true in UserDefaults.standard) it
      restores nothing, unless the app imports `Carryover` too and passes `allowing: [.consentOptedOut]` to
      `PersistentMigrator`. If an earlier release started the new SDK without this call, the call also replaces the
      anonymous id that the new SDK made, unless the new SDK has a user id or traits. The library has not yet run on
      Apple's systems: test it on a device first.

      Instead of RudderStack's example migrator: that one drops a user id that is not text and a session without a valid
      time of its last event. It reads only one of the two legacy stores, does nothing if the new SDK's file exists,
      ignores an opt-out, and deletes the legacy values.
      """,
    parameterPlaces: [ParameterPlace("write-key", key: "rl_server_config", members: ["source", "writeKey"])],
    target: .suite([.bundleID, ".analytics.", .parameter("write-key")]),
    sources: [
      .suite(.app),
      .plist([["Library/rsDefaultsPersistence.plist"], ["Library/Caches/rsDefaultsPersistence.plist"]]),
    ],
    rules: [
      FieldRule(
        target: "anonymous_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("rl_anonymous_id"), [.exactText]),
          Candidate(SourceKey("rl_traits", member: "anonymousId"), [.numberText]),
        ],
        checks: [AnonymousIDCheck()],
        freshWithout: ["user_id", "traits"],
        loss: .newUser,
        reader: .json),
      FieldRule(
        target: "user_id", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("rl_traits", member: "userId"), [.numberText])],
        checks: [UserIDCheck()],
        loss: .loggedOut,
        reader: .json),
      FieldRule(
        target: "traits", group: .traits, form: .jsonObjectString,
        candidates: [Candidate(SourceKey("rl_traits"), [.jsonWithoutMembers(["anonymousId", "id", "userId"])])],
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
        candidates: [
          Candidate(above: SourceKey("rn_session_auto_track_status"), [.boolean, .invert]),
          Candidate(SourceKey("rl_session_auto_track_status"), [.boolean, .invert]),
        ],
        checks: [ManualSessionCheck()],
        keepsTarget: true,
        loss: Loss(
          .session, "the session's kind", ahead: "the update would lose the session's kind",
          past: "the app lost the session's kind", partOf: "the session"),
        reader: .json),
      FieldRule(
        target: "last_activity_time", group: .session, form: .decimalString,
        candidates: [
          Candidate(above: SourceKey("rn_last_event_time_stamp"), [.pastSecondsToMilliseconds, .exactText]),
          Candidate(SourceKey("rl_last_event_time_stamp"), [.pastSecondsToMilliseconds, .exactText]),
        ],
        checks: [LastActivityCheck()],
        keepsTarget: true,
        loss: .lost("the session", .session),
        moment: "last event",
        reader: .json),
      FieldRule(
        target: "rudder.app_version", group: .app, form: .string,
        candidates: [
          Candidate(above: SourceKey("rn_application_version_key"), [.exactText]),
          Candidate(SourceKey("rl_application_version_key"), [.exactText]),
          Candidate(SourceKey("rl_application_info_key"), [.exactText]),
        ],
        checks: [AppVersionCheck()],
        keepsTarget: true,
        loss: Loss(
          .app, "the app's version", ahead: "the update would send “Application Installed” again",
          past: "the app sends “Application Installed” again"),
        reader: .json),
      FieldRule(
        target: "rudder.app_build", group: .app, form: .integer,
        candidates: [
          Candidate(above: SourceKey("rn_application_build_key"), [.integerFromText]),
          Candidate(SourceKey("rl_application_build_key"), [.integerFromText]),
        ],
        checks: [AppBuildCheck()],
        keepsTarget: true,
        loss: .lost("the app's build", .app),
        reader: .json),
    ],
    leftBehind: [
      LeftBehind("rl_external_id", because: "The new SDK does not store external ids; pass them with each event."),
      LeftBehind(
        "rl_opt_status", because: "The new SDK has no opt-out status; your app must keep opted-out users opted out."),
      LeftBehind("rl_opt_in_time", because: "The new SDK has no opt-out status.", moment: "opted in"),
      LeftBehind("rl_opt_out_time", because: "The new SDK has no opt-out status.", moment: "opted out"),
      LeftBehind(
        "rl_auth_token", because: "The app's own token (putAuthToken); the new SDK has no counterpart.", secret: true),
      LeftBehind("rl_advertising_id", because: "The new SDK has no advertising id.", secret: true),
      LeftBehind("rl_server_config", because: "The new SDK fetches its own configuration.", secret: true),
      LeftBehind(
        "rl_server_last_updated", because: "The new SDK fetches its own configuration.", moment: "configuration fetched"
      ),
      LeftBehind("rl_prefs", because: "Only the legacy SDK uses it."),
      LeftBehind("rl_event_deletion_status", because: "Events are not migrated."),
      LeftBehind(
        "rn_session_manual_track_status",
        because: "The new SDK keeps one status; this one is only compared with the other."),
      LeftBehind("standardDefaultsCopied", because: "The legacy SDK notes here that it copied its values."),
    ],
    legacyPrefixes: ["rl_", "rs_", "rn_"],
    marks: [
      "rl_advertising_id", "rl_anonymous_id", "rl_application_build_key", "rl_application_info_key",
      "rl_application_version_key", "rl_auth_token", "rl_event_deletion_status", "rl_external_id", "rl_opt_in_time",
      "rl_opt_out_time", "rl_opt_status", "rl_prefs", "rl_server_config", "rl_server_last_updated", "rl_traits",
      "rn_application_build_key", "rn_application_version_key", "rn_last_event_time_stamp",
      "rn_session_auto_track_status", "rn_session_manual_track_status", "standardDefaultsCopied",
    ],
    optOutKeys: ["rl_opt_status", "rs_opt_status"],
    comparedKeys: ["rl_external_id"])
}
