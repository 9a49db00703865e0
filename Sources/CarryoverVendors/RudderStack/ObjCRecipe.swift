public import Carryover

extension Recipe {
  /// The legacy RudderStack iOS (Objective-C) SDK to the iOS (Swift) SDK.
  ///
  /// What the legacy SDK leaves: `Library/rsDefaultsPersistence.plist` since 1.25.2 (under `Library/Caches` on tvOS) and,
  /// with every version, `UserDefaults.standard`, which it reads first, key by key. What the new SDK reads: the suite
  /// `<bundle id>.analytics.<write key>`, each key with a typed cast. Under React Native the native SDK tracks neither
  /// sessions nor the life of the app; what React Native's SDK knows of them is in the preferences under `rn_` keys, which
  /// are taken first unless the native SDK ran last. Read off the public sources of the SDKs (1.31 and 1.3.1, React
  /// Native 1.x to 3.x) and
  /// RudderStack's migration guide.
  public static let rudderStackObjC = Recipe(
    reference: RecipeReference(id: "rudderstack-objc", version: 3, title: "RudderStack Obj-C → Swift"),
    legacySDK: "the legacy SDK", target: .suite(.analytics),
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
        ], check: AnonymousIDCheck(), freshWithout: ["user_id", "traits"],
        loss: .newUser),
      FieldRule(
        target: "user_id", group: .identity, form: .string,
        candidates: [Candidate(SourceKey("rl_traits", member: "userId"), [.numberText])], check: UserIDCheck(),
        loss: .loggedOut),
      FieldRule(
        target: "traits", group: .traits, form: .jsonObjectString,
        candidates: [
          Candidate(SourceKey("rl_traits"), [.jsonWithoutMembers(["anonymousId", "id", "userId"])])
        ], check: TraitsCheck(), describes: "user_id", loss: .lost("the traits")),
      FieldRule(
        target: "session_id", group: .session, form: .decimalString,
        candidates: [Candidate(SourceKey("rl_session_id"), [.wholeNumber, .exactText])], check: SessionIDCheck(),
        loss: .session, moment: "session began"),
      FieldRule(
        target: "is_manual_session", group: .session, form: .boolean,
        candidates: [
          Candidate(above: SourceKey("rn_session_auto_track_status"), [.boolean, .invert]),
          Candidate(SourceKey("rl_session_auto_track_status"), [.boolean, .invert]),
        ],
        check: ManualSessionCheck(), loss: .sessionKind),
      FieldRule(
        target: "last_activity_time", group: .session, form: .decimalString,
        candidates: [
          Candidate(above: SourceKey("rn_last_event_time_stamp"), [.pastSecondsToMilliseconds, .exactText]),
          Candidate(SourceKey("rl_last_event_time_stamp"), [.pastSecondsToMilliseconds, .exactText]),
        ], check: LastActivityCheck(), loss: .session, moment: "last event"),
      FieldRule(
        target: "rudder.app_version", group: .app, form: .string,
        candidates: [
          Candidate(above: SourceKey("rn_application_version_key"), [.exactText]),
          Candidate(SourceKey("rl_application_version_key"), [.exactText]),
          Candidate(SourceKey("rl_application_info_key"), [.exactText]),
        ], check: AppVersionCheck(), loss: .appVersion),
      FieldRule(
        target: "rudder.app_build", group: .app, form: .integer,
        candidates: [
          Candidate(above: SourceKey("rn_application_build_key"), [.integerFromText]),
          Candidate(SourceKey("rl_application_build_key"), [.integerFromText]),
        ], check: AppBuildCheck(), loss: .lost("the app's build", .app)),
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
        "rl_server_last_updated", because: "The new SDK fetches its own configuration.",
        moment: "configuration fetched"),
      LeftBehind("rl_prefs", because: "Only the legacy SDK uses it."),
      LeftBehind("rl_event_deletion_status", because: "Events are not migrated."),
      LeftBehind(
        "rn_session_manual_track_status",
        because: "The new SDK keeps one status; this one is only compared with the other."),
      LeftBehind("standardDefaultsCopied", because: "The legacy SDK notes here that it copied its values."),
    ],
    legacyPrefixes: ["rl_", "rs_", "rn_"],
    marks: [
      "rl_anonymous_id", "rl_traits", "rl_application_version_key", "rl_application_build_key",
      "rl_application_info_key", "rl_external_id", "rl_opt_status", "rl_opt_in_time", "rl_opt_out_time",
      "rl_auth_token", "rl_advertising_id", "rl_server_config", "rl_server_last_updated", "rl_prefs",
      "rl_event_deletion_status", "standardDefaultsCopied", "rn_last_event_time_stamp",
      "rn_session_auto_track_status", "rn_session_manual_track_status", "rn_application_version_key",
      "rn_application_build_key",
    ]
  ).known()
}
