import CarryoverSystem
package import PropertyLists

extension SavedPlan {
  /// The schema of the documents that this version writes. A later one is refused; unknown members are allowed.
  package static let schema = "carryover.plan/1"

  /// A plan as the document `carryover.plan/1`: everything that `init(json:path:)` reads. For people and other
  /// programs, also the findings with their sentences, the keys that are not migrated, and the source of each field.
  /// - Parameter others: additional members of the document.
  package static func json(
    _ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String, adding others: [JSONMember] = []
  ) -> JSONValue {
    let saved = SavedPlan(plan, request: request, decisions: decisions, tool: tool)
    let members = [
      JSONMember("schema", .string(schema)),
      JSONMember("tool", .string(saved.tool)),
      JSONMember("recipe", saved.recipe.json),
      JSONMember("container", saved.container.json),
      JSONMember("target", JSONValue(saved.target)),
      JSONMember("now", .string(saved.now.text)),
      JSONMember("milliseconds", .string(String(saved.now.millisecondsSince1970))),
      JSONMember("request", saved.request.json),
      JSONMember("fields", .array(zip(plan.fields, saved.fields).map { json($0, $1) })),
      JSONMember("findings", .array(plan.findings.map(json))),
      JSONMember("dropped", .array(plan.dropped.map(json))),
      JSONMember("decisions", .array(saved.fields.compactMap { json($0.id, saved.decisions[$0.id]) })),
      JSONMember("basis", .array(saved.basis.map(json))),
    ]
    return .object(members + others)
  }

  private static func json(_ field: Field, _ saved: SavedField) -> JSONValue {
    let members = [
      JSONMember("id", .string(saved.id)),
      JSONMember("sources", JSONValue(sourceKeys(field))),
      JSONMember("legacy", saved.legacy?.json ?? .null),
      JSONMember("proposed", saved.proposed?.json ?? .null),
      JSONMember("current", saved.current?.json ?? .null),
      JSONMember("status", .string(saved.status.rawValue)),
      JSONMember("findings", .array(field.findings.map { .string($0.code.rawValue) })),
    ]
    return .object(members + model(field))
  }

  /// The legacy keys of a field, without duplicates, the one that supplied the value first.
  private static func sourceKeys(_ field: Field) -> [String] {
    var keys: [String] = []
    for key in [field.origin?.source.key].compactMap({ $0 }) + field.sources.map(\.key)
    where !keys.containsBytes(of: key) {
      keys.append(key)
    }
    return keys
  }

  private static func json(_ finding: Finding) -> JSONValue {
    .object([
      JSONMember("code", .string(finding.code.rawValue)),
      JSONMember("severity", .string(finding.severity.rawValue)),
      JSONMember("field", JSONValue(finding.field)),
      JSONMember("message", .string(finding.message)),
      JSONMember("remedy", .string(finding.commandRemedy)),
    ])
  }

  private static func json(_ dropped: DroppedKey) -> JSONValue {
    .object([JSONMember("key", .string(dropped.key)), JSONMember("reason", .string(dropped.reason))])
  }

  private static func json(_ field: Field.ID, _ decision: Decision?) -> JSONValue? {
    guard let decision else { return nil }
    var members = [
      JSONMember("field", .string(field)), JSONMember("decision", .string(SavedDecision(decision).rawValue)),
    ]
    if case .edit(let value) = decision { members.append(JSONMember("value", CodedValue.json(value))) }
    return .object(members)
  }

  private static func json(_ basis: SavedBasis) -> JSONValue {
    .object([
      JSONMember("store", .string(basis.place.file)), JSONMember("key", .string(basis.place.key)),
      JSONMember("value", basis.value?.json ?? .null),
    ])
  }
}

/// The word for a decision in a saved plan.
enum SavedDecision: String {
  case migrate, accept, skip, keep, edit, omit

  init(_ decision: Decision) {
    switch decision {
    case .migrate: self = .migrate
    case .accept: self = .accept
    case .skip: self = .skip
    case .keep: self = .keep
    case .edit: self = .edit
    case .omit: self = .omit
    }
  }
}

extension ContainerIdentity {
  fileprivate var json: JSONValue {
    .object([JSONMember("kind", .string(kind.rawValue)), JSONMember("bundleID", JSONValue(bundleID))])
  }
}

extension PlanRequest {
  fileprivate var json: JSONValue {
    let own = ownParameters.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
    return .object([
      JSONMember("container", .string(container)), JSONMember("bundleID", JSONValue(bundleID)),
      JSONMember("stateDirectory", JSONValue(stateDirectory)),
      JSONMember("writeKey", JSONValue(parameters[Self.writeKey])), JSONMember("parameters", .object(own)),
      JSONMember("targetSDK", JSONValue(targetSDK?.description)),
      JSONMember("allowed", JSONValue(allowed.map(\.rawValue).sorted())),
    ])
  }
}
