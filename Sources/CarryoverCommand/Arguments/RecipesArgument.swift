import ArgumentParser
import Carryover
import CarryoverReview
import CarryoverVendors
import PropertyLists

/// Which recipes a plan follows: those that are named, or the one that the container's keys speak for.
struct RecipesArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The recipe to follow, by its id or the path of a recipe file, instead of the one that the container's keys call "
        + "for; carryover recipe lists them. "
        + "Repeatable: one run applies all of them, and fields are named RECIPE/FIELD. all: every recipe for which the "
        + "container has evidence, except those that are followed only by name.",
      valueName: "recipe"), completion: CompletionScript.severalRecipes)
  var recipe: [String] = []
  @OptionGroup var trust: TrustArgument
  @OptionGroup var parameters: ParameterArguments

  /// The recipes for a container, each once.
  /// - Parameter removed: what cleanups that hold have removed from it.
  func recipes(for container: Container, removed: [KeyPlace: PropertyListValue]) throws -> ChosenRecipes {
    var chosen: [Recipe] = []
    for id in recipe {
      let named =
        try id == PlanChoices.allRecipes
        ? Recipe.all(in: container, removed: removed) : [trust.named(id)]
      for recipe in named where !chosen.contains(recipe) { chosen.append(recipe) }
    }
    if chosen.isEmpty { chosen = [Recipe.detect(in: container, removed: removed).recipe] }
    let filled = try parameters.values.fill(chosen, in: container)
    return ChosenRecipes(first: filled.first ?? chosen[0], others: Array(filled.dropFirst()))
  }
}

/// The recipes that a plan follows.
struct ChosenRecipes {
  var first: Recipe
  var others: [Recipe] = []

  /// All of them.
  var all: [Recipe] { [first] + others }

  /// The only one.
  /// - Throws: a usage error for several, which the command cannot follow at once.
  func only(for command: String) throws -> Recipe {
    guard others.isEmpty else {
      let ids = all.map(\.reference.id).joined(separator: ", ")
      throw CommandFailure.usage("carryover \(command) follows one recipe: name one of \(ids) with --recipe.")
    }
    return first
  }
}
