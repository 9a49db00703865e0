import CarryoverStorage
package import CarryoverSystem
package import PropertyLists

/// A plan that was saved for a later apply: the request, the values that it depends on, the proposals and the
/// decisions.
///
/// To apply it, the plan is computed again from the current container and must equal the saved one (see `plan(_:by:)`
/// and `check(_:in:decisions:)`). Only the decisions are used directly, so nothing else in the file is ever written.
package struct SavedPlan: Hashable, Sendable {
  /// The version of the tool that made it.
  package var tool: String
  /// The plan's recipe.
  package var recipe: RecipeReference
  /// The container of the plan.
  package var container: ContainerIdentity
  /// The target file, relative to the container's root; nil if its name was unknown.
  package var target: String?
  /// The moment of the plan.
  package var now: Moment
  /// The request.
  package var request: PlanRequest
  /// The rows, in the recipe's order.
  package var fields: [SavedField]
  /// Every value that the plan depends on.
  package var basis: [SavedBasis]
  /// The decisions so far.
  package var decisions: Decisions

  /// A saved plan from its parts.
  package init(
    tool: String, recipe: RecipeReference, container: ContainerIdentity, target: String?, now: Moment,
    request: PlanRequest, fields: [SavedField], basis: [SavedBasis], decisions: Decisions
  ) {
    self.tool = tool
    self.recipe = recipe
    self.container = container
    self.target = target
    self.now = now
    self.request = request
    self.fields = fields
    self.basis = basis
    self.decisions = decisions
  }

  /// A plan in its form for saving.
  /// - Parameters:
  ///   - request: the request with the plan's own options.
  ///   - tool: the version of the tool that saves it.
  package init(_ plan: Plan, request: PlanRequest, decisions: Decisions = [:], tool: String) {
    var request = request
    request.parameters.merge(plan.definition.values) { _, own in own }
    let secrets = Set(bytesOf: plan.dropped.filter(\.secret).map(\.key))
    self.init(
      tool: tool, recipe: plan.recipe,
      container: ContainerIdentity(kind: plan.container.kind, bundleID: plan.container.bundleID),
      target: plan.target?.path, now: plan.now, request: request, fields: plan.fields.map(SavedField.init),
      basis: plan.basis.map { entry in
        SavedBasis(
          place: KeyPlace(file: entry.store, key: entry.key),
          value: entry.value.map { SavedValue($0, secret: secrets.contains(entry.key)) })
      },
      decisions: decisions.filter { plan.field($0.key) != nil })
  }
}

/// The identity of a container, regardless of its place.
package struct ContainerIdentity: Hashable, Sendable {
  /// The form of the container.
  package var kind: ContainerKind
  /// The app's bundle identifier; nil if it is unknown.
  package var bundleID: String?

  /// An identity from its parts.
  package init(kind: ContainerKind, bundleID: String?) {
    self.kind = kind
    self.bundleID = bundleID
  }
}

/// The request for a plan: the container's path, and the options.
///
/// The target is always the recipe's; `PlannerOptions.targetPath` is not saved.
package struct PlanRequest: Hashable, Sendable {
  /// The container's path on the machine of the plan, absolute if possible.
  package var container: String
  /// The bundle identifier, if the caller gave it.
  package var bundleID: String?
  /// The state folder's path, if the caller gave it.
  package var stateDirectory: String?
  /// The values of the recipe's parameters and the write key, given or found.
  package var parameters: [String: String]
  /// The version of the new SDK; nil for the current version.
  package var targetSDK: SDKVersion?
  /// The codes of the blocking findings that were allowed.
  package var allowed: Set<FindingCode>

  /// The parameter that has a member of its own in the format.
  package static let writeKey = "write-key"

  /// The values of the recipe's own parameters.
  package var ownParameters: [String: String] { parameters.filter { $0.key != Self.writeKey } }

  /// A request from its parts.
  package init(
    container: String, bundleID: String? = nil, stateDirectory: String? = nil,
    parameters: [String: String] = [:],
    targetSDK: SDKVersion? = nil, allowed: Set<FindingCode> = []
  ) {
    self.container = container
    self.bundleID = bundleID
    self.stateDirectory = stateDirectory
    self.parameters = parameters
    self.targetSDK = targetSDK
    self.allowed = allowed
  }

  /// The request for an opened container.
  /// - Parameter hasOwnStateDirectory: whether the caller chose the state folder.
  package init(_ container: Container, options: PlannerOptions, hasOwnStateDirectory: Bool = false) {
    // The root of a single property list is its folder.
    let isFile = container.kind == .propertyList
    let folder = container.root.hasSuffix("/") ? container.root : container.root + "/"
    self.init(
      container: isFile ? folder + container.name : container.root,
      bundleID: container.bundleIDOrigin == .option ? container.bundleID : nil,
      stateDirectory: hasOwnStateDirectory ? container.stateDirectory : nil,
      parameters: options.parameters, targetSDK: options.targetSDK, allowed: options.allowed)
  }
}

