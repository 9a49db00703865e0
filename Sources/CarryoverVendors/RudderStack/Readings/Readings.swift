import Carryover
import PropertyLists

extension FourWayReadings {
  /// The value that the beta SDK 2 reads, and the one that the vendor's migrator from it writes.
  static func beta(
    _ read: (LegacySDKV2) -> Reading, _ written: (ReferenceHelperV2) -> Reading, _ context: PlanningContext
  ) -> FourWayReadings {
    FourWayReadings(
      legacy: read(LegacySDKV2(context)), guide: .nothing("the guide for the beta is not compared"),
      helper: written(ReferenceHelperV2(context)))
  }
}

extension FieldDraft {
  /// The result of the rule's transform for the guide's key, without checks. The guide does not cover React Native.
  func guide(_ context: PlanningContext, _ key: String, else reason: String) -> Reading {
    guard let candidate = rule.candidates.first(where: { $0.source.key.hasSameBytes(as: key) }),
      let found = context.sources.values(key).first
    else { return .nothing(reason) }
    return .of(Evaluation(candidate, found, now: context.now).proposed, else: reason)
  }

  /// The result of the rule's transform for the legacy value, without checks.
  var transformed: PropertyListValue? { failure == nil ? steps.last?.result ?? proposed : nil }
}
