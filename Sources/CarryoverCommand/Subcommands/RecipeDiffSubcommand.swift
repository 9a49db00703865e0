import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverVendors

struct RecipeDiffSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares the rules of two recipes; with --on, also their results for containers.",
    discussion: """
      It does not compare formatting, comments, tests, equivalent, sources-read or allowed warnings. Exit status: 0 \
      nothing differs, 1 a rule or a result differs, or something failed, 64 usage.
      """)

  @Argument(
    help: ArgumentHelp("The old recipe's id, or the path of its file.", valueName: "old"),
    completion: Completions.recipes)
  var old: String
  @Argument(
    help: ArgumentHelp("The new recipe's id, or the path of its file.", valueName: "new"),
    completion: Completions.recipes)
  var new: String
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Plan these containers with both recipes, and say which fields have a different result. Repeatable.",
      valueName: "container"), completion: Completions.paths)
  var on: [String] = []
  @OptionGroup var planning: RecipePlanArguments
  @OptionGroup var redacting: RedactionArguments
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Print JSON, schema carryover.recipe-diff/1.") var json = false

  func validate() throws {
    guard !on.isEmpty || !planning.needsContainer && planning.parameters.given.isEmpty else {
      throw ValidationError(
        "-P, --write-key, --now, --bundle-id, --container and --app need a container: add --on PATH.")
    }
  }

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let (old, new) = (try RecipePath.said(old), try RecipePath.said(new))
      // Both count as trusted, and know the same opt-outs.
      let tested = [old, new].map { $0.asTested(beside: Recipe.builtIn) }
      let results = try on.map { path in
        let plans = try planning.plans(path, with: tested, masking)
        return ResultDiff(path: path, old: plans[0].plan, new: plans[1].plan)
      }
      let output = RecipeDiffOutput(
        old: old.reference, new: new.reference, rules: RecipeDiff(old, new), results: results)
      if json {
        try Console.printDocument(masking.document(output.json))
      } else {
        try printing.paper.print(masking) { output.write(to: &$0) }
      }
      guard output.isEmpty else { throw ExitCode(ExitStatus.error.rawValue) }
    }
  }
}
