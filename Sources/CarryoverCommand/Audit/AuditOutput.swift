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
    let report = AuditReportPage(totals: totals)
    page.add([report.answer] + report.evidence + [.blank])
    for excess in excesses { page.add(.error, excess) }
    if !limits.isEmpty, excesses.isEmpty { page.add(.ready, "Within every limit.") }
    if !isComplete { page.add(.error, "The audit was interrupted: these are the results so far.") }
    if let folder, isComplete { page.add("Rows: \(FilePath.join(folder, "rows.ndjson"))") }
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