extension PlanRequest {
  /// Whether another part of the same file can have this request: the parameters are those of its recipe.
  func isSame(as other: PlanRequest) -> Bool {
    var same = other
    same.parameters = parameters
    return self == same && parameters[Self.writeKey] == other.parameters[Self.writeKey]
  }
}

/// A field of a saved plan, which the new plan must have too.
package struct SavedField: Identifiable, Hashable, Sendable {
  /// The target key.
  @StringByBytes package var id: Field.ID
  /// The legacy value; nil if there was none.
  package var legacy: SavedValue?
  /// The proposal.
  package var proposed: SavedValue?
  /// The target's value.
  package var current: SavedValue?
  /// The status.
  package var status: FieldStatus

  /// A row from its parts.
  package init(
    id: Field.ID, legacy: SavedValue?, proposed: SavedValue?, current: SavedValue?, status: FieldStatus
  ) {
    self.id = id
    self.legacy = legacy
    self.proposed = proposed
    self.current = current
    self.status = status
  }

  /// A field in its form for saving.
  package init(_ field: Field) {
    self.init(
      id: field.id, legacy: SavedValue(whole: field.legacy, text: field.legacyText),
      proposed: SavedValue(whole: field.proposed), current: SavedValue(whole: field.current), status: field.status)
  }
}

/// A value that a saved plan depends on.
package struct SavedBasis: Hashable, Sendable {
  /// The store and the key.
  package var place: KeyPlace
  /// The value; nil if the key or the store was missing.
  package var value: SavedValue?

  /// A value from its parts.
  package init(place: KeyPlace, value: SavedValue?) {
    self.place = place
    self.value = value
  }
}

extension SavedPlan {
  /// The model in a field, with the effect of each step on its data; empty for other fields.
  static func model(_ field: Field) -> [JSONMember] {
    guard let model = field.model else { return [] }
    let steps = field.steps.compactMap(json)
    let version = model.version.map { JSONValue($0) } ?? .null
    return [
      JSONMember(
        "model",
        .object([
          JSONMember("name", .string(model.name)), JSONMember("from", version),
          JSONMember("to", steps.isEmpty ? version : JSONValue(model.newest)),
          JSONMember("newest", JSONValue(model.newest)), JSONMember("steps", .array(steps)),
        ]))
    ]
  }

  private static func json(_ step: TransformStep) -> JSONValue? {
    guard let from = step.version else { return nil }
    return .object([
      JSONMember("from", JSONValue(from)), JSONMember("to", JSONValue(from < Int.max ? from + 1 : from)),
      JSONMember("title", .string(step.operation ?? step.title)), JSONMember("changes", .array(step.changes.map(json))),
    ])
  }

