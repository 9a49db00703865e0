import Carryover
import CarryoverSystem

/// The SDK that ran last, if both React Native's and the native SDK have stored the session and the app's version.
///
/// React Native's SDK disables native tracking, so the native SDK stores `rl_session_auto_track_status` = false and no
/// time of a last event. Any other state of these keys shows that the native SDK has run by itself since.
enum LastRun: Hashable {
  /// React Native's SDK, as far as the keys show.
  case reactNative
  case native(NativeRunProof)
  case unsure(NativeRunDoubt)

  /// React Native's keys for facts that the native SDK also stores.
  static let reactNativeKeys: Set<StringByBytes> = [
    "rn_session_auto_track_status", "rn_session_manual_track_status", "rn_last_event_time_stamp",
    "rn_application_version_key", "rn_application_build_key",
  ]

  /// Nil if React Native's SDK has left no keys, or the recipe reads none of them.
  init?(_ recipe: Recipe, _ sources: LegacySources, now: Moment) {
    let reads = recipe.rules.contains { $0.candidates.contains { $0.source.isReactNative } }
    guard reads, Self.reactNativeKeys.contains(where: { sources.value($0.text) != nil }) else { return nil }
    let keys = TrackingKeys(sources: sources, now: now)
    if let proof = keys.proof {
      self = .native(proof)
    } else if let doubt = keys.doubt {
      self = .unsure(doubt)
    } else {
      self = .reactNative
    }
  }

  var staleKeys: Set<StringByBytes> {
    if case .native = self { Self.reactNativeKeys } else { [] }
  }

  /// A different value under the other SDK's keys is an alternative, or needs a decision if the last SDK is not
  /// certain.
  static func compare(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard let lastRun = context.lastRun else { return }
    let isReactNative = draft.origin?.source.isReactNative
    var differing: [String] = []
    for other in context.evaluations(draft.rule, ofReactNative: isReactNative != true) {
      guard let value = other.evaluation.proposed, value != draft.proposed else { continue }
      differing.append(other.key)
      draft.offer(other.key, value)
    }
    guard case .unsure(let doubt) = lastRun, let key = draft.origin?.source.key else { return }
    // React Native's SDK has stored no time, so the native SDK's may be older.
    let isAlone = doubt == .timesNotComparable && draft.rule.target == "last_activity_time" && isReactNative == false
    if isAlone || !differing.isEmpty { draft.note(.sourceReactNativeUnsure(key: key, others: differing, doubt)) }
  }
}

/// Why the native SDK is known to have run last. The raw value is a sentence without its full stop.
package enum NativeRunProof: String, Sendable {
  case automaticTracking = "It stored rl_session_auto_track_status true, which it never does under React Native"
  case newerEvent = "Its rl_last_event_time_stamp is newer than rn_last_event_time_stamp"
}

/// Why the native SDK may have run last, although React Native has keys. The raw value is a sentence without its full stop.
package enum NativeRunDoubt: String, Sendable {
  /// React Native's time is missing, or one is not a past time in seconds.
  case timesNotComparable = "rl_last_event_time_stamp and rn_last_event_time_stamp cannot be compared"
  case sessionBeganLater = "The session began after rn_last_event_time_stamp"
  case higherNativeVersion = "The native SDK's version or build is higher than React Native's"
}

private struct TrackingKeys {
  let sources: LegacySources
  let now: Moment

  var proof: NativeRunProof? {
    if sources.value("rl_session_auto_track_status").map(PlanningContext.isTrue) == true { return .automaticTracking }
    guard let native = seconds("rl_last_event_time_stamp"), let other = seconds("rn_last_event_time_stamp") else {
      return nil
    }
    return native > other ? .newerEvent : nil
  }

  var doubt: NativeRunDoubt? {
    let other = seconds("rn_last_event_time_stamp")
    if sources.value("rl_last_event_time_stamp") != nil, seconds("rl_last_event_time_stamp") == nil || other == nil {
      return .timesNotComparable
    }
    if let other, let session = sources.value("rl_session_id")?.helperNumber?.unsigned, Double(session) > other,
      sources.value("rn_session_auto_track_status").map(PlanningContext.isTrue) == true
    {
      return .sessionBeganLater
    }
    return isHigher("rl_application_version_key", "rn_application_version_key")
      || isHigher("rl_application_build_key", "rn_application_build_key") ? .higherNativeVersion : nil
  }

  /// A time in seconds, in the past but not before these SDKs existed; nil for any other value.
  private func seconds(_ key: String) -> Double? {
    guard let value = sources.value(key), let milliseconds = try? Transform.pastMilliseconds(value, now: now) else {
      return nil
    }
    let seconds = Double(milliseconds) / 1000
    return seconds >= LastActivityCheck.uptimeBelow ? seconds : nil
  }

  private func isHigher(_ key: String, _ other: String) -> Bool {
    guard case .string(let left)? = sources.value(key), case .string(let right)? = sources.value(other) else {
      return false
    }
    guard let left = Self.parts(left), let right = Self.parts(right) else { return false }
    return right.lexicographicallyPrecedes(left)
  }

  /// The numbers of a version such as 4.10.2, without trailing zeros; nil if it contains anything else.
  private static func parts(_ version: String) -> [UInt64]? {
    var parts: [UInt64] = []
    for part in version.split(separator: ".", omittingEmptySubsequences: false) {
      guard let number = UInt64(part) else { return nil }
      parts.append(number)
    }
    while parts.last == 0 { parts.removeLast() }
    return parts
  }
}

extension PlanningContext {
  /// The evaluations of a field for the keys of one of the two SDKs.
  func evaluations(_ rule: FieldRule, ofReactNative: Bool) -> [(key: String, evaluation: Evaluation)] {
    rule.candidates.filter { $0.source.isReactNative == ofReactNative }.compactMap { candidate in
      sources.values(candidate.source.key).first.map { (candidate.source.key, Evaluation(candidate, $0, now: now)) }
    }
  }
}

extension SourceKey {
  /// Whether React Native's SDK stores the key, in place of the native SDK.
  var isReactNative: Bool { key.hasPrefix("rn_") }
}
