package import CarryoverSystem
import PropertyLists

/// The unapplied decisions of a review, saved for the next review of the same container.
///
/// They are only suggestions. Each is saved with its basis, and suggested only for a field that has not changed since.
package struct SavedReview: Hashable, Sendable {
  package var recipe: String
  package var recipeVersion: Int
  package var target: String?
  package var moment: Moment
  package var decisions: [KeptDecision]

  package init(recipe: String, recipeVersion: Int, target: String?, moment: Moment, decisions: [KeptDecision]) {
    self.recipe = recipe
    self.recipeVersion = recipeVersion
    self.target = target
    self.moment = moment
    self.decisions = decisions
  }

  /// - Parameter plan: the plan of one recipe.
  package init(of plan: Plan, decisions: [KeptDecision], at moment: Moment) {
    self.init(
      recipe: plan.recipe.id, recipeVersion: plan.recipe.version, target: plan.target?.path, moment: moment,
      decisions: decisions)
  }

  /// - Parameter plan: the plan of one recipe.
  package func fit(_ plan: Plan) -> (decisions: Decisions, misfits: [Field.ID]) {
    guard recipe == plan.recipe.id, recipeVersion == plan.recipe.version else {
      return ([:], decisions.map(\.field))
    }
    let fields = Dictionary(firstOf: plan.fields.map { ($0.id, $0) })
    var fitting: Decisions = [:]
    var misfits: [Field.ID] = []
    for kept in decisions {
      if let field = fields[kept.field], kept.fits(field) {
        fitting[kept.field] = kept.decision
      } else {
        misfits.append(kept.field)
      }
    }
    return (fitting, misfits)
  }
}

package struct KeptDecision: Hashable, Sendable {
  package var field: Field.ID
  package var decision: Decision
  package var basis: FieldBasis

  package init(field: Field.ID, decision: Decision, basis: FieldBasis) {
    self.field = field
    self.decision = decision
    self.basis = basis
  }

  fileprivate func fits(_ field: Field) -> Bool { decision.suits(field) && basis == FieldBasis(field) }
}

extension Decision {
  /// A value that the target's reader would not accept never applies.
  fileprivate func suits(_ field: Field) -> Bool {
    if case .edit(let value) = self { field.form.mismatch(value) == nil } else { true }
  }
}

extension RunSummary {
  /// The decisions of a rolled-back run for a later plan: those about the same values, and the fields of the others. A
  /// field that the run wrote without a decision counts as accepted if it needs one now.
  package func decisions(for plan: Plan) -> (decisions: Decisions, misfits: [Field.ID]) {
    var fitting: Decisions = [:]
    var misfits: [Field.ID] = []
    for past in fields {
      guard let field = plan.field(past.name), field.status != .unchanged else { continue }
      let word = past.decision ?? (past.outcome == .migrated && field.status.asks ? Decision.migrate.word : nil)
      guard let decision = word.flatMap({ Decision(word: $0, value: past.after) }) else { continue }
      if decision.suits(field), field.has(past.legacy, past.proposed) {
        fitting[field.id] = decision
      } else {
        misfits.append(field.id)
      }
    }
    return (fitting, misfits)
  }
}

extension Field {
  fileprivate func has(_ legacy: SavedValue?, _ proposed: SavedValue?) -> Bool {
    legacy == self.legacy.map { SavedValue($0) } && proposed == self.proposed.map { SavedValue($0) }
  }
}

/// A checksum of a field's legacy value, proposal, current value, status and finding codes, on which a decision
/// depends. Fields with the same basis need the same decision.
///
/// The checksum allows a review's decisions to be saved without copies of the values.
package struct FieldBasis: Hashable, Sendable {
  let text: String

  package init(_ field: Field) { text = SHA256.hexDigest(Self.parts(field)) }

  init?(_ text: String) {
    guard SHA256.isHexDigest(text) else { return nil }
    self.text = text
  }

  /// Each part follows its length, so that different lists of parts never give the same bytes.
  private static func parts(_ field: Field) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ text: String) {
      withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { bytes += $0 }
      bytes += text.utf8
    }
    func add(_ value: PropertyListValue?) {
      switch value {
      case nil, .null: add("none")
      case .string(let text):
        // Without JSON, because a store may contain a text of many megabytes.
        add("string")
        add(text)
      case .some(let value): add(CodedValue.json(value).text())
      }
    }
    add(field.id)
    add(field.legacy)
    add(field.legacyText ?? "")
    add(field.proposed)
    add(field.current)
    add(field.status.rawValue)
    for finding in field.findings { add(finding.code.rawValue) }
    return bytes
  }
}

