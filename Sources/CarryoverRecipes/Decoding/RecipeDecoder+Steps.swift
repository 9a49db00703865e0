import Carryover
import CarryoverStorage
import CarryoverSystem

extension RecipeDecoder {
  private static let plain: [(String, Transform)] = [
    ("text", .exactText), ("number-text", .numberText), ("whole", .wholeNumber),
    ("integer-from-text", .integerFromText), ("boolean", .boolean), ("not", .invert), ("is-present", .isPresent),
    ("past-seconds-to-milliseconds", .pastSecondsToMilliseconds), ("archived-json", .archivedJSON),
    ("json-text", .jsonText), ("decimal-property-list", .decimalPropertyList),
    ("property-list-data", .propertyListData), ("keyed-archive", .keyedArchive), ("lowercase", .lowercase),
    ("uppercase", .uppercase), ("milliseconds-to-seconds", .millisecondsToSeconds),
    ("date-to-milliseconds", .dateToMilliseconds), ("iso8601", .iso8601),
  ]

  private static let others: [(name: String, step: @Sendable (RecipeDecoder, RecipeNode) -> Transform?)] = [
    ("json-without", { .jsonWithoutMembers($1.texts($0.log)) }),
    ("json-only", { .jsonOnlyMembers($0.filled($1.texts($0.log), $1)) }),
    ("json-rename", { .jsonRenamedMembers($0.names($1)) }), ("only", { .only($0.scalars($1)) }),
    ("except", { .except($0.scalars($1)) }), ("map", { .map($0.replacements($1)) }),
    ("prefix", { $1.text($0.log).map(Transform.prefix) }),
    ("drop-prefix", { $1.text($0.log).map(Transform.dropPrefix) }),
    ("wrap", { $1.text($0.log).map(Transform.wrap) }), ("unwrap", { $1.text($0.log).map(Transform.unwrap) }),
    ("model", { $0.model($1).map(Transform.model) }),
  ]

  private static func name(of step: Transform) -> String? { plain.first { $0.1 == step }?.0 }

  /// The steps of a source, and whether they fit each other and the field's form, whatever the value is.
  func steps(
    _ nodes: [RecipeNode], from kinds: Set<PropertyListValue.Kind>, in place: TextPlace, to form: TargetForm?
  ) -> [Transform] {
    var kinds = kinds
    var transforms: [Transform] = []
    checkCount(nodes, atMost: 128, "steps")
    for node in nodes {
      guard let transform = step(node) else { return transforms }
      let types = transform.types
      // Without a step before, only conditions narrow the types.
      let before = transforms.isEmpty ? "the conditions leave" : "the step before gives"
      guard !kinds.isDisjoint(with: types.accepts) else {
        log.report(
          .wrongStep, node.place,
          "This step accepts \(Self.words(types.accepts)), but \(before) \(Self.words(kinds)).")
        return transforms
      }
      if types.isConversion, types.gives.map(kinds.isSubset) == true, let name = Self.name(of: transform) {
        log.report(
          .idleStep, node.place,
          "\(before.prefix(1).uppercased() + before.dropFirst()) \(Self.words(kinds)), which \(name) does not change.")
      }
      warn(transform, after: transforms.last, node.place)
      kinds = types.gives ?? kinds.intersection(types.accepts)
      transforms.append(transform)
    }
    if let form, !kinds.contains(form.kind) {
      log.report(
        .wrongForm, nodes.last?.place ?? place,
        "The steps give \(Self.words(kinds)), but the field needs \(form.words).")
    }
    return transforms
  }

  private func step(_ node: RecipeNode) -> Transform? {
    guard case .map(let entries) = node.content else { return named(node, "step", Self.plain) }
    guard let entry = entries.first, entries.count == 1 else {
      return log.refuse(.wrongValue, node.place, "A step has one name.")
    }
    if let known = Self.others.first(where: { $0.name == entry.key }) { return known.step(self, entry.value) }
    let names = Self.plain.map(\.0) + Self.others.map(\.name)
    return log.refuse(
      .unknownName, entry.place,
      "There is no step \(DisplayText.quoted(entry.key)). \(log.suggest(entry.key, names))")
  }

  /// Reports a map that can never say that the user opted out, in a field that migrates opt-outs.
  func warn(consent transforms: [Transform], _ place: TextPlace) {
    for case .map(let entries) in transforms where !entries.contains(where: { PlanningContext.isTrue($0.to) }) {
      log.report(.noOptOut, place, "No result of this map is true, so Carryover cannot see that the user opted out.")
    }
  }

  /// Reports a map of booleans without one of the two, unless the step before excludes values.
  private func warn(_ step: Transform, after before: Transform?, _ place: TextPlace) {
    guard case .map(let entries) = step, Set(entries.map(\.from)).intersection([true, false]).count == 1 else { return }
    switch before {
    case .only, .except: return
    default: log.report(.partialMap, place, "The map has an entry for true or for false, but not for both.")
    }
  }

  func model(_ node: RecipeNode) -> ModelRule? {
    guard var map = RecipeMap(node, of: "A model", log) else { return nil }
    let name = map.requireText("name")
    let version = map.require("version")?.number(log)
    let marker = map.text("marker")
    let unmarked = map.take("unmarked")?.number(log)
    let shapes = map.take("shapes")?.items(log)?.compactMap(shape) ?? []
    let steps = map.require("steps")?.items(log)?.compactMap(modelStep) ?? []
    map.end()
    guard let name, let version else { return nil }
    var versioning = ModelVersioning(shapes: Dictionary(shapes, uniquingKeysWith: { first, _ in first }))
    versioning.marker = marker
    versioning.unmarked = unmarked
    do throws(ModelChainError) {
      return ModelRule(try ModelMigrator(model: name, version: version, versioning: versioning, steps: steps))
    } catch {
      return log.refuse(.badModel, node.place, error.description)
    }
  }