  private static func json(_ change: ModelChange) -> JSONValue {
    .object([
      JSONMember("change", .string(change.kind.rawValue)), JSONMember("path", JSONValue(change.path)),
      JSONMember("destination", change.destination.map { JSONValue($0) } ?? .null),
      JSONMember("before", value(change.before)), JSONMember("after", value(change.after)),
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
    return ["type": .string(json.kind.rawValue), "value": text]
  }
}

extension SavedPlan {
  /// The maximum size of a document, in bytes.
  package static let largest = 64 << 20

  /// Whether bytes are meant to be a saved plan of this or a later version: a JSON object with its schema, possibly
  /// truncated after the schema.
  package static func isSavedPlan(_ bytes: [UInt8]) -> Bool {
    guard bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else { return false }
    if let document = try? JSONText(bytes: bytes, limits: limits) {
      return document.value["schema"]?.stringValue.map(isKnown) ?? false
    }
    let head = String(decoding: bytes.prefix(256), as: UTF8.self)
    return families.contains { head.contains("\"" + $0) }
  }

  /// Reads a document. Unknown members are ignored, so that later versions may add some.
  /// - Parameter path: the path of the document, for the error.
  /// - Throws: `damaged` if the document is not a saved plan, or has a later schema.
  package init(json bytes: [UInt8], path: String) throws(SavedPlanError) {
    do throws(PlanDamage) {
      try self.init(reading: bytes)
    } catch {
      throw .damaged(path: path, error)
    }
  }

  init(reading bytes: [UInt8]) throws(PlanDamage) {
    let root = try Self.root(of: bytes)
    let schema = root["schema"]?.stringValue
    guard schema == Self.schema else {
      if let schema, Self.isKnown(schema) { throw .laterSchema(schema) }
      throw .otherForm(schema)
    }
    guard root["redacted"]?.booleanValue != true else { throw .redacted }
    try self.init(PlanReader(root))
  }

  /// The JSON value in a file's bytes.
  static func root(of bytes: [UInt8]) throws(PlanDamage) -> JSONValue {
    guard bytes.count <= largest else { throw .tooLong(limit: largest) }
    do throws(JSONError) {
      return try JSONText(bytes: bytes, limits: limits).value
    } catch {
      throw .notJSON(error)
    }
  }

  init(_ reader: PlanReader) throws(PlanDamage) {
    let container = try reader.object("container")
    let recipe = try reader.object("recipe")
    guard let milliseconds = Int64(try reader.text("milliseconds")) else { throw .member("milliseconds") }
    let fields = try reader.list("fields") { (item) throws(PlanDamage) in try SavedField(item) }
    let ids = Set(bytesOf: fields.map(\.id))
    guard ids.count == fields.count else { throw .member("fields") }
    self.init(
      tool: try reader.text("tool"),
      recipe: RecipeReference(
        id: try recipe.text("id"), version: try recipe.number("version"),
        title: try recipe.optionalText("title") ?? "", digest: try recipe.optionalText("sha256")),
      container: ContainerIdentity(
        kind: try container.word("kind"), bundleID: try container.name("bundleID", Container.isValidBundleID)),
      target: try reader.optionalText("target"), now: Moment(millisecondsSince1970: milliseconds),
      request: try PlanRequest(try reader.object("request")), fields: fields,
      basis: try reader.list("basis") { (item) throws(PlanDamage) in
        SavedBasis(
          place: KeyPlace(file: try item.text("store"), key: try item.text("key")), value: try item.value("value"))
      },
      decisions: try Self.decisions(reader, fields: ids))
  }

  private static func decisions(_ reader: PlanReader, fields: Set<StringByBytes>) throws(PlanDamage) -> Decisions {
    var decisions: Decisions = [:]
    let items = try reader.list("decisions") { (item) throws(PlanDamage) in item }
    for item in items {
      let decision = try item.decision()
      let field = try item.text("field")
      guard fields.contains(field), decisions.add(decision, for: field) else {
        throw .member("decisions.field")
      }
    }
    return decisions
  }

  /// Whether a schema belongs to one or several saved plans, in any version.
  static func isKnown(_ schema: String) -> Bool { families.contains { schema.hasPrefix($0) } }

  private static let families = ["carryover.plan/", "carryover.plans/"]
  private static let limits = JSONLimits(size: largest, values: 2_000_000)
}

extension SavedField {
  fileprivate init(_ reader: PlanReader) throws(PlanDamage) {
    self.init(
      id: try reader.text("id"), legacy: try reader.value("legacy"), proposed: try reader.value("proposed"),
      current: try reader.value("current"), status: try reader.word("status"))
  }
}

extension PlanRequest {
  fileprivate init(_ reader: PlanReader) throws(PlanDamage) {
    var targetSDK: SDKVersion?
    if let text = try reader.optionalText("targetSDK") {
      targetSDK = SDKVersion(text)
      guard targetSDK != nil else { throw reader.damage("targetSDK") }
    }
    guard let container = try reader.path("container") else { throw reader.damage("container") }
    var parameters = try reader.names("parameters", Container.isValidParameter)
    guard parameters[Self.writeKey] == nil else { throw reader.damage("parameters") }
    parameters[Self.writeKey] = try reader.name("writeKey", Container.isValidParameter)
    self.init(
      container: container, bundleID: try reader.name("bundleID", Container.isValidBundleID),
      stateDirectory: try reader.path("stateDirectory"),
      parameters: parameters, targetSDK: targetSDK,
      allowed: try reader.codes("allowed"))
  }
}
