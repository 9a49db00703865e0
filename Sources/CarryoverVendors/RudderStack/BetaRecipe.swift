public import Carryover

extension Recipe {
  /// The beta RudderStack iOS (Swift) SDK 2.x to the iOS (Swift) SDK.
  ///
  /// What the beta leaves: `UserDefaults.standard` and nothing else. Its traits are what `NSKeyedArchiver` makes of a
  /// dictionary; its anonymous id is the vendor's id of the device, on macOS the MAC address, and is stored nowhere. Read
  /// off the public sources of the SDKs (2.0 to 2.5.1 beta, and 1.3.1 with the example migrator in it) and the beginning of
  /// RudderStack's migration guide for the beta.
  public static let rudderStackSwiftV2 = Recipe(
    reference: RecipeReference(id: "rudderstack-swift-v2", version: 2, title: "RudderStack Swift beta 2 → Swift"),
    legacySDK: "the beta SDK 2", target: .suite(.analytics),
    sources: [.suite(.app)],
    rules: [
      FieldRule(
        target: "anonymous_id", group: .identity, form: .string, candidates: [], check: UnstoredAnonymousIDCheck(),
        freshWithout: ["user_id", "traits"],
        loss: .newUser),
      FieldRule(
        target: "user_id", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("rs_user_id"), [.exactText]),
          Candidate(SourceKey("rs_traits", member: "userId"), [.exactText]),
        ], check: UserIDCheck(),
        loss: .loggedOut),
      FieldRule(
        target: "traits", group: .traits, form: .jsonObjectString,
        candidates: [
          Candidate(SourceKey("rs_traits"), [.archivedJSON, .jsonWithoutMembers(["anonymousId", "id", "userId"])])
        ], check: TraitsCheck(), describes: "user_id", loss: .lost("the traits")),
      FieldRule(
        target: "session_id", group: .session, form: .decimalString,
        candidates: [Candidate(SourceKey("rl_session_id"), [.wholeNumber, .exactText])], check: SessionIDCheck(),
        loss: .session, moment: "session began"),
      FieldRule(
        target: "is_manual_session", group: .session, form: .boolean,
        candidates: [Candidate(SourceKey("rl_session_manual_track_status"), [.boolean])], check: ManualFlagCheck(),
        loss: .sessionKind),
      FieldRule(
        target: "last_activity_time", group: .session, form: .decimalString,
        candidates: [
          Candidate(SourceKey("rl_last_event_time_stamp"), [.pastSecondsToMilliseconds, .exactText])
        ], check: LastActivityCheck(), loss: .session, moment: "last event"),
      FieldRule(
        target: "rudder.app_version", group: .app, form: .string,
        candidates: [Candidate(SourceKey("rs_application_version_key"), [.exactText])], check: AppVersionCheck(),
        loss: .appVersion),
      FieldRule(
        target: "rudder.app_build", group: .app, form: .integer,
        candidates: [Candidate(SourceKey("rs_application_build_key"), [.integerFromText])], check: AppBuildCheck(),
        loss: .lost("the app's build", .app)),
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
      "rs_user_id", "rs_traits", "rs_application_version_key", "rs_application_build_key", "rs_opt_status",
      "rs_server_config", "rs_server_last_updated", "rl_session_manual_track_status", "rl_session_stopped_status",
    ]
  ).known(newest: "rs_")
}