  private func shape(_ node: RecipeNode) -> (Int, ModelShape)? {
    guard var map = RecipeMap(node, of: "A version's members", log) else { return nil }
    let version = map.require("version")?.number(log)
    let required = map.texts("required")
    let forbidden = map.texts("forbidden")
    map.end()
    return version.map {
      ($0, ModelShape(required: Set(required.map { ModelPath($0) }), forbidden: Set(forbidden.map { ModelPath($0) })))
    }
  }

  /// Far more elements than an array in an app's preferences has.
  private static let mostElements = 1_000_000

  private func modelStep(_ node: RecipeNode) -> ModelStep? {
    guard var map = RecipeMap(node, of: "A step of a model", log) else { return nil }
    let from = map.require("from")?.number(log)
    let title = map.words("title")
    let operations = map.require("do")?.items(log)?.compactMap(operation) ?? []
    map.end()
    return from.map { ModelStep(from: $0, operations, title: title, onAtMost: Self.mostElements) }
  }

  private func operation(_ node: RecipeNode) -> ModelOperation? {
    guard var map = RecipeMap(node, of: "An operation", log) else { return nil }
    defer { map.end() }
    func path(_ text: String?) -> ModelPath? { text.map { ModelPath($0) } }
    if let added = path(map.text("add")) { return map.require("value").map { .add(added, $0.json) } }
    if let renamed = path(map.text("rename")) { return map.requireText("to").map { .rename(renamed, to: $0) } }
    if let removed = path(map.text("remove")) { return .remove(removed) }
    if let moved = path(map.text("move")) { return path(map.requireText("to")).map { .move(moved, to: $0) } }
    if let wrapped = path(map.text("wrap")) { return map.requireText("in").map { .wrap(wrapped, in: $0) } }
    if let retyped = path(map.text("retype")) {
      let kind = map.choice("to", of: JSONKind.allCases.map { ($0.rawValue, $0) })
      let otherwise = map.take("otherwise")?.json
      return kind.map { .retype(retyped, to: $0, otherwise: otherwise) }
    }
    if let each = map.take("each") {
      let operations = each.items(log)?.compactMap(operation) ?? []
      return .each(of: path(map.text("of")), operations)
    }
    return log.refuse(.missingKey, node.place, "Name the operation: add, rename, remove, move, wrap, retype or each.")
  }
}

/// The types that a step accepts, and those that it can give.
private struct StepTypes {
  var accepts: Set<PropertyListValue.Kind>
  /// Nil if the type does not change.
  var gives: Set<PropertyListValue.Kind>?
  /// Whether the step does not change a value that already has the type that it gives.
  var isConversion: Bool

  init(_ accepts: Set<PropertyListValue.Kind>, _ gives: PropertyListValue.Kind?, isConversion: Bool = false) {
    self.accepts = accepts
    self.gives = gives.map { [$0] }
    self.isConversion = isConversion
  }

  static let all = Set(PropertyListValue.Kind.allCases)
}

extension Transform {
  fileprivate var types: StepTypes {
    switch self {
    case .exactText, .numberText: return StepTypes([.string, .integer, .real], .string, isConversion: true)
    case .wholeNumber: return StepTypes([.integer, .real], .integer, isConversion: true)
    case .integerFromText: return StepTypes([.string, .integer], .integer, isConversion: true)
    case .prefix, .dropPrefix, .lowercase, .uppercase: return StepTypes([.string], .string)
    case .boolean: return StepTypes([.boolean, .integer, .real], .boolean, isConversion: true)
    case .invert: return StepTypes([.boolean], .boolean)
    case .isPresent: return StepTypes(StepTypes.all, .boolean)
    case .only(let values): return StepTypes(Set(values.map(\.kind)), nil)
    case .except: return StepTypes(StepTypes.all, nil)
    case .map(let entries): return StepTypes(Set(entries.map(\.from.kind)), entries.first?.to.kind)
    case .pastSecondsToMilliseconds: return StepTypes([.integer, .real], .integer)
    case .millisecondsToSeconds: return StepTypes([.integer, .real], .real)
    case .dateToMilliseconds: return StepTypes([.date], .integer)
    case .iso8601: return StepTypes([.date], .string)
    case .jsonWithoutMembers, .jsonOnlyMembers, .jsonRenamedMembers: return StepTypes([.string], .string)
    case .archivedJSON: return StepTypes([.string, .data], .string, isConversion: true)
    case .jsonText: return StepTypes([.string, .dictionary], .string, isConversion: true)
    case .decimalPropertyList: return StepTypes([.string], .data)
    case .propertyListData: return StepTypes([.dictionary, .array], .data)
    case .keyedArchive: return StepTypes([.dictionary, .array, .set], .data)
    case .wrap: return StepTypes(StepTypes.all, .dictionary)
    case .unwrap:
      // A dictionary can contain values of any type.
      var types = StepTypes([.dictionary], nil)
      types.gives = StepTypes.all
      return types
    case .model: return StepTypes([.string, .data], nil)
    }
  }
}

extension RecipeNode {
  fileprivate var json: JSONValue {
    switch content {
    case .text(let text): .string(text)
    case .integer(let digits), .decimal(let digits): JSONNumber(lexeme: digits).map(JSONValue.number) ?? .string(digits)
    case .boolean(let flag): .boolean(flag)
    case .list(let items): .array(items.map(\.json))
    case .map(let entries): .object(entries.map { JSONMember($0.key, $0.value.json) })
    }
  }
}
