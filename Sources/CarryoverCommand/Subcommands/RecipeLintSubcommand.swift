import ArgumentParser
import Carryover

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
  @Option(
    help: ArgumentHelp("The lowest severity that causes exit status 1: error or warning.", valueName: "severity"))
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
