import Carryover
import PropertyLists

/// All that a ticket needs to know of a container.
struct ContainerReport {
  var container: Container
  /// Its findings may be shown; its values are real.
  var plan: Plan
  var request: PlanRequest
  var runs: RunListing
  var diagnosis: ContainerDiagnosis
}

/// A report as `carryover.container-report/1`, the published form of `report --json`.
enum ContainerReportJSON {
  static func value(_ report: ContainerReport) -> JSONValue {
    let container = report.container
    return .object([
      JSONMember("schema", .string("carryover.container-report/1")),
      JSONMember("tool", .string(Version.text)),
      JSONMember(
        "container",
        .object([
          JSONMember("kind", .string(container.kind.rawValue)), JSONMember("name", .string(container.name)),
          JSONMember("bundleID", JSONValue(container.bundleID)),
          JSONMember("bundleIDFrom", JSONValue(container.bundleIDOrigin?.rawValue)),
        ])),
      JSONMember("verdict", DiagnosisJSON.verdict(report.diagnosis.verdict)),
      JSONMember("others", DiagnosisJSON.others(report.diagnosis.others)),
      JSONMember("notices", .array(container.notices.map(JSONValue.string))),
      JSONMember("stores", .array(container.stores.map(store))),
      JSONMember("plan", SavedPlan.json(report.plan, request: report.request, tool: Version.text)),
      JSONMember("history", HistoryJSON.value(report.runs, container)),
    ])
  }

  private static func store(_ store: Store) -> JSONValue {
    let members = [JSONMember("path", .string(store.path))]
    guard let format = store.format else {
      return .object(
        members + [JSONMember("readable", .boolean(false)), JSONMember("reason", .string(store.problem ?? ""))])
    }
    let known =
      members + [
        JSONMember("readable", .boolean(true)), JSONMember("format", .string(format)),
        JSONMember("size", JSONValue(store.size)),
      ]
    guard case .document = store.content else { return .object(known) }
    return .object(
      known + [
        JSONMember("keyCount", JSONValue(store.dictionary?.count)),
        JSONMember("findings", .array(store.findings.map(JSONValue.string))),
      ])
  }
}
