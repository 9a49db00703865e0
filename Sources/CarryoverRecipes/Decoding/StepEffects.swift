import Carryover
import PropertyLists

extension Transform {
  /// The types whose values the step does not change.
  private var idleKinds: Set<PropertyListValue.Kind> {
    switch self {
    case .exactText, .numberText, .archivedJSON, .jsonText: [.string]
    case .wholeNumber, .integerFromText: [.integer]
    case .boolean: [.boolean]
    case .invert, .isPresent, .only, .except, .pastSecondsToMilliseconds, .jsonWithoutMembers, .decimalPropertyList,
      .keyedArchive, .model:
      []
    }
  }

  /// Whether the step changes no value of these types.
  func isIdle(after kinds: Set<PropertyListValue.Kind>) -> Bool { kinds.isSubset(of: idleKinds) }
}
