import Carryover
import CarryoverRecipes
import CarryoverSystem

/// What `recipe test` prints.
struct RecipeTestOutput {
  var files: [RecipeTestReport]

  var lines: [String] {
    files.flatMap { file -> [String] in
      let path = DisplayText.visible(file.path)
      let checks = file.checks.flatMap { check in
        let sign = (check.problems.isEmpty ? Sign.done : .error).text(ascii: !Console.localeIsUTF8)
        return ["  \(sign) \(DisplayText.harmless(check.name))"]
          + check.problems.map { "      \(path):\($0.line): \(DisplayText.harmless($0.sentence))" }
      }
      let failed = file.checks.count { !$0.problems.isEmpty }
      return [path] + checks + [
        "  \(file.checks.count - failed) passed, \(failed) failed. \(Self.words(file.coverage))"
      ]
        + file.coverage.missed.map { "    not reached: \($0.kind.words.one) \(DisplayText.harmless($0.name))" }
        + (file.mutation.map { ["  \(Self.words($0))"] } ?? [])
    }
  }

  private static func words(_ coverage: RecipeCoverage) -> String {
    let counts = RecipeCoverage.Kind.allCases.compactMap { kind -> String? in
      let (reached, all) = coverage.count(kind)
      return all == 0 ? nil : "\(reached) of \(all) \(all == 1 ? kind.words.one : kind.words.many)"
    }
    return "The tests reach \(coverage.percent) % of the recipe: \(counts.joined(separator: ", "))."
  }

  private static func words(_ mutation: RecipeMutation) -> String {
    let (equivalent, survivors) = (mutation.equivalent.count, mutation.survivors.count)
    return "The tests notice \(mutation.count - equivalent - survivors) of \(mutation.count) mutants; "
      + "\(equivalent) \(equivalent == 1 ? "is" : "are") listed as equivalent."
  }

  /// The Test Anything Protocol, whose texts have no line ends and no `#`.
  var tap: [String] {
    let checks = files.flatMap { file in file.checks.map { (file.path, $0) } }
    func text(_ text: String) -> String { DisplayText.harmless(text).replacing("#", with: "\\#") }
    return ["TAP version 14", "1..\(checks.count)"]
      + checks.enumerated().flatMap { index, item in
        ["\(item.1.problems.isEmpty ? "ok" : "not ok") \(index + 1) - \(text(item.1.name))"]
          + item.1.problems.map { "# \(text("\(item.0):\($0.line): \($0.sentence)"))" }
      }
  }
}

extension RecipeCoverage.Kind {
  /// The kind in sentences: one of it, several.
  fileprivate var words: (one: String, many: String) {
    switch self {
    case .field: ("field", "fields")
    case .source: ("source", "sources")
    case .check: ("check", "checks")
    case .finding: ("finding", "findings")
    case .notMigrated: ("not-migrated key", "not-migrated keys")
    }
  }
}
