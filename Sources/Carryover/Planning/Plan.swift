package import CarryoverSystem
package import PropertyLists

/// A recipe's plan for a container at one moment: for each field the legacy value, the proposal, the target's current
/// value and the findings. Making a plan writes nothing.
public struct Plan: Hashable, Sendable, CustomStringConvertible, Described {
  /// The recipe that it follows; if there are several, the first.
  package var definition: Recipe
  package var container: ContainerSummary
  /// The file to write; nil if its name is unknown because the bundle identifier or the write key is. If there are
  /// several recipes, the first known file: see ``targets``.
  package var target: TargetSummary?
  package var now: Moment
  /// The fields, in the recipe's order.
  public var fields: [Field] { didSet { positions = fields.places } }
  package var containerFindings: [Finding]
  package var dropped: [DroppedKey]
  package var unreadPlaces: [UnreadPlace] = []
  /// The files whose ids the vendor's migrator moves, and that have none.
  var moved: [MovedFile] = []
  /// Every value that the plan depends on, to detect later changes.
  package var basis: [PlanBasis]
  package var allowed: Set<FindingCode>
  /// The plans for single recipes that this plan combines; empty for a plan of one recipe.
  package var parts: [Plan] = []
  /// The plans for the new SDK's other files, of other write keys: the app reads one of them.
  package var others: [Plan] = []
  /// Whatever asks for many fields by name would otherwise compare each with each.
  private var positions: [StringByBytes: Int]

  package init(
    recipe: Recipe, container: ContainerSummary, target: TargetSummary?, now: Moment, fields: [Field],
    containerFindings: [Finding] = [], dropped: [DroppedKey] = [], basis: [PlanBasis] = [],
    allowed: Set<FindingCode> = []
  ) {
    definition = recipe
    self.container = container
    self.target = target
    self.now = now
    self.fields = fields
    positions = fields.places
    self.containerFindings = containerFindings
    self.dropped = dropped
    self.basis = basis
    self.allowed = allowed
  }

  /// The plan's recipe; if there are several, the first.
  public var recipe: RecipeReference { definition.reference }

  /// Whether a property list was given, and not the container it is from.
  var isOfOneFile: Bool { container.kind == .propertyList }

  /// All findings: the container's, then those of each field in row order.
  public var findings: [Finding] { containerFindings + fields.flatMap(\.findings) }

  /// The findings that block an apply because they are not allowed.
  public var blockers: [Finding] { findings.filter { $0.blocks && !allowed.contains($0.code) } }

  /// The field with this id; nil if there is none.
  public func field(_ id: Field.ID) -> Field? { positions[id].map { fields[$0] } }

  /// The recipe, the fields by status and the codes of the findings, without values.
  package var words: String {
    let fields = FieldStatus.allCases.compactMap { status -> String? in
      let names = self.fields.filter { $0.status == status }.map(\.id)
      return names.isEmpty ? nil : "\(status.rawValue): \(names.joined(separator: ", "))"
    }
    let codes = findings.shared.map(\.finding.code.rawValue)
    return ([recipe.id] + fields + (codes.isEmpty ? [] : ["findings: \(codes.joined(separator: ", "))"]))
      .joined(separator: "; ")
  }

  package var lacksWriteKey: Bool { containerFindings.contains { $0.code == .targetNoWriteKey } }

  package var recipePlans: [Plan] { parts.isEmpty ? [self] : parts }
  package var recipes: [RecipeReference] { recipePlans.map(\.recipe) }
  package var ownCodes: [FindingCode] { recipePlans.flatMap(\.definition.ownFindings).map(\.code) }

  package func ownCode(_ name: String) -> FindingCode? { ownCodes.first { $0.rawValue == name } }

  package var otherRecipes: [RecipeReference] { parts.dropFirst().map(\.recipe) }
  package var recipeTitle: String { parts.isEmpty ? recipe.title : "\(parts.count) recipes" }

  package var targets: [TargetSummary] {
    recipePlans.flatMap { part in part.target?.files(of: part.fields.map(\.key)) ?? [] }.distinct { $0 }
  }

