package import Carryover

extension FindingCode {
  /// React Native's own keys are there and used; `stale` are the native SDK's that say something else.
  package static let sourceReactNative = FindingCode(
    "source.react-native", .warning, .asks,
    Explanation(
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
        """))
}

extension Observation {
  /// React Native's own keys are there and used; `stale` are the native SDK's that say something else.
  package static func sourceReactNative(keys: [String], stale: [String]) -> Observation {
    let others: FindingText =
      stale.isEmpty ? "" : "; \(list: stale) \(words: stale.count == 1 ? "says" : "say") something else"
    return Observation(
      .sourceReactNative,
      """
      The app used the React Native SDK, which keeps what it knows of sessions and of the app under its own keys: \
      \(list: keys). They are taken before the native SDK's\(others). The reference migrator ignores them.
      """,
      remedy: "Nothing to do: they are taken first. Edit a field whose value is wrong.")
  }

  /// React Native's own keys are there, and the native SDK is proven to have run after React Native's.
  package static func sourceReactNativeStale(keys: [String], _ proof: NativeRunProof) -> Observation {
    Observation(
      .sourceReactNative,
      """
      The native SDK ran after the React Native SDK: \(words: proof.words). Its keys are current, and these are stale: \
      \(list: keys).
      """,
      remedy: "Nothing to do: the native keys are migrated. Edit a field whose value is wrong.")
  }

  /// It is not certain whether React Native's key or the native SDK's `others` are current.
  package static func sourceReactNativeUnsure(key: String, others: [String], _ doubt: NativeRunDoubt) -> Observation {
    let rest: FindingText =
      others.isEmpty ? "." : "; \(list: others) \(words: others.count == 1 ? "leads" : "lead") to another value."
    return Observation(
      .sourceReactNative,
      """
      It is not certain whether React Native or the native SDK ran last: \(words: doubt.words). The proposal takes \
      \(key)\(rest)
      """,
      remedy: "Accept the proposal, take the other value, or skip the field.")
  }
}

extension FindingCode {
  /// Both SDKs have run: the recipe that was chosen, and which keys are whose.
  package static let sourceV1AndV2 = FindingCode(
    "source.v1-and-v2", .error, .informs,
    Explanation(
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
      whatToDo:
        "Look at the fields that offer another value. Choose the other recipe with --recipe if that SDK ran last."
    ))
}

extension Observation {
  /// Both SDKs have run: the recipe that was chosen, and which keys are whose.
  package static func sourceV1AndV2(chosen: String, evidence: [RecipeEvidence]) -> Observation {
    let found = evidence.map { "\(words: $0.recipe.id) reads \(list: $0.keys)" as FindingText }
    let others = evidence.map(\.recipe.id).filter { $0 != chosen }
    return Observation(
      .sourceV1AndV2,
      """
      Both the Objective-C SDK and the beta SDK 2 have left keys here. \(list: found, limit: .max, joined: "; "). This plan \
      follows \(words: chosen). Whichever reference migrator runs first keeps the other from doing anything.
      """,
      remedy: """
        Look at the fields that offer another value; follow \(words: others.joined(separator: " or ")) instead with \
        --recipe \(words: others.first ?? "ID").
        """)
  }
}

extension NativeRunProof {
  fileprivate var words: String {
    switch self {
    case .automaticTracking: "rl_session_auto_track_status is true, which it never stores under React Native"
    case .newerEvent: "rl_last_event_time_stamp is newer than rn_last_event_time_stamp"
    }
  }
}

extension NativeRunDoubt {
  fileprivate var words: String {
    switch self {
    case .timesNotComparable: "rl_last_event_time_stamp and rn_last_event_time_stamp cannot be compared"
    case .sessionBeganLater: "the session began after rn_last_event_time_stamp"
    case .higherNativeVersion: "the native SDK's version or build is higher than React Native's"
    }
  }
}
