import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// What `recipe explain` prints: a recipe or one of its fields, in words, and what a container has for it.
struct ExplainedRecipe {
  let recipe: Recipe
  /// The plan of the container; nil if none was named.
  let planned: RecipePlan?
  /// The fields to print; nil for all.
  private let fields: Set<StringByBytes>?
  /// Where each rule is, by the key that it writes.
  private let places: [StringByBytes: Int]

  /// - Parameters:
  ///   - said: the recipe as it says itself, with its parameters.
  ///   - filled: the same with values in place of parameters, if there are some.
  ///   - field: the field to explain, with the parameters or their values in its name; nil for all.
  /// - Throws: a usage error if there is no such field.
  init(recipe said: Recipe, filled: Recipe? = nil, field: String? = nil, planned: RecipePlan? = nil) throws {
    recipe = planned?.plan.definition ?? filled ?? said
    self.planned = planned
    places = Dictionary(firstOf: recipe.rules.enumerated().map { ($1.target, $0) })
    guard let field else {
      fields = nil
      return
    }
    let names = recipe.rules.map(\.target)
    // A rule for several keys has a field for each of them.
    let written = zip(recipe.rulePlaces, names).filter { place, name in
      said.rules.indices.contains(place) && said.rules[place].target.hasSameBytes(as: field)
    }
    let found = names.containsBytes(of: field) ? [field] : written.map(\.1)
    guard !found.isEmpty || said.rules.contains(where: { $0.target.hasSameBytes(as: field) }) else {
      let nearest =
        Nearest.name(to: field, among: names).map { " Did you mean \(DisplayText.visible($0, limit: 60))?" } ?? ""
      throw CommandFailure.usage(
        "The recipe has no field “\(DisplayText.visible(field, limit: 60))”.\(nearest) The fields are "
          + names.prefix(20).map { DisplayText.visible($0, limit: 60) }.joined(separator: ", ")
          + (names.count > 20 ? " and \(names.count - 20) more." : "."))
    }
    fields = Set(bytesOf: found)
  }

  /// The sections to print. The id, the version and the title are above them.
  var sections: [RecipeSection] {
    recipe.sections.compactMap { section in
      var section = section
      section.lines.removeAll { line in
        if let fields {
          guard case .field(let name) = line.part else { return true }
          return !fields.contains(name)
        }
        return [.id, .version, .title].contains(line.kind)
      }
      return section.lines.isEmpty ? nil : section
    }
  }

  /// The fields to print.
  var rules: [FieldRule] { recipe.rules.filter { fields?.contains($0.target) ?? true } }

  /// What became of a source of a field; nil without a container.
  func trial(_ index: Int, of target: String) -> CandidateTrial? {
    guard let planned, let rule = places[target], planned.trials[rule].indices.contains(index) else { return nil }
    return planned.trials[rule][index]
  }
}

/// A plan for an explanation of its recipe.
struct RecipePlan {
  var plan: Plan
  /// What became of each source of each field.
  var trials: [[CandidateTrial]]
}
