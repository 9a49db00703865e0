public import Carryover
package import PropertyLists

/// Every vendor that is known, in the order in which their recipes are tried: a new one is a folder and an entry here.
private let vendors: [any Vendor] = [RudderStack(), Convert()]

extension Recipe {
  /// Every recipe that comes with Carryover, in the order of the SDKs they read.
  public static let builtIn: [Recipe] = vendors.flatMap(\.recipes) + [.person]

  /// The recipe with this stable name; nil where there is none.
  package init?(id: String) {
    guard let recipe = Recipe.builtIn.first(where: { $0.reference.id == id }) else { return nil }
    self = recipe
  }

  /// The templates of the target suites whose names have a parameter.
  package static let namedSuites: [NameTemplate] = builtIn.namedSuites

  /// Keys whose values no output may show, of any recipe: a container may hold the stores of several SDKs.
  package static let secretKeys: Set<String> = builtIn.secretKeys

  /// Which recipe a container is for, by the keys that stand in it. Where no SDK has left a key, it is that of the
  /// Objective-C SDK, which finds nothing to migrate.
  /// - Parameter removed: what cleanups that hold have removed; it counts as if it stood there.
  package static func detect(
    in container: Container, removed: [KeyPlace: PropertyListValue] = [:]
  ) -> RecipeDetection {
    RecipeDetection(container, among: builtIn, removed: removed)
  }

  /// Every recipe for which a container has evidence; if there is none, the one that ``detect(in:removed:)`` gives.
  /// - Parameter removed: what cleanups that hold have removed; it counts as if it stood there.
  package static func all(
    in container: Container, removed: [KeyPlace: PropertyListValue] = [:]
  ) -> [Recipe] {
    let found = RecipeDetection.all(in: container, among: builtIn, removed: removed)
    return found.isEmpty ? [detect(in: container, removed: removed).recipe] : found
  }
}

extension RecipeDetection {
  /// The recipe to use unless somebody names another.
  package var recipe: Recipe { chosen ?? .rudderStackObjC }
}

extension Traces {
  /// What the SDKs of all vendors leave.
  package static let builtIn: Traces = {
    let all = vendors.map(\.traces)
    return Traces(
      eventDatabases: all.flatMap(\.eventDatabases), signs: all.flatMap(\.signs),
      keyPrefixes: all.flatMap(\.keyPrefixes), preferences: all.flatMap(\.preferences))
  }()
}

extension Container {
  /// All vendors' remarks on the files of their SDKs.
  package var remarks: [StoreRemark] { vendors.flatMap { $0.remarks(on: self) } }
}

extension FindingGroup {
  /// Every group, in the order in which they are shown.
  package static let allCases: [FindingGroup] = general + vendors.flatMap(\.groups)

  /// The codes of the group, by their names.
  package var codes: [FindingCode] {
    FindingCode.known.filter { $0.rawValue.hasPrefix(name + ".") }.sorted { $0.rawValue < $1.rawValue }
  }
}

extension FindingCode {
  fileprivate static let known: [FindingCode] = general + vendors.flatMap(\.findings)

  /// Every code, group by group.
  package static let allCases: [FindingCode] = FindingGroup.allCases.flatMap(\.codes)

  /// The code with this name; nil where there is none.
  package init?(rawValue: String) {
    guard let code = FindingCode.known.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = code
  }
}
