import Carryover
import PropertyLists

extension FourWayReadings {
  /// What the beta SDK 2 reads and the reference helper for it writes.
  static func beta(
    _ read: (LegacySDKV2) -> Reading, _ written: (ReferenceHelperV2) -> Reading, _ context: PlanningContext
  ) -> FourWayReadings {
    FourWayReadings(
      legacy: read(LegacySDKV2(context)), guide: .nothing("the guide for the beta is not compared"),
      helper: written(ReferenceHelperV2(context)))
  }
}

extension FieldDraft {
  /// What the rule's transform makes of the key that the guide names, checks aside: it knows no React Native.
  func guide(_ context: PlanningContext, _ key: String, else reason: String) -> Reading {
    guard let candidate = rule.candidates.first(where: { $0.source.key == key }),
      let found = context.sources.values(key).first
    else { return .nothing(reason) }
    return .of(Evaluation(candidate, found, now: context.now).proposed, else: reason)
  }

  /// The rule's transform over the legacy value, checks aside.
  var transformed: PropertyListValue? { failure == nil ? steps.last?.result ?? proposed : nil }
}
