import CarryoverSystem
import PropertyLists

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
