import Carryover
import CarryoverRecipes
import CarryoverSystem

/// What the tests of a recipe file found.
struct RecipeTestReport {
  /// What a test found.
  struct Result {
    var test: RecipeTest
    /// What is not as expected, each as a sentence.
    var problems: [String] = []
    /// The test with its container; nil if the container could not be opened.
    var opened: OpenedTest?
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
  /// Nil if the mutants were not tried.
  let mutation: RecipeMutation?

  var isPassed: Bool { checks.allSatisfy(\.problems.isEmpty) }

  /// - Parameters:
  ///   - results: what the chosen tests of the file found.
  ///   - percent: the part of the recipe that the tests must cover.
  ///   - isMutated: whether the tests must detect every mutant.
  init(_ path: String, _ file: RecipeFile, _ results: [Result], coverage percent: Int, isMutated: Bool) {
    var coverage = RecipeCoverage(file.recipe)
    for plan in results.compactMap(\.plan) { coverage.add(plan) }
    var checks = results.map { result in
      let line = result.test.place.line
      return Check(
        name: result.test.name, line: line, problems: result.problems.map { Problem(line: line, sentence: $0) })
    }
    let hasPassed = checks.allSatisfy(\.problems.isEmpty)
    if checks.isEmpty {
      checks.append(Check(name: "tests", line: 1, problems: [Problem(line: 1, sentence: "No tests.")]))
    }
    if percent > 0 {
      let problem = Problem(
        line: 1, sentence: "The tests cover \(coverage.percent)% of the recipe; --coverage requires \(percent)%.")
      checks.append(Check(name: "coverage", line: 1, problems: coverage.percent < percent ? [problem] : []))
    }
    mutation =
      isMutated && hasPassed
      ? RecipeMutation(of: file.recipe, listing: file.equivalent, tests: results.compactMap(\.opened)) : nil
    if isMutated {
      let failure = Problem(line: 1, sentence: "No mutants were tested, because a test failed.")
      checks.append(
        Check(name: "mutants", line: 1, problems: mutation.map { Self.problems($0, file) } ?? [failure]))
    }
    self.path = path
    self.checks = checks
    self.coverage = coverage
  }

  private static func problems(_ mutation: RecipeMutation, _ file: RecipeFile) -> [Problem] {
    let survivors = mutation.survivors.map { mutant in
      Problem(line: file.root[mutant.path].place.line, sentence: "No test detects \(DisplayText.quoted(mutant.name)).")
    }
    let refuted = mutation.refuted.map { entry, test in
      let name = DisplayText.quoted(entry.name)
      let refutation = test.map { "\(name) is not equivalent: \(DisplayText.quoted($0)) detects it." }
      return Problem(line: entry.place.line, sentence: refutation ?? "The recipe has no mutant \(name).")
    }
    return survivors + refuted
  }
}
