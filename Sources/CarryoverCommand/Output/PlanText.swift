import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

/// A plan for a person to read: a row a field, then every finding with what to do.
enum PlanText {
  /// - Parameter wrapper: What the container lies in, where that is only read.
  static func lines(
    _ plan: Plan, decisions: Decisions = [:], wrapper: ContainerWrapper? = nil, columns: Int, _ masking: Masking
  ) -> [String] {
    var lines = [title(plan), ""]
    var table = Table(limits: [1, 32, nil, columns < 100 ? 20 : 32, nil, 24], masking: masking)
    table.add(["", "legacy", "", "target", "", "change"])
    for field in plan.fields {
      table.add([
        FieldSummary.mark(field, decisions[field.id]), field.sourceLabel,
        FieldSummary.text(masking.value(field.legacy)), field.id,
        FieldSummary.text(masking.value(FieldSummary.value(field, decisions[field.id]))),
        FieldSummary.change(field, decisions[field.id]),
      ])
    }
    lines += table.lines(columns: columns)
    lines += ModelText.lines(plan, decisions: decisions, columns: columns, masking)
    let findings = plan.findings.filter { $0.severity > .note }
    if !findings.isEmpty { lines += [""] + findings.flatMap { explained($0, columns: columns) } }
    let notes = plan.findings.filter { $0.severity == .note }
    if !notes.isEmpty { lines += [""] + notes.flatMap { explained($0, columns: columns) } }
    lines += alternatives(plan, columns: columns, masking)
    if !plan.dropped.isEmpty {
      lines += ["", "Left behind:"]
      var dropped = Table(limits: [30, nil], masking: masking)
      for key in plan.dropped { dropped.add(["  " + key.key, key.reason]) }
      lines += dropped.lines(columns: columns)
    }
    lines += ["", FieldSummary.counts(plan, decisions, isReadOnly: wrapper != nil)]
    return lines + (wrapper.map { wrapped($0.explanation, columns: columns) } ?? [])
  }

  /// The values that may be wanted instead of the proposals, each with the number that takes it in the review.
  private static func alternatives(_ plan: Plan, columns: Int, _ masking: Masking) -> [String] {
    // A field's name is to be copied whole.
    var table = Table(limits: [48, 2, nil, nil], masking: masking)
    for field in plan.fields {
      for (index, alternative) in field.alternatives.enumerated() {
        table.add([
          index == 0 ? "  " + field.id : "", "\(index + 1)", FieldSummary.text(masking.value(alternative.value)),
          alternative.label,
        ])
      }
    }
    let rows = table.lines(columns: columns)
    guard !rows.isEmpty else { return [] }
    return ["", "Other values, for the number in a field's details or for --set FIELD=VALUE:"] + rows
  }

  static func title(_ plan: Plan) -> String {
    let target = plan.target.map { $0.path + ($0.exists ? "" : " (new)") } ?? "no target"
    return ((plan.container.bundleID == nil ? ["unknown app"] : []) + plan.container.names + [plan.recipe.title])
      .joined(separator: " · ") + "\n→ \(target)"
  }

  private static func explained(_ finding: Finding, columns: Int) -> [String] {
    let head = "\(sign(finding.severity)) \(finding.field.map { $0 + "  " } ?? "")\(finding.code.rawValue)"
    return [head]
      + [finding.message, "→ " + finding.remedy].flatMap { wrapped($0, columns: columns - 2) }.map { "  " + $0 }
  }

  private static func sign(_ severity: Severity) -> String {
    switch severity {
    case .error: "✗"
    case .warning: "!"
    case .note: "i"
    }
  }

  /// Breaks at spaces; a word longer than the line stands alone.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in DisplayText.visible(text).split(separator: " ") {
      if !line.isEmpty, DisplayWidth.columns(of: line) + 1 + DisplayWidth.columns(of: String(word)) > columns {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
