import Carryover
import CarryoverReview
import CarryoverVendors
import PropertyLists

/// A report as Markdown.
struct ContainerReportMarkdown {
  private let report: ContainerReport
  private let masking: Masking

  /// - Parameter masking: what everything from the container goes through.
  init(_ report: ContainerReport, _ masking: Masking) {
    self.report = report
    self.masking = masking
  }

  /// The lines, none of which ends in a space.
  var lines: [String] {
    let parts = [head, stores, plan, findings, leftBehind, runs]
    return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  private var head: [String] {
    let (container, plan) = (report.container, report.plan)
    let origin = container.bundleIDOrigin.map { " (\($0.rawValue))" } ?? ""
    let target = plan.target.map { code($0.path) + ($0.exists ? "" : " (new)") } ?? "cannot be named"
    return ["# Carryover report: " + text(container.bundleID ?? "unknown app"), ""]
      + Self.legend(masking.isOn) + [""]
      + Markdown.table(
        ["what", "is"],
        [
          ["Carryover", Version.text],
          ["Container", code(container.name) + ", \(container.kind.rawValue)"],
          ["Bundle id", (container.bundleID.map(code) ?? "unknown") + origin],
          ["Recipe", "\(text(plan.recipe.title)): \(code(plan.recipe.id)), version \(plan.recipe.version)"],
          ["Target", target],
          ["Planned for", plan.now.text],
        ]) + list(container.notices)
  }

  private static func legend(_ isMasked: Bool) -> [String] {
    guard isMasked else {
      return ["> **Values are shown as they are.** This report holds personal data."]
    }
    return [
      "> **Values are masked.** `‹user-1›` stands for a value: `user`, `id`, `email`, `phone`, `secret`, `key` (a write",
      "> key), `text`, `number`, `date` or `data`. Equal values have the same number, different values different ones. A",
      "> type behind it, as in `‹user-1 integer›`, is that of a value that is no string. The number says nothing else.",
    ]
  }

  private var stores: [String] {
    let remarks = Dictionary(grouping: report.container.remarks, by: \.path)
    let rows = report.container.stores.map { store -> [String] in
      let said = (remarks[store.path] ?? []).map(\.sentence)
      switch store.content {
      case .unreadable(let reason):
        return [code(store.path), "unreadable", "", "", text((said + [reason]).joined(separator: " "))]
      case .json(let json):
        return [
          code(store.path), "json", ByteCount.text(json.text.utf8.count), Self.keys(of: json.value),
          text((said + json.findings.map(\.description)).joined(separator: " ")),
        ]
      case .document(let document):
        return [
          code(store.path), document.format.rawValue, ByteCount.text(document.bytes.count),
          store.dictionary.map { String($0.count) } ?? "",
          text((said + document.findings.map(\.description)).joined(separator: " ")),
        ]
      }
    }
    guard !rows.isEmpty else { return ["## Stores", "", "There is none."] }
    let signs = report.container.remarks.filter { $0.subject == .sign }
    let lines = signs.map { "* \(code($0.path)): \(text($0.sentence))" }
    return ["## Stores", ""] + Markdown.table(["store", "format", "size", "keys", "remarks"], rows)
      + (lines.isEmpty ? [] : [""] + lines)
  }

  /// How many members an object has; nothing for another value.
  private static func keys(of value: JSONValue) -> String {
    if case .object(let members) = value { String(members.count) } else { "" }
  }

  private var plan: [String] {
    let rows = report.plan.fields.map { field in
      [
        code(field.sourceLabel), value(field.legacy), code(field.id), value(field.proposed), value(field.current),
        text(FieldSummary.change(field, nil)), field.status.rawValue,
      ]
    }
    return [
      "## Plan", "", text(FieldSummary.counts(report.plan, [:], isReadOnly: report.container.wrapper != nil)), "",
    ]
      + Markdown.table(["legacy key", "holds", "target key", "proposed", "target holds", "change", "status"], rows)
  }

  private var findings: [String] {
    let findings = report.plan.findings
    guard !findings.isEmpty else { return ["## Findings", "", "There is none."] }
    return ["## Findings"]
      + findings.flatMap { finding in
        let place = finding.field.map { code($0) + ": " } ?? ""
        let weight = finding.code.weight.map { ", " + $0 } ?? ""
        return [
          "", "* **\(finding.severity.rawValue)\(weight)** \(place)\(code(finding.code.rawValue))", "",
          "  " + text(finding.message), "", "  → " + text(finding.remedy),
        ]
      }
  }

  private var leftBehind: [String] {
    guard !report.plan.dropped.isEmpty else { return [] }
    let rows = report.plan.dropped.map { key in
      [code(key.key), key.secret ? "(secret)" : value(key.value), text(key.reason)]
    }
    return ["## Left behind", ""] + Markdown.table(["key", "holds", "why"], rows)
  }

  private var runs: [String] {
    let rows = report.runs.runs.map { run in
      [
        code(run.id), run.kind.rawValue, run.moment.text, run.standing.rawValue,
        code(run.recipe.id) + " \(run.recipe.version)",
        text(run.tool), run.files.map { code($0) }.joined(separator: ", "),
        String(run.fields.count(where: \.isChanged)),
      ]
    }
    let table =
      rows.isEmpty
      ? ["There is none."]
      : Markdown.table(["run", "kind", "began", "standing", "recipe", "tool", "files", "fields changed"], rows)
    return ["## Runs", ""] + table + list(report.runs.problems.map(\.description))
  }

  private func list(_ sentences: [String]) -> [String] {
    sentences.isEmpty ? [] : [""] + sentences.map { "* " + text($0) }
  }

  private func text(_ text: String) -> String { Markdown.text(masking.text(text)) }
  private func code(_ text: String) -> String { Markdown.code(masking.text(text)) }

  private func value(_ value: PropertyListValue?) -> String {
    value.map { Markdown.code(FieldSummary.text(masking.value($0))) } ?? ""
  }
}
