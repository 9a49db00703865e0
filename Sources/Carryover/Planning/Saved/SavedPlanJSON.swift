import CarryoverStorage
import CarryoverSystem
package import PropertyLists

extension SavedPlan {
  /// The schema of the documents that this version writes. A later one is refused; unknown members are allowed.
  package static let schema = "carryover.plan/1"

  /// A plan as the document `carryover.plan/1`: everything that `SavedPlans` reads. For people and other
  /// programs, also the findings with their sentences, the keys that are not migrated, and the source of each field.
  /// - Parameter others: additional members of the document.
  package static func json(
    _ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String, adding others: [JSONMember] = []
  ) -> JSONValue {
    let saved = SavedPlan(plan, request: request, decisions: decisions, tool: tool)
    let json = JSONValue.object([
      "schema": schema, "tool": saved.tool, "recipe": saved.recipe, "container": saved.container,
      "target": saved.target, "now": saved.now, "milliseconds": String(saved.now.millisecondsSince1970),
      "request": saved.request, "fields": zip(plan.fields, saved.fields).map { Self.json($0, $1) },
      "findings": plan.findings.map(Self.json),
      "dropped": plan.dropped.map { JSONValue.object(["key": $0.key, "reason": $0.reason]) },
      "decisions": saved.fields.compactMap { saved.decisions[$0.id]?.json($0.id) }, "basis": saved.basis,
    ])
    return json.adding(others)
  }

  private static func json(_ field: Field, _ saved: SavedField) -> JSONValue {
    let json = JSONValue.object([
      "id": saved.id,
      // The one that supplied the value first.
      "sources": ([field.origin?.source].compactMap(\.self) + field.sources).map(\.key).distinct(),
      "legacy": saved.legacy, "proposed": saved.proposed, "current": saved.current, "status": saved.status,
      "findings": field.findings.map(\.code),
    ])
    return json.adding(model(field))
  }

  private static func json(_ finding: Finding) -> JSONValue {
    .object([
      "code": finding.code, "severity": finding.severity, "field": finding.field, "message": finding.message,
      "remedy": finding.commandRemedy,
    ])
  }

  static func model(_ field: Field) -> [JSONMember] {
    guard let model = field.model else { return [] }
    let steps = field.steps.compactMap(json)
    let json = JSONValue.object([
      "name": model.name, "from": model.version, "to": steps.isEmpty ? model.version : model.newest,
      "newest": model.newest, "steps": steps,
    ])
    return [JSONMember("model", json)]
  }

  private static func json(_ step: TransformStep) -> JSONValue? {
    guard let from = step.version else { return nil }
    return .object([
      "from": from, "to": from < Int.max ? from + 1 : from, "title": step.operation ?? step.title,
      "changes": step.changes.map(json),
    ])
  }

  private static func json(_ change: ModelChange) -> JSONValue {
    .object([
      "change": change.kind, "path": change.path, "destination": change.destination, "before": value(change.before),
      "after": value(change.after),
    ])
  }

  /// A JSON value with its type, so that it can be masked. Objects and arrays are JSON text.
  private static func value(_ json: JSONValue?) -> JSONValue {
    guard let json else { return .null }
    let text: JSONValue
    switch json {
    case .string: text = json
    case .null: text = .null
    case .number(let number): text = .string(number.lexeme)
    case .boolean, .array, .object: text = .string(json.text())
    }
    return .object(["type": json.kind, "value": text])
  }
}

extension SavedPlans {
  package static let schema = "carryover.plans/1"

  /// A plan in its form for saving: `carryover.plan/1`, or `carryover.plans/1` for several recipes, which contains a
  /// document of the first form for each recipe.
  /// - Parameter others: additional members of a recipe's document.
  package static func json(
    _ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String,
    adding others: (Plan) -> [JSONMember] = { _ in [] }
  ) -> JSONValue {
    guard !plan.parts.isEmpty else {
      return SavedPlan.json(plan, request: request, decisions: decisions, tool: tool, adding: others(plan))
    }
    let documents = plan.parts.map { part in
      SavedPlan.json(plan.naming(part), request: request, decisions: decisions, tool: tool, adding: others(part))
    }
    return .object(["schema": schema, "tool": tool, "plans": documents])
  }

