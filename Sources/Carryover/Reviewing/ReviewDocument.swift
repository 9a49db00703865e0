import CarryoverSystem
import PropertyLists

/// The content of the file with saved decisions: those of each recipe and target, newest first.
struct ReviewDocument: Hashable {
  /// The version of the tool that wrote it.
  var tool: String
  /// Increases with every write, so that the later of two documents is known without a clock.
  var number: Int
  var reviews: [SavedReview]

  /// The schema of the documents that this version writes. A later one is refused; unknown members are allowed.
  static let schema = "carryover.review/1"
  private static let family = "carryover.review/"

  /// The maximum size of a document, in bytes.
  static let largest = 16 << 20
  /// The maximum number of recipes and targets with saved decisions.
  static let mostReviews = 16

  private static let limits = JSONLimits(size: largest, values: 2_000_000)

  init(tool: String, number: Int, reviews: [SavedReview]) {
    self.tool = tool
    self.number = number
    self.reviews = reviews
  }

  var json: JSONValue {
    .object([
      JSONMember("schema", .string(Self.schema)), JSONMember("tool", .string(tool)),
      JSONMember("number", JSONValue(number)), JSONMember("reviews", .array(reviews.map(Self.json))),
    ])
  }

  private static func json(_ review: SavedReview) -> JSONValue {
    .object([
      JSONMember(
        "recipe",
        .object([
          JSONMember("id", .string(review.recipe)), JSONMember("version", JSONValue(review.recipeVersion)),
        ])),
      JSONMember("target", JSONValue(review.target)),
      JSONMember("kept", .string(review.moment.text)),
      JSONMember("milliseconds", .string(String(review.moment.millisecondsSince1970))),
      JSONMember("decisions", .array(review.decisions.map(json))),
    ])
  }

  private static func json(_ kept: KeptDecision) -> JSONValue {
    var members = [
      JSONMember("field", .string(kept.field)),
      JSONMember("decision", .string(SavedDecision(kept.decision).rawValue)),
    ]
    if case .edit(let value) = kept.decision { members.append(JSONMember("value", CodedValue.json(value))) }
    members.append(JSONMember("basis", .string(kept.basis.text)))
    return .object(members)
  }

  /// A document, and its JSON for verifying the seal.
  static func read(_ bytes: [UInt8]) throws(PlanDamage) -> (document: ReviewDocument, json: JSONValue) {
    guard bytes.count <= Self.largest else { throw .tooLong(limit: Self.largest) }
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONText(bytes: bytes, limits: Self.limits).value
    } catch {
      throw .notJSON(error)
    }
    let schema = root["schema"]?.stringValue
    guard schema == Self.schema else {
      if let schema, schema.hasPrefix(Self.family) { throw .laterSchema(schema) }
      throw .otherForm(schema)
    }
    let reader = PlanReader(root)
    let number = try reader.number("number")
    // Later writes increment this number.
    guard number < 1 << 53 else { throw reader.damage("number") }
    let document = ReviewDocument(
      tool: try reader.text("tool"), number: number,
      reviews: try reader.list("reviews") { (item) throws(PlanDamage) in try SavedReview(item) })
    return (document, root)
  }
}

extension SavedReview {
  fileprivate init(_ reader: PlanReader) throws(PlanDamage) {
    let recipe = try reader.object("recipe")
    guard let milliseconds = Int64(try reader.text("milliseconds")) else { throw reader.damage("milliseconds") }
    let decisions = try reader.list("decisions") { (item) throws(PlanDamage) in try KeptDecision(item) }
    guard Set(bytesOf: decisions.map(\.field)).count == decisions.count else { throw reader.damage("decisions") }
    self.init(
      recipe: try recipe.text("id"), recipeVersion: try recipe.number("version"),
      target: try reader.optionalText("target"), moment: Moment(millisecondsSince1970: milliseconds),
      decisions: decisions)
  }
}

extension KeptDecision {
  fileprivate init(_ reader: PlanReader) throws(PlanDamage) {
    guard let basis = FieldBasis(try reader.text("basis")) else { throw reader.damage("basis") }
    self.init(field: try reader.text("field"), decision: try reader.decision(), basis: basis)
  }
}
