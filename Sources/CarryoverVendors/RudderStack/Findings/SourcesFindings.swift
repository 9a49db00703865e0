package import Carryover

extension FindingCode {
  static let rudderStackSourcesCodes: [FindingCode] = [.sourceReactNative, .sourceV1AndV2, .droppedExternalIDs]

  package static let sourceReactNative = FindingCode(
    "source.react-native", .warning, .asks,
    title: "React Native's own keys have the session, the version or the build",
    happens: """
      The app used the React Native SDK. It turns off the native SDK's tracking of sessions and of the app's \
      lifecycle. It tracks both itself, under keys that begin with rn_ in the preferences. Either SDK may have run \
      last.
      """,
    legacyReads: """
      Each SDK reads its own keys. Under React Native the native legacy SDK always stores \
      rl_session_auto_track_status as false. If it is true, or rl_last_event_time_stamp is newer than \
      rn_last_event_time_stamp, the native SDK ran last: its keys are current and those with rn_ are stale.
      """,
    guideSays: "The guide names the native SDK's keys only.",
    helperWrites:
      "RudderStack's migrator ignores these keys, and drops the session if the native key for its time is absent.",
    weWrite: """
      Carryover uses React Native's keys, or the native keys if the native SDK ran last. It names the keys and \
      offers the other SDK's values. It asks if this is uncertain: the times cannot be compared, the session began \
      after React Native's last event, or the native version or build is higher.
      """,
    whatToDo: """
      If Carryover does not ask, do nothing. Otherwise find out which SDK the app last shipped with, and accept the \
      proposal or choose the other value.
      """)

  package static let sourceV1AndV2 = FindingCode(
    "source.v1-and-v2", .error, .informs,
    title: "both the Objective-C SDK and the beta SDK 2 have left keys",
    happens: """
      The container has keys that only the Objective-C SDK writes, and keys that only the beta Swift SDK 2 writes: \
      the app changed from one to the other.
      """,
    legacyReads: """
      Each legacy SDK reads its own keys for user, traits and version. Both use the same keys for the session's id \
      and time.
      """,
    guideSays:
      "The guide to each SDK comes with its own migrator. Neither guide says what to do if both SDKs have run.",
    helperWrites: """
      RudderStack's migrator for one SDK fills the new SDK's store; the migrator for the other then finds it filled \
      and does nothing.
      """,
    weWrite: """
      Carryover says which recipe reads which keys. If there are keys that begin with rs_, it follows the recipe for \
      the beta SDK 2, which came later. Each field offers the other recipe's value.
      """,
    whatToDo: """
      Check the fields that offer another value. Choose the other \
      recipe\(command: " with --recipe", app: "", review: " with %") if its SDK ran last.
      """)

  package static let droppedExternalIDs = FindingCode(
    "dropped.external-ids", .warning, .informs,
    title: "there are external ids",
    happens: "The key rl_external_id contains external ids, such as those of another service for the same user.",
    legacyReads: "The legacy SDK stores external ids as the text of a JSON array of types and ids.",
    guideSays: "The guide says that external ids need no migration, because the new SDK does not store them.",
    helperWrites: "RudderStack's migrator silently ignores them.",
    weWrite: "Carryover prints each with its type, and writes none of them.",
    whatToDo: "Pass them with each event, in the options of the new SDK's calls.",
    inTheApp: "Pass the external ids with each event, in the options of the new SDK's calls: it stores none.")
}

extension Observation {
  /// React Native's own keys exist and are used. `stale` are the native SDK's keys with other values.
  package static func sourceReactNative(keys: [String], stale: [String]) -> Observation {
    let others: FindingText =
      stale.isEmpty ? "" : " (\(list: stale) \(words: stale.count == 1 ? "has" : "have") another value)"
    return Observation(
      .sourceReactNative,
      """
      The values of the React Native SDK are migrated: \(list: keys). They come before the native SDK's\(others). \
      RudderStack's migrator ignores them.
      """,
      remedy: "Nothing to do. Edit a field whose value is wrong.")
  }