  /// The maximum size of a document, in bytes.
  package static let largest = 64 << 20

  /// Whether bytes are meant to be a saved plan of this or a later version: a JSON object with its schema, possibly
  /// truncated after the schema.
  package static func isSavedPlan(_ bytes: [UInt8]) -> Bool {
    guard bytes.first(where: { !$0.isSpace }) == UInt8(ascii: "{") else { return false }
    if let document = try? JSONText(bytes: bytes, limits: limits) {
      return document.value["schema"]?.stringValue.map { families.contains(where: $0.hasPrefix) } ?? false
    }
    let head = String(decoding: bytes.prefix(256), as: UTF8.self)
    return families.contains { head.contains("\"" + $0) }
  }

  /// Unknown members are ignored, so that later versions may add some.
  package init(json bytes: [UInt8], path: String) throws(SavedPlanError) {
    do throws(DocumentDamage) {
      try self.init(reading: bytes)
    } catch {
      throw .damaged(path: path, error)
    }
  }

  init(reading bytes: [UInt8]) throws(DocumentDamage) {
    let reader = try PlanReader(bytes, Self.limits) { $0 }
    try reader.require([SavedPlan.schema, Self.schema], Self.families)
    guard !reader.flag("redacted") else { throw .redacted }
    guard try reader.text("schema") == Self.schema else {
      self.init(first: try SavedPlan(reader))
      return
    }
    let plans = try reader.list("plans") { (item) throws(DocumentDamage) in try SavedPlan(item).withoutRecipe(item) }
    guard let first = plans.first, plans.count > 1, Set(plans.map(\.recipe.id)).count == plans.count else {
      throw reader.damage("plans")
    }
    for (place, other) in plans.enumerated() {
      let differing =
        other.container != first.container
        ? "container"
        : other.now != first.now ? "milliseconds" : other.request.isSame(as: first.request) ? nil : "request"
      if let differing { throw reader.damage("plans[\(place)].\(differing)") }
    }
    self.init(first: first, others: Array(plans.dropFirst()))
  }

  private static let families = ["carryover.plan/", "carryover.plans/"]
  private static let limits = JSONLimits(size: largest, values: 2_000_000)
}

extension SavedPlan {
  fileprivate init(_ reader: PlanReader) throws(DocumentDamage) {
    let container = try reader.object("container")
    let recipe = try reader.object("recipe")
    let fields = try reader.list("fields") { (item) throws(DocumentDamage) in
      SavedField(
        id: try item.text("id"), legacy: try item.value("legacy"), proposed: try item.value("proposed"),
        current: try item.value("current"), status: try item.parsed("status", FieldStatus.init))
    }
    let ids = Set(bytesOf: fields.map(\.id))
    guard ids.count == fields.count else { throw reader.damage("fields") }
    var decisions: Decisions = [:]
    for item in try reader.list("decisions", { (item) throws(DocumentDamage) in item }) {
      let decision = try item.decision()
      let field = try item.text("field")
      guard ids.contains(field), decisions.add(decision, for: field) else { throw item.damage("field") }
    }
    self.init(
      tool: try reader.text("tool"),
      recipe: RecipeReference(
        id: try recipe.text("id"), version: try recipe.number("version"),
        title: try recipe.optional("title") ?? "", digest: try recipe.optional("sha256")),
      container: ContainerIdentity(
        kind: try container.parsed("kind", ContainerKind.init),
        bundleID: try container.optional("bundleID", Container.isValidBundleID)),
      target: try reader.optional("target"), now: try reader.moment(),
      request: try PlanRequest(try reader.object("request")), fields: fields,
      basis: try reader.list("basis") { (item) throws(DocumentDamage) in
        SavedBasis(
          place: KeyPlace(file: try item.text("store"), key: try item.text("key")), value: try item.value("value"))
      },
      decisions: decisions)
  }