  /// The file of a field, relative to the container's root; nil while its name is unknown.
  package func file(of field: Field) -> String? { field.owner.map(\.file) ?? target?.file(of: field.key) }

  /// The file of a field if the plan may write several; otherwise nil.
  func fileAmongSeveral(of field: Field) -> String? {
    field.owner != nil || target?.present != nil ? file(of: field) : nil
  }

  package func decisions(_ decisions: Decisions, of part: Plan) -> Decisions {
    guard !parts.isEmpty else { return decisions }
    let own = fields.filter { $0.owner?.recipe == part.recipe.id }
    return own.reduce(into: Decisions()) { $0[$1.key] = decisions[$1.id] }
  }

  package func name(of key: String, in recipe: RecipeReference) -> Field.ID {
    FieldOwner.name(key, of: parts.isEmpty ? nil : recipe.id)
  }
}

package struct ContainerSummary: Hashable, Sendable {
  package var kind: ContainerKind
  package var bundleID: String?
  package var name: String
}

extension ContainerSummary {
  package init(_ container: Container) {
    self.init(kind: container.kind, bundleID: container.bundleID, name: container.name)
  }
}

/// The file that a plan writes, or the folder with a file for each key.
package struct TargetSummary: Hashable, Sendable {
  @StringByBytes package var path: String
  package var exists: Bool
  /// The paths of the files in the folder that existed; nil if the target is one file.
  package var present: Set<StringByBytes>?
  var format = KeyedFile.Format.binary
  /// Whether there are files of the same kind with other values in their names.
  package var hasOthers = false
  /// Whether only Carryover's runs have changed the file: the new SDK has not written it yet. If the legacy SDK's values
  /// are in the same file, since the first run.
  package var isMadeByRuns = false
  /// Whether the file has the mark of the vendor's migrator; nil if that leaves none.
  var isMarked: Bool?

  package func file(of key: String) -> String { present == nil ? path : path + "/" + key }

  package func holds(_ file: String) -> Bool {
    file.hasSameBytes(as: path) || (present != nil && FilePath.folder(of: file).hasSameBytes(as: path))
  }

  package func files(of keys: [String]) -> [TargetSummary] {
    guard let present else { return [self] }
    return keys.map { key in
      var file = self
      file.path = self.file(of: key)
      file.exists = present.contains(file.path)
      file.present = nil
      return file
    }
  }

  /// - Throws: the reason that the new SDK cannot read it.
  func keyed(in container: Container) throws(KeyedFile.Problem) -> KeyedFile? {
    guard let store = container.store(path) else { return nil }
    let file = try KeyedFile(store)
    if let problem = file.problem(as: format) { throw problem }
    return file
  }

  func values(of keys: [String], in container: Container) -> PropertyListDictionary {
    guard present != nil else { return (try? keyed(in: container))?.dictionary ?? [:] }
    return PropertyListDictionary(
      entries: keys.compactMap { key in
        let file = files(of: [key]).first.flatMap { try? $0.keyed(in: container) }
        return file?.dictionary[key].map { .init(key: key, value: $0) }
      })
  }
}

package struct DroppedKey: Hashable, Sendable {
  @StringByBytes package var key: String
  package var value: PropertyListValue?
  package var reason: String
  /// Whether the value is a secret that no output may show.
  package var secret = false
}

extension Field: CustomStringConvertible, Described {
  /// The target key and the status, without values, because printed text may end up in a log.
  package var words: String { "\(id): \(status.rawValue)" }
}

package struct FieldOwner: Hashable, Sendable {
  package var recipe: String
  @StringByBytes package var key: String
  package var file: String?

  /// The name of a field: `RECIPE/FIELD` if several recipes have fields, otherwise the field's own.
  /// - Parameter recipe: the id of the recipe; nil if it is the only one.
  package static func name(_ field: Field.ID, of recipe: String?) -> Field.ID {
    recipe.map { $0 + "/" + field } ?? field
  }
}

extension Field {
  package var key: String { owner?.key ?? id }
}
