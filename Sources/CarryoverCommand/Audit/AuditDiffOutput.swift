import Carryover
import CarryoverAudit
import PropertyLists

/// What `audit diff` prints.
struct AuditDiffOutput {
  let diff: AuditDiff
  /// Why the difference is beyond limits, as sentences.
  var excesses: [String] = []

  func write(to page: inout TextPage) {
    ReportPlain.write(ReportPage(title: [.text(title)], blocks: blocks), to: &page)
    for excess in excesses { page.add(.error, excess) }
  }

  var markdown: String {
    ReportForm.markdown(marker: "carryover audit diff").text(
      title: [.text(title)],
      (excesses.isEmpty ? [] : [.list(excesses.map { [.text($0)] })]) + blocks + examples)
  }

  private var title: String {
    guard !diff.isEmpty else { return "No container differs" }
    let worse = diff.containers(.new)
    return worse == 0
      ? "No container is worse than before" : "Worse than before: \(ValueWording.counted(worse, "container"))"
  }

  private var blocks: [ReportBlock] {
    var facts =
      "Containers in both audits: \(diff.both), only in the old one: \(diff.containers(.onlyOld)), only in the "
    facts += "new one: \(diff.containers(.onlyNew))."
    if diff.edited > 0 { facts += " With the same path and other content: \(diff.edited)." }
    if diff.moved > 0 { facts += " With the same content and another path: \(diff.moved)." }
    let changes = AuditDiff.Change.allCases.filter { diff.containers($0) > 0 }.map { change -> [[ReportPiece]] in
      let examples = diff.counts[change]?.examples.prefix(3).map { [ReportPiece.code($0)] } ?? []
      return [
        [.text(change.rawValue)], [.text("\(diff.containers(change))")], [.text(change.meaning)],
        Array(examples.joined(separator: [.text(", ")])),
      ]
    }
    return [.paragraph([.text(facts)])]
      + table("Changes", ["change", "containers", "means", "such as"], changes)
      + table("Outcomes", ["before", "now", "containers"], outcomes)
      + table("Fields", ["field", "before", "now", "containers"], fields)
      + table("Findings", ["finding", "new in", "cleared in"], findings)
  }

  private func table(_ title: String, _ head: [String], _ rows: [[[ReportPiece]]]) -> [ReportBlock] {
    rows.isEmpty ? [] : [.heading(title), .table(head: head, rows: rows)]
  }

  private var outcomes: [[[ReportPiece]]] {
    sortedOutcomes.map { [[.text($0.old.rawValue)], [.text($0.new.rawValue)], [.text("\(diff.outcomes[$0] ?? 0)")]] }
  }

  private var sortedOutcomes: [AuditDiff.OutcomeChange] {
    diff.outcomes.keys.sorted { ($0.old.rawValue, $0.new.rawValue) < ($1.old.rawValue, $1.new.rawValue) }
  }

  private var fields: [[[ReportPiece]]] {
    diff.fields.flatMap { name, count in
      count.sorted.filter { $0.transition.old != $0.transition.new }.map { transition, containers in
        [
          [.code(name)], [.text(transition.old?.title ?? "no such field")],
          [.text(transition.new?.title ?? "no such field")], [.text("\(containers)")],
        ]
      }
    }
  }

  private var codes: [String] { Set(diff.newFindings.keys).union(diff.cleared.keys).sorted() }

  private var findings: [[[ReportPiece]]] {
    codes.map { code in
      [[.code(code)], [.text("\(diff.newFindings[code] ?? 0)")], [.text("\(diff.cleared[code] ?? 0)")]]
    }
  }

  private var examples: [ReportBlock] {
    AuditDiff.Change.allCases.compactMap { change in
      guard let count = diff.counts[change] else { return nil }
      return .details(
        title: "\(change.rawValue): \(count.examples.count) of \(ValueWording.counted(count.containers, "container"))",
        count.examples.map { [.code($0)] })
    }
  }

  /// `carryover.audit-diff/1`.
  var json: JSONValue {
    .object([
      JSONMember("schema", "carryover.audit-diff/1"), JSONMember("differs", .boolean(!diff.isEmpty)),
      JSONMember("old", JSONValue(diff.old)), JSONMember("new", JSONValue(diff.new)),
      JSONMember("both", JSONValue(diff.both)), JSONMember("edited", JSONValue(diff.edited)),
      JSONMember("moved", JSONValue(diff.moved)),
      JSONMember(
        "changes",
        .array(
          AuditDiff.Change.allCases.map { change in
            .object([
              JSONMember("change", .string(change.rawValue)),
              JSONMember("containers", JSONValue(diff.containers(change))),
              JSONMember("examples", JSONValue(diff.counts[change]?.examples ?? [])),
            ])
          })),
      JSONMember(
        "outcomes",
        .array(
          sortedOutcomes.map { change in
            Self.transition(change.old.rawValue, change.new.rawValue, diff.outcomes[change] ?? 0)
          })),
      JSONMember("fields", .array(diff.fields.map(Self.field))),
      JSONMember(
        "findings",
        .array(
          codes.map { code in
            .object([
              JSONMember("code", .string(code)), JSONMember("new", JSONValue(diff.newFindings[code] ?? 0)),
              JSONMember("cleared", JSONValue(diff.cleared[code] ?? 0)),
            ])
          })), JSONMember("beyond", JSONValue(excesses)),
    ])
  }

  private static func field(_ name: String, _ count: AuditDiff.FieldCount) -> JSONValue {
    .object([
      JSONMember("field", .string(name)), JSONMember("lost", JSONValue(count.changes[.lost] ?? 0)),
      JSONMember("regained", JSONValue(count.changes[.regained] ?? 0)),
      JSONMember("changed", JSONValue(count.changes[.changed] ?? 0)),
      JSONMember(
        "verdicts",
        .array(count.sorted.map { transition($0.old?.rawValue, $0.new?.rawValue, $1) })),
    ])
  }

  private static func transition(_ old: String?, _ new: String?, _ containers: Int) -> JSONValue {
    .object([
      JSONMember("old", JSONValue(old)), JSONMember("new", JSONValue(new)),
      JSONMember("containers", JSONValue(containers)),
    ])
  }
}

extension AuditDiff.Change {
  fileprivate var meaning: String {
    switch self {
    case .regained: "a field is migrated that was not"
    case .lost: "a field is not migrated that was"
    case .changed: "a field has another result"
    case .newFinding: "there is a finding that was not there"
    case .cleared: "a finding is gone"
    case .onlyOld: "only the old audit has the container"
    case .onlyNew: "only the new audit has the container"
    case .new: "worse: a loss, a decision, an error, a warning or no plan that was not there"
    }
  }
}
