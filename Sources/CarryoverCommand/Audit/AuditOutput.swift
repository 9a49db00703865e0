import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

struct AuditOutput {
  let totals: AuditTotals
  var limits: [AuditLimit] = []
  var folder: String?
  var isComplete = true
  var failure: CommandFailure?

  var excesses: [String] { limits.compactMap { $0.excess(of: totals) } }

  func requireLimits() throws {
    if !excesses.isEmpty { throw CommandFailure("The audit exceeds a limit.", .decisionsNeeded) }
  }

  func write(to page: inout PageWriter) {
    page.add(
      "\(ValueWording.counted(totals.inputs, "input")), \(ValueWording.counted(totals.containers, "container")).")
    outcomes(to: &page)
    fields(to: &page)
    findings(to: &page)
    page.blank()
    for excess in excesses { page.add(.error, excess) }
    if !limits.isEmpty, excesses.isEmpty { page.add(.ready, "Within every limit.") }
    if !isComplete { page.add(.error, "The audit was interrupted: these are the results so far.") }
    if let folder, isComplete { page.add("Rows: \(FilePath.join(folder, "rows.ndjson"))") }
  }

  private func outcomes(to page: inout PageWriter) {
    var table = Table(
      [.init(.whole, "outcome", .head), .init(.whole, "containers"), .init(.sentence, "such as")], indent: 2)
    for outcome in AuditOutcome.allCases {
      guard let count = totals.outcomes[outcome] else { continue }
      let examples = totals.examples[outcome, default: []].prefix(3).joined(separator: ", ")
      table.add([.text(outcome.rawValue), .text("\(count)"), .name(examples, .muted)])
    }
    page.add(table)
    if totals.copies > 0 { page.add("Copies of an earlier container: \(totals.copies)", indent: 2) }
  }

  private func fields(to page: inout PageWriter) {
    let fields = Dictionary(grouping: totals.order, by: \.recipe)
    for recipe in totals.recipes {
      page.blank()
      page.add(page.ink.words(recipe))
      let counts = fields[recipe, default: []].compactMap { totals.fields[$0] }
      let verdicts = AuditVerdict.allCases.filter { verdict in
        verdict.isUsual || counts.contains { $0.verdicts[verdict, default: 0] > 0 }
      }
      var table = Table(
        [.init(.name, "field", .head)] + verdicts.map { .init(.whole, $0.title) } + [
          .init(.whole, "without Carryover", isOptional: true)
        ], indent: 2, heading: true)
      for key in fields[recipe, default: []] {
        guard let count = totals.fields[key] else { continue }
        let lost = count.references["dropped", default: 0]
        let wrong = count.references["wrong", default: 0]
        table.add(
          [.name(key.field)]
            + verdicts.map { verdict in
              let number = count.verdicts[verdict, default: 0]
              return .text("\(number)", number > 0 && verdict == .lost ? .error : number == 0 ? .muted : .plain)
            }
            + [.text(lost + wrong == 0 ? "" : "\(lost) lost, \(wrong) wrong", .muted)])
      }
      page.add(table)
    }
  }

  private func findings(to page: inout PageWriter) {
    guard !totals.findings.isEmpty else { return }
    page.blank()
    page.add("Findings, by the number of containers")
    var table = Table([.init(.whole, "", .head), .init(.name, "finding"), .init(.whole, "containers")], indent: 2)
    for (code, count) in totals.sortedFindings {
      let severity = FindingCode(rawValue: code)?.severity ?? .note
      table.add([.sign(severity.sign), .name(code), .text("\(count)")])
    }
    page.add(table)
    if totals.undecided > 0 {
      page.add("\(ValueWording.counted(totals.undecided, "container")) with a field to decide.", indent: 2)
    }
    if totals.blocked > 0 {
      page.add("A migration is blocked in \(ValueWording.counted(totals.blocked, "container")).", indent: 2)
    }
  }

  var json: JSONValue {
    [
      "schema": "carryover.audit/1", "complete": .boolean(isComplete), "inputs": JSONValue(totals.inputs),
      "containers": JSONValue(totals.containers), "copies": JSONValue(totals.copies),
      "undecided": JSONValue(totals.undecided), "blocked": JSONValue(totals.blocked),
      "outcomes": .object(
        AuditOutcome.allCases.map { JSONMember($0.rawValue, JSONValue(totals.outcomes[$0, default: 0])) }),
      "fields": .array(
        totals.order.map { key in
          let count = totals.fields[key] ?? AuditTotals.FieldCount()
          return .object(
            [JSONMember("recipe", .string(key.recipe)), JSONMember("field", .string(key.field))]
              + AuditVerdict.allCases.map { JSONMember($0.rawValue, JSONValue(count.verdicts[$0, default: 0])) }
              + [
                JSONMember(
                  "reference",
                  .object(
                    ["kept", "dropped", "wrong"].map { JSONMember($0, JSONValue(count.references[$0, default: 0])) }
                  ))
              ])
        }),
      "findings": .array(totals.sortedFindings.map { ["code": .string($0.code), "containers": JSONValue($0.count)] }),
      "beyond": JSONValue(excesses),
    ]
  }
}
