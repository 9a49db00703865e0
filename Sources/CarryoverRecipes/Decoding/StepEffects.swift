import Carryover
import PropertyLists

extension Transform {
  /// The types whose values the step does not change.
  private var idleKinds: Set<PropertyListValue.Kind> {
    switch self {
    case .exactText, .numberText, .archivedJSON, .jsonText: [.string]
    case .wholeNumber, .integerFromText: [.integer]
    case .boolean: [.boolean]
    case .prefix, .dropPrefix, .lowercase, .uppercase, .invert, .isPresent, .only, .except, .map,
      .pastSecondsToMilliseconds, .millisecondsToSeconds, .dateToMilliseconds, .iso8601, .jsonWithoutMembers,
      .jsonOnlyMembers, .jsonRenamedMembers, .decimalPropertyList, .propertyListData, .keyedArchive, .wrap, .unwrap,
      .model:
      []
    }
  }

  /// Whether the step changes no value of these types.
  func isIdle(after kinds: Set<PropertyListValue.Kind>) -> Bool { kinds.isSubset(of: idleKinds) }
}
