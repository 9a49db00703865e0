import ArgumentParser

struct RecipeHashSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash", abstract: "Prints the SHA-256 of recipe files, as --trust takes it.")

  @Argument(help: ArgumentHelp("Recipe files.", valueName: "file"), completion: .file())
  var file: [String]

  func run() throws {
    try reporting {
      for path in file { try Console.print("sha256:\(RecipePath.digest(path))  \(path)") }
    }
  }
}
