import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// A row for each field, then the findings, the gravest first.
enum PlanText {
  static func write(
    _ plan: Plan, decisions: Decisions = [:], inferredKey: String? = nil, to page: inout PageWriter
  ) {
    page.add(title(plan.container, plan.recipeTitle))
    if plan.parts.isEmpty { page.line("→ " + target(plan)) }
    for part in plan.parts { page.line("\(part.recipe.id) → " + target(part)) }
    if let inferredKey { page.line("write key " + inferredKey) }
    page.blank()
    page.add(fields(plan, decisions))
    for field in plan.fields { ModelText.write(field, decisions[field.id], to: &page) }
    for alike in plan.findings.byWeight where !alike.isEmpty {
      page.blank()
      page.add(.list(alike.shared.map { $0.finding.item(of: $0.fields) }))
    }
    let alternatives = alternatives(plan)
    if !alternatives.isEmpty {
      page.blank()
      page.add("Other values, to choose by number in the field's details or to pass with --set FIELD=VALUE:")
      page.add(alternatives)
    }
    page.add(plan.notMigrated())
  }

  static func title(_ container: ContainerSummary, _ recipe: String) -> String {
    ((container.bundleID == nil ? ["unknown app"] : []) + container.names + [recipe]).joined(separator: " · ")
  }

  private static func target(_ plan: Plan) -> String {
    plan.target.map { $0.path + ($0.exists ? "" : " (new)") } ?? "no target"
  }

  private static func fields(_ plan: Plan, _ decisions: Decisions) -> Table {
    var table = Table(
      [
        .init(.whole, "", .head), .init(.name, "legacy"), .init(.value, "value", .joined, isOptional: true),
        .init(.name, "target", .head), .init(.value, "proposed"), .init(.whole, "change", .head),
      ], heading: true)
    for field in plan.fields {
      let decision = decisions[field.id]
      let state = FieldState(field, decision)
      table.add([
        .sign(state.sign, state.role), .name(field.sourceLabel), .value(field.legacy), .name(field.id),
        .value(FieldSummary.value(field, decision)),
        .place(ChangeSummary.text(field, decision), state == .dropped ? .flagged : .plain),
      ])
    }
    return table
  }

  /// The alternatives with the number that chooses each in the review.
  private static func alternatives(_ plan: Plan) -> Table {
    // A field's name is to be copied, so it is not cut.
    var table = Table(
      [.init(.whole, "", .head), .init(.whole, "number"), .init(.value, "value"), .init(.sentence, "from")], indent: 2)
    for field in plan.fields {
      for (index, alternative) in field.alternatives.enumerated() {
        table.add([
          .name(index == 0 ? field.id : ""), .count(index + 1), .value(alternative.value),
          .place(alternative.label),
        ])
      }
    }
    return table
  }
}

enum PlanSummary {
  /// `Plan: 6 to write, 1 undecided, 1 not migrated.`
  static func write(_ plan: Plan, _ decisions: Decisions, to page: inout PageWriter) {
    let blockers = plan.blockers(after: decisions)
    let states = plan.fields.map { FieldState($0, decisions[$0.id]) }
    func count(_ wanted: FieldState...) -> Int { states.count { wanted.contains($0) } }
    let counts: [(count: Int, words: String, role: Role)] = [
      (count(.ready, .confirmed, .edited), blockers.isEmpty ? "to write" : "ready", .ready),
      (count(.toDecide), "undecided", .flagged),
      (count(.conflict), "in conflict", .conflict), (count(.kept), "kept", .muted),
      (count(.skipped), "skipped", .muted), (count(.unchanged), "unchanged", .muted),
      (count(.dropped), "not migrated", .flagged), (count(.absent), "absent", .muted),
      (count(.omitted), FieldState.omitted.word, .muted),
    ]
    let shown = counts.enumerated().filter { $0 == 0 || $1.count > 0 }.map(\.element)
    page.blank()
    page.add(
      [Span("Plan: ", .title)]
        + shown.enumerated().flatMap { index, entry in
          [
            Span("\(entry.count) \(entry.words)", entry.count > 0 ? entry.role : .plain),
            Span(index < shown.count - 1 ? ", " : "."),
          ]
        })
    page.add(plan.losses(ofRun: decisions).blocks(isDone: false))
    for code in Set(blockers.map(\.code)).sorted(by: { $0.rawValue < $1.rawValue }) {
      if code == .targetNoWriteKey {
        let lacking = plan.recipePlans.filter(\.lacksWriteKey)
        let recipes = plan.recipePlans.map(\.definition)
        let options = lacking.map { ParameterValues.keyOption(of: $0.definition, among: recipes) }.distinct()
        page.add("\(FieldSummary.needsKey) (\(options.joined(separator: " "))).")
      } else {
        page.add(.error, "Blocked by \(code), described above.")
      }
    }
  }

