import Carryover
import CarryoverRecipes
import CarryoverSystem
import PropertyLists

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
        + file.coverage.missed.map { "    not covered: \($0.kind.words.one) \(DisplayText.harmless($0.name))" }
        + (file.mutation.map { ["  \(Self.words($0))"] } ?? [])
    }
  }

  private static func words(_ coverage: RecipeCoverage) -> String {
    let counts = RecipeCoverage.Kind.allCases.compactMap { kind -> String? in
      let (reached, all) = coverage.count(kind)
      return all == 0 ? nil : "\(reached) of \(all) \(all == 1 ? kind.words.one : kind.words.many)"
    }
    return "The tests cover \(coverage.percent)% of the recipe: \(counts.joined(separator: ", "))."
  }

  private static func words(_ mutation: RecipeMutation) -> String {
    let (equivalent, survivors) = (mutation.equivalent.count, mutation.survivors.count)
    return "The tests detect \(mutation.count - equivalent - survivors) of \(mutation.count) mutants; "
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

  var junit: [String] {
    JUnit.lines(
      files.map { file in
        JUnit.Suite(
          name: file.path,
          cases: file.checks.map { check in
            let lines = check.problems.map { "\(file.path):\($0.line): \($0.sentence)" }
            return JUnit.Case(
              name: check.name, className: file.path,
              result: check.problems.first.map { .failed(message: $0.sentence, lines: lines) } ?? .passed)
          })
      })
  }

  /// `carryover.test/1`.
  var json: JSONValue {
    let checks = files.flatMap(\.checks)
    let failed = checks.count { !$0.problems.isEmpty }
    return .object([
      JSONMember("schema", .string("carryover.test/1")), JSONMember("passed", JSONValue(checks.count - failed)),
      JSONMember("failed", JSONValue(failed)),
      JSONMember(
        "files",
        .array(
          files.map { file in
            .object(
              [
                JSONMember("path", .string(file.path)), JSONMember("tests", .array(file.checks.map(Self.value))),
                JSONMember("coverage", Self.value(file.coverage)),
              ] + (file.mutation.map { [JSONMember("mutation", Self.value($0))] } ?? []))
          })),
    ])
  }

  private static func value(_ check: RecipeTestReport.Check) -> JSONValue {
    .object([
      JSONMember("name", .string(check.name)), JSONMember("line", JSONValue(check.line)),
      JSONMember("passed", .boolean(check.problems.isEmpty)),
      JSONMember(
        "problems",
        .array(
          check.problems.map {
            .object([JSONMember("line", JSONValue($0.line)), JSONMember("message", .string($0.sentence))])
          })),
    ])
  }

  private static func value(_ coverage: RecipeCoverage) -> JSONValue {
    let kinds = RecipeCoverage.Kind.allCases.map { kind -> JSONValue in
      let (reached, all) = coverage.count(kind)
      let missed = coverage.missed.filter { $0.kind == kind }.map { JSONValue.string($0.name) }
      return .object([
        JSONMember("kind", .string(kind.rawValue)), JSONMember("reached", JSONValue(reached)),
        JSONMember("count", JSONValue(all)), JSONMember("missed", .array(missed)),
      ])
    }
    return .object([JSONMember("percent", JSONValue(coverage.percent)), JSONMember("kinds", .array(kinds))])
  }

  private static func value(_ mutation: RecipeMutation) -> JSONValue {
    .object([
      JSONMember("count", JSONValue(mutation.count)),
      JSONMember("survivors", .array(mutation.survivors.map { .string($0.name) })),
      JSONMember("equivalent", .array(mutation.equivalent.map { .string($0.name) })),
    ])
  }
}

extension RecipeCoverage.Kind {
  /// The kind in sentences: one of it, several.
  fileprivate var words: (one: String, many: String) {
    switch self {
    case .field: ("field", "fields")
    case .source: ("source", "sources")
    case .condition: ("outcome of a condition", "outcomes of conditions")
    case .check: ("check", "checks")
    case .finding: ("finding", "findings")
    case .notMigrated: ("not-migrated key", "not-migrated keys")
    case .elsewhere: ("place that is not read", "places that are not read")
    }
  }
}
