import ArgumentParser
import Carryover
import CarryoverSystem

struct RecipeTrustSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Trusts the current content of a recipe file, so that apply may use it.",
    discussion: """
      Trust belongs to the content, by its SHA-256: a changed file has to be trusted again. Without trust, a recipe file \
      can be planned with and reviewed, but nothing is applied.
      """)

  @Argument(help: ArgumentHelp("The recipe file.", valueName: "file"), completion: .file())
  var file: String
  @Flag(help: "Withdraw the trust.") var remove = false
  @Flag(help: "Do not ask.") var yes = false
  @OptionGroup var printing: PrintingArguments

  func run() throws {
    try reporting {
      let recipe = try RecipePath.recipe(at: file)
      let digest = recipe.reference.digest ?? ""
      if remove {
        let wasTrusted = try Edge.trusted.remove(digest)
        return try Console.print(wasTrusted ? "Not trusted any more." : "It was not trusted: nothing was changed.")
      }
      if case .file(_, true) = recipe.origin { return try Console.print("You trust this content already.") }
      if !yes {
        try Edge.requireTerminal(for: "recipe trust", or: "nothing was trusted")
        let explained = try ExplainedRecipe(recipe: recipe)
        try printing.paper.print { RecipesText.write(explained, to: &$0) }
        try Edge.askToGoOn("\nMay apply use these rules, in any container?")
      }
      do {
        try Edge.trusted.add(recipe.reference)
      } catch is NoPlaceForTrust {
        throw CommandFailure("Nothing was trusted: neither XDG_STATE_HOME nor HOME names a folder.", .error)
      }
      try Console.print("Trusted: \(DisplayText.visible(file)), sha256:\(digest)")
    }
  }
}
