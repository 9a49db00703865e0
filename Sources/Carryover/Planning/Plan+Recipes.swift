package import PropertyLists

extension Plan {
  /// Combines the plans of several recipes for one container, so that one run applies all of them. Its fields are named
  /// `RECIPE/FIELD`; a single plan does not change.
  /// - Throws: ``RecipeClash`` if two recipes would write the same key of the same file.
  package init(_ first: Plan, and others: [Plan]) throws(RecipeClash) {
    self = first
    guard !others.isEmpty else { return }
    parts = [first] + others
    target = parts.lazy.compactMap(\.target).first
    set(parts.flatMap { part in part.fields.map { Field($0, of: part) } })
    containerFindings = Self.distinct(parts.flatMap(\.containerFindings))
    dropped = Self.distinct(parts.flatMap(\.dropped))
    unreadPlaces = Self.distinct(parts.flatMap(\.unreadPlaces))
    basis = Self.distinct(parts.flatMap(\.basis))
    allowed = parts.reduce(into: []) { $0.formUnion($1.allowed) }
    try checkKeys()
  }

  /// The plan of each recipe: the parts, or the single plan itself.
  package var recipePlans: [Plan] { parts.isEmpty ? [self] : parts }

  /// The recipes, in order.
  package var recipes: [RecipeReference] { recipePlans.map(\.recipe) }

  /// The codes of the findings that its recipes declare themselves.
  package var ownCodes: [FindingCode] { recipePlans.flatMap(\.definition.ownFindings).map(\.code) }

  /// The code of the finding with this name; nil if no recipe of the plan declares it.
  package func ownCode(_ name: String) -> FindingCode? { ownCodes.first { $0.rawValue == name } }

  /// The recipes after the first one.
  package var otherRecipes: [RecipeReference] { parts.dropFirst().map(\.recipe) }

  /// The title: that of the recipe, or the number of recipes.
  package var recipeTitle: String { parts.isEmpty ? recipe.title : "\(parts.count) recipes" }

  /// The files that it may write and whose names are known, without duplicates.
  package var targets: [TargetSummary] {
    Self.distinct(recipePlans.flatMap { part in part.target?.files(of: part.fields.map(\.key)) ?? [] })
  }

  /// The file of a field, relative to the container's root; nil while its name is unknown.
  package func file(of field: Field) -> String? { field.owner.map(\.file) ?? target?.file(of: field.key) }

  /// The file of a field if the plan may write several; otherwise nil.
  func fileAmongSeveral(of field: Field) -> String? {
    field.owner != nil || target?.present != nil ? file(of: field) : nil
  }

  /// The decisions on the fields of a part, by the part's names.
  package func decisions(_ decisions: Decisions, of part: Plan) -> Decisions {
    guard !parts.isEmpty else { return decisions }
    let own = fields.filter { $0.owner?.recipe == part.recipe.id }
    return own.reduce(into: Decisions()) { $0[$1.key] = decisions[$1.id] }
  }

  /// The name in this plan of a recipe's target key.
  package func name(of key: String, in recipe: RecipeReference) -> Field.ID {
    FieldOwner.name(key, of: parts.isEmpty ? nil : recipe.id)
  }

  /// The key under which a review's decisions are saved: the recipe. For several recipes, their ids, and a version with
  /// three digits for each.
  var question: RecipeReference {
    guard !parts.isEmpty else { return recipe }
    return RecipeReference(
      id: recipes.map(\.id).joined(separator: "+"), version: recipes.reduce(0) { $0 &* 1000 &+ $1.version },
      title: recipeTitle)
  }

  private func checkKeys() throws(RecipeClash) {
    var writers: [KeyPlace: String] = [:]
    for field in fields {
      guard let owner = field.owner, let file = owner.file else { continue }
      let place = KeyPlace(file: file, key: owner.key)
      if let other = writers.updateValue(owner.recipe, forKey: place) {
        throw RecipeClash(place: place, recipes: [other, owner.recipe])
      }
    }
  }

  private static func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
  }
}

/// Two recipes that would write the same key of the same file.
package struct RecipeClash: Error, Hashable, Sendable {
  /// The key and the file, relative to the container's root.
  package var place: KeyPlace
  /// The ids of the two recipes.
  package var recipes: [String]
}

/// The recipe of a field in a plan of several recipes.
package struct FieldOwner: Hashable, Sendable {
  /// The id of the recipe.
  package var recipe: String
  /// The target key, which is the field's name without the recipe.
  @StringByBytes package var key: String
  /// The recipe's target, relative to the container's root; nil while its name is unknown.
  package var file: String?

  /// The name of a field: `RECIPE/FIELD` if several recipes have fields, otherwise the field's own.
  /// - Parameter recipe: the id of the recipe; nil if it is the only one.
  package static func name(_ field: Field.ID, of recipe: String?) -> Field.ID {
    recipe.map { $0 + "/" + field } ?? field
  }
}

extension Field {
  /// The target key: the field's id, without the recipe.
  package var key: String { owner?.key ?? id }

  fileprivate init(_ field: Field, of part: Plan) {
    self = field
    owner = FieldOwner(recipe: part.recipe.id, key: field.id, file: part.target?.file(of: field.id))
    id = FieldOwner.name(field.id, of: part.recipe.id)
    for index in findings.indices {
      findings[index].field = findings[index].field.map { FieldOwner.name($0, of: part.recipe.id) }
    }
  }
}
