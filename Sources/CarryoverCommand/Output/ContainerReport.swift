import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverVendors

struct ContainerReport {
  var container: Container
  /// Its findings may be shown; its values are real.
  var plan: Plan
  var request: PlanRequest
  var runs: RunListing
  var diagnosis: ContainerDiagnosis

  var json: JSONValue {
    .object([
      "schema": "carryover.container-report/1", "tool": Version.text,
      "container": JSONValue.object([
        "kind": container.kind, "name": container.name, "bundleID": container.bundleID,
        "bundleIDFrom": container.bundleIDOrigin,
      ]),
      "recipe": diagnosis.told.recipe.id, "verdict": diagnosis.verdict, "others": diagnosis.others,
      "notices": container.notices, "stores": container.stores.map(Self.store),
      "plan": SavedPlans.json(plan, request: request, tool: Version.text),
      "history": HistoryOutput.json(runs, container),
    ])
  }

  private static func store(_ store: Store) -> JSONValue {
    let isRead = store.format != nil
    let isDocument = if case .document = store.content { isRead } else { false }
    return .object(present: [
      "path": store.path, "readable": isRead, "reason": isRead ? nil : store.problem ?? "", "format": store.format,
      "size": isRead ? JSONValue(store.size) : nil,
      "keyCount": isDocument ? JSONValue(store.dictionary?.count) : nil,
      "findings": isDocument ? store.findings : nil,
    ])
  }
}

/// The verdict first, then its evidence, then the rest.
struct ContainerReportPage {
  let report: ContainerReport
  let isMasked: Bool

  /// All but the legend, which needs to know what the rest of the page shows.
  var blocks: [Block] {
    let planned = report.diagnosis.isUnknown ? [] : plan + findings + report.plan.notMigrated()
    return report.diagnosis.blocks + written + head + stores + planned + runs
  }

  /// - Parameter page: the rest of the report as text, whose masks it explains.
  func legend(of page: String) -> Block {
    guard isMasked else {
      return .notice([.strong("Values are shown as they are."), .words(" This report contains personal data.")])
    }
    let masks = MaskLegend(of: page)
    guard let first = masks.first else {
      return .notice([.strong("Values are masked."), .words(" This report shows none.")])
    }
    var words: Pieces = [.strong("Values are masked."), .words(" "), .code(first)]
    words.append(.words(" stands for a value. The kinds: "))
    for (index, kind) in masks.kinds.enumerated() {
      words.append(.words(index > 0 ? ", " : ""))
      words.append(.code(kind.name))
      if let meaning = kind.meaning { words.append(.words(" (\(meaning))")) }
    }
    words.append(
      .words(". Equal values have the same number, different values different ones; the number has no other meaning."))
    if let typed = masks.firstTyped {
      words.append(.words(" For a value that is not a string, the mask names the type: "))
      words.append(.code(typed))
      words.append(.words("."))
    }
    words.append(
      .words(
        " Not masked: names of keys, booleans, the times of the timeline, and the sessions, versions and builds that a recipe "
          + "migrates."))
    return .notice(words)
  }

  /// What was repaired, how, and what was rolled back since.
  private var written: [Block] {
    let rows = report.runs.runs.filter { $0.kind == .apply && $0.foreign == nil }.flatMap { run in
      run.fields.filter { $0.outcome == .migrated }.map { field -> [Pieces] in
        let decided = ["migrate": "accepted", "edit": "edited"][field.decision ?? ""] ?? "ready"
        let decision = decided + (field.isTakenBack ? ", rolled back" : "")
        return [
          [.name(field.name)], Self.legacy(of: field), [.value(field.before)], [.value(field.after)],
          [.words(decision)],
          [.name(run.id)],
        ]
      }
    }
    let head = ["field", "legacy value", "before", "written", "decision", "run"]
    return rows.isEmpty ? [] : [.heading("Written by Carryover"), .table(Table(head: head, rows: rows))]
  }

  /// As the run recorded it: the plan here may be of another SDK, or the value gone.
  private static func legacy(of field: RunField) -> Pieces {
    switch field.legacy {
    case nil: [.value(nil)]
    case .whole(let value): [.value(value, of: field.id.key)]
    case .text(_, let text): [.value(.string(text), of: field.id.key)]
    case .summary(let kind, _): [.words("\(kind.word), not in the record")]
    }
  }

