import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// What two recipes make of one container.
struct ResultDiff {
  /// The container, as it was given.
  let path: String
  /// The number of fields of either recipe.
  let count: Int
  /// The fields with a different result; nil for the result of a recipe that does not have the field.
  let fields: [(name: String, old: FieldResult?, new: FieldResult?)]
  /// The file that each recipe would write, if they differ.
  let targets: (old: String?, new: String?)?
  /// The codes of the findings about the container that only one plan has.
  let findings: (old: [String], new: [String])

  init(path: String, old: Plan, new: Plan) {
    self.path = path
    func results(_ plan: Plan) -> [StringByBytes: FieldResult] {
      Dictionary(firstOf: plan.fields.map { ($0.id, FieldResult($0)) })
    }
    let (before, after) = (results(old), results(new))
    let names = old.fields.map(\.id) + new.fields.map(\.id).filter { before[$0] == nil }
    count = names.count
    fields = names.filter { before[$0] != after[$0] }.map { ($0, before[$0], after[$0]) }
    targets = old.target?.path == new.target?.path ? nil : (old.target?.path, new.target?.path)
    func codes(_ plan: Plan) -> Set<String> { Set(plan.containerFindings.map(\.code.rawValue)) }
    findings = (codes(old).subtracting(codes(new)).sorted(), codes(new).subtracting(codes(old)).sorted())
  }

  var isEmpty: Bool { fields.isEmpty && targets == nil && findings.old.isEmpty && findings.new.isEmpty }
}

/// What `recipe diff` prints.
struct RecipeDiffOutput {
  let old: RecipeReference
  let new: RecipeReference
  let rules: RecipeDiff
  let results: [ResultDiff]

  /// Whether nothing differs.
  var isEmpty: Bool { rules.isEmpty && results.allSatisfy(\.isEmpty) }

  func write(to page: inout TextPage) {
    for change in rules.changes { write(change, to: &page) }
    page.blank()
    page.add(summary)
    for result in results { write(result, to: &page) }
    guard results.count > 1 else { return }
    page.blank()
    page.add("Containers with a different result: \(results.count { !$0.isEmpty }) of \(results.count).")
  }

  private var summary: String {
    if rules.hasOtherDifference {
      return "The recipes differ in the order of their rules, or in a detail that this comparison does not show."
    }
    guard !rules.isEmpty else { return "No rule differs." }
    func counts(_ inFields: Bool) -> String {
      RecipeDiff.Change.Kind.allCases.map { "\(rules.count($0, inFields: inFields)) \($0.rawValue)" }
        .joined(separator: ", ")
    }
    return "Fields: \(counts(true)). Keys that are not migrated: \(counts(false))."
  }

  private func write(_ change: RecipeDiff.Change, to page: inout TextPage) {
    page.blank()
    page.add("\(change.part.words): \(change.kind.rawValue)")
    for rule in change.rules {
      page.add(rule.kind.rawValue, .muted, indent: 2)
      for line in rule.lines { page.add(line.side.sign + line.text, line.side.role, indent: 4, hanging: 6) }
    }
  }

  private func write(_ result: ResultDiff, to page: inout TextPage) {
    page.blank()
    page.add("\(result.path): fields with a different result: \(result.fields.count) of \(result.count).")
    let ink = page.ink
    if let targets = result.targets { write("target", targets.old ?? "none", targets.new ?? "none", to: &page) }
    for code in result.findings.old { page.add("- finding \(code)", .error, indent: 2) }
    for code in result.findings.new { page.add("+ finding \(code)", .ready, indent: 2) }
    for field in result.fields {
      page.add([Span(ink.name(field.name))], indent: 2)
      for (result, side) in [(field.old, RecipeDiff.Line.Side.old), (field.new, .new)] {
        let words = result?.words(ink, columns: page.paper.columns) ?? "no such field"
        page.add([Span(side.sign + words, side.role)], indent: 4, hanging: 6)
      }
    }
  }

  private func write(_ name: String, _ old: String, _ new: String, to page: inout TextPage) {
    page.add(name, indent: 2)
    page.add("- " + old, .error, indent: 4, hanging: 6)
    page.add("+ " + new, .ready, indent: 4, hanging: 6)
  }

  /// `carryover.recipe-diff/1`.
  var json: JSONValue {
    .object([
      JSONMember("schema", .string("carryover.recipe-diff/1")), JSONMember("old", Self.value(old)),
      JSONMember("new", Self.value(new)), JSONMember("differs", .boolean(!isEmpty)),
      JSONMember("otherDifference", .boolean(rules.hasOtherDifference)),
      JSONMember("changes", .array(rules.changes.map(Self.value))),
      JSONMember("containers", .array(results.map(Self.value))),
    ])
  }

  private static func value(_ reference: RecipeReference) -> JSONValue {
    .object([
      JSONMember("id", .string(reference.id)), JSONMember("version", JSONValue(reference.version)),
      JSONMember("title", .string(reference.title)),
    ])
  }

  private static func value(_ change: RecipeDiff.Change) -> JSONValue {
    .object([
      JSONMember("part", .string(change.part.word)), JSONMember("key", JSONValue(change.part.key)),
      JSONMember("change", .string(change.kind.rawValue)),
      JSONMember(
        "rules",
        .array(
          change.rules.map { rule in
            .object([
              JSONMember("rule", .string(rule.kind.rawValue)),
              JSONMember("old", JSONValue(rule.lines.filter { $0.side != .new }.map(\.text))),
              JSONMember("new", JSONValue(rule.lines.filter { $0.side != .old }.map(\.text))),
            ])
          })),
    ])
  }

  private static func value(_ result: ResultDiff) -> JSONValue {
    func pair(_ old: JSONValue, _ new: JSONValue) -> [JSONMember] { [JSONMember("old", old), JSONMember("new", new)] }
    return .object([
      JSONMember("path", .string(result.path)), JSONMember("fields", JSONValue(result.count)),
      JSONMember("differing", JSONValue(result.fields.count)),
      JSONMember("target", result.targets.map { .object(pair(JSONValue($0.old), JSONValue($0.new))) } ?? .null),
      JSONMember("findings", .object(pair(JSONValue(result.findings.old), JSONValue(result.findings.new)))),
      JSONMember(
        "results",
        .array(
          result.fields.map { field in
            .object(
              [JSONMember("field", .string(field.name))] + pair(field.old?.json ?? .null, field.new?.json ?? .null))
          })),
    ])
  }
}

extension RecipeLine.Part {
  fileprivate var word: String {
    switch self {
    case .recipe: "recipe"
    case .field: "field"
    case .notMigrated: "not-migrated"
    }
  }

  fileprivate var key: String? {
    switch self {
    case .recipe: nil
    case .field(let key), .notMigrated(let key): key
    }
  }

  fileprivate var words: String {
    switch self {
    case .recipe: "Recipe"
    case .field(let key): "Field \(key)"
    case .notMigrated(let key): "Not migrated, \(key)"
    }
  }
}

extension RecipeDiff.Line.Side {
  fileprivate var sign: String {
    switch self {
    case .both: "  "
    case .old: "- "
    case .new: "+ "
    }
  }

  fileprivate var role: Role {
    switch self {
    case .both: .muted
    case .old: .error
    case .new: .ready
    }
  }
}
