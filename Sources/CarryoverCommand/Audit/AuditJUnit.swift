import Carryover
import CarryoverVendors

/// An audit as JUnit tests: a test for each container and group of fields, or, of many containers, for each field and
/// finding.
struct AuditJUnit {
  /// The tests of each container by the recipe; nil once there are too many containers.
  private var cases: [String: [JUnit.Case]]? = [:]
  private var containers = 0

  /// How many containers have tests of their own.
  static let mostContainers = 500

  mutating func add(_ unit: AuditUnit) {
    containers += 1
    if containers > Self.mostContainers { cases = nil }
    guard cases != nil else { return }
    cases?[Self.suite(unit.recipe), default: []] += Self.cases(unit)
  }

  func lines(_ totals: AuditTotals) -> [String] {
    let suites = cases.map { $0.map { JUnit.Suite(name: $0.key, cases: $0.value) } } ?? Self.suites(totals)
    return JUnit.lines(suites.sorted { $0.name < $1.name })
  }

  private static func suite(_ recipe: String?) -> String { recipe.flatMap { $0.isEmpty ? nil : $0 } ?? "no plan" }

  private static func cases(_ unit: AuditUnit) -> [JUnit.Case] {
    guard unit.outcome.hasPlan else {
      let reason = unit.outcome.rawValue + (unit.code.map { " (\($0))" } ?? "")
      return [JUnit.Case(name: "plan", className: unit.name, result: .skipped(message: reason))]
    }
    var groups: [String] = []
    for field in unit.fields where !groups.contains(field.group) { groups.append(field.group) }
    let ofFields = Set(unit.fields.flatMap(\.findings))
    let others = unit.findings.filter { !ofFields.contains($0) && isError($0) }
    let container = JUnit.Case(
      name: "container", className: unit.name,
      result: others.first.map { .failed(message: $0, lines: others) } ?? .passed)
    return [container]
      + groups.map { group in
        JUnit.Case(
          name: group, className: unit.name, result: result(unit.fields.filter { $0.group == group }))
      }
  }

  private static func result(_ fields: [AuditUnit.Field]) -> JUnit.Result {
    let problems = fields.flatMap { field in
      (field.verdict == .lost ? ["\(field.name) is lost"] : [])
        + field.findings.filter(isError).map { "\(field.name): \($0)" }
    }
    if let first = problems.first { return .failed(message: first, lines: problems) }
    return fields.allSatisfy { $0.verdict == .nothing } ? .skipped(message: "no legacy value") : .passed
  }

  private static func suites(_ totals: AuditTotals) -> [JUnit.Suite] {
    let fields = totals.order.map { key -> (String, JUnit.Case) in
      let verdicts = totals.fields[key]?.verdicts ?? [:]
      let lost = verdicts[.lost, default: 0]
      let all = verdicts.values.reduce(0, +)
      let result: JUnit.Result =
        lost > 0
        ? .failed(message: "lost in \(lost) of \(ValueWording.counted(all, "container"))", lines: [])
        : verdicts[.nothing] == all ? .skipped(message: "no legacy value") : .passed
      return (key.recipe, JUnit.Case(name: "field " + key.field, className: key.recipe, result: result))
    }
    let findings = totals.findingCounts.sorted { $0.key < $1.key }.map { key, count -> (String, JUnit.Case) in
      let message = "in " + ValueWording.counted(count.containers, "container")
      let isError = isError(key.code)
      return (
        key.recipe,
        JUnit.Case(
          name: key.code, className: key.recipe,
          result: isError ? .failed(message: message, lines: count.examples) : .passed,
          output: isError ? [] : [message] + count.examples)
      )
    }
    let outcomes = AuditOutcome.allCases.filter { !$0.hasPlan && totals.outcomes[$0] != nil }
      .map { outcome -> (String, JUnit.Case) in
        let message = "\(ValueWording.counted(totals.outcomes[outcome, default: 0], "container")): \(outcome.rawValue)"
        return ("", JUnit.Case(name: outcome.rawValue, className: "plan", result: .skipped(message: message)))
      }
    return Dictionary(grouping: fields + findings + outcomes, by: \.0).map {
      JUnit.Suite(name: suite($0.key), cases: $0.value.map(\.1))
    }
  }

  private static func isError(_ code: String) -> Bool { FindingCode(rawValue: code)?.severity == .error }
}
