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
      valueName: "recipe"), completion: CompletionScript.recipes)
  var recipe: [String] = []
  @OptionGroup var trust: TrustArgument
  @OptionGroup var parameters: ParameterArguments

  /// The recipe for a container.
  /// - Parameter removed: what cleanups that hold have removed from it.
  func recipe(for container: Container, removed: [KeyPlace: PropertyListValue]) throws -> Recipe {
    let named = try recipe.map(trust.named)
    let first = named.first ?? Recipe.detect(in: container, removed: removed).recipe
    let only = try ChosenRecipes(first: first, others: named.filter { $0 != first }).only(for: "cleanup")
    return try parameters.values.fill(only, in: container)
  }
}

/// The recipes whose files are shown too, for a command that follows no recipe.
struct ShownFilesArgument: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Show the files that this recipe file reads too, whatever their names are. Repeatable.", valueName: "recipe"),
    completion: CompletionScript.recipes)
  var recipe: [String] = []

  var files: [StoreFile] {
    get throws {
      for name in recipe where !RecipePath.isPath(name) { _ = try TrustArgument.builtIn(name) }
      return try TrustArgument.files(of: recipe)
    }
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
    try RecipePath.isPath(name)
      ? RecipePath.recipe(at: name, pinned: Set(trust.map(\.digest))) : Self.builtIn(name)
  }

  /// The files that those of the named recipes read that are files themselves, whatever the names are.
  static func files(of names: [String]) throws -> [StoreFile] {
    try names.filter(RecipePath.isPath).flatMap { try RecipePath.shown($0).files }
  }

  /// The built-in recipe with an id.
  static func builtIn(_ name: String) throws -> Recipe {
    guard let recipe = Recipe(id: name) else {
      let known = Recipe.builtIn.map(\.reference.id).joined(separator: ", ")
      throw CommandFailure.usage(
        "There is no recipe “\(DisplayText.visible(name, limit: 60))”. Choose one of \(known), or name a recipe file: a path "
          + "with a slash or a dot.")
    }
    return recipe
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
