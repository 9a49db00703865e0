import ArgumentParser
import Carryover
import CarryoverVendors
import PropertyLists

struct RecipesSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipes", abstract: "Lists the recipes, or shows one rule by rule. Opens no container.",
    subcommands: [RecipesListSubcommand.self, RecipesShowSubcommand.self],
    defaultSubcommand: RecipesListSubcommand.self)
}

struct RecipesListSubcommand: ParsableCommand {
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

struct RecipesShowSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a recipe: what it reads, each rule step by step, and what is not migrated and why.")

  @Argument(
    help: ArgumentHelp("The recipe.", valueName: "id"), completion: .list(Recipe.builtIn.map(\.reference.id)))
  var id: String
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.recipes/1.") var json = false

  func run() throws {
    try reporting {
      let recipe = try RecipeArgument.named(id)
      if json {
        try Console.printDocument(RecipesJSON.document([recipe]))
      } else {
        try printing.paper.print { RecipesText.write(recipe, to: &$0) }
      }
    }
  }
}
