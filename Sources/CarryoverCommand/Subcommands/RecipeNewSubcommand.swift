import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors

struct RecipeNewSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Drafts a recipe file from a container: its keys and types, and none of its values.",
    discussion: """
      Decide what the comments in the draft ask for. Then run carryover recipe lint and carryover recipe test.
      """)

  @Argument(help: "The new recipe's id: a to z, 0 to 9 and -.") var id: String
  @Option(
    help: ArgumentHelp(
      "A container (.xcappdata), an app's data folder, a property list, a device backup or an archive.",
      valueName: "path"), completion: .file())
  var from: String
  @Option(
    help: ArgumentHelp(
      "Read this store: its path, last parts of it, or the suite's name. Repeatable, most trusted first. Otherwise the "
        + "app's own suite, or the store with the most keys that match --keys.", valueName: "name"))
  var store: [String] = []
  @Option(
    help: ArgumentHelp("Migrate only these keys; * stands for any text. Repeatable.", valueName: "pattern"))
  var keys: [String] = []
  @Option(help: ArgumentHelp("The suite that the new SDK reads.", valueName: "name"))
  var write: String?
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the draft to this file, which must not exist yet.", valueName: "file"),
    completion: .file())
  var output: String?
  @Option(help: "The app's bundle id, if the container does not contain it.") var bundleID: String?
  @OptionGroup var choosing: ChoosingArguments

  func run() throws {
    // A draft is sent to others: nothing of the container may be in it.
    let masking = Masking(true)
    try reporting(masking) {
      guard Recipe(id: id) == nil else { throw CommandFailure.usage("\(id) is a built-in recipe. Choose another id.") }
      if let output, try POSIXFileSystem().status(output) != nil {
        throw CommandFailure("“\(output)” exists already and was not replaced. Name another file.", .error)
      }
      let opened = try ContainerArguments(from, bundleID: bundleID, choosing: choosing).open(masking)
      guard let redaction = masking.redaction else { return }
      let patterns = keys.map { Glob($0) }
      let choice = try DraftChoice(
        in: opened.container, named: store, matching: patterns,
        tables: Recipe.builtIn.flatMap(\.files).compactMap(\.table), redaction)
      let draft = try RecipeDraft(
        id: id, from: choice, of: opened.container, matching: patterns, to: write,
        builtIn: Recipe.builtIn, redaction)
      for remark in draft.remarks { Console.error("carryover: " + masking.text(remark)) }
      guard let output else { return try Console.write(Array(draft.text.utf8)) }
      var files = DurableFiles(POSIXFileSystem())
      try files.write(Array(draft.text.utf8), to: output)
      try Console.print("Written: \(output). Decide what its comments ask for, then run carryover recipe lint.")
    }
  }
}
