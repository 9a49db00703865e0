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

/// Reads an object of a saved plan. An error names the member that is not valid.
struct PlanReader {
  private let object: JSONValue
  /// The members that lead to the object, each followed by a dot.
  private let prefix: String

  init(_ object: JSONValue, prefix: String = "") {
    self.object = object
    self.prefix = prefix
  }

  func damage(_ member: String) -> PlanDamage { .member(prefix + member) }

  func object(_ member: String) throws(PlanDamage) -> PlanReader {
    guard let value = object[member], case .object = value else { throw damage(member) }
    return PlanReader(value, prefix: prefix + member + ".")
  }

  func list<Item>(
    _ member: String, _ body: (PlanReader) throws(PlanDamage) -> Item
  ) throws(PlanDamage) -> [Item] {
    guard let elements = object[member]?.elements else { throw damage(member) }
    var items: [Item] = []
    items.reserveCapacity(elements.count)
    for element in elements { items.append(try body(PlanReader(element, prefix: prefix + member + "."))) }
    return items
  }

  func text(_ member: String) throws(PlanDamage) -> String {
    guard let text = object[member]?.stringValue else { throw damage(member) }
    return text
  }

  /// Text; nil if the member is null or missing.
  func optionalText(_ member: String) throws(PlanDamage) -> String? {
    guard let value = object[member], value != .null else { return nil }
    return try text(member)
  }

  /// Text that is valid as a name; nil if there is none.
  func name(_ member: String, _ isValid: (String) -> Bool) throws(PlanDamage) -> String? {
    guard let name = try optionalText(member) else { return nil }
    guard isValid(name) else { throw damage(member) }
    return name
  }

  /// Texts that are valid as names, by member. Other values are ignored; there are none if the object is missing.
  func names(_ member: String, _ isValid: (String) -> Bool) throws(PlanDamage) -> [String: String] {
    guard object[member] != nil else { return [:] }
    guard let members = object[member]?.members else { throw damage(member) }
    var names: [String: String] = [:]
    for entry in members {
      guard let name = entry.value.stringValue else { continue }
      guard isValid(name), names.updateValue(name, forKey: entry.name) == nil else { throw damage(member) }
    }
    return names
  }

  func path(_ member: String) throws(PlanDamage) -> String? {
    try name(member) { !$0.isEmpty && !$0.utf8.contains(0) }
  }

  func number(_ member: String) throws(PlanDamage) -> Int {
    guard let number = object[member]?.numberValue.flatMap({ Int($0.lexeme) }), number >= 0 else {
      throw damage(member)
    }
    return number
  }

  func word<Word: RawRepresentable>(_ member: String) throws(PlanDamage) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: try text(member)) else { throw damage(member) }
    return word
  }

  func codes(_ member: String) throws(PlanDamage) -> Set<FindingCode> {
    guard let elements = object[member]?.elements else { throw damage(member) }
    let codes = elements.compactMap { element in FindingCode.general.first { $0.rawValue == element.stringValue } }
    guard codes.count == elements.count else { throw damage(member) }
    return Set(codes)
  }

  /// A value; nil for null.
  func value(_ member: String) throws(PlanDamage) -> SavedValue? {
    guard let json = object[member] else { throw damage(member) }
    guard json != .null else { return nil }
    guard let value = SavedValue(json: json) else { throw damage(member) }
    return value
  }

  func editedValue(_ member: String) throws(PlanDamage) -> PropertyListValue {
    guard let value = object[member].flatMap(CodedValue.value) else { throw damage(member) }
    return value
  }

  func decision() throws(PlanDamage) -> Decision {
    switch try word("decision") as SavedDecision {
    case .migrate: .migrate
    case .accept: .accept
    case .skip: .skip
    case .keep: .keep
    case .edit: .edit(try editedValue("value"))
    case .omit: .omit
    }
  }
}
