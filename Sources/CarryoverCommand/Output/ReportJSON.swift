import Carryover
import PropertyLists

/// What a run did, as `carryover.report/1`, the published form of `apply --json`, `rollback --json`
/// and `cleanup --json`.
enum ReportJSON {
  /// - Parameter recovered: runs that the command had brought to their end before this one began.
  static func value(_ report: RunReport, recovered: [RecoveredRun]) -> JSONValue {
    var members = [
      JSONMember("schema", .string("carryover.report/1")),
      JSONMember("kind", .string(report.kind.rawValue)),
      JSONMember("run", JSONValue(report.runID)),
    ]
    if let rolledBack = report.rolledBack { members.append(JSONMember("rolledBack", .string(rolledBack))) }
    members.append(JSONMember("files", .array(report.files.map(JSONValue.string))))
    members.append(JSONMember("fields", .array(report.outcomes.map(outcome))))
    members.append(JSONMember("synchronizations", JSONValue(report.synchronizations)))
    members.append(JSONMember("recovered", RecoveryJSON.list(recovered + report.recovered)))
    return .object(members)
  }

  private static func outcome(_ outcome: FieldOutcome) -> JSONValue {
    let file = outcome.file.map { [JSONMember("file", .string($0))] } ?? []
    return .object(
      [JSONMember("id", .string(outcome.field))] + file + [
        JSONMember("outcome", .string(outcome.outcome.rawValue)),
        JSONMember("reason", JSONValue(outcome.reason)),
      ])
  }
}
