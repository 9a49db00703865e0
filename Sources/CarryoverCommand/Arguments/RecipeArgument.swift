import ArgumentParser
import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// The recipe that a cleanup follows: the one that is named, or the one that the container's keys call for.
struct RecipeArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The recipe to follow, by its id or the path of a recipe file, instead of the one that fits the container's keys; "
        + "carryover recipe lists them.",
      valueName: "recipe"), completion: .list(Recipe.builtIn.map(\.reference.id)))
  var recipe: [String] = []
  @OptionGroup var trust: TrustArgument
  @OptionGroup var parameters: ParameterArguments

  /// The recipe for a container.
  /// - Parameter removed: what cleanups that hold have removed from it.
  func recipe(for container: Container, removed: [KeyPlace: PropertyListValue]) throws -> Recipe {
    let named = try recipe.map(trust.named)
    let first = named.first ?? Recipe.detect(in: container, removed: removed).recipe
    let only = try ChosenRecipes(first: first, others: named.filter { $0 != first }).only(for: "cleanup")
    return try parameters.fill([only], in: container).first ?? only
  }
}

/// The contents of recipe files that are trusted for one command.
struct TrustArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust the recipe file with this SHA-256 for this command, for example in CI: sha256:DIGEST. Repeatable.",
      valueName: "digest"))
  var trust: [DigestArgument] = []

  /// The recipe with an id, or in a file.
  func named(_ name: String) throws -> Recipe {
    if RecipePath.isPath(name) { return try RecipePath.recipe(at: name, pinned: Set(trust.map(\.digest))) }
    guard let recipe = Recipe(id: name) else {
      let known = Recipe.builtIn.map(\.reference.id).joined(separator: ", ")
      throw CommandFailure.usage(
        "There is no recipe “\(DisplayText.visible(name, limit: 60))”. Choose one of \(known), or name a recipe file: a path "
          + "with a slash or a dot.")
    }
    return recipe
  }
}

/// Values of a recipe's parameters.
struct ParameterArguments: ParsableArguments {
  @Option(
    name: [.customShort("P"), .customLong("parameter")],
    help: ArgumentHelp(
      "The value of a recipe's parameter, if the container does not show it: -P token=0123abcd. Repeatable.",
      valueName: "name=value"))
  var given: [String] = []

  /// Recipes with all their parameters: the values given, then those that the container shows.
  /// - Throws: a usage error for a value that is missing, ambiguous, not valid, or of no parameter.
  func fill(_ recipes: [Recipe], in container: Container) throws -> [Recipe] {
    let values = try values()
    let known = Set(recipes.flatMap(\.parameters).map(\.name))
    if let name = values.keys.sorted().first(where: { !known.contains($0) }) {
      throw CommandFailure.usage("-P \(DisplayText.visible(name, limit: 60)): no recipe here has such a parameter.")
    }
    return try recipes.map { try filled($0, values, in: container) }
  }

  private func values() throws -> [String: String] {
    var values: [String: String] = [:]
    for text in given {
      guard let equals = text.firstIndex(of: "=") else {
        throw CommandFailure.usage("-P takes NAME=VALUE, such as -P token=0123abcd.")
      }
      values[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    return values
  }

  private func filled(_ recipe: Recipe, _ given: [String: String], in container: Container) throws -> Recipe {
    var values = given
    for parameter in recipe.parameters {
      let (name, title) = (parameter.name, parameter.title)
      if let value = values[name] {
        guard parameter.accepts(value) else { throw CommandFailure.usage("-P \(name): this is not a valid \(title).") }
        continue
      }
      let found = recipe.values(of: parameter, in: container)
      guard found.count <= 1 else {
        let several = found.prefix(8).joined(separator: ", ")
        throw CommandFailure.usage(
          "The container has several values of the \(title): \(several). Choose one with -P \(name)=VALUE.")
      }
      guard let only = found.first else {
        throw CommandFailure.usage(
          "The \(title) is unknown: recipe \(recipe.reference.id) needs it. Give it with -P \(name)=VALUE.")
      }
      values[name] = only
    }
    let filled = recipe.filled(values)
    if let clash = filled.clash {
      throw CommandFailure("Recipe \(recipe.reference.id): \(DisplayText.visible(clash))", .error)
    }
    if case .file = filled.origin, filled.target.belongsToSystem {
      throw CommandFailure("Recipe \(recipe.reference.id) would write a file of the system. It is not used.", .error)
    }
    return filled
  }
}

/// A SHA-256 on the command line: `sha256:` and 64 hexadecimal digits.
struct DigestArgument: ExpressibleByArgument {
  var digest: String

  init?(argument: String) {
    let prefix = "sha256:"
    guard argument.hasPrefix(prefix) else { return nil }
    digest = argument.dropFirst(prefix.count).lowercased()
    guard digest.utf8.count == 64, [UInt8](hexadecimal: digest[...]) != nil else { return nil }
  }
}
