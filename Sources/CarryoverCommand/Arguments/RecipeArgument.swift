import ArgumentParser
import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// Which recipe a plan follows: the one that is named, or the one that the container's keys speak for.
struct RecipeArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The recipe to follow, instead of the one that fits the container's keys; carryover recipe lists them.",
      valueName: "id"), completion: .list(Recipe.builtIn.map(\.reference.id)))
  var recipe: [String] = []

  /// The recipe for a container.
  /// - Parameter removed: what cleanups that hold have removed from it.
  func recipe(for container: Container, removed: [KeyPlace: PropertyListValue]) throws -> Recipe {
    let named = try recipe.map(Self.named)
    guard let first = named.first else { return Recipe.detect(in: container, removed: removed).recipe }
    return try ChosenRecipes(first: first, others: named.filter { $0 != first }).only(for: "cleanup")
  }

  /// The recipe with a name.
  static func named(_ id: String) throws -> Recipe {
    guard let recipe = Recipe(id: id) else {
      let known = Recipe.builtIn.map(\.reference.id).joined(separator: ", ")
      throw CommandFailure.usage("There is no recipe “\(DisplayText.visible(id, limit: 60))”. Choose one of \(known).")
    }
    return recipe
  }
}
