import PropertyLists

extension FieldDraft {
  mutating func checkAppVersion(_ context: PlanningContext) {
    compareTrackers(context)
    if origin?.source.isReactNative != true { checkOlderKey(context) }
    if let legacy, legacy.kind != .string { note(.appVersionNotString(legacy)) }
  }

  private mutating func checkOlderKey(_ context: PlanningContext) {
    guard rule.candidates.contains(where: { $0.source.key == "rl_application_info_key" }) else { return }
    let newer = context.sources.value("rl_application_version_key")
    let older = context.sources.value("rl_application_info_key")
    if let older, older != newer {
      if let candidate = rule.candidates.first(where: { $0.source.key == "rl_application_info_key" }) {
        take(candidate, context: context)
      }
      note(.appVersionInOldKey(old: Self.plainText(older), new: newer.map(Self.plainText)))
      if case .string? = newer, let newer { offer("the newer key", newer) }
    }
  }

  mutating func checkAppBuild(_ context: PlanningContext) {
    compareTrackers(context)
    switch legacy {
    case .string(let text)?:
      guard case .integer(let integer)? = proposed, let number = integer.int64 else {
        return note(.appBuildNotInteger(text, normalised: nil))
      }
      if String(number) != text { note(.appBuildNotInteger(text, normalised: number)) }
    case .integer(let integer)?:
      if proposed == nil { note(.appBuildNotInteger(integer.description, normalised: nil)) }
    case let value?: note(.appBuildNotInteger(Self.plainText(value), normalised: nil))
    case nil: break
    }
  }

  private static func plainText(_ value: PropertyListValue) -> String {
    if case .string(let text) = value { text } else { FindingWording.shown(value) }
  }
}
