import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors

struct RecipeExplainSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "Explains a recipe or one of its fields, rule by rule; with --in, also what a container has for each rule.")

  @Argument(
    help: ArgumentHelp("The recipe's id, or the path of a recipe file.", valueName: "recipe"),
    completion: CompletionScript.recipes)
  var recipe: String
  @Argument(help: "Explain only this field.") var field: String?
  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Plan this container with the recipe, and say for each source whether it has a value, whether the value is used, "
        + "and why not.", valueName: "path"), completion: .file())
  var place: String?
  @OptionGroup var planning: RecipePlanArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.recipes/1.") var json = false

  func validate() throws {
    guard place != nil || !planning.needsContainer else {
      throw ValidationError(
        "--write-key, --now, --bundle-id, --container and --app need a container: add --in PATH.")
    }
  }

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let said = try RecipePath.said(recipe)
      // A file counts as trusted: explaining it writes nothing.
      let planned = RecipePath.isPath(recipe) ? said.asTested(beside: Recipe.builtIn) : said
      let explained = try ExplainedRecipe(
        recipe: said, filled: place == nil ? planning.parameters.values.fill(said) : nil, field: field,
        planned: try place.map { try planning.plan($0, with: planned, masking) })
      if json {
        try Console.printDocument(masking.document(RecipesJSON.document([explained])))
      } else {
        try printing.paper.print(masking) { RecipesText.write(explained, to: &$0) }
      }
    }
  }
}
