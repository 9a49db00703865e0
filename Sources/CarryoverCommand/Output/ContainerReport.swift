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
      JSONMember("notices", .array(container.notices.map(JSONValue.string))),
      JSONMember("stores", .array(container.stores.map(store))),
      JSONMember("plan", SavedPlan.json(report.plan, request: report.request, tool: Version.text)),
      JSONMember("history", HistoryJSON.value(report.runs, container)),
    ])
  }

  private static func store(_ store: Store) -> JSONValue {
    let members = [JSONMember("path", .string(store.path))]
    switch store.content {
    case .unreadable(let reason):
      return .object(
        members + [JSONMember("readable", .boolean(false)), JSONMember("reason", .string(reason))])
    case .json(let json):
      return .object(
        members + [
          JSONMember("readable", .boolean(true)), JSONMember("format", "json"),
          JSONMember("size", JSONValue(json.text.utf8.count)),
        ])
    case .document(let document):
      return .object(
        members + [
          JSONMember("readable", .boolean(true)), JSONMember("format", .string(document.format.rawValue)),
          JSONMember("size", JSONValue(document.bytes.count)),
          JSONMember("keyCount", JSONValue(store.dictionary?.count)),
          JSONMember("findings", .array(document.findings.map { .string($0.description) })),
        ])
    }
  }
}
