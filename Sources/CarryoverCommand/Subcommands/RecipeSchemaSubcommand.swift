import ArgumentParser

struct RecipeSchemaSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Prints the JSON Schema of recipe files, for completion and checks in editors.")

  func run() throws { try reporting { try Console.write(PackageResources.recipe_1_json) } }
}