package enum SavedReviewError: Error, Hashable, Sendable, CustomStringConvertible {
  case damaged(path: String, DocumentDamage)
  case occupied(path: String, FileKind)
  case wrapped(ContainerWrapper)
  case live
  case tooLong(limit: Int)
  case stateKey(StateKeyError)
  case file(FileSystemError)

  package var description: String {
    switch self {
    case .damaged(let path, .laterSchema(let schema)):
      "\(DisplayText.quoted(path)) is from a later version of Carryover (\(DisplayText.harmless(ValueWording.cut(schema)))). "
        + "It is not changed."
    case .damaged(let path, let damage):
      "\(DisplayText.quoted(path)) contains no valid decisions: "
        + "\(damage.phrase(schema: ReviewDocument.schema)). It is not changed until there are new decisions to save."
    case .occupied(let path, let kind): "\(DisplayText.quoted(path)) is \(kind.inPlaceOfFolder). It is not changed."
    case .wrapped(let wrapper):
      "The container is in \(wrapper.form == .archive ? "a read-only archive" : "a read-only backup"). To save decisions, "
        + "name a folder with --state-dir."
    case .live: "The container is live. Nothing is written into it without --live."
    case .tooLong(let limit): "The decisions are longer than \(limit) bytes."
    case .stateKey(let error): error.description
    case .file(let error): error.description
    }
  }
}

/// The content of the file with saved decisions: those of each recipe and target, newest first.
struct ReviewDocument: Hashable {
  var tool: String
  /// Increases with every write, so that the later of two documents is known without a clock.
  var number: Int
  var reviews: [SavedReview]

  /// The schema of the documents that this version writes. A later one is refused; unknown members are allowed.
  static let schema = "carryover.review/1"
  private static let family = "carryover.review/"

  static let largest = 16 << 20
  static let mostReviews = 16

  private static let limits = JSONLimits(size: largest, values: 2_000_000)

  var json: JSONValue {
    .object(["schema": Self.schema, "tool": tool, "number": number, "reviews": reviews.map(Self.json)])
  }

  private static func json(_ review: SavedReview) -> JSONValue {
    .object([
      "recipe": JSONValue.object(["id": review.recipe, "version": review.recipeVersion]), "target": review.target,
      "kept": review.moment, "milliseconds": String(review.moment.millisecondsSince1970),
      "decisions": review.decisions.map { $0.decision.json($0.field, basis: $0.basis.text) },
    ])
  }

  static func read(_ bytes: [UInt8]) throws(DocumentDamage) -> (document: ReviewDocument, json: JSONValue) {
    let reader = try PlanReader(bytes, Self.limits) { $0 }
    try reader.require([Self.schema], [Self.family])
    let number = try reader.number("number")
    // Later writes increment this number.
    guard number < 1 << 53 else { throw reader.damage("number") }
    let document = ReviewDocument(
      tool: try reader.text("tool"), number: number,
      reviews: try reader.list("reviews") { (item) throws(DocumentDamage) in try SavedReview(item) })
    return (document, reader.root)
  }
}

extension SavedReview {
  fileprivate init(_ reader: PlanReader) throws(DocumentDamage) {
    let recipe = try reader.object("recipe")
    let decisions = try reader.list("decisions") { (item) throws(DocumentDamage) in try KeptDecision(item) }
    guard Set(bytesOf: decisions.map(\.field)).count == decisions.count else { throw reader.damage("decisions") }
    self.init(
      recipe: try recipe.text("id"), recipeVersion: try recipe.number("version"),
      target: try reader.optional("target"), moment: try reader.moment(), decisions: decisions)
  }
}

extension KeptDecision {
  fileprivate init(_ reader: PlanReader) throws(DocumentDamage) {
    self.init(
      field: try reader.text("field"), decision: try reader.decision(),
      basis: try reader.parsed("basis") { FieldBasis($0) })
  }
}
