import Carryover
import CarryoverRecipes

/// What the tests of a recipe file found.
struct RecipeTestReport {
  /// What a test found.
  struct Result {
    var test: RecipeTest
    /// What is not as expected, each as a sentence.
    var problems: [String] = []
    /// The plan; nil if there is none.
    var plan: Plan?
  }

  /// A test, or another demand on the file.
  struct Check {
    var name: String
    /// The line in the file.
    var line: Int
    var problems: [Problem]
  }

  /// Something that is not as demanded, with its line.
  struct Problem: Hashable {
    var line: Int
    var sentence: String
  }

  let path: String
  let checks: [Check]
  let coverage: RecipeCoverage

  var isPassed: Bool { checks.allSatisfy(\.problems.isEmpty) }

  /// - Parameters:
  ///   - results: what the chosen tests of the file found.
  ///   - percent: the part of the recipe that the tests must reach.
  init(_ path: String, _ file: RecipeFile, _ results: [Result], coverage percent: Int) {
    var coverage = RecipeCoverage(file.recipe)
    for plan in results.compactMap(\.plan) { coverage.add(plan) }
    var checks = results.map { result in
      let line = result.test.place.line
      return Check(
        name: result.test.name, line: line, problems: result.problems.map { Problem(line: line, sentence: $0) })
    }
    if checks.isEmpty {
      checks.append(Check(name: "tests", line: 1, problems: [Problem(line: 1, sentence: "No tests.")]))
    }
    if percent > 0 {
      let problem = Problem(
        line: 1, sentence: "The tests reach \(coverage.percent) % of the recipe, and \(percent) % are demanded.")
      checks.append(Check(name: "coverage", line: 1, problems: coverage.percent < percent ? [problem] : []))
    }
    self.path = path
    self.checks = checks
    self.coverage = coverage
  }
}
