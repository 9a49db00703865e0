import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverTerminal
import PropertyLists

enum RunReportOutput {
  static func write(_ report: RunReport, stateDirectory: String, rollback: ShellCommand, to page: inout PageWriter) {
    writeOutcomes(report, to: &page)
    for run in report.recovered { page.add(run.description) }
    let found = counts(report.outcomes, in: report.kind)
    let counts = found.isEmpty ? "" : ": " + found
    guard let id = report.runID else {
      return page.add(report.kind == .cleanup ? "Nothing had to be removed." : "Nothing had to be written.")
    }
    switch report.kind {
    case .apply: page.add("Run \(id) is done\(counts).")
    case .cleanup: page.add("Run \(id) removed legacy values\(counts).")
    case .rollback: page.add("Run \(id) rolled back run \(report.rolledBack ?? "?")\(counts).")
    }
    for file in report.files { page.line("  " + file) }
    if report.kind != .rollback {
      page.line("Backup: \(stateDirectory)/runs/\(id)/before")
      page.add("To roll it back:")
      PlanSummary.write(rollback, to: &page)
    }
    let calls = ValueWording.counted(report.synchronizations, "fsync call")
    page.add("Carryover flushed the backup, the record and the files to disk: \(calls).")
  }

  /// How many fields ended in each way: `7 written, 1 skipped`.
  static func counts(_ outcomes: [FieldOutcome], in kind: RunKind) -> String {
    Outcome.allCases.compactMap { outcome -> String? in
      let count = outcomes.count { $0.told == outcome }
      return count > 0 ? "\(count) \(outcome.word(in: kind))" : nil
    }.joined(separator: ", ")
  }

  static func writeOutcomes(_ report: RunReport, to page: inout PageWriter) {
    for file in files(report) {
      if let file { page.line(file) }
      var table = Table(
        [.init(.whole, "", .head), .init(.name, "", .head), .init(.whole, "", .head), .init(.sentence, "why")],
        indent: file == nil ? 0 : 2)
      for outcome in report.outcomes where outcome.file.map(StringByBytes.init(_:)) == file.map(StringByBytes.init(_:))
      {
        table.add([
          .sign(outcome.told.sign), .name(outcome.field), .text(outcome.told.word(in: report.kind), outcome.told.role),
          .place(outcome.reason ?? ""),
        ])
      }
      page.add(table)
    }
    page.blank()
  }

  /// In their order; nil stands for the only one.
  private static func files(_ report: RunReport) -> [String?] {
    var seen: Set<String?> = []
    return report.outcomes.map(\.file).filter { seen.insert($0).inserted }
  }

  static func json(_ report: RunReport, recovered: [RecoveredRun]) -> JSONValue {
    .object(present: [
      "schema": "carryover.report/1", "kind": .string(report.kind.rawValue), "run": JSONValue(report.runID),
      "rolledBack": report.rolledBack.map { .string($0) }, "files": JSONValue(report.files),
      "fields": .array(report.outcomes.map(outcome)), "synchronizations": JSONValue(report.synchronizations),
      "recovered": json(recovered + report.recovered),
    ])
  }

  private static func outcome(_ outcome: FieldOutcome) -> JSONValue {
    .object(present: [
      "id": .string(outcome.field), "file": outcome.file.map { .string($0) },
      "outcome": .string(outcome.outcome.rawValue), "reason": JSONValue(outcome.reason),
    ])
  }

  static func json(_ runs: [RecoveredRun]) -> JSONValue {
    .array(
      runs.map { run in
        [
          "run": .string(run.id), "kind": .string(run.kind.rawValue), "ending": .string(run.ending.rawValue),
          "files": JSONValue(run.files),
        ]
      })
  }

  static func print(
    _ report: RunReport, in container: Container, recovered: [RecoveredRun], json: Bool, rollback: ShellCommand,
    on paper: Paper, _ masking: Masking
  ) throws {
    try paper.print(json: json, RunReportOutput.json(report, recovered: recovered), masking) {
      RunReportOutput.write(report, stateDirectory: container.stateDirectory, rollback: rollback, to: &$0)
    }
  }
}
