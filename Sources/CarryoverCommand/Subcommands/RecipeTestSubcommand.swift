import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverReview

struct RecipeTestSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Runs the tests in recipe files: plan, apply, plan again, roll back, compare.",
    discussion: """
      Exit status: 0 all tests passed, 1 a test failed, or a file has none.
      """)

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit, tap
  }

  @Argument(help: "Recipe files, or folders with them.", completion: .file())
  var path: [String]
  @Option(
    name: .customLong("case"),
    help: ArgumentHelp("Run only the tests with this name. Repeatable.", valueName: "name"))
  var cases: [String] = []
  @Option(help: "How to print: text, json (schema carryover.test/1), junit (XML) or tap (version 14).")
  var format = Form.text
  @Flag(help: "Print JSON: the same as --format json.") var json = false

  func run() throws {
    try reporting {
      let output = RecipeTestOutput(
        files: try path.flatMap(RecipePath.files).map { path in
          let file = try RecipePath.sound(path).file
          let results = try file.tests.filter { cases.isEmpty || cases.contains($0.name) }.map(RecipeTesting(file).run)
          return RecipeTestReport(path, results)
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

  private func printLines(_ lines: [String]) throws {
    try Console.printVerbatim((Console.localeIsUTF8 ? lines : lines.map(Ink.ascii)).joined(separator: "\n"))
  }
}
