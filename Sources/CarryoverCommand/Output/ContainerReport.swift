import Carryover
import CarryoverReview
import CarryoverVendors
import PropertyLists

struct ContainerReport {
  var container: Container
  /// Its findings may be shown; its values are real.
  var plan: Plan
  var request: PlanRequest
  var runs: RunListing
  var diagnosis: ContainerDiagnosis

  var json: JSONValue {
    [
      "schema": "carryover.container-report/1", "tool": .string(Version.text),
      "container": [
        "kind": .string(container.kind.rawValue), "name": .string(container.name),
        "bundleID": JSONValue(container.bundleID), "bundleIDFrom": JSONValue(container.bundleIDOrigin?.rawValue),
      ], "verdict": DiagnosisOutput.verdict(diagnosis.verdict),
      "others": DiagnosisOutput.others(diagnosis.others),
      "notices": .array(container.notices.map(JSONValue.string)), "stores": .array(container.stores.map(Self.store)),
      "plan": SavedPlan.json(plan, request: request, tool: Version.text),
      "history": HistoryOutput.json(runs, container),
    ]
  }

  private static func store(_ store: Store) -> JSONValue {
    let isRead = store.format != nil
    let isDocument = if case .document = store.content { isRead } else { false }
    // `.some`, or the other branch is null instead of nothing.
    return .object(present: [
      "path": .string(store.path), "readable": .boolean(isRead),
      "reason": isRead ? nil : .some(.string(store.problem ?? "")), "format": store.format.map { .string($0) },
      "size": isRead ? .some(JSONValue(store.size)) : nil,
      "keyCount": isDocument ? .some(JSONValue(store.dictionary?.count)) : nil,
      "findings": isDocument ? .some(JSONValue(store.findings)) : nil,
    ])
  }
}

/// The verdict first, then its evidence, then the rest.
struct ContainerReportPage {
  private let report: ContainerReport
  private let masking: Masking

  init(_ report: ContainerReport, _ masking: Masking) {
    self.report = report
    self.masking = masking
  }

  var page: ReportPage {
    let parts = [verdict, others, losses, written, timeline, head, stores, plan, findings, leftBehind, runs, [legend]]
    return ReportPage(title: [text(report.diagnosis.verdict.text)], blocks: parts.flatMap(\.self))
  }

  private var verdict: [ReportBlock] {
    let verdict = report.diagnosis.verdict
    return [.paragraph([.strong(verdict.certainty.words.capitalised + "."), text(" " + verdict.reasonText)])]
  }

  private var others: [ReportBlock] {
    let others = report.diagnosis.others
    guard !others.isEmpty else { return [] }
    return [.heading(DiagnosisOutput.othersHeading), .list(others.map { [text($0.line(option: "--recipe "))] })]
  }

  private var legend: ReportBlock {
    guard masking.isOn else {
      return .notice([.strong("Values are shown as they are."), .text(" This report contains personal data.")])
    }
    return .notice([
      .strong("Values are masked."), .text(" "), .code("‹user-1›"), .text(" stands for a value: "), .code("user"),
      .text(", "), .code("id"), .text(", "), .code("email"), .text(", "), .code("phone"), .text(", "), .code("secret"),
      .text(", "), .code("key"), .text(" (a write key), "), .code("text"), .text(", "), .code("number"), .text(", "),
      .code("date"), .text(" or "), .code("data"),
      .text(
        ". Equal values have the same number, different values different ones. For a value that is not a string, the mask names the type: "
      ),
      .code("‹user-1 integer›"),
      .text(
        ". The number has no other meaning. Names of keys, booleans, session ids and times, versions and builds are not masked."
      ),
    ])
  }

