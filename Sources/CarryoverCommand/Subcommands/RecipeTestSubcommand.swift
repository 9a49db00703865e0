import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverReview
import CarryoverSystem

struct RecipeTestSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Runs the tests in recipe files: plan, apply, plan again, roll back, compare.",
    discussion: """
      Exit status: 0 all tests passed, 1 a test failed, a file has none, --coverage is not met, --mutate found a \
      change that no test detects, or --update could not rewrite a test.
      """)

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit, tap
  }

  @Argument(help: "Recipe files, or folders with them.", completion: .file())
  var path: [String]
  @Option(
    name: [.customLong("case"), .customLong("only")],
    help: ArgumentHelp("Run only the tests with this name. Repeatable.", valueName: "name"))
  var cases: [String] = []
  @Option(
    help: ArgumentHelp(
      "The percentage of each recipe's parts that its tests must cover; otherwise the exit status is 1.",
      valueName: "percent"))
  var coverage = 0
  @Flag(help: "Also make many small changes to each recipe, one at a time, and fail for each that no test detects.")
  var mutate = false
  @Flag(help: "Rewrite what the tests expect, so that they expect what happens. Everything else in the file stays.")
  var update = false
  @Flag(help: "The same, but show each change and ask.") var interactive = false
  @Option(help: "How to print: text, json (schema carryover.test/1), junit (XML) or tap (version 14).")
  var format = Form.text
  @Flag(help: "Print JSON: the same as --format json.") var json = false

  func validate() throws {
    guard (0...100).contains(coverage) else { throw ValidationError("--coverage takes a percentage from 0 to 100.") }
    guard !isUpdate || !mutate && coverage == 0 && format == .text && !json else {
      throw ValidationError(
        "--update and --interactive rewrite tests: give no --coverage, --mutate, --format or --json.")
    }
  }

  private var isUpdate: Bool { update || interactive }

  func run() throws {
    try reporting {
      if isUpdate { return try rewrite() }
      let output = RecipeTestOutput(
        files: try path.flatMap(RecipePath.files).map { path in
          let file = try RecipePath.sound(path).file
          let results = try file.tests.filter { cases.isEmpty || cases.contains($0.name) }.map(RecipeTesting(file).run)
          return RecipeTestReport(path, file, results, coverage: coverage, isMutated: mutate)
        })
      switch json ? .json : format {
      case .text: try printLines(output.lines)
      case .tap: try printLines(output.tap)
      case .json: try Console.printDocument(output.json)
      case .junit: try Console.printVerbatim(output.junit.joined(separator: "\n"))
      }
      guard output.files.allSatisfy(\.isPassed) else { throw ExitCode(ExitStatus.error.rawValue) }
    }
  }

  private func rewrite() throws {
    if interactive, !Console.inputIsTerminal {
      throw CommandFailure.usage("--interactive asks, and needs a terminal. --update does not ask.")
    }
    let isComplete = try path.flatMap(RecipePath.files).map { path in
      try RecipeUpdating(path: path, cases: cases, isInteractive: interactive).run()
    }
    guard isComplete.allSatisfy({ $0 }) else { throw ExitCode(ExitStatus.error.rawValue) }
  }

  private func printLines(_ lines: [String]) throws {
    try Console.printVerbatim((Console.localeIsUTF8 ? lines : lines.map(Ink.ascii)).joined(separator: "\n"))
  }
}
