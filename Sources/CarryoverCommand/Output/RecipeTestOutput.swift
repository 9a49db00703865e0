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
          + check.problems.map { "      \(path):\(check.line): \(DisplayText.harmless($0))" }
      }
      let failed = file.checks.count { !$0.problems.isEmpty }
      return [path] + checks + ["  \(file.checks.count - failed) passed, \(failed) failed."]
    }
  }

  /// The Test Anything Protocol, whose texts have no line ends and no `#`.
  var tap: [String] {
    let checks = files.flatMap { file in file.checks.map { (file.path, $0) } }
    func text(_ text: String) -> String { DisplayText.harmless(text).replacing("#", with: "\\#") }
    return ["TAP version 14", "1..\(checks.count)"]
      + checks.enumerated().flatMap { index, item in
        ["\(item.1.problems.isEmpty ? "ok" : "not ok") \(index + 1) - \(text(item.1.name))"]
          + item.1.problems.map { "# \(text("\(item.0):\(item.1.line): \($0)"))" }
      }
  }

  var junit: [String] {
    JUnit.lines(
      files.map { file in
        JUnit.Suite(
          name: file.path,
          cases: file.checks.map { check in
            let lines = check.problems.map { "\(file.path):\(check.line): \($0)" }
            return JUnit.Case(
              name: check.name, className: file.path,
              result: check.problems.first.map { .failed(message: $0, lines: lines) } ?? .passed)
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
            .object([
              JSONMember("path", .string(file.path)), JSONMember("tests", .array(file.checks.map(Self.value))),
            ])
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
          check.problems.map { problem in
            .object([JSONMember("line", JSONValue(check.line)), JSONMember("message", .string(problem))])
          })),
    ])
  }
}
