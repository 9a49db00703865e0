import ArgumentParser
import Carryover
import CarryoverVendors
import PropertyLists

struct RecipesSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipes", abstract: "Lists the recipes, or shows one rule by rule. It looks at no container.",
    subcommands: [RecipesListSubcommand.self, RecipesShowSubcommand.self],
    defaultSubcommand: RecipesListSubcommand.self)
}

struct RecipesListSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the recipes: from which SDK to which, and where they read.")

  @Flag(help: "Print JSON, schema carryover.recipes/1.") var json = false

  func run() throws {
    try reporting {
      if json {
        try Console.printDocument(RecipesJSON.document(Recipe.builtIn))
      } else {
        try Console.print(RecipesText.list(Recipe.builtIn, columns: Console.columns).joined(separator: "\n"))
      }
    }
  }
}

struct RecipesShowSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a recipe: what it reads, each rule step by step, and what stays behind and why.")

  @Argument(help: ArgumentHelp("The recipe.", valueName: "id")) var id: String
  @Flag(help: "Print JSON, schema carryover.recipes/1.") var json = false

  func run() throws {
    try reporting {
      let recipe = try RecipeArgument.named(id)
      if json {
        try Console.printDocument(RecipesJSON.document([recipe]))
      } else {
        try Console.print(RecipesText.lines(recipe, columns: Console.columns).joined(separator: "\n"))
      }
    }
  }
}