  /// The same plan with target keys as field names; a document of several plans has `RECIPE/FIELD`.
  fileprivate func withoutRecipe(_ reader: PlanReader) throws(DocumentDamage) -> SavedPlan {
    let prefix = FieldOwner.name("", of: recipe.id)
    var plan = self
    for index in plan.fields.indices {
      guard plan.fields[index].id.beginsWithBytes(of: prefix) else { throw reader.damage("fields[\(index)].id") }
      plan.fields[index].id = Self.key(plan.fields[index].id, prefix)
    }
    plan.decisions = [:]
    for (field, decision) in decisions { plan.decisions[Self.key(field, prefix)] = decision }
    return plan
  }

  private static func key(_ field: Field.ID, _ prefix: String) -> String {
    String(decoding: field.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

extension Plan {
  fileprivate func naming(_ part: Plan) -> Plan {
    var part = part
    part.fields = fields.filter { $0.owner?.recipe == part.recipe.id }
    return part
  }
}

extension ContainerIdentity: JSONConvertible {
  package var json: JSONValue { .object(["kind": kind, "bundleID": bundleID]) }
}

extension SavedBasis: JSONConvertible {
  package var json: JSONValue { .object(["store": place.file, "key": place.key, "value": value]) }
}

extension PlanRequest: JSONConvertible {
  package var json: JSONValue {
    let own = ownParameters.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.json) }
    return .object([
      "container": container, "bundleID": bundleID, "stateDirectory": stateDirectory,
      "writeKey": parameters[RecipeParameter.writeKey.name], "parameters": JSONValue.object(own),
      "targetSDK": targetSDK?.description, "allowed": allowed.map(\.rawValue).sorted(),
    ])
  }

  fileprivate init(_ reader: PlanReader) throws(DocumentDamage) {
    guard let container = try reader.path("container") else { throw reader.damage("container") }
    let writeKey = RecipeParameter.writeKey
    var parameters = try reader.names("parameters", Container.isValidParameter)
    guard parameters[writeKey.name] == nil else { throw reader.damage("parameters") }
    parameters[writeKey.name] = try reader.optional("writeKey", writeKey.accepts)
    self.init(
      container: container, bundleID: try reader.optional("bundleID", Container.isValidBundleID),
      stateDirectory: try reader.path("stateDirectory"), parameters: parameters,
      targetSDK: try reader.optional("targetSDK") { SDKVersion($0) != nil }.flatMap(SDKVersion.init),
      allowed: try reader.codes("allowed"))
  }
}

typealias PlanReader = JSONReader<DocumentDamage>

extension PlanReader {
  /// Texts that are valid as names, by member. Other values are ignored; there are none if the object is missing.
  func names(_ member: String, _ isValid: (String) -> Bool) throws(DocumentDamage) -> [String: String] {
    guard root[member] != nil else { return [:] }
    guard let members = root[member]?.members else { throw damage(member) }
    var names: [String: String] = [:]
    for entry in members {
      guard let name = entry.value.stringValue else { continue }
      guard isValid(name), names.updateValue(name, forKey: entry.name) == nil else { throw damage(member) }
    }
    return names
  }

  func path(_ member: String) throws(DocumentDamage) -> String? {
    try optional(member) { !$0.isEmpty && !$0.utf8.contains(0) }
  }

  func codes(_ member: String) throws(DocumentDamage) -> Set<FindingCode> {
    var codes: Set<FindingCode> = []
    for (place, text) in try texts(member).enumerated() {
      guard let code = FindingCode.general.first(where: { $0.rawValue == text }) else {
        throw damage("\(member)[\(place)]")
      }
      codes.insert(code)
    }
    return codes
  }

  func decision() throws(DocumentDamage) -> Decision {
    let word = try text("decision")
    let value = root["value"].flatMap(CodedValue.value)
    guard let decision = Decision(word: word, value: value) else { throw damage(word == "edit" ? "value" : "decision") }
    return decision
  }
}
