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

  /// A test, or that the file has one.
  struct Check {
    var name: String
    /// The line in the file.
    var line: Int
    /// What is not as demanded, each as a sentence.
    var problems: [String]
  }

  let path: String
  let checks: [Check]

  var isPassed: Bool { checks.allSatisfy(\.problems.isEmpty) }

  /// - Parameter results: what the chosen tests of the file found.
  init(_ path: String, _ results: [Result]) {
    self.path = path
    checks =
      results.isEmpty
      ? [Check(name: "tests", line: 1, problems: ["No tests."])]
      : results.map { Check(name: $0.test.name, line: $0.test.place.line, problems: $0.problems) }
  }
}
