import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverTerminal
import PropertyLists

enum RunReportOutput {
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
    let commands: [Block] = [.paragraph("To roll it back:"), .commands([rollback])]
    let page = RunReportPage(
      report, backups: container.stateDirectory + "/runs", rollingBack: report.kind == .rollback ? [] : commands)
    try paper.print(json: json, RunReportOutput.json(report, recovered: recovered), masking) { $0.add(page.blocks) }
  }
}
