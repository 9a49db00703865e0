import ArgumentParser
import Carryover
import CarryoverVendors
import PropertyLists

struct RecipeSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Lists, explains and compares recipes; drafts, lints, formats, tests and trusts recipe files.",
    subcommands: [
      RecipeListSubcommand.self, RecipeExplainSubcommand.self, RecipeDiffSubcommand.self, RecipeNewSubcommand.self,
      RecipeLintSubcommand.self, RecipeFormatSubcommand.self, RecipeTestSubcommand.self,
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
        try Console.printDocument(RecipesJSON.document(Recipe.builtIn.map { try ExplainedRecipe(recipe: $0) }))
      } else {
        try printing.paper.print { RecipesText.writeList(Recipe.builtIn, to: &$0) }
      }
    }
  }
}
