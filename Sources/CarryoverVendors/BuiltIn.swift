public import Carryover
// Convert's decisions contain JSON values, so an app that imports this module needs their members too.
@_exported public import PropertyLists

/// All known vendors, in the order in which their recipes are tried. A new vendor is a folder, an entry here, and its
/// words in `Scripts/house.py`.
package let vendors: [any Vendor] = [RudderStack(), Convert()]

extension Recipe {
  /// Every built-in recipe, in the order of the SDKs that they read. A new one is a file in `Recipes`, an entry here or
  /// in its vendor, and one in `BuiltIn.all` of the tests. Its Swift begins as a stub with its id; `make record` makes
  /// the rest.
  public static let builtIn: [Recipe] =
    vendors.flatMap(\.recipes) + [
      .mixpanelObjC, .segmentObjC, .amplitudeObjC, .snowplowObjC, .postHogBefore320, .segmentToRudderStack,
      .mixpanelToRudderStack, .amplitudeToPostHog, .statsigToFile, .person,
    ]

  package init?(id: String) {
    guard let recipe = Recipe.builtIn.first(where: { $0.reference.id == id }) else { return nil }
    self = recipe
  }

  package static let namedSuites: [NameTemplate] = builtIn.namedSuites

  /// The names whose values no output may show unasked. A container may have the stores of several SDKs.
  package static let secretNames = SecretNames(builtIn)

  /// The recipe for a container, by the keys in it. If no SDK has left a key, the Objective-C SDK's recipe, which finds
  /// nothing to migrate.
  /// - Parameter removed: the values that applied cleanups removed. They count as if they were still there.
  package static func detect(in container: Container, removed: [KeyPlace: PropertyListValue] = [:]) -> RecipeDetection {
    RecipeDetection(container, among: builtIn, removed: removed)
  }
}

extension RecognisedKeys {
  /// The recipes with evidence; without any, the one that ``Recipe/detect(in:removed:)`` chooses.
  package var followed: [Recipe] {
    let found = recipes
    return found.isEmpty ? [RecipeDetection(self).recipe] : found
  }
}

extension Plan {
  /// Whether no built-in recipe and no field of the plan finds data in the container, whether or not that can be read.
  package func findsNothing(in container: Container) -> Bool {
    fields.allSatisfy { $0.status == .absent && $0.legacy == nil && $0.current == nil } && dropped.isEmpty
      && !findings.contains { [.sourceUnreadable, .targetUnreadable].contains($0.code) }
      && Recipe.builtIn.allSatisfy { $0.unreadPlaces(in: container).isEmpty } && container.remarks.isEmpty
      && RecipeDetection.evidence(in: container, among: Recipe.builtIn).isEmpty
      // The plan is not about a file for another write key, but that file is an SDK's data, too.
      && container.writeKeys.isEmpty
  }
}

extension RecipeDetection {
  package var recipe: Recipe { chosen ?? .rudderStackObjC }
}

extension Traces {
  package static let builtIn: Traces = {
    let all = vendors.map(\.traces)
    return Traces(
      eventDatabases: all.flatMap(\.eventDatabases), signs: all.flatMap(\.signs),
      keyPrefixes: all.flatMap(\.keyPrefixes))
  }()
}

extension Container {
  package var remarks: [StoreRemark] { vendors.flatMap { $0.remarks(on: self) } }
}

extension FindingGroup {
  package static let allCases: [FindingGroup] = general + vendors.flatMap(\.groups)

  package var codes: [FindingCode] {
    FindingCode.known.filter { $0.rawValue.hasPrefix(name + ".") }.sorted { $0.rawValue < $1.rawValue }
  }
}

extension FindingCode {
  fileprivate static let known: [FindingCode] = general + vendors.flatMap(\.findings)

  package static let allCases: [FindingCode] = FindingGroup.allCases.flatMap(\.codes)

  package init?(rawValue: String) {
    guard let code = FindingCode.known.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = code
  }
}
