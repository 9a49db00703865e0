import ArgumentParser
import Carryover
import CarryoverRecipes
import CarryoverReview
import CarryoverSystem

struct RecipeTestSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Runs the tests in recipe files: plan, apply, plan again, roll back, compare.",
    discussion: "Exit status: 0 all tests passed, 1 a test failed, a file has none, or --coverage is not reached.")

  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, tap
  }

  @Argument(help: "Recipe files, or folders with them.", completion: .file())
  var path: [String]
  @Option(help: ArgumentHelp("Run only the tests with this name. Repeatable.", valueName: "name"))
  var only: [String] = []
  @Option(
    help: ArgumentHelp(
      "The percentage of the fields' sources that the tests must use; otherwise the exit status is 1.",
      valueName: "percent"))
  var coverage = 0
  @Option(help: "How to print: text, or tap (the Test Anything Protocol, version 14).")
  var format = Form.text

  func validate() throws {
    guard (0...100).contains(coverage) else { throw ValidationError("--coverage takes a percentage from 0 to 100.") }
  }

  func run() throws {
    try reporting {
      var report = RecipeTestReport()
      for path in try path.flatMap(RecipePath.files) {
        let testing = RecipeTesting(try RecipePath.sound(path).file)
        let chosen = testing.file.tests.filter { only.isEmpty || only.contains($0.name) }
        report.files.append(
          RecipeTestReport.File(path: path, results: try chosen.map(testing.run), sources: testing.sources))
      }
      let lines = format == .tap ? report.tap : report.lines
      try Console.printVerbatim((Console.localeIsUTF8 ? lines : lines.map(Ink.ascii)).joined(separator: "\n"))
      guard report.isPassed(coverage: coverage) else { throw ExitCode(ExitStatus.error.rawValue) }
    }
  }
}

/// What `recipe test` prints.
struct RecipeTestReport {
  struct File {
    var path: String
    var results: [RecipeTesting.Result]
    /// Every source of every field.
    var sources: [String]

    /// The sources that no test uses.
    var missed: [String] {
      let reached = results.reduce(into: Set<String>()) { $0.formUnion($1.reached) }
      return sources.filter { !reached.contains($0) }
    }
  }

  var files: [File] = []

  /// Whether every file has tests, all of them passed, and they use as many percent of the sources.
  func isPassed(coverage: Int) -> Bool {
    files.allSatisfy { file in
      !file.results.isEmpty && file.results.allSatisfy(\.problems.isEmpty)
        && (file.sources.count - file.missed.count) * 100 >= coverage * file.sources.count
    }
  }

  var lines: [String] {
    files.flatMap { file -> [String] in
      var lines = [DisplayText.visible(file.path)]
      for result in file.results {
        lines.append(
          "  \((result.problems.isEmpty ? Sign.done : .error).text(ascii: !Console.localeIsUTF8)) "
            + DisplayText.harmless(result.test.name))
        let place = "\(DisplayText.visible(file.path)):\(result.test.place.line)"
        lines += result.problems.map { "      \(place): \(DisplayText.harmless($0))" }
      }
      let failed = file.results.count { !$0.problems.isEmpty }
      let used = file.sources.count - file.missed.count
      lines.append(
        file.results.isEmpty
          ? "  No tests."
          : "  \(file.results.count - failed) passed, \(failed) failed. "
            + "The tests use \(used) of \(file.sources.count) sources of fields.")
      lines += file.results.isEmpty ? [] : file.missed.map { "    not used: \(DisplayText.harmless($0))" }
      return lines
    }
  }

  /// The Test Anything Protocol, whose texts have no line ends and no `#`.
  var tap: [String] {
    let results = files.flatMap(\.results)
    func text(_ text: String) -> String { DisplayText.harmless(text).replacing("#", with: "\\#") }
    return ["TAP version 14", "1..\(results.count)"]
      + results.enumerated().flatMap { index, result in
        ["\(result.problems.isEmpty ? "ok" : "not ok") \(index + 1) - \(text(result.test.name))"]
          + result.problems.map { "# \(text($0))" }
      }
  }
}
