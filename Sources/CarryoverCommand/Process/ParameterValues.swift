import Carryover
import CarryoverSystem
import CarryoverTerminal

/// The values that the command line gives to recipes' parameters.
struct ParameterValues {
  var values: [String: String]

  var writeKey: String? { values[RecipeParameter.writeKey.name] }

  /// Recipes with all their parameters, except the write key: see ``naming(_:in:)``.
  /// - Throws: a gap, or a usage error for a value that is not valid, or of no parameter.
  func fill(_ recipes: [Recipe], in container: Container) throws -> [Recipe] {
    try check(for: recipes)
    return try recipes.map { try filled($0, in: container) }
  }

  func fill(_ recipe: Recipe, in container: Container) throws -> Recipe {
    try fill([recipe], in: container).first ?? recipe
  }

  /// The recipe with these values; other parameters stay.
  func fill(_ recipe: Recipe) throws -> Recipe {
    try check(for: [recipe])
    return recipe.filled(values)
  }

  func check(for recipes: [Recipe]) throws {
    let parameters = recipes.flatMap(\.parameters) + [.writeKey]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let known = parameters.filter { $0.name == name }
      guard !known.isEmpty else {
        throw CommandFailure.usage("-P \(DisplayText.visible(name, limit: 60)): no recipe here has such a parameter.")
      }
      guard let parameter = known.first(where: { !$0.accepts(value) }) else { continue }
      throw CommandFailure.usage(
        parameter == .writeKey
          ? "“\(DisplayText.visible(value, limit: 60))” cannot be a write key: it is part of a file name."
          : "-P \(name): this is not a valid \(DisplayText.visible(parameter.title)).")
    }
  }

  /// The write key that names the recipes' targets: the given one, the only one that the container has a file for, or,
  /// without a file, the one that the legacy files state. Without it, the plan says that it is missing.
  func naming(_ recipes: [Recipe], in container: Container) -> [String: String] {
    let name = RecipeParameter.writeKey.name
    if let writeKey { return [name: writeKey] }
    guard container.bundleID != nil else { return [:] }
    let found = recipes.lazy.compactMap { $0.shownValue(of: name, in: container) }.first
    return found.map { [name: $0] } ?? [:]
  }

  /// - Throws: a usage error if the write key that names a target is unknown.
  func requireNaming(_ recipes: [Recipe], in container: Container) throws {
    let name = RecipeParameter.writeKey.name
    guard writeKey == nil, container.bundleID != nil else { return }
    let isStated = recipes.contains { $0.statedValue(of: name, in: container) != nil }
    for recipe in recipes where recipe.target.parameters.contains(name) {
      let keys = recipe.target.values(of: name, in: container)
      guard keys.count <= 1 else {
        throw CommandFailure.usage(
          "The new SDK has files for several write keys (\(keys.prefix(8).joined(separator: ", "))\(keys.count > 8 ? " and \(keys.count - 8) more" : "")); choose one with --write-key."
        )
      }
      guard keys.isEmpty, !isStated else { continue }
      // Without legacy values, nothing is written whatever the key is.
      let plan = Planner(recipe).plan(container, now: Moment(millisecondsSince1970: 0))
      guard !plan.containerFindings.contains(where: { $0.code == .sourceNotFound }) else { continue }
      throw CommandFailure.usage(
        "The write key is missing: the container has no file of the new SDK yet. Give your source's with --write-key; carryover browse shows the stores without it."
      )
    }
  }

  private func filled(_ recipe: Recipe, in container: Container) throws -> Recipe {
    let filled = try recipe.filled(values, in: container)
    if let clash = filled.clash {
      throw CommandFailure("Recipe \(recipe.reference.id): \(DisplayText.visible(clash))", .error)
    }
    if case .file = filled.origin, filled.target.belongsToSystem {
      throw CommandFailure("Recipe \(recipe.reference.id) would write a system file, so it is not used.", .error)
    }
    return filled
  }
}
