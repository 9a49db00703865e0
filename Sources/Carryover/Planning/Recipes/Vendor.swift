package import CarryoverSystem
package import PropertyLists

/// Knowledge about a field that its transform cannot express. A check is a type in its vendor's folder; a
/// recipe's rule names it. The checks of a rule run in order, each on the draft that the one before it left; the first
/// supplies the readings.
package protocol FieldCheck: Sendable {
  /// The name that identifies the check, such as `user-id`.
  var name: String { get }

  func amend(_ draft: inout FieldDraft, _ context: PlanningContext)

  /// Interpretations of the value by the legacy SDK, and by the vendor's guide and migrator. The plan's is added later.
  func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings
}

extension FieldCheck {
  package func readings(_ draft: FieldDraft, _ context: PlanningContext) -> FourWayReadings {
    FourWayReadings(legacy: .of(draft.legacy))
  }
}

package struct CheckReference: Hashable, Sendable {
  package let check: any FieldCheck

  package static func == (left: Self, right: Self) -> Bool { left.check.name == right.check.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(check.name) }
}

/// Knowledge about one vendor's SDKs that its recipes do not contain.
package protocol Vendor: Sendable {
  var name: String { get }
  /// The recipes, the oldest SDK's first.
  var recipes: [Recipe] { get }
  var checks: [any FieldCheck] { get }
  var findings: [FindingCode] { get }
  /// The groups of these findings, in addition to ``FindingGroup/general``.
  var groups: [FindingGroup] { get }
  /// The files of the SDKs beside the stores, and how to recognise the SDKs' stores.
  var traces: Traces { get }

  func staleKeys(_ recipe: Recipe, _ sources: LegacySources, now: Moment) -> Set<StringByBytes>
  func observations(_ facts: ContainerFacts) -> VendorObservations
  /// The files that a plan depends on as a whole.
  func basis(_ recipe: Recipe, in container: Container) -> [PlanBasis]
  /// The people after whom entries of a store are named.
  func people(in store: Store) -> [PersonInName]
  /// Remarks on its SDKs' files in a container, sorted by path.
  func remarks(on container: Container) -> [StoreRemark]
  /// The new SDK's behaviour at the next launch; nil if it is not known.
  func nextLaunch(_ setting: LaunchSetting) -> [NextLaunch.Fact]?
}

extension Vendor {
  package var checks: [any FieldCheck] { [] }
  package var groups: [FindingGroup] { [] }
  package var traces: Traces { Traces() }
  package func staleKeys(_ recipe: Recipe, _ sources: LegacySources, now: Moment) -> Set<StringByBytes> { [] }
  package func observations(_ facts: ContainerFacts) -> VendorObservations { VendorObservations() }
  package func basis(_ recipe: Recipe, in container: Container) -> [PlanBasis] { [] }
  package func people(in store: Store) -> [PersonInName] { [] }
  package func remarks(on container: Container) -> [StoreRemark] { [] }
  package func nextLaunch(_ setting: LaunchSetting) -> [NextLaunch.Fact]? { nil }
}

package struct Traces: Sendable {
  /// The names of databases with unsent events.
  package var eventDatabases: [String]
  /// Marker files that show that an SDK is working, relative to the app's data container.
  package var signs: [String]
  /// The prefixes of SDK keys in an app's own preferences.
  package var keyPrefixes: [String]

  package init(eventDatabases: [String] = [], signs: [String] = [], keyPrefixes: [String] = []) {
    self.eventDatabases = eventDatabases
    self.signs = signs
    self.keyPrefixes = keyPrefixes
  }
}

package struct ContainerFacts {
  package let context: PlanningContext
  package let fields: [Field]
  package let detection: RecipeDetection
  package var container: Container { context.container }
}

/// A vendor's observations about a container, by their place in the list of findings.
package struct VendorObservations {
  package var sources: [Observation]
  package var documents: [Observation]
  package var leftBehind: [Observation]

  package init(sources: [Observation] = [], documents: [Observation] = [], leftBehind: [Observation] = []) {
    self.sources = sources
    self.documents = documents
    self.leftBehind = leftBehind
  }
}

/// An entry whose name contains a person's id. The name must be masked like a value.
package struct PersonInName: Hashable, Sendable {
  package let name: String
  package let id: String
  /// The part of the name to show before the id's mask; nil if the whole name counts as an id.
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

  package static func == (left: Self, right: Self) -> Bool { left.vendor?.name == right.vendor?.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(vendor?.name) }
}

extension Recipe {
  /// All recipes of its vendor, including itself.
  package var family: [Recipe] { knowledge.vendor?.recipes ?? [self] }

  /// The vendor's other recipes with the same target suite. Their SDKs' values are read too.
  package var rivals: [Recipe] { family.filter(isRival) }

  func isRival(_ other: Recipe) -> Bool { other.target == target && other.reference.id != reference.id }
}

extension Sequence<Recipe> {
  /// The templates of the target suites whose names have a parameter besides the bundle identifier, without duplicates.
  package var namedSuites: [NameTemplate] {
    reduce(into: []) { found, recipe in
      if case .suite(let name) = recipe.target, !name.parameters.isEmpty, !found.contains(name) { found.append(name) }
    }
  }

  var namedFolders: [NameTemplate] {
    compactMap { if case .jsonFiles(let folder) = $0.target, !folder.parameters.isEmpty { folder } else { nil } }
  }

  package var secretKeys: Set<StringByBytes> { Set(bytesOf: flatMap(\.leftBehind).filter(\.secret).map(\.key)) }
}

/// The migrator that a vendor offers to apps, or that its SDK runs by itself.
package struct VendorMigrator: Hashable, Sendable {
  /// When the migrator runs, and with that, what it can still write. The raw value is the word in recipe files.
  package enum Runs: String, CaseIterable, Sendable {
    /// The app calls it. It does nothing if the new SDK's file exists.
    case whenCalled = "when-called"
    /// The new SDK calls it when it first starts. It fills what is missing or empty in the new SDK's file.
    case atFirstStart = "at-first-start"
    /// The new SDK calls it at each start. It fills what is missing in the new SDK's file.
    case atEachStart = "at-each-start"
  }

  /// The name in sentences: "Acme's migrator".
  package var name: String
  package var runs: Runs
  /// Whether it deletes the legacy values that it has read. Where they are still there, it has not run.
  package var removes: Bool
  /// Legacy keys that it moves, and that no field has. Where one of them is still there, it has not run.
  package var moves: [String]
  /// The key that it leaves in the new SDK's file: with it, it does not run again. Nil if it leaves none.
  package var mark: String?

  package init(
    _ name: String, runs: Runs = .whenCalled, removes: Bool = false, moves: [String] = [], mark: String? = nil
  ) {
    self.name = name
    self.runs = runs
    self.removes = removes
    self.moves = moves
    self.mark = mark
  }

  package var words: String {
    let when =
      switch runs {
      case .whenCalled: "the app calls it, and it does nothing if the new SDK's file exists"
      case .atFirstStart: "the new SDK calls it when it first starts, to fill what is missing or empty in its file"
      case .atEachStart: "the new SDK calls it at each start, to fill what is missing in its file"
      }
    let gone =
      if removes { "; it deletes what it has read" } else if !moves.isEmpty {
        "; it moves \(moves.joined(separator: ", "))"
      } else { "" }
    return "\(name): \(when)\(gone)\(mark.map { "; then that file has \($0)" } ?? "")."
  }
}