  /// React Native's own keys exist, but the native SDK provably ran after React Native's.
  package static func sourceReactNativeStale(keys: [String], _ proof: NativeRunProof) -> Observation {
    Observation(
      .sourceReactNative,
      """
      The native SDK's values are migrated: it ran after the React Native SDK. \(words: proof.rawValue). The values of \
      \(list: keys) are older.
      """,
      remedy: "Nothing to do. Edit a field whose value is wrong.")
  }

  /// It is not certain whether React Native's key or the native SDK's `others` are current.
  package static func sourceReactNativeUnsure(key: String, others: [String], _ doubt: NativeRunDoubt) -> Observation {
    let rest: FindingText =
      others.isEmpty ? "." : "; \(list: others) \(words: others.count == 1 ? "leads" : "lead") to another value."
    return Observation(
      .sourceReactNative,
      """
      It is uncertain whether React Native or the native SDK ran last. \(words: doubt.rawValue). Carryover proposes the \
      value of \(key)\(rest)
      """,
      remedy: "Accept the proposal, choose the other value, or skip the field.")
  }

  /// Both SDKs have run. `chosen` is the recipe that is used; `evidence` says which SDK has which keys.
  package static func sourceV1AndV2(chosen: String, evidence: [RecipeEvidence]) -> Observation {
    let found = evidence.map { "\(words: $0.recipe.id) reads \(list: $0.keys)" as FindingText }
    let others = evidence.map(\.recipe.id).filter { $0 != chosen }
    return Observation(
      .sourceV1AndV2,
      """
      Two legacy SDKs have left keys: the Objective-C SDK and the beta SDK 2. This plan follows \(words: chosen). \
      \(list: found, limit: .max, joined: "; "). RudderStack's migrator for one SDK keeps the migrator for the other \
      from running.
      """,
      remedy: """
        Check the fields that offer another value. To follow \(words: others.joined(separator: " or ")), \
        \(command: "give --recipe \(others.first ?? "ID")", app: "plan with that recipe", review: "choose the recipe with %").
        """,
      verdict: .doubt("the Objective-C SDK and the beta SDK 2 have both left keys here"))
  }

  package static func droppedExternalIDs(_ ids: [ExternalID]) -> Observation {
    Observation(
      .droppedExternalIDs,
      """
      \(notMigrated: ids.count, "external id"): \(list: ids.map { "\(value: $0.type) \(quoted: $0.id)" }). The new \
      SDK does not store external ids.
      """,
      remedy: "Pass external ids with each event, in the options of the new SDK's calls.",
      verdict: .loss(.lost("the external ids"), "the new SDK does not store them"))
  }
}

/// An id that the legacy SDK attached to every event.
package struct ExternalID: Hashable, Sendable {
  /// Its type, such as "brazeExternalId".
  package var type: String
  package var id: String

  /// The external ids in the legacy stores: the text of `[{"type": …, "id": …}, …]`.
  static func all(in sources: LegacySources) -> [ExternalID] {
    guard let value = sources.value("rl_external_id") ?? sources.value("rs_external_id") else { return [] }
    guard case .string(let text) = value else {
      return value.children.isEmpty ? [] : [ExternalID(type: "unreadable", id: ValueWording.shown(value))]
    }
    guard !text.isEmpty else { return [] }
    guard let parsed = try? JSONText(text), case .array(let elements) = parsed.value else {
      return [ExternalID(type: "unreadable", id: text)]
    }
    return elements.map { element in
      guard case .object(let members) = element else { return ExternalID(type: "unknown", id: element.text()) }
      func text(_ name: String) -> String {
        switch members.last(where: { $0.name == name })?.value {
        case .string(let text)?: text
        case let value?: value.text()
        case nil: "unknown"
        }
      }
      return ExternalID(type: text("type"), id: text("id"))
    }
  }
}
