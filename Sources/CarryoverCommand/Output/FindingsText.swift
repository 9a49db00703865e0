import Carryover
import CarryoverVendors

/// The catalogue of findings for a person to read.
enum FindingsText {
  /// Every code by group, a line each.
  static func list(columns: Int) -> [String] {
    let groups = FindingGroup.allCases.flatMap { group -> [String] in
      var table = Table(limits: [42, 8, 6, nil])
      for code in group.codes {
        table.add(["  " + code.rawValue, code.severity.rawValue, code.weight ?? "", code.explanation.title])
      }
      return ["\(group.name): \(group.title)"] + table.lines(columns: columns) + [""]
    }
    return groups + ["carryover explain CODE tells everything about one of them."]
  }

  /// Everything about one code.
  static func lines(_ code: FindingCode, columns: Int) -> [String] {
    let width = min(columns, 100) - 2
    return [code.rawValue, code.standing]
      + code.explanation.parts.flatMap { part in
        ["", part.title] + PlanText.wrapped(part.text, columns: width).map { "  " + $0 }
      }
  }
}

extension FindingCode {
  /// Whether it asks or blocks, in the word of the documentation; nil where it does neither.
  var weight: String? { blocks ? "blocks" : asks ? "asks" : nil }
}
