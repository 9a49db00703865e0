import Carryover
import PropertyLists

/// The types that a step accepts, and those that it can give.
struct StepTypes {
  var accepts: Set<PropertyListValue.Kind>
  /// Nil if the type does not change.
  var gives: Set<PropertyListValue.Kind>?

  fileprivate init(_ accepts: Set<PropertyListValue.Kind>, _ gives: PropertyListValue.Kind?) {
    self.accepts = accepts
    self.gives = gives.map { [$0] }
  }

  fileprivate static let all = Set(PropertyListValue.Kind.allCases)
}

extension Transform {
  /// The types of the step, whatever the value is.
  var types: StepTypes {
    switch self {
    case .exactText, .numberText: StepTypes([.string, .integer, .real], .string)
    case .wholeNumber: StepTypes([.integer, .real], .integer)
    case .integerFromText: StepTypes([.string, .integer], .integer)
    case .prefix, .dropPrefix, .lowercase, .uppercase: StepTypes([.string], .string)
    case .boolean: StepTypes([.boolean, .integer, .real], .boolean)
    case .invert: StepTypes([.boolean], .boolean)
    case .isPresent: StepTypes(StepTypes.all, .boolean)
    case .only(let values): StepTypes(Set(values.map(\.kind)), nil)
    case .except: StepTypes(StepTypes.all, nil)
    case .map(let entries): StepTypes(Set(entries.map(\.from.kind)), entries.first?.to.kind)
    case .pastSecondsToMilliseconds: StepTypes([.integer, .real], .integer)
    case .millisecondsToSeconds: StepTypes([.integer, .real], .real)
    case .dateToMilliseconds: StepTypes([.date], .integer)
    case .iso8601: StepTypes([.date], .string)
    case .jsonWithoutMembers, .jsonOnlyMembers, .jsonRenamedMembers: StepTypes([.string], .string)
    case .archivedJSON: StepTypes([.string, .data], .string)
    case .jsonText: StepTypes([.string, .dictionary], .string)
    case .decimalPropertyList: StepTypes([.string], .data)
    case .propertyListData: StepTypes([.dictionary, .array], .data)
    case .keyedArchive: StepTypes([.dictionary, .array, .set], .data)
    case .wrap: StepTypes(StepTypes.all, .dictionary)
    case .unwrap: .unwrapping
    case .model: StepTypes([.string, .data], nil)
    }
  }
}

extension StepTypes {
  /// A dictionary can contain values of any type.
  fileprivate static var unwrapping: StepTypes {
    var types = StepTypes([.dictionary], nil)
    types.gives = all
    return types
  }
}
