/// What is known about the findings on which SDKs have left something, and where.
extension Explanation {
  static let sourcePurgeable = Explanation(
    title: "the file lies in the caches of a tvOS app",
    happens: "The legacy SDK's own file lies under Library/Caches, which the system may empty when it needs room.",
    legacyReads: """
      On tvOS the legacy SDK has no other place for its file. It still finds in the preferences what the system removed \
      from there.
      """,
    guideSays: "The guide names the folder and does not say that it may be emptied.",
    helperWrites: "The helper reads the file where it is still there, and deletes it afterwards.",
    weWrite: "Carryover reads file and preferences key by key, and removes nothing from either.",
    whatToDo: "Nothing has to be done. Where a value is missing that should be there, ask for a newer container.")

  static let sourceReactNative = Explanation(
    title: "React Native's own keys hold the session, the version or the build",
    happens: """
      The app used the React Native SDK. It turns the native SDK's tracking of sessions and of the app's life off, and \
      keeps both itself, under keys that begin with rn_ in the preferences. Either of the two may have run last.
      """,
    legacyReads: """
      Each SDK reads its own keys. Under React Native the native legacy SDK always stores rl_session_auto_track_status as \
      false. If it is true, or rl_last_event_time_stamp is newer than rn_last_event_time_stamp, the native SDK ran \
      last: its keys are current and those with rn_ are stale.
      """,
    guideSays: "The guide knows the native SDK's keys only.",
    helperWrites: "The helper ignores these keys, and drops the session where the native key for its time is absent.",
    weWrite: """
      Carryover uses React Native's keys, or the native keys if the native SDK ran last. It names the keys and offers \
      the other SDK's values. It asks if it is unsure: if the times cannot be compared, the session began after React \
      Native's last event, or the native version or build is higher.
      """,
    whatToDo: """
      If Carryover does not ask, do nothing. Otherwise find out which SDK the app shipped with last, and accept the \
      proposal or take the other value.
      """)

  static let sourceV1AndV2 = Explanation(
    title: "both the Objective-C SDK and the beta SDK 2 have left keys",
    happens: """
      The container holds keys that only the Objective-C SDK writes, and keys that only the beta Swift SDK 2 writes: the \
      app changed from one to the other.
      """,
    legacyReads: """
      Either legacy SDK reads its own keys for user, traits and version. The session's id and time stand under the same \
      keys for both.
      """,
    guideSays: "The guide to each SDK comes with a class of its own. Neither says what to do if both SDKs have run.",
    helperWrites: """
      The helper for one SDK fills the new SDK's store; the helper for the other then finds it filled and does nothing.
      """,
    weWrite: """
      Carryover says which recipe reads which keys and follows one of them: that of the beta SDK 2, which came later, \
      where keys with rs_ are there. In each field the other recipe's value can be chosen.
      """,
    whatToDo: "Look at the fields that offer another value. Choose the other recipe with --recipe if that SDK ran last."
  )
}
