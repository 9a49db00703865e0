public import Carryover
package import CarryoverSystem

package struct RudderStack: Vendor {
  package let name = "rudderstack"

  package var recipes: [Recipe] { [.rudderStackObjC, .rudderStackSwiftV2] }

  package var checks: [any FieldCheck] {
    [
      AnonymousIDCheck(), UnstoredAnonymousIDCheck(), UserIDCheck(), TraitsCheck(), SessionIDCheck(),
      ManualSessionCheck(), ManualFlagCheck(), LastActivityCheck(), AppVersionCheck(), AppBuildCheck(),
    ]
  }

  package var groups: [FindingGroup] { [FindingGroup("v2", "what only the beta SDK 2 leaves")] }

  package var findings: [FindingCode] { FindingCode.rudderStackCodes }

  package var traces: Traces {
    Traces(eventDatabases: ["rl_persistence.sqlite", "rl_persistence_encrypted.sqlite"], keyPrefixes: ["rl_"])
  }

  package func staleKeys(_ recipe: Recipe, _ sources: LegacySources, now: Moment) -> Set<StringByBytes> {
    LastRun(recipe, sources, now: now)?.staleKeys ?? []
  }

  package func observations(_ facts: ContainerFacts) -> VendorObservations {
    let ids = ExternalID.all(in: facts.context.sources)
    return VendorObservations(
      sources: bothSDKs(facts) + reactNative(facts), leftBehind: ids.isEmpty ? [] : [.droppedExternalIDs(ids)])
  }

  package func nextLaunch(_ setting: LaunchSetting) -> [NextLaunch.Fact]? { FirstStart(setting).facts }

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
      let stale = LastRun.reactNativeKeys.map(\.text).filter { context.sources.value($0) != nil }.sorted()
      return [.sourceReactNativeStale(keys: stale, proof)]
    }
    let keys = context.recipe.rules.flatMap(\.candidates).map(\.source).filter {
      $0.isReactNative && context.sources.value($0.key) != nil
    }.map(\.key)
    return keys.isEmpty
      ? [] : [.sourceReactNative(keys: keys, stale: facts.fields.flatMap { differingNativeKeys($0, context) })]
  }

  /// The native SDK's keys whose result differs from React Native's, which was used.
  private func differingNativeKeys(_ field: Field, _ context: PlanningContext) -> [String] {
    guard field.origin?.source.isReactNative == true,
      let rule = context.rule(for: field.id)
    else { return [] }
    let native = context.evaluations(rule, ofReactNative: false)
    return native.filter { $0.evaluation.proposed != field.proposed }.map(\.key)
  }
}

extension PlanningContext {
  var isBeta: Bool { recipe.reference.id == Recipe.rudderStackSwiftV2.reference.id }

  var lastRun: LastRun? { LastRun(recipe, sources, now: now) }

  var traitsKey: String? { rule(for: "traits")?.candidates.first?.source.key }

  /// The traits as the legacy SDK reads them; nil if they are missing or unreadable.
  var traits: TraitsText? { traitsKey.flatMap { try? sources.values($0).first?.traits?.get() } }

  func value(for target: String) -> PropertyListValue? { found(for: target)?.found.value }

  /// Whether there is a session. The id zero means none: the new SDK reads it as none, and no app can start a session
  /// with it.
  var hasSession: Bool { value(for: "session_id").map { $0.helperNumber?.unsigned != 0 } ?? false }

  /// Whether the session is manual. If there is no status, the Objective-C SDK reads automatic as false, and the beta
  /// SDK 2 reads manual as false.
  var sessionIsManual: Bool {
    guard let status = found(for: "is_manual_session") else { return !isBeta }
    return Evaluation(status.candidate, status.found, now: now).proposed != .boolean(false)
  }

  var sessionIsStopped: Bool { isBeta && sources.value("rl_session_stopped_status").map(Self.isTrue) ?? false }
}

extension NameTemplate {
  /// The suite of the new SDK: `<bundle id>.analytics.<write key>`.
  package static let analytics: NameTemplate = [.bundleID, ".analytics.", .parameter(RecipeParameter.writeKey.name)]
}

extension Container {
  /// The write keys for which the container has a suite of its app, sorted. Empty if the app is unknown. Suites are
  /// found by name, even if they cannot be read.
  public var writeKeys: [String] { values(of: RecipeParameter.writeKey.name, inSuites: .analytics) }
}

extension PlannerOptions {
  /// Options for a migration to the new SDK.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source, which is part of the suite's name; nil while it is unknown.
  ///   - targetPath: the target file, relative to the container's root; nil for the new SDK's suite.
  ///   - allowed: the codes of blocking findings to allow.
  public init(writeKey: String?, targetPath: String? = nil, allowed: Set<FindingCode> = []) {
    self.init(
      parameters: writeKey.map { [RecipeParameter.writeKey.name: $0] } ?? [:], targetPath: targetPath, allowed: allowed)
  }
}

extension FindingCode {
  fileprivate static let rudderStackCodes = [
    rudderStackIdentityCodes, rudderStackTraitsCodes, rudderStackSessionCodes, rudderStackAppCodes,
    rudderStackSourcesCodes, rudderStackBetaCodes,
  ].flatMap(\.self)
}
