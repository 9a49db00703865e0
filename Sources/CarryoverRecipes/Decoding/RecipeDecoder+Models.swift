import Carryover
import CarryoverStorage
import PropertyLists

extension RecipeDecoder {
  /// A versioned model: its name and newest version, how to recognise a version, and the steps between them.
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
      log.report(.badModel, node.place, error.description)
      return nil
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
    log.report(.missingKey, node.place, "Name the operation: add, rename, remove, move, wrap, retype or each.")
    return nil
  }
}

extension RecipeNode {
  /// The value as JSON.
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