  /// The command that decides undecided fields, or applies the plan; none if the plan is blocked or writes nothing.
  /// - Parameter apply: the command without decisions.
  static func writeNext(
    _ plan: Plan, _ decisions: Decisions, apply: ShellCommand, to page: inout PageWriter
  ) {
    let undecided = plan.undecided(decisions)
    guard plan.blockers(after: decisions).isEmpty, !undecided.isEmpty || !plan.changes(decisions).isEmpty else {
      return
    }
    if let mistyped = plan.containerFindings.first(where: { $0.code == .targetOtherWriteKey }) {
      page.blank()
      return page.add("→ " + mistyped.commandRemedy)
    }
    var command = apply
    let acceptIfReplaced = plan.acceptedIfReplaced(decisions)
    let later = Set(bytesOf: acceptIfReplaced.map(\.field.id))
    let now = undecided.filter { !later.contains($0.id) }
    let needsValue = now.filter(\.needsValue)
    let recommended = now.filter { $0.recommendation != nil && decisions[$0.id] == nil }
    let asked = now.filter { !$0.needsValue && ($0.recommendation == nil || decisions[$0.id] != nil) }
    for field in recommended { command.add("--" + (field.recommendation?.rawValue ?? ""), field.id) }
    for field in needsValue { command.add("--set", field.id + "=VALUE") }
    page.blank()
    page.add(
      sentence(
        needsValue: !needsValue.isEmpty, replaces: recommended.contains { $0.recommendation == .replace },
        asked: asked, acceptIfReplaced: acceptIfReplaced, isDecided: undecided.isEmpty))
    page.add(.commands([command]))
  }

  private static func sentence(
    needsValue: Bool, replaces: Bool, asked: [Field], acceptIfReplaced: [DescribingField], isDecided: Bool
  ) -> String {
    if isDecided { return "To apply it:" }
    func open(_ fields: [Field], _ options: String) -> [String] {
      fields.isEmpty ? [] : ["decide \(fields.map(\.id).joined(separator: ", ")) yourself: add \(options)"]
    }
    let hints =
      (needsValue ? ["VALUE is yours to fill in, or skip the field with --skip"] : [])
      + (replaces ? ["--keep in place of --replace keeps the target's value"] : [])
      + open(asked.filter { $0.status == .conflict }, "--replace or --keep")
      + open(asked.filter { $0.status != .conflict }, "--accept or --skip") + acceptIfReplaced.map(\.hint)
    return "To decide and apply" + (hints.isEmpty ? ":" : " (\(hints.joined(separator: "; "))):")
  }
}

extension DescribingField {
  /// What a command that decides the user must say of the field.
  var hint: String { "if you replace \(named.id), also add --accept \(field.id)" }
}

/// A versioned model in a plan: its data before and after, and what each step changes.
enum ModelText {
  static func write(_ field: Field, _ decision: Decision?, to page: inout PageWriter) {
    guard field.model != nil, let before = field.legacy else { return }
    let after: PropertyListValue?
    switch decision {
    case .skip, .keep, .omit: return
    case .edit(let value): after = value
    case .migrate, .accept, nil: after = field.status == .unchanged ? nil : field.proposed
    }
    guard let after else { return }
    page.blank()
    page.add("\(field.id), \(ChangeSummary.text(field, decision)):")
    writeData("now", before, to: &page)
    writeData("becomes", after, to: &page)
    if case .edit = decision { return }
    for step in field.steps {
      guard let from = step.version else { continue }
      page.add("\(from) → \(from < Int.max ? from + 1 : from)  \(step.operation ?? step.title)", indent: 2, hanging: 4)
      page.changes(step.changes)
    }
  }

  /// The data on one line if it fits, else laid out; long data is cut, with its length.
  private static func writeData(_ label: String, _ value: PropertyListValue, to page: inout PageWriter) {
    let (ink, columns) = (page.ink, page.columns)
    let head = "  " + label + String(repeating: " ", count: max(1, 9 - label.utf8.count))
    guard let text = text(ink.shown(value)) else {
      page.line([Span(DisplayText.fit(head + ink.value(value, columns: columns), columns: columns, glyphs: ink.glyphs))]
      )
      return
    }
    let isASCII = ink.glyphs == .ascii
    let line = head + DisplayText.visible(text, limit: columns + 1, ascii: isASCII)
    // The size would be that of the mask.
    let size = ink.isMasking ? nil : size(value)
    if DisplayWidth.columns(of: line) <= columns { return page.line([Span(line)]) }
    let rows = text.utf8.count <= longest ? (try? JSONText(text))?.value.text(pretty: true) : nil
    guard let rows = rows?.split(separator: "\n"), rows.count > 1 else {
      let note = size.map { " (\($0) in all)" } ?? ""
      let room = max(20, columns - note.utf8.count)
      return page.line([Span(DisplayText.fit(line, columns: room, glyphs: ink.glyphs) + note)])
    }
    let margin = String(repeating: " ", count: 11)
    for (index, row) in rows.prefix(mostRows).enumerated() {
      let start = index == 0 ? head : margin
      let shown = DisplayText.visible(String(row), limit: max(1, columns - 11), ascii: isASCII)
      page.line([Span(start + shown)])
    }
    if rows.count > mostRows {
      let all = size.map { ", \($0) in all" } ?? ""
      page.line(margin + "… \(rows.count - mostRows) more lines\(all)")
    }
  }

  private static func text(_ value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): text
    case .data(let bytes): String(utf8: bytes)
    default: nil
    }
  }

  private static func size(_ value: PropertyListValue) -> String? {
    switch value {
    case .string(let text): ByteCount.text(text.utf8.count)
    case .data(let bytes): ByteCount.text(bytes.count)
    default: nil
    }
  }

  /// How many lines of a value are shown.
  private static let mostRows = 24
  /// Up to which size a value is laid out, in bytes.
  private static let longest = 1 << 20
}
