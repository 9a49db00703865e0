import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors
import PropertyLists

struct RecipeLintSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", abstract: "Checks recipe files, and says what is wrong, line by line.",
    discussion: """
      Exit status: 0 no error, 1 an error, or a warning with --fail-on warning. carryover explain CODE explains a code.
      """)

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github
  }

  enum Least: String, CaseIterable, ExpressibleByArgument {
    case error, warning
  }

  @Argument(help: "Recipe files, or folders with them.", completion: .file())
  var path: [String]
  @Option(help: "How to print: text, json (schema carryover.lint/1), sarif (2.1.0) or github (annotations).")
  var format = Form.text
  @Option(
    help: ArgumentHelp("The lowest severity that causes exit status 1: error or warning.", valueName: "severity"))
  var failOn = Least.error
  @Flag(help: "Print JSON: the same as --format json.") var json = false
  @Flag(help: "Correct what needs no decision, show each change, and check the result.") var fix = false

  func validate() throws {
    guard !fix || !json && format == .text else {
      throw ValidationError("--fix prints text only. Remove --json and --format.")
    }
  }

  func run() throws {
    try reporting {
      let files = try path.flatMap(RecipePath.files).map { path in
        if fix { try correct(path) }
        return try RecipePath.read(path).linted
      }
      let output = LintOutput(files: files)
      switch json ? .json : format {
      case .text: try Console.printVerbatim(output.lines.joined(separator: "\n"))
      case .json: try Console.printDocument(output.json)
      case .sarif: try Console.printDocument(output.sarif)
      case .github: try Console.printVerbatim(output.annotations.joined(separator: "\n"))
      }
      guard output.count(.error) == 0, failOn == .error || output.count(.warning) == 0 else {
        throw ExitCode(ExitStatus.error.rawValue)
      }
    }
  }

  private func correct(_ path: String) throws {
    let bytes = try RecipePath.read(path).bytes
    let fix = RecipeFix(bytes, vendors: vendors, beside: Recipe.builtIn)
    guard !fix.changes.isEmpty else { return }
    try RecipePath.replace(path, bytes, with: fix.bytes)
    for change in fix.changes {
      try Console.print(
        "\(DisplayText.visible(path)):\(change.issue.place.line): changed [\(change.issue.code.rawValue)]")
      try Console.print("  - \(DisplayText.visible(change.old))")
      if let new = change.new { try Console.print("  + \(DisplayText.visible(new))") }
    }
  }
}