  private var losses: [ReportBlock] {
    let diagnosis = report.diagnosis
    var blocks: [ReportBlock] = []
    if !diagnosis.verdict.losses.isEmpty {
      blocks += [
        .heading(DiagnosisOutput.heading(diagnosis.verdict)),
        .list(diagnosis.verdict.losses.map { [.strong($0.loss.what.capitalised), text(": \($0.causeText).")] }),
      ]
    }
    let lost = diagnosis.lostFields
    let rows = diagnosis.evidence(of: lost.prefix(Self.mostEvidence)).map { row -> [[ReportPiece]] in
      [
        [code(row.field.sourceLabel)], row.legacy.map { [text($0)] } ?? [], value(row.field.legacy),
        [code(row.field.id)],
        row.current.map { [text($0)] } ?? [], value(row.field.current),
      ]
    }
    if !rows.isEmpty {
      blocks += [
        .heading("Evidence"),
        .table(head: ["legacy key", "type", "value", "target key", "type", "value"], rows: rows),
      ]
    }
    let more = lost.count - Self.mostEvidence
    if more > 0 {
      blocks.append(.paragraph([.text("And \(ValueWording.counted(more, "field")) more: see Plan below.")]))
    }
    blocks.append(.heading("What to do"))
    if !diagnosis.cautions.isEmpty { blocks.append(list(diagnosis.cautions)) }
    if !diagnosis.commands.isEmpty { blocks.append(.commands(diagnosis.commands.map { masking.text($0.text) })) }
    if !diagnosis.advice.isEmpty { blocks.append(list(diagnosis.advice)) }
    return blocks
  }

  /// What was repaired, how, and what was rolled back since.
  private var written: [ReportBlock] {
    let rows = report.runs.runs.filter { $0.kind == .apply && $0.foreign == nil }.flatMap { run in
      run.fields.filter { $0.outcome == .migrated }.map { field -> [[ReportPiece]] in
        let decided = ["migrate": "accepted", "edit": "edited"][field.decision ?? ""] ?? "ready"
        let decision = decided + (field.isTakenBack ? ", rolled back" : "")
        let values = [report.plan.field(field.name)?.legacy, field.before, field.after]
        return [[code(field.name)]] + values.map(value) + [[.text(decision)], [code(run.id)]]
      }
    }
    let head = ["field", "legacy value", "before", "written", "decision", "run"]
    return rows.isEmpty ? [] : [.heading("Written by Carryover"), .table(head: head, rows: rows)]
  }

  private var timeline: [ReportBlock] {
    let rows = report.diagnosis.timeline.map { [[.text($0.moment.text)], [text($0.what)], [place($0.place)]] }
    return [.heading("Timeline"), .table(head: ["when", "what", "where"], rows: rows)]
  }

  private var head: [ReportBlock] {
    let (container, plan) = (report.container, report.plan)
    let origin = container.bundleIDOrigin.map { [text(" (\($0.rawValue))")] } ?? []
    let target: [ReportPiece] =
      plan.target.map { [code($0.path)] + ($0.exists ? [] : [.text(" (new)")]) } ?? [.text("unknown")]
    let rows: [[[ReportPiece]]] = [
      [[.text("Carryover")], [.text(Version.text)]],
      [[.text("Container")], [code(container.name), .text(", \(container.kind.rawValue)")]],
      [[.text("Bundle id")], (container.bundleID.map { [code($0)] } ?? [.text("unknown")]) + origin],
      [
        [.text("Recipe")],
        [text(plan.recipe.title + ": "), code(plan.recipe.id), .text(", version \(plan.recipe.version)")],
      ],
      [[.text("Target")], target], [[.text("Planned for")], [.text(plan.now.text)]],
    ]
    return [
      .heading("Carryover report: " + masking.text(container.bundleID ?? "unknown app")),
      .table(head: ["what", "value"], rows: rows),
    ] + (container.notices.isEmpty ? [] : [list(container.notices)])
  }

  private var stores: [ReportBlock] {
    let remarks = Dictionary(grouping: report.container.remarks) { StringByBytes($0.path) }
    let rows = report.container.stores.map { store -> [[ReportPiece]] in
      let said = (remarks[store.path] ?? []).map(\.sentence)
      let words = said + (store.problem.map { [$0] } ?? store.findings)
      let size = store.format == nil ? nil : store.size.map { ByteCount.text($0) }
      let facts = [store.format ?? "unreadable", size ?? "", Self.keys(of: store)]
      return [[code(store.path)]] + facts.map { $0.isEmpty ? [] : [.text($0)] }
        + [words.isEmpty ? [] : [text(words.joined(separator: " "))]]
    }
    guard !rows.isEmpty else { return [.heading("Stores"), Self.none] }
    let signs = report.container.remarks.filter { $0.subject == .sign }
    return [.heading("Stores"), .table(head: ["store", "format", "size", "keys", "remarks"], rows: rows)]
      + (signs.isEmpty ? [] : [.list(signs.map { [code($0.path), text(": " + $0.sentence)] })])
  }

