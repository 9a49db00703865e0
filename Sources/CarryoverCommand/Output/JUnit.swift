import CarryoverPages

/// Results as JUnit's XML, for Jenkins and other CI systems.
enum JUnit {
  struct Suite {
    var name: String
    var cases: [Case]
  }

  struct Case {
    var name: String
    var className: String
    var result = Result.passed
    /// Lines of a test that passed.
    var output: [String] = []
  }

  enum Result {
    case passed
    case failed(message: String, lines: [String])
    case skipped(message: String)
  }

  static func lines(_ suites: [Suite]) -> [String] {
    let counts = attributes(counts(suites.flatMap(\.cases)))
    let head = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites" + counts + ">"]
    return head + suites.flatMap { lines($0) } + ["</testsuites>"]
  }

  private static func lines(_ suite: Suite) -> [String] {
    let skipped = suite.cases.count { if case .skipped = $0.result { true } else { false } }
    // Only a suite has the attribute.
    let start = attributes([("name", suite.name)] + counts(suite.cases) + [("skipped", "\(skipped)")])
    return ["  <testsuite" + start + ">"] + suite.cases.flatMap { lines($0) } + ["  </testsuite>"]
  }

  private static func lines(_ one: Case) -> [String] {
    let start = "    <testcase" + attributes([("name", one.name), ("classname", one.className)])
    let inner: [String] =
      switch one.result {
      case .failed(let message, let lines):
        ["      <failure" + attributes([("message", message), ("type", "failure")]) + ">"]
          + lines.map(ReportHTML.escaped)
          + ["      </failure>"]
      case .skipped(let message): ["      <skipped" + attributes([("message", message)]) + "/>"]
      case .passed where !one.output.isEmpty:
        ["      <system-out>"] + one.output.map(ReportHTML.escaped) + ["      </system-out>"]
      case .passed: []
      }
    return inner.isEmpty ? [start + "/>"] : [start + ">"] + inner + ["    </testcase>"]
  }

  private static func counts(_ cases: [Case]) -> [(String, String)] {
    let failed = cases.count { if case .failed = $0.result { true } else { false } }
    return [("tests", "\(cases.count)"), ("failures", "\(failed)"), ("errors", "0")]
  }

  private static func attributes(_ values: [(name: String, value: String)]) -> String {
    values.map { " \($0.name)=\"\(ReportHTML.escaped($0.value))\"" }.joined()
  }
}
