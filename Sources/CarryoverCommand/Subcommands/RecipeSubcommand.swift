import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors

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
      try printing.paper.print(json: json, RecipesOutput.json(Recipe.builtIn.map { try ExplainedRecipe(recipe: $0) })) {
        RecipesOutput.writeList(Recipe.builtIn, to: &$0)
      }
    }
  }
}

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
      throw ValidationError("--write-key, --now, --bundle-id, --container and --app need a container: add --in PATH.")
    }
  }

  func run() throws {
    try reporting(redacting) { masking in
      let said = try RecipePath.said(recipe)
      // A file counts as trusted: explaining it writes nothing.
      let planned = RecipePath.isPath(recipe) ? said.asTested(beside: Recipe.builtIn) : said
      let explained = try ExplainedRecipe(
        recipe: said, filled: place == nil ? planning.values.fill(said) : nil, field: field,
        planned: try place.map { try planning.plan($0, with: planned, masking) })
      try printing.paper.print(json: json, RecipesOutput.json([explained]), masking) {
        RecipesOutput.write(explained, to: &$0)
      }
    }
  }
}

struct RecipePlanArguments: ParsableArguments {
  @OptionGroup var parameters: ParameterArguments
  @OptionGroup var target: TargetArguments
  @Option(help: "The app's bundle id, if the container does not contain it.") var bundleID: String?
  @OptionGroup var choosing: ChoosingArguments

  var values: ParameterValues { parameters.values(target) }

  var needsContainer: Bool {
    target.writeKey != nil || target.now != nil || bundleID != nil || choosing.container != nil || choosing.app != nil
  }

  /// The recipe with the outcome of each source of its fields.
  func plan(_ path: String, with recipe: Recipe, _ masking: Masking) throws -> RecipePlan {
    let opened = try ContainerArguments(path, bundleID: bundleID, choosing: choosing).open(
      reading: recipe.files, masking)
    masking.learn(values)
    if let failure = Edge.recoveryNeeded(opened) { throw failure }
    let moment = target.moment
    let filled = try values.fill(recipe, in: opened.container)
    let options = PlannerOptions(parameters: values.naming([filled], in: opened.container))
    let plan = try Edge.migrator(opened).plan(opened.container, with: filled, now: moment, options: options)
    return RecipePlan(
      plan: masking.findings(of: plan),
      trials: Planner(filled).trials(opened.container, now: moment, options: options).map { $0.map(masking.trial) })
  }
}

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
      "Read this store: its path, the end of it, or its suite's name. Repeatable, most trusted first. Otherwise the "
        + "app's own suite, or the store with the most keys that match --keys.", valueName: "name"))
  var store: [String] = []
  @Option(help: ArgumentHelp("Migrate only these keys; * stands for any text. Repeatable.", valueName: "pattern"))
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
    // A draft is sent to others: it contains nothing of the container.
    let masking = Masking(true)
    try reporting(masking) {
      guard Recipe(id: id) == nil else { throw CommandFailure.usage("\(id) is a built-in recipe. Choose another id.") }
      if let output, try POSIXFileSystem().status(output) != nil {
        throw CommandFailure("“\(output)” already exists and was not replaced. Name another file.", .error)
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

struct RecipeLintSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", abstract: "Checks recipe files, and says what is wrong, line by line.",
    discussion: """
      Exit status: 0 no error, 1 an error, or a warning with --fail-on warning. carryover explain CODE explains a code.
      """)

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json, github
  }

  enum Least: String, CaseIterable, ExpressibleByArgument {
    case error, warning
  }

  @Argument(help: "Recipe files, or folders with them.", completion: .file())
  var path: [String]
  @Option(help: "How to print: text, json (schema carryover.lint/1) or github (annotations).")
  var format = Form.text
  @Option(help: ArgumentHelp("The lowest severity that causes exit status 1: error or warning.", valueName: "severity"))
  var failOn = Least.error
  @Flag(help: "Print JSON: the same as --format json.") var json = false

  func run() throws {
    try reporting {
      let output = LintOutput(files: try path.flatMap(RecipePath.files).map { try RecipePath.read($0).linted })
      switch json ? .json : format {
      case .text: try Console.printVerbatim(output.lines.joined(separator: "\n"))
      case .json: try Console.printDocument(output.json)
      case .github: try Console.printVerbatim(output.annotations.joined(separator: "\n"))
      }
      guard output.count(.error) == 0, failOn == .error || output.count(.warning) == 0 else {
        throw ExitCode(ExitStatus.error.rawValue)
      }
    }
  }
}

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
      if case .file(_, true) = recipe.origin { return try Console.print("You already trust this content.") }
      try Edge.confirm(
        "\nMay apply use these rules, in any container?", unless: yes, for: "recipe trust", or: "nothing was trusted"
      ) {
        let explained = try ExplainedRecipe(recipe: recipe)
        try printing.paper.print { RecipesOutput.write(explained, to: &$0) }
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

struct RecipeSchemaSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Prints the JSON Schema of recipe files, for completion and checks in editors.")

  func run() throws { try reporting { try Console.write(PackageResources.recipe_1_json) } }
}