  private static func keys(of store: Store) -> String {
    if case .json(let json) = store.content, case .object(let members) = json.value { return String(members.count) }
    return store.dictionary.map { String($0.count) } ?? ""
  }

  private var plan: [ReportBlock] {
    let rows = report.plan.fields.map { field -> [[ReportPiece]] in
      [
        [code(field.sourceLabel)], value(field.legacy), [code(field.id)], value(field.proposed), value(field.current),
        [text(FieldSummary.change(field, nil))], [.text(FieldState(field, nil).word)],
      ]
    }
    return [
      .heading("Plan"),
      .paragraph([.text(FieldSummary.counts(report.plan, [:], isReadOnly: report.container.wrapper != nil))]),
      .table(head: ["legacy key", "value", "target key", "proposed", "target value", "change", "state"], rows: rows),
    ]
  }

  private var findings: [ReportBlock] {
    let findings = report.plan.findings
    guard !findings.isEmpty else { return [.heading("Findings"), Self.none] }
    let items = findings.shared.map { shared -> [[ReportPiece]] in
      let finding = shared.finding
      let fields = shared.fields.flatMap { [.text(", "), code($0)] }.dropFirst()
      let place = fields.isEmpty ? [] : fields + [.text(": ")]
      let weight = finding.code.weight.map { ", " + $0 } ?? ""
      return [
        [.strong(finding.severity.rawValue + weight), .text(" ")] + place + [code(finding.code.rawValue)],
        [text(finding.message)], [text("→ " + finding.commandRemedy)],
      ]
    }
    return [.heading("Findings"), .items(items)]
  }

  private var leftBehind: [ReportBlock] {
    guard !report.plan.dropped.isEmpty else { return [] }
    let rows = report.plan.dropped.map { key in
      [[code(key.key)], key.secret ? [.text("(secret)")] : value(key.value), [text(key.reason)]]
    }
    return [.heading("Not migrated"), .table(head: ["key", "value", "reason"], rows: rows)]
  }

  private var runs: [ReportBlock] {
    let rows = report.runs.runs.map { run -> [[ReportPiece]] in
      [
        [code(run.id)], [.text(run.kind.rawValue)], [.text(run.moment.text)], [.text(run.standing.words)],
        Array(run.recipes.map { [code($0.id), .text(" \($0.version)")] }.joined(separator: [.text(", ")])),
        [text(run.tool)],
        Array(run.files.map { [code($0)] }.joined(separator: [.text(", ")])),
        [.text(String(run.fields.count(where: \.isChanged)))],
      ]
    }
    let head = ["run", "kind", "began", "state", "recipe", "tool", "files", "fields changed"]
    let problems = report.runs.problems.map(\.description)
    return [.heading("Runs"), rows.isEmpty ? Self.none : .table(head: head, rows: rows)]
      + (problems.isEmpty ? [] : [list(problems)])
  }

  /// The plan has a row for each field, so a long list need not be here too.
  private static let mostEvidence = 1_000

  private static let none = ReportBlock.paragraph([.text("None.")])

  private func list(_ sentences: [String]) -> ReportBlock { .list(sentences.map { [text($0)] }) }
  /// One of our own sentences.
  private func text(_ text: String) -> ReportPiece { .text(masking.sentence(text)) }
  private func place(_ name: String) -> ReportPiece { .text(masking.text(name)) }
  private func code(_ text: String) -> ReportPiece { .code(masking.text(text)) }
  private func value(_ value: PropertyListValue?) -> [ReportPiece] {
    ReportPiece.code(value.map { FieldSummary.text(masking.value($0)) })
  }
}

extension FindingCode {
  /// Whether it asks or blocks, in the word of the documentation.
  var weight: String? { blocks ? "blocks" : asks ? "asks" : nil }
}
