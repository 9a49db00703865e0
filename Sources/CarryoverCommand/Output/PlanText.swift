import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// A plan for a person to read: a row a field, then every finding with what to do, the gravest first.
enum PlanText {
  /// Writes a plan; what it comes to is ``PlanSummary``.
  static func write(_ plan: Plan, decisions: Decisions = [:], to page: inout TextPage) {
    page.add(title(plan))
    if plan.parts.isEmpty { page.line("→ " + target(plan)) }
    for part in plan.parts { page.line("\(part.recipe.id) → " + target(part)) }
    page.blank()
    page.add(fields(plan, decisions, page))
    ModelText.write(plan, decisions: decisions, to: &page)
    for group in FindingWeight.allCases {
      let findings = plan.findings.filter { FindingWeight($0) == group }
      if !findings.isEmpty { page.blank() }
      for shared in findings.shared { write(shared, to: &page) }
    }
    let alternatives = alternatives(plan, page)
    if !alternatives.isEmpty {
      page.blank()
      page.add("Other values, to choose by number in the field's details or to pass with --set FIELD=VALUE:")
      page.add(alternatives)
    }
    guard !plan.dropped.isEmpty else { return }
    page.blank()
    page.add("Not migrated:")
    var dropped = Table(
      [Table.Column(.name, "", .head), Table.Column(.sentence, "why")], indent: 2, glyphs: page.ink.glyphs)
    for key in plan.dropped { dropped.add([Span(page.ink.name(key.key)), Span(page.ink.sentence(key.reason))]) }
    page.add(dropped)
  }

  /// In which order findings come.
  private enum FindingWeight: CaseIterable {
    case error, undecided, warning, note

    init(_ finding: Finding) {
      self =
        switch finding.severity {
        case .error: .error
        case .warning: finding.asks ? .undecided : .warning
        case .note: .note
        }
    }
  }

  static func title(_ plan: Plan) -> String {
    ((plan.container.bundleID == nil ? ["unknown app"] : []) + plan.container.names + [plan.recipeTitle])
      .joined(separator: " · ")
  }

  private static func target(_ plan: Plan) -> String {
    plan.target.map { $0.path + ($0.exists ? "" : " (new)") } ?? "no target"
  }

  private static func fields(_ plan: Plan, _ decisions: Decisions, _ page: TextPage) -> Table {
    let ink = page.ink
    var table = Table(
      [
        Table.Column(.whole, "", .head), Table.Column(.name, "legacy"),
        Table.Column(.value, "value", .joined, isOptional: true), Table.Column(.name, "target", .head),
        Table.Column(.value, "proposed"), Table.Column(.whole, "change", .head),
      ], heading: true, glyphs: ink.glyphs)
    for field in plan.fields {
      let decision = decisions[field.id]
      table.add([
        FieldState(field, decision).span(ink), Span(ink.name(field.sourceLabel)),
        Span(ink.value(field.legacy, columns: page.paper.columns)), Span(ink.name(field.id)),
        Span(ink.value(FieldSummary.value(field, decision), columns: page.paper.columns)),
        Span(
          ink.sentence(FieldSummary.change(field, decision)),
          FieldState(field, decision) == .dropped ? .flagged : .plain),
      ])
    }
    return table
  }

  /// The values that may be wanted instead of the proposals, each with the number that takes it in the review.
  private static func alternatives(_ plan: Plan, _ page: TextPage) -> Table {
    let ink = page.ink
    // A field's name is to be copied whole.
    var table = Table(
      [
        Table.Column(.whole, "", .head), Table.Column(.whole, "number"), Table.Column(.value, "value"),
        Table.Column(.sentence, "from"),
      ], indent: 2, glyphs: ink.glyphs)
    for field in plan.fields {
      for (index, alternative) in field.alternatives.enumerated() {
        table.add([
          Span(index == 0 ? ink.name(field.id) : ""), Span("\(index + 1)"),
          Span(ink.value(alternative.value, columns: page.paper.columns)), Span(ink.sentence(alternative.label)),
        ])
      }
    }
    return table
  }

  private static func write(_ shared: SharedFinding, to page: inout TextPage) {
    let ink = page.ink
    let finding = shared.finding
    let fields = shared.fields.map { ink.name($0) }.joined(separator: ", ")
    page.add(
      [finding.severity.sign.span(ink), Span(" " + (fields.isEmpty ? "" : fields + "  "))]
        + [Span(finding.code.rawValue, .muted)])
    page.add(finding.message, indent: 2)
    page.add("→ " + finding.commandRemedy, indent: 2, hanging: 4)
  }
}

extension FieldState {
  /// The sign of how a field is, in its colour.
  func span(_ ink: Ink) -> Span { Span(sign.text(ascii: ink.glyphs == .ascii), role) }
}
