package import Carryover
package import CarryoverSystem
import PropertyLists

/// What is known of RudderStack's SDKs beyond what the recipes say.
package struct RudderStack: Vendor {
  package let name = "rudderstack"

  package var recipes: [Recipe] { [.rudderStackObjC, .rudderStackSwiftV2] }

  package var groups: [FindingGroup] { [FindingGroup("v2", "what only the beta SDK 2 leaves")] }

  package var findings: [FindingCode] {
    [
      .anonymousIDMalformed, .anonymousIDNotString, .anonymousIDOnlyInTraits, .anonymousIDsDiffer, .customIDStripped,
      .userIDEmpty, .userIDMissing, .userIDMissingWithTraits, .userIDNotString, .traitsDuplicateMember,
      .traitsEmptyAfterStrip, .traitsInvalidJSON, .traitsLossyReencode, .sessionAutoTrackAbsent,
      .sessionAutoTrackContradicted, .sessionExpired, .sessionIDInvalid, .sessionManualWillBeReplaced,
      .sessionTimestampMissing, .sessionTimestampNotPast, .sessionTimestampUnit, .sessionUptimeSDK,
      .appBuildNotInteger, .appVersionInOldKey, .appVersionNotString, .sourceReactNative, .sourceV1AndV2,
      .droppedExternalIDs, .v2AnonymousIDNotStored, .v2SessionStopped, .v2TraitsArchive,
    ]
  }

  package var traces: Traces {
    Traces(
      eventDatabases: ["rl_persistence.sqlite", "rl_persistence_encrypted.sqlite"], keyPrefixes: ["rl_"],
      preferences: ["com.rudderstack."])
  }

  package func staleKeys(_ recipe: Recipe, _ sources: LegacySources, now: Moment) -> Set<String> {
    LastRun(recipe, sources, now: now)?.staleKeys ?? []
  }

  package func observations(_ facts: ContainerFacts) -> VendorObservations {
    let ids = ExternalID.all(in: facts.context.sources)
    return VendorObservations(
      sources: bothSDKs(facts) + reactNative(facts), leftBehind: ids.isEmpty ? [] : [.droppedExternalIDs(ids)])
  }

  package func nextLaunch(_ setting: LaunchSetting) -> [NextLaunch.Fact]? { FirstStart(setting).facts }

  /// Where both SDKs have run.
  private func bothSDKs(_ facts: ContainerFacts) -> [Observation] {
    let recipe = facts.context.recipe
    guard !facts.detection.others(than: recipe).isEmpty else { return [] }
    let ids = Set(recipe.family.map(\.reference.id))
    return [
      .sourceV1AndV2(
        chosen: recipe.reference.id, evidence: facts.detection.evidence.filter { ids.contains($0.recipe.id) })
    ]
  }

  private func reactNative(_ facts: ContainerFacts) -> [Observation] {
    let context = facts.context
    if case .native(let proof)? = context.lastRun {
      let stale = LastRun.reactNativeKeys.filter { context.sources.value($0) != nil }.sorted()
      return [.sourceReactNativeStale(keys: stale, proof)]
    }
    let keys = context.recipe.rules.flatMap(\.candidates).map(\.source).filter {
      $0.isReactNative && context.sources.value($0.key) != nil
    }.map(\.key)
    return keys.isEmpty
      ? [] : [.sourceReactNative(keys: keys, stale: facts.fields.flatMap { differingNativeKeys($0, context) })]
  }

  /// The native SDK's keys that come to something else than React Native's, which was taken.
  private func differingNativeKeys(_ field: Field, _ context: PlanningContext) -> [String] {
    guard field.origin?.source.isReactNative == true,
      let rule = context.recipe.rules.first(where: { $0.target == field.id })
    else { return [] }
    let native = context.evaluations(rule, ofReactNative: false)
    return native.filter { $0.evaluation.proposed != field.proposed }.map(\.key)
  }
}

extension PlanningContext {
  /// Whether the stores are those of the beta SDK 2.
  var isBeta: Bool { recipe.reference.id == Recipe.rudderStackSwiftV2.reference.id }

  /// Which of two SDKs that keep the same facts ran last.
  var lastRun: LastRun? { LastRun(recipe, sources, now: now) }

  /// The key that holds the traits.
  var traitsKey: String? { recipe.rules.first { $0.target == "traits" }?.candidates.first?.source.key }

  /// The traits as the legacy SDK reads them; nil when absent or unreadable.
  var traits: TraitsText? { traitsKey.flatMap { try? sources.values($0).first?.traits?.get() } }

  /// What is current for a target key, as it is stored.
  func value(for target: String) -> PropertyListValue? { found(for: target)?.found.value }

  /// Whether the legacy store holds a session.
  var hasSession: Bool { value(for: "session_id") != nil }

  /// Whether the session is a manual one. Where no status is there, the Objective-C SDK reads false for automatic, the
  /// beta SDK 2 false for manual.
  var sessionIsManual: Bool {
    guard let status = found(for: "is_manual_session") else { return !isBeta }
    return Evaluation(status.candidate, status.found, now: now).proposed != .boolean(false)
  }

  /// Whether the beta SDK 2 was told to end the session.
  var sessionIsStopped: Bool { isBeta && sources.value("rl_session_stopped_status").map(Self.isTrue) ?? false }
}

extension Recipe {
  /// With what both recipes have in common.
  /// - Parameter newest: where a mark begins so, this SDK ran last.
  func known(newest: String? = nil) -> Recipe {
    var recipe = self
    recipe.optOutKeys = ["rl_opt_status", "rs_opt_status"]
    recipe.comparedKeys = ["rl_external_id"]
    recipe.migrator = "RudderStack's migrator"
    recipe.newestPrefix = newest
    recipe.knowledge = Knowledge(vendor: RudderStack())
    return recipe
  }
}

extension Loss {
  /// What is known of the session: the new SDK starts another one.
  static let session = Loss.lost("the session", .session)

  /// Whether the session is a manual one.
  static let sessionKind = Loss.lost("the session's kind", .session, partOf: .session)

  /// The version that the app had when it was last started.
  static let appVersion = Loss(
    .app, "the app's version", ahead: "the update would send “Application Installed” again",
    past: "the update sent “Application Installed” again")
}
