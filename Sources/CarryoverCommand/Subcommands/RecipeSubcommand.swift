import ArgumentParser
import Carryover
import CarryoverVendors
import PropertyLists

struct RecipeSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Lists the recipes, shows one rule by rule, drafts, checks, tests or trusts recipe files.",
    subcommands: [
      RecipeListSubcommand.self, RecipeShowSubcommand.self, RecipeNewSubcommand.self, RecipeLintSubcommand.self,
      RecipeTestSubcommand.self,
      RecipeTrustSubcommand.self, RecipeHashSubcommand.self, RecipeSchemaSubcommand.self,
    ],
    defaultSubcommand: RecipeListSubcommand.self, aliases: ["recipes"])
}

struct RecipeListSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the recipes: from which SDK to which, and where they read.")

  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.recipes/1.") var json = false

  func run() throws {
    try reporting {
      if json {
        try Console.printDocument(RecipesJSON.document(Recipe.builtIn))
      } else {
        try printing.paper.print { RecipesText.writeList(Recipe.builtIn, to: &$0) }
      }
    }
  }
}

struct RecipeShowSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a recipe: what it reads, each rule step by step, and what is not migrated and why.")

  @Argument(
    help: ArgumentHelp("The recipe's id, or the path of a recipe file.", valueName: "recipe"),
    completion: .list(Recipe.builtIn.map(\.reference.id)))
  var recipe: String
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.recipes/1.") var json = false

  func run() throws {
    try reporting {
      let recipe = try RecipePath.isPath(recipe) ? RecipePath.shown(recipe) : TrustArgument.builtIn(recipe)
      if json {
        try Console.printDocument(RecipesJSON.document([recipe]))
      } else {
        try printing.paper.print { RecipesText.write(recipe, to: &$0) }
      }
    }
  }
}
