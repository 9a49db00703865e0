import Carryover
import PropertyLists

/// Whether the app's version is text, and the one that the legacy SDK uses.
struct AppVersionCheck: FieldCheck {
  let name = "app-version"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    LastRun.compare(&draft, context)
    if draft.origin?.source.isReactNative != true { checkOlderKey(&draft, context) }
    if let legacy = draft.legacy, legacy.kind != .string { draft.note(.appVersionNotString(legacy)) }
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.appVersionNotString] + (Self.olderKey(rule) == nil ? [] : [.appVersionInOldKey]) + LastRun.findings(rule)
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.appVersion, \.appVersion, context) }
    return FourWayReadings(
      legacy: LegacySDK(context).appVersion,
      guide: .of(context.sources.value("rl_application_version_key"), else: "the key is absent"),
      helper: ReferenceHelper(context).appVersion)
  }

  private static func olderKey(_ rule: FieldRule) -> Candidate? {
    rule.candidates.first { $0.source.key == "rl_application_info_key" }
  }

  private func checkOlderKey(_ draft: inout FieldDraft, _ context: PlanningContext) {
    guard let candidate = Self.olderKey(draft.rule),
      let older = context.sources.value("rl_application_info_key")
    else { return }
    let newer = context.sources.value("rl_application_version_key")
    guard older != newer else { return }
    draft.take(candidate, context: context)
    draft.note(.appVersionInOldKey(old: plainText(older), new: newer.map(plainText)))
    if case .string? = newer, let newer { draft.offer("the newer key", newer) }
  }
}

/// Whether the build is the integer that the new SDK needs.
struct AppBuildCheck: FieldCheck {
  let name = "app-build"

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {
    LastRun.compare(&draft, context)
    switch draft.legacy {
    case .string(let text)?:
      guard case .integer(let integer)? = draft.proposed, let number = integer.int64 else {
        return draft.note(.appBuildNotInteger(text, normalised: nil))
      }
      if String(number) != text { draft.note(.appBuildNotInteger(text, normalised: number)) }
    case .integer(let integer)?:
      if draft.proposed == nil { draft.note(.appBuildNotInteger(integer.description, normalised: nil)) }
    case let value?: draft.note(.appBuildNotInteger(plainText(value), normalised: nil))
    case nil: break
    }
  }

  func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] {
    [.appBuildNotInteger] + LastRun.findings(rule)
  }

  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    if context.isBeta { return .beta(\.appBuild, \.appBuild, context) }
    let isAbsent = context.sources.value("rl_application_build_key") == nil
    return FourWayReadings(
      legacy: LegacySDK(context).appBuild,
      guide: draft.guide(
        context, "rl_application_build_key", else: isAbsent ? "the key is absent" : "not an integer"),
      helper: ReferenceHelper(context).appBuild)
  }
}

private func plainText(_ value: PropertyListValue) -> String {
  if case .string(let text) = value { text } else { ValueWording.shown(value) }
}
