package import CarryoverSystem

/// What is known about a field that its transform cannot say. A check is a type in a file of its own, in its vendor's
/// folder; a recipe's rule names it.
package protocol FieldCheck: Sendable {
  /// What tells checks apart, such as `user-id`.
  var name: String { get }

  /// Notes what is to be said of the field, and withdraws or changes its proposal.
  func amend(_ draft: inout FieldDraft, _ context: PlanningContext)

  /// What the legacy SDK, the guide and the reference helper make of the value; the plan's own is filled in.
  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings
}

extension FieldCheck {
  package func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    FourWayReadings(legacy: .of(draft.legacy))
  }
}

/// A rule's check, compared by its name.
package struct CheckReference: Hashable, Sendable {
  package let check: any FieldCheck

  package static func == (left: Self, right: Self) -> Bool { left.check.name == right.check.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(check.name) }
}

/// What is known of one vendor's SDKs that no recipe says as data.
package protocol Vendor: Sendable {
  /// Its name, which tells vendors apart.
  var name: String { get }
  /// Its recipes, the oldest SDK's first.
  var recipes: [Recipe] { get }
  /// The codes of its findings.
  var findings: [FindingCode] { get }
  /// What its findings are about beside ``FindingGroup/general``.
  var groups: [FindingGroup] { get }
  /// What its SDKs leave beside the stores, and how theirs are told from an app's.
  var traces: Traces { get }

  /// Keys whose values are known to be out of date: no rule takes them.
  func staleKeys(_ recipe: Recipe, _ sources: LegacySources, now: Moment) -> Set<String>
  /// What is to be said of the container as a whole.
  func observations(_ facts: ContainerFacts) -> VendorObservations
  /// Files on which a plan rests as a whole.
  func basis(_ recipe: Recipe, in container: Container) -> [PlanBasis]
  /// Whom the entries of a store are about that are called after them.
  func people(in store: Store) -> [PersonInName]
  /// Remarks on its SDKs' files in a container, sorted by path.
  func remarks(on container: Container) -> [StoreRemark]
  /// What the SDK that a recipe migrates to reads and does at the next launch; nil where that is not known.
  func nextLaunch(_ setting: LaunchSetting) -> [NextLaunch.Fact]?
}

extension Vendor {
  package var groups: [FindingGroup] { [] }
  package var traces: Traces { Traces() }
  package func staleKeys(_ recipe: Recipe, _ sources: LegacySources, now: Moment) -> Set<String> { [] }
  package func observations(_ facts: ContainerFacts) -> VendorObservations { VendorObservations() }
  package func basis(_ recipe: Recipe, in container: Container) -> [PlanBasis] { [] }
  package func people(in store: Store) -> [PersonInName] { [] }
  package func remarks(on container: Container) -> [StoreRemark] { [] }
  package func nextLaunch(_ setting: LaunchSetting) -> [NextLaunch.Fact]? { nil }
}

/// What SDKs leave in a container beside the stores of recipes, for whoever opens one.
package struct Traces: Sendable {
  /// The names of databases that keep events until they are sent.
  package var eventDatabases: [String]
  /// Files whose being there says that an SDK is at work, relative to the app's data container.
  package var signs: [String]
  /// How the keys begin that an SDK puts into an app's own preferences.
  package var keyPrefixes: [String]
  /// How the names of an SDK's own preferences begin, in lower case.
  package var preferences: [String]

  package init(
    eventDatabases: [String] = [], signs: [String] = [], keyPrefixes: [String] = [], preferences: [String] = []
  ) {
    self.eventDatabases = eventDatabases
    self.signs = signs
    self.keyPrefixes = keyPrefixes
    self.preferences = preferences
  }
}

/// What a vendor may look at to say something of a container.
package struct ContainerFacts {
  package let container: Container
  package let context: PlanningContext
  package let fields: [Field]
  package let detection: RecipeDetection
}

/// What a vendor says of a container, by the place in the list of findings.
package struct VendorObservations {
  /// On the SDKs that have run.
  package var sources: [Observation]
  /// On documents beside the stores.
  package var documents: [Observation]
  /// On what is left behind.
  package var leftBehind: [Observation]

  package init(sources: [Observation] = [], documents: [Observation] = [], leftBehind: [Observation] = []) {
    self.sources = sources
    self.documents = documents
    self.leftBehind = leftBehind
  }
}

/// An entry whose name contains a person's id, so that the name must be masked like a value.
package struct PersonInName: Hashable, Sendable {
  /// The entry's whole name.
  package let name: String
  /// The person's id in it.
  package let id: String
  /// What may be shown in front of the id's mask; nil where the whole name is taken for an id.
  package let shown: String?

  package init(name: String, id: String, shown: String?) {
    self.name = name
    self.id = id
    self.shown = shown
  }
}

/// A recipe's vendor, compared by its name.
package struct Knowledge: Hashable, Sendable {
  package let vendor: (any Vendor)?

  package init(vendor: (any Vendor)?) { self.vendor = vendor }

  package static func == (left: Self, right: Self) -> Bool { left.vendor?.name == right.vendor?.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(vendor?.name) }
}

extension Recipe {
  /// All recipes of its vendor, itself included.
  package var family: [Recipe] { knowledge.vendor?.recipes ?? [self] }

  /// The vendor's other recipes that fill the same suite: what their SDKs have left is looked at too.
  package var rivals: [Recipe] {
    family.filter { $0.target == target && $0.reference.id != reference.id }
  }
}

extension Sequence<Recipe> {
  /// The templates of the target suites whose names have a parameter besides the bundle id, each once.
  package var namedSuites: [NameTemplate] {
    reduce(into: []) { found, recipe in
      if case .suite(let name) = recipe.target, !name.parameters.isEmpty, !found.contains(name) { found.append(name) }
    }
  }

  /// Keys whose values no output may show.
  package var secretKeys: Set<String> { Set(flatMap(\.leftBehind).filter(\.secret).map(\.key)) }
}
