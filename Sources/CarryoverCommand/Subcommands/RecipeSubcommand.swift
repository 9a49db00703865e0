import ArgumentParser
import Carryover
import CarryoverVendors
import PropertyLists

struct RecipeSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Lists and explains recipes; drafts, lints, tests and trusts recipe files.",
    subcommands: [
      RecipeListSubcommand.self, RecipeExplainSubcommand.self, RecipeNewSubcommand.self, RecipeLintSubcommand.self,
      RecipeTestSubcommand.self, RecipeTrustSubcommand.self, RecipeSchemaSubcommand.self,
    ],
    defaultSubcommand: RecipeListSubcommand.self)
}

struct RecipeListSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the recipes: from which SDK to which, and where they read.")

  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.recipes/1.") var json = false

  func run() throws {
    try reporting {
      if json {
        try Console.printDocument(RecipesJSON.document(Recipe.builtIn.map { try ExplainedRecipe(recipe: $0) }))
      } else {
        try printing.paper.print { RecipesText.writeList(Recipe.builtIn, to: &$0) }
      }
    }
  }
}