  private var head: [Block] {
    let (container, plan) = (report.container, report.plan)
    let origin: Pieces = container.bundleIDOrigin.map { [.words(" (\($0.rawValue))")] } ?? []
    let target: Pieces =
      plan.target.map { [.name($0.path)] + ($0.exists ? [] : [.words(" (new)")]) } ?? [.words("unknown")]
    var rows: [[Pieces]] = [
      [[.words("Carryover")], [.words(Version.text)]],
      [[.words("Container")], [.name(container.name), .words(", \(container.kind.rawValue)")]],
      [[.words("Bundle id")], (container.bundleID.map { [.name($0)] } ?? [.words("unknown")]) + origin],
    ]
    if !report.diagnosis.isUnknown {
      rows += plan.recipes.map { recipe -> [Pieces] in
        [[.words("Recipe")], [.text(recipe.title + ": "), .name(recipe.id), .words(", version \(recipe.version)")]]
      }
      rows.append([[.words("Target")], target])
      if let key = report.diagnosis.inferredKey { rows.append([[.words("Write key")], [.place(key)]]) }
    }
    rows.append([[.words("Planned for")], [.moment(plan.now)]])
    return [
      .heading("Carryover report: " + (container.bundleID ?? "unknown app")),
      .table(Table(head: ["what", "value"], rows: rows)),
    ] + (container.notices.isEmpty ? [] : [.list(container.notices)])
  }

  private var stores: [Block] {
    let remarks = Dictionary(grouping: report.container.remarks) { StringByBytes($0.path) }
    let rows = report.container.stores.map { store -> [Pieces] in
      let said = (remarks[store.path] ?? []).map(\.sentence)
      let words = said + (store.problem.map { [$0] } ?? store.findings)
      let size = store.format == nil ? nil : store.size.map { ByteCount.text($0) }
      return [
        [.name(store.path)], [.words(store.format ?? "unreadable")], [.words(size ?? "")],
        [.words(Self.keys(of: store))], [.text(words.joined(separator: " "))],
      ]
    }
    guard !rows.isEmpty else { return [.heading("Stores"), Self.none] }
    let signs = report.container.remarks.filter { $0.subject == .sign }
    return [.heading("Stores"), .table(Table(head: ["store", "format", "size", "keys", "remarks"], rows: rows))]
      + (signs.isEmpty ? [] : [.list(signs.map { Item([.name($0.path), .text(": " + $0.sentence)]) })])
  }

  private static func keys(of store: Store) -> String {
    if let tables = store.tables?.tables.count { return ValueWording.counted(tables, "table") }
    return store.keyCount.map { "\($0)" } ?? ""
  }

  private var plan: [Block] {
    let rows = report.plan.fields.map { field -> [Pieces] in
      [
        [.name(field.sourceLabel)], [.value(field.legacy)], [.name(field.id)], [.value(field.proposed)],
        [.value(field.current)], [.text(ChangeSummary.text(field, nil))], [.words(FieldState(field, nil).word)],
      ]
    }
    return [
      heading("Plan"),
      .paragraph([.words(FieldSummary.counts(report.plan, [:], isReadOnly: report.container.wrapper != nil))]),
      .table(
        Table(
          head: ["legacy key", "value", "target key", "proposed", "target value", "change", "state"], rows: rows)),
    ]
  }

  /// With the name of the plan's SDK where other SDKs have a verdict, too.
  private func heading(_ words: String) -> Block {
    let titles = report.plan.recipes.map(\.title).joined(separator: ", ")
    return .heading(report.diagnosis.others.isEmpty ? words : "\(words): \(titles)")
  }

  private var findings: [Block] {
    let findings = report.plan.findings.gravestFirst
    let heading = self.heading("Findings")
    guard !findings.isEmpty else { return [heading, Self.none] }
    return [heading, .list(findings.shared.map { $0.finding.item(of: $0.fields) })]
  }

  private var runs: [Block] {
    let rows = report.runs.runs.map { run -> [Pieces] in
      [
        [.name(run.id)], [.words(run.kind.rawValue)], [.moment(run.moment)], [.words(run.standing.words)],
        Array(run.recipes.map { [Piece.name($0.id), .words(" \($0.version)")] }.joined(separator: [.words(", ")])),
        [.text(run.tool)],
        Piece.list(run.files.map { .name($0) }),
        [.count(run.writtenCount)],
      ]
    }
    let head = ["run", "kind", "began", "state", "recipe", "tool", "files", "fields"]
    let problems = report.runs.problems.map(\.description)
    return [.heading("Runs"), rows.isEmpty ? Self.none : .table(Table(head: head, rows: rows))]
      + (problems.isEmpty ? [] : [.list(problems)])
  }

  private static let none = Block.paragraph("None.")
}
