import Carryover
import PropertyLists

/// Runs that were brought to an end, as `carryover.recovery/1` and as the member `recovered` of reports.
enum RecoveryJSON {
  static func document(_ runs: [RecoveredRun]) -> JSONValue {
    .object([JSONMember("schema", .string("carryover.recovery/1")), JSONMember("recovered", list(runs))])
  }

  static func list(_ runs: [RecoveredRun]) -> JSONValue {
    .array(
      runs.map { run in
        .object([
          JSONMember("run", .string(run.id)), JSONMember("kind", .string(run.kind.rawValue)),
          JSONMember("ending", .string(run.ending.rawValue)), JSONMember("files", JSONValue(run.files)),
        ])
      })
  }
}
